import type { Definition, Json } from "../../generator/model/types.js";
import { readDefinitions } from "../../generator/read/schema/definitions.js";
import { noNotes, openSchema, type Notes } from "../../generator/read/schema/schema-file.js";
import { readJsonText } from "../../generator/read/source/json-text.js";

export interface Reading {
  readonly it: Definition;
  readonly definitions: readonly Definition[];
  readonly warnings: readonly string[];
}

/** Reads a schema as the definition `It`, along with other definitions. */
export function read(
  node: Json,
  others: Readonly<Record<string, Json>> = {},
  notes: Partial<Notes> = {},
  root: Readonly<Record<string, Json>> = {},
): Reading {
  const warnings: string[] = [];
  const text = JSON.stringify({ ...root, definitions: { It: node, ...others } });
  const schema = openSchema(readJsonText(text, "test.json"), new Set(), {
    onWarning: ({ message, place }) => warnings.push(`${place.pointer}: ${message}`),
  });
  const definitions = readDefinitions(schema, { ...noNotes, ...notes });
  schema.settle();
  return { it: definitions[0]!, definitions, warnings };
}

// Copies of schemas that tests are free to change.
export type Loose = Record<string, any>;

export type Definitions = Record<string, Loose>;
