import { isNever } from "../../model/type-checks.js";
import type { ArrayType, ObjectType, Property, Type } from "../../model/types.js";
import { formatDocs } from "./doc-comment.js";
import { propertyDocs } from "./property-docs.js";
import { lineWidth, printValue, propertyKey, type SourceFile } from "./source-file.js";

/** A function that returns the code for a reference to the definition with the given name. */
export type NameOf = (definition: string) => string;

/**
 * Prints a type as TypeScript, breaking it in the same way as Prettier if it exceeds the line
 * width. Lines after the first are indented by `indent`. The caller prints the text with a margin
 * of `margin` columns.
 *
 * @param before Columns before the type on its line, not including the margin.
 * @param after Columns after the type.
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
      if (type.first !== undefined) {
        const lines = tupleParts(type, nameOf, margin, indent + 2).map(
          (part) => `${pad}  ${part},`,
        );
        return `[\n${lines.join("\n")}\n${pad}]`;
      }
      if (!isUnion(items))
        return `${printType(items, nameOf, margin, before, after + 2, indent)}[]`;
      return `(${brokenUnion(items, flatType(items, nameOf), nameOf, margin, indent, 0)}\n${pad})[]`;
    }
    case "map": {
      const line = printTyped(`${pad}  [key: string]:`, type.values, nameOf, margin, indent + 2);
      return `{\n${line}\n${pad}}`;
    }
    case "object": {
      const lines = type.properties.flatMap((property) => {
        const docs = formatDocs(propertyDocs(property), lineWidth - margin - indent - 2).map(
          (line) => `${pad}  ${line}`,
        );
        const head = `${pad}  ${memberHead(property)}`;
        return [...docs, printTyped(head, property.type, nameOf, margin, indent + 2)];
      });
      const index = indexType(type, type.properties);
      if (index !== undefined)
        lines.push(printTyped(`${pad}  [key: string]:`, index, nameOf, margin, indent + 2));
      return `{\n${lines.join("\n")}\n${pad}}`;
    }
    default:
      return flat!;
  }
}

/**
 * Prints a heading, such as `name?:`, and a type. A union that is broken into lines starts below the
 * heading.
 */
export function printTyped(
  head: string,
  type: Type,
  nameOf: NameOf,
  margin: number,
  indent = 0,
): string {
  return typed(head, printType(type, nameOf, margin, head.length + 1, 1, indent));
}

function typed(head: string, text: string): string {
  return `${head}${text.startsWith("\n") ? "" : " "}${text};`;
}

function memberHead({ name, required }: Property): string {
  return `${propertyKey(name)}${required ? "" : "?"}:`;
}

/** Emits a property of an interface. @param type The type to print, or its code. */
export function emitMember(
  property: Property,
  nameOf: NameOf,
  file: SourceFile,
  type: Type | string = property.type,
): void {
  const head = memberHead(property);
  file.doc(...propertyDocs(property));
  file.line(
    typeof type === "string" ? typed(head, type) : printTyped(head, type, nameOf, file.indent),
  );
}

/**
 * Prints a union below its heading. If it does not fit on one line, each member gets a line of its
 * own.
 */
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
    const values = type.values.map(({ value }) => printValue(value));
    return type.open
      ? [...values, typeof type.values[0]?.value === "number" ? "(number & {})" : "(string & {})"]
      : values;
  }
  if (type.members.length === 0) return ["never"];
  const members = type.members.flatMap((each): readonly string[] =>
    isUnion(each)
      ? unionMembers(each, nameOf, margin, indent)
      : [printType(each, nameOf, margin, indent, 0, indent)],
  );
  return [...new Set(members)];
}

/** Prints the items of a tuple. An item is optional if the tuple may end before it. */
function tupleParts(
  { first = [], items, minItems = 0, maxItems = Infinity }: ArrayType,
  nameOf: NameOf,
  margin: number,
  indent: number,
): readonly string[] {
  const print = (type: Type): string => printType(type, nameOf, margin, indent, 1, indent);
  const parts = first
    .slice(0, maxItems)
    .map((type, index) => (index < minItems ? print(type) : `(${print(type)})?`));
  const rest = isNever(items) || maxItems <= first.length ? [] : [`...(${print(items)})[]`];
  return [...parts, ...rest].map((part) => part.replace(/\((\w+)\)/, "$1"));
}

/**
 * Returns the type of an object's index signature, or undefined if it has none. The type includes
 * the types of all named properties, as TypeScript requires.
 *
 * @param named All named properties, including inherited ones.
 */
export function indexType(type: ObjectType, named: readonly Property[]): Type | undefined {
  const { others, matching = [], extras } = type;
  const isOpen = others === undefined && extras === "open";
  if (others === undefined && (matching.length === 0 || (isOpen && named.length > 0)))
    return undefined;
  const unnamed = [
    ...(others === undefined ? (isOpen ? [{ kind: "any" as const }] : []) : [others]),
    ...matching.map((each) => each.type),
  ];
  const members = [...unnamed, ...named.map((each) => each.type)].filter((each) => !isNever(each));
  if (members.some(({ kind }) => kind === "any")) return { kind: "any" };
  const optional = named.some(({ required }) => !required);
  return { kind: "union", members: [...members, ...(optional ? [absent] : [])] };
}

/** The type `undefined`, which does not exist on the wire. */
const absent: Type = { kind: "reference", name: "undefined" };

/** Prints a type on one line, or returns undefined if it always takes up several lines. */
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
      return type === absent ? "undefined" : nameOf(type.name);
    case "enum":
    case "union": {
      const members = unionMembers(type, nameOf, 0, 0);
      return members.some((text) => text.includes("\n")) ? undefined : members.join(" | ");
    }
    case "array": {
      if (type.first !== undefined) {
        const parts = tupleParts(type, nameOf, 0, 0);
        return parts.some((part) => part.includes("\n")) ? undefined : `[${parts.join(", ")}]`;
      }
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
      if (type.properties.length > 0) return undefined;
      return flatType({ kind: "map", values: indexType(type, []) ?? { kind: "any" } }, nameOf);
  }
}
