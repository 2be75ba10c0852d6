import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readRoot } from "../../generator/read/schema/definitions.js";
import { noNotes, openFreeSchema } from "../../generator/read/schema/schema-file.js";
import { readJsonText } from "../../generator/read/source/json-text.js";
import type { Definition, Json } from "../../generator/model/types.js";

/** A schema in the JSON Schema Test Suite, with its test values. */
export interface SuiteGroup {
  /** The name of the group: its file and description. */
  readonly name: string;
  readonly schema: Json;
  readonly tests: readonly SuiteCase[];
}

export interface SuiteCase {
  readonly description: string;
  readonly data: unknown;
  readonly valid: boolean;
}

/** The tested drafts by folder, each with its `$schema`. */
export const drafts = {
  draft4: "http://json-schema.org/draft-04/schema#",
  draft7: "http://json-schema.org/draft-07/schema#",
  "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
} as const;

export type Draft = keyof typeof drafts;

export function readSuite(folder: string, draft: Draft): readonly SuiteGroup[] {
  const own = join(folder, "tests", draft);
  return readdirSync(own)
    .filter((file) => file.endsWith(".json"))
    .sort()
    .flatMap((file) => {
      const groups = JSON.parse(readFileSync(join(own, file), "utf8")) as readonly {
        readonly description: string;
        readonly schema: Json;
        readonly tests: readonly SuiteCase[];
      }[];
      return groups.map(({ description, schema, tests }) => ({
        name: `${file.replace(".json", "")}: ${description}`,
        schema: withDraft(schema, draft),
        tests,
      }));
    });
}

function withDraft(schema: Json, draft: Draft): Json {
  return typeof schema !== "object" || schema === null || Array.isArray(schema)
    ? schema
    : { $schema: drafts[draft], ...schema };
}

/** Reads a schema exactly as its draft defines it. The first definition is the schema's root. */
export function readSuiteSchema(schema: Json, prefix: string): readonly Definition[] {
  const file = openFreeSchema(readJsonText(JSON.stringify(schema), "suite.json"));
  const definitions = readRoot(file, { ...noNotes, untyped: "exact" }, "Root");
  return definitions.map((definition) => renamed(definition, prefix) as Definition);
}

/** Adds a prefix to all definition names in a part of the model. */
function renamed(part: unknown, prefix: string): unknown {
  if (Array.isArray(part)) return part.map((each) => renamed(each, prefix));
  if (typeof part !== "object" || part === null) return part;
  const own = part as Record<string, unknown>;
  const isName = own["kind"] === "reference" || own["kind"] === "definition";
  return Object.fromEntries(
    Object.entries(own).map(([key, value]) => [
      key,
      isName && key === "name"
        ? prefix + String(value)
        : own["kind"] === "object" && key === "bases"
          ? (value as string[]).map((base) => prefix + base)
          : renamed(value, prefix),
    ]),
  );
}
