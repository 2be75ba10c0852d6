import type {
  Definition,
  Json,
  ObjectType,
  Property,
  Type,
} from "../../../generator/model/types.js";
import { flattenProperties } from "../../../generator/model/properties.js";
import { printTypeText, type AddressOf } from "./type-text.js";

type Definitions = ReadonlyMap<string, Definition>;

/** Prints an object's fields as a table, including the fields of unnamed objects nested in it. */
export function printFields(type: Type, definitions: Definitions, addressOf: AddressOf): string {
  if (type.kind === "enum") return printValues(type.values);
  if (type.kind !== "object") return `${printTypeText(type, addressOf).toString()}\n`;
  const rows = fieldRows(type, definitions, addressOf, "");
  if (rows.length === 0) return "No fields.\n";
  return table(["Field", "Type", "Meaning"], rows);
}

/** Prints a Markdown table. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heads, heads.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

/**
 * Prepares text from a schema for use in Markdown outside tables: keeps code spans and escapes
 * HTML.
 */
export function runningText(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll("<", "&lt;")))
    .join("");
}

/** Prepares text from a schema for use in a table cell: puts it on one line and escapes bars. */
export function cellText(text: string): string {
  return runningText(text.replaceAll(/\s+/g, " ")).replaceAll("|", "\\|").trim();
}

function* rowsOf(
  type: Type,
  definitions: Definitions,
  addressOf: AddressOf,
  path: string,
): Generator<readonly string[]> {
  if (type.kind === "object") yield* fieldRows(type, definitions, addressOf, `${path}.`);
  if (type.kind === "array") yield* rowsOf(type.items, definitions, addressOf, `${path}[]`);
}

function fieldRows(
  type: ObjectType,
  definitions: Definitions,
  addressOf: AddressOf,
  prefix: string,
): readonly (readonly string[])[] {
  return flattenProperties(definitions, type).flatMap((property) => [
    [
      `\`${prefix}${property.name}${property.required ? "" : "?"}\``,
      printTypeText(property.type, addressOf).toString().replaceAll("|", "\\|"),
      meaningOf(property),
    ],
    ...rowsOf(property.type, definitions, addressOf, `${prefix}${property.name}`),
  ]);
}

function meaningOf(property: Property): string {
  const { docs, type, since, deprecated, gate } = property;
  const isStated = docs !== undefined && /default|if absent/i.test(docs);
  const facts = [
    docs === undefined ? "" : cellText(docs),
    type.kind === "enum"
      ? `Values: ${type.values.map(({ value }) => code(value)).join(", ")}${type.open ? ", or others" : ""}.`
      : "",
    property.default === undefined || isStated ? "" : `Default: ${code(property.default)}.`,
    gate === undefined || docs?.includes(gate.capability) === true
      ? ""
      : `Requires \`${gate.capability}\`, announced by the ${gate.role}.`,
    since === undefined ? "" : `Since ${since}.`,
    deprecated === undefined ? "" : `**Deprecated.** ${cellText(deprecated)}`,
  ];
  return facts.filter((fact) => fact !== "").join(" ");
}

function printValues(
  values: readonly { value: string | number; docs?: string; since?: string }[],
): string {
  const rows = values.map(({ value, docs = "", since }) => [
    code(value),
    [cellText(docs), since === undefined ? "" : `Since ${since}.`]
      .filter((part) => part !== "")
      .join(" "),
  ]);
  return table(["Value", "Meaning"], rows);
}

function code(value: Json): string {
  return `\`${JSON.stringify(value).replaceAll("|", "\\|")}\``;
}
