import type { Node } from "jsonc-parser";
import { parsePointer } from "../runtime/base/json-pointer.js";
import type { Json } from "../generator/model/types.js";
import { loadJsoncParser } from "../generator/base/packages.js";

/**
 * Replaces or removes the value at a JSON Pointer in JSON text, leaving all other text unchanged. A
 * new value is formatted like its neighbours: on the same line, or with the same indentation.
 */
export function editJson(text: string, pointer: string, value: Json | undefined): string {
  const path = parsePointer(pointer);
  const { parseTree } = loadJsoncParser();
  const root = parseTree(text, [], { allowTrailingComma: true })!;
  const node = nodeAt(root, path);
  if (value === undefined) return node === undefined ? text : without(text, node);
  if (node !== undefined)
    return replaced(
      text,
      node,
      printed(value, indentAt(text, node.offset), text, isOnOneLine(text, node)),
    );
  // If the value's parent is missing too, insert both together.
  const parent = nodeAt(root, path.slice(0, -1));
  const key = path.at(-1)!;
  return parent === undefined
    ? editJson(text, pointer.slice(0, pointer.lastIndexOf("/")), { [key]: value })
    : inserted(text, parent, key, value);
}

function nodeAt(root: Node, path: readonly string[]): Node | undefined {
  let node: Node | undefined = root;
  for (const key of path)
    node =
      node === undefined
        ? undefined
        : loadJsoncParser().findNodeAtLocation(node, [node.type === "array" ? Number(key) : key]);
  return node;
}

function replaced(text: string, { offset, length }: Node, value: string): string {
  return text.slice(0, offset) + value + text.slice(offset + length);
}

/** Removes the property that has the given value, along with its comma. */
function without(text: string, value: Node): string {
  const property = value.parent!;
  const siblings = property.parent!.children!;
  const index = siblings.indexOf(property);
  const next = siblings[index + 1];
  const before = siblings[index - 1];
  const end = property.offset + property.length;
  if (next !== undefined) return text.slice(0, property.offset) + text.slice(next.offset);
  const start = before === undefined ? property.parent!.offset + 1 : before.offset + before.length;
  return text.slice(0, start) + text.slice(end);
}

function inserted(text: string, parent: Node, key: string, value: Json): string {
  const last = parent.children?.at(-1);
  const end = parent.offset + parent.length - 1;
  const name = `${JSON.stringify(key)}: `;
  if (last === undefined) {
    const outer = indentAt(text, parent.offset);
    const inner = outer + indentUnit(text);
    const eol = lineEnd(text);
    const inside = `{${eol}${inner}${name}${printed(value, inner, text)}${eol}${outer}}`;
    return replaced(text, parent, inside);
  }
  const afterLast = last.offset + last.length;
  const isInline = !text.slice(parent.offset, last.offset).includes("\n");
  const rest = text.slice(afterLast, end);
  // If the file has a trailing comma, it already separates the new property from the previous one.
  const comma = /^\s*,/.test(rest) ? "" : ",";
  const indent = indentAt(text, last.offset);
  const gap = isInline ? " " : `${lineEnd(text)}${indent}`;
  const insertion = comma === "" ? afterLast + rest.indexOf(",") + 1 : afterLast;
  return `${text.slice(0, insertion)}${comma}${gap}${name}${printed(value, indent, text, isInline)}${text.slice(insertion)}`;
}

/**
 * Prints JSON either on one line or with the indentation of the JSON text into which it is
 * inserted.
 */
function printed(value: Json, indent: string, text: string, isInline = false): string {
  if (isInline) return onOneLine(value);
  return JSON.stringify(value, null, indentUnit(text)).replaceAll(
    "\n",
    `${lineEnd(text)}${indent}`,
  );
}

function onOneLine(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([key, part]) => `${JSON.stringify(key)}: ${onOneLine(part)}`,
  );
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}

/** Returns whether a non-empty array or object is written on one line. */
function isOnOneLine(text: string, { type, offset, length, children = [] }: Node): boolean {
  const isContainer = type === "object" || type === "array";
  return isContainer && children.length > 0 && !text.slice(offset, offset + length).includes("\n");
}

/** Returns the indentation of the line that contains an offset. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))![0];
}

function indentUnit(text: string): string {
  return /^([ \t]+)"/m.exec(text)?.[1] ?? "  ";
}

function lineEnd(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}
