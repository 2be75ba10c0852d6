import type { ParseError, Node } from "jsonc-parser";
import * as option from "../../../runtime/base/check-options.js";
import { pointerStep, parsePointer } from "../../../runtime/base/json-pointer.js";
import { checkArguments } from "../../base/check-arguments.js";
import { InputError, type InputPlace } from "../../base/input-error.js";
import { loadJsoncParser } from "../../base/packages.js";
import { once } from "../../model/once.js";
import type { Json } from "../../model/types.js";

/** Maximum nesting depth of objects and arrays in an input file. */
export const maxInputDepth = 256;

/** Maximum size of an input file, in UTF-16 code units. */
export const maxInputLength = 64 * 1024 * 1024;

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json };

/** A parsed JSON file that can report the locations of its values. */
export interface JsonFile {
  /** The file's name, as shown in error messages. */
  readonly name: string;
  readonly value: Json;
  /** Returns the location of the value at a JSON Pointer, including line and column. */
  locate(pointer: string): InputPlace;
}

/**
 * Parses JSON strictly (RFC 8259).
 *
 * @throws InputError `ERR_JSON`, `ERR_TOO_DEEP`, `ERR_TOO_LARGE` or `ERR_DUPLICATE_KEY`, with line and column.
 */
export function readJsonText(text: string, name: string): JsonFile {
  checkArguments("readJsonText", { text: [text, option.text] });
  const source = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (source.length > maxInputLength) {
    throw new InputError(
      "ERR_TOO_LARGE",
      `Cannot read ${source.length} characters: the limit is ${maxInputLength}`,
      {
        file: name,
      },
    );
  }
  const colons = refuseDepth(source, name);
  const value = parse(source, name);
  // The text contains one colon per key. If the parsed value has fewer keys, the parser has dropped
  // duplicates.
  if (colons !== countKeys(value)) refuseDuplicateKeys(source, name);
  const places = once(() => ({
    root: loadJsoncParser().parseTree(source)!,
    positionAt: positionsIn(source),
  }));
  return {
    name,
    value,
    locate(pointer) {
      const { root, positionAt } = places();
      return { file: name, pointer, ...positionAt(nearestNode(root, pointer).offset) };
    },
  };
}

/** Appends keys or indices to a JSON Pointer. */
export function joinPointer(pointer: string, ...parts: readonly (string | number)[]): string {
  let joined = pointer;
  for (const part of parts) joined += pointerStep(String(part));
  return joined;
}

/**
 * Finds the innermost part that has a place and contains the part at a JSON Pointer.
 *
 * @param places The places of parts, by JSON Pointer.
 */
export function nearestPlace<Place>(
  places: ReadonlyMap<string, Place>,
  pointer: string,
): readonly [pointer: string, place: Place] | undefined {
  for (let prefix = pointer; prefix !== ""; prefix = prefix.slice(0, prefix.lastIndexOf("/"))) {
    const place = places.get(prefix);
    if (place !== undefined) return [prefix, place];
  }
  return undefined;
}

/** Returns whether a JSON value is an object, rather than null or an array. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parse(source: string, name: string): Json {
  try {
    return JSON.parse(source) as Json;
  } catch (error) {
    const { parseTree, printParseErrorCode } = loadJsoncParser();
    const errors: ParseError[] = [];
    parseTree(source, errors, { disallowComments: true, allowTrailingComma: false });
    const first = errors[0];
    if (first === undefined)
      throw new InputError("ERR_JSON", `Cannot parse JSON: ${(error as Error).message}`, {
        file: name,
      });
    const excerpt = JSON.stringify(
      source.slice(first.offset, first.offset + Math.min(Math.max(first.length, 1), 20)),
    );
    const what =
      source.trim() === ""
        ? "the text is empty"
        : `${words(printParseErrorCode(first.error))} at ${excerpt === '""' ? "the end" : excerpt}`;
    throw new InputError("ERR_JSON", `Cannot parse JSON: ${what}`, {
      file: name,
      ...positionOf(source, first.offset),
    });
  }
}

/** Converts `CommaExpected` to "comma expected". */
function words(code: string): string {
  return code.replaceAll(/(?<=[a-z])([A-Z])/g, " $1").toLowerCase();
}

/**
 * Rejects deep nesting before a recursive reader runs. Returns the number of colons outside
 * strings.
 */
function refuseDepth(source: string, name: string): number {
  let depth = 0;
  let colons = 0;
  let inString = false;
  for (let index = 0; index < source.length; index++) {
    const code = source.charCodeAt(index);
    if (inString) {
      if (code === 0x5c) index++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > maxInputDepth) {
        throw new InputError(
          "ERR_TOO_DEEP",
          `Cannot read JSON nested more than ${maxInputDepth} levels deep`,
          { file: name, ...positionOf(source, index) },
          "Move inner schemas into definitions, and reference these definitions",
        );
      }
    } else if (code === 0x7d || code === 0x5d) depth--;
    else if (code === 0x3a) colons++;
  }
  return colons;
}

/** Counts the keys in a value, at any depth. */
export function countKeys(value: Json): number {
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[])
      if (typeof item === "object") count += countKeys(item);
  } else if (isJsonObject(value))
    for (const key in value) {
      const part = value[key]!;
      count += typeof part === "object" ? 1 + countKeys(part) : 1;
    }
  return count;
}

/**
 * Rejects duplicate keys. `JSON.parse` silently keeps only the last one, so a definition could be
 * lost.
 */
function refuseDuplicateKeys(source: string, name: string): void {
  const scopes: Set<string>[] = [];
  loadJsoncParser().visit(source, {
    onObjectBegin: () => void scopes.push(new Set()),
    onObjectEnd: () => void scopes.pop(),
    onObjectProperty: (key, offset) => {
      const scope = scopes.at(-1)!;
      if (scope.has(key)) {
        throw new InputError(
          "ERR_DUPLICATE_KEY",
          `Cannot read the key ${JSON.stringify(key)} twice in one object`,
          {
            file: name,
            ...positionOf(source, offset),
          },
          "Remove or rename one of the two",
        );
      }
      scope.add(key);
    },
  });
}

/** A 1-based line and column. Columns count UTF-16 code units. */
interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Converts an offset in a text to a line and a column. */
export function positionOf(text: string, offset: number): TextPosition {
  return positionsIn(text)(offset);
}

/** Returns a function that converts offsets in a text to lines and columns. */
function positionsIn(text: string): (offset: number) => TextPosition {
  const lines = [0];
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1))
    lines.push(end + 1);
  return (offset) => {
    let [low, high] = [0, lines.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (lines[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - lines[low]! + 1 };
  };
}

/**
 * Finds the node at a JSON Pointer. If it does not exist, returns the innermost node that contains
 * the location.
 */
export function nearestNode(root: Node, pointer: string): Node {
  const { findNodeAtLocation } = loadJsoncParser();
  let node = root;
  for (const key of parsePointer(pointer)) {
    const next = findNodeAtLocation(node, [node.type === "array" ? Number(key) : key]);
    if (next === undefined) break;
    node = next;
  }
  return node;
}
