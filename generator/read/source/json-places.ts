import type { Node } from "jsonc-parser";
import { parsePointer } from "../../../runtime/base/json-pointer.js";
import { loadJsoncParser } from "../../base/packages.js";

/** A 1-based line and column. Columns count UTF-16 code units. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Converts an offset in a text to a line and a column. */
export function positionOf(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}

/**
 * Returns a function that converts offsets in a text to lines and columns. It is faster than
 * `positionOf` if there are many offsets.
 */
export function positionsIn(text: string): (offset: number) => TextPosition {
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
