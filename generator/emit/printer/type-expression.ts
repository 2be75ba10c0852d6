import type { Type } from "../../model/types.js";
import { formatDocs } from "./doc-comment.js";
import { propertyDocs } from "./property-docs.js";
import { lineWidth, printValue, propertyKey } from "./source-file.js";

/** Returns the code for a reference to a definition. */
export type NameOf = (definition: string) => string;

/**
 * Prints a type as TypeScript, on several lines like prettier if it exceeds the line width. Later lines are indented by
 * `indent`. The caller prints the text at a margin of `margin` columns.
 *
 * @param before Columns before the type on its line, without the margin.
 * @param after Columns after it.
 */
export function printType(
  type: Type,
  nameOf: NameOf,
  margin: number,
  before: number,
  after: number,
  indent = 0,
): string {
  const flat = flatType(type, nameOf);
  if (flat !== undefined && margin + before + flat.length + after <= lineWidth) return flat;
  const pad = " ".repeat(indent);
  switch (type.kind) {
    case "enum":
    case "union":
      return brokenUnion(type, flat, nameOf, margin, indent, after);
    case "array": {
      const { items } = type;
      if (!isUnion(items))
        return `${printType(items, nameOf, margin, before, after + 2, indent)}[]`;
      return `(${brokenUnion(items, flatType(items, nameOf), nameOf, margin, indent, 0)}\n${pad})[]`;
    }
    case "map": {
      const values = printType(type.values, nameOf, margin, indent + 17, 1, indent + 2);
      return `{\n${pad}  [key: string]:${withGap(values)};\n${pad}}`;
    }
    case "object": {
      const lines = type.properties.flatMap((property) => {
        const docs = formatDocs(propertyDocs(property), lineWidth - margin - indent - 2).map(
          (line) => `${pad}  ${line}`,
        );
        const head = `${pad}  ${propertyKey(property.name)}${property.required ? "" : "?"}:`;
        return [
          ...docs,
          `${head}${withGap(printType(property.type, nameOf, margin, head.length + 1, 1, indent + 2))};`,
        ];
      });
      return `{\n${lines.join("\n")}\n${pad}}`;
    }
    default:
      return flat!;
  }
}

/** Separates a type from its heading: a broken union begins on a new line, other types after a blank. */
export function withGap(text: string): string {
  return text.startsWith("\n") ? text : ` ${text}`;
}

/** Prints a union below its heading, on one line if it fits, else one member per line. */
function brokenUnion(
  type: Type & { readonly kind: "enum" | "union" },
  flat: string | undefined,
  nameOf: NameOf,
  margin: number,
  indent: number,
  after: number,
): string {
  const pad = " ".repeat(indent + 2);
  if (flat !== undefined && margin + pad.length + flat.length + after <= lineWidth)
    return `\n${pad}${flat}`;
  return unionMembers(type, nameOf, margin, indent + 4)
    .map((text) => `\n${pad}| ${text}`)
    .join("");
}

function isUnion(type: Type): type is Type & { readonly kind: "enum" | "union" } {
  return type.kind === "enum" || type.kind === "union";
}

function unionMembers(
  type: Type & { readonly kind: "enum" | "union" },
  nameOf: NameOf,
  margin: number,
  indent: number,
): readonly string[] {
  if (type.kind === "enum") {
    const known = type.values.map(({ value }) => printValue(value));
    return type.open
      ? [...known, typeof type.values[0]?.value === "number" ? "(number & {})" : "(string & {})"]
      : known;
  }
  const members = type.members.flatMap((each): readonly string[] =>
    isUnion(each)
      ? unionMembers(each, nameOf, margin, indent)
      : [printType(each, nameOf, margin, indent, 0, indent)],
  );
  return [...new Set(members)];
}

/** Prints a type on one line; undefined for types that always take several. */
function flatType(type: Type, nameOf: NameOf): string | undefined {
  switch (type.kind) {
    case "any":
      return "unknown";
    case "null":
    case "boolean":
    case "string":
      return type.kind;
    case "integer":
    case "number":
      return "number";
    case "literal":
      return printValue(type.value);
    case "reference":
      return nameOf(type.name);
    case "enum":
    case "union": {
      const members = unionMembers(type, nameOf, 0, 0);
      return members.some((text) => text.includes("\n")) ? undefined : members.join(" | ");
    }
    case "array": {
      const items = flatType(type.items, nameOf);
      if (items === undefined) return undefined;
      return isUnion(type.items) && unionMembers(type.items, nameOf, 0, 0).length > 1
        ? `(${items})[]`
        : `${items}[]`;
    }
    case "map": {
      const values = flatType(type.values, nameOf);
      return values === undefined ? undefined : `{ [key: string]: ${values} }`;
    }
    case "object":
      return type.properties.length === 0 ? "{ [key: string]: unknown }" : undefined;
  }
}
