import { parsePointer, pointerStep } from "../../../../runtime/base/json-pointer.js";

/** A line in a message's tree view. */
export interface JsonNode {
  /** JSON Pointer to the value. For `more`, the pointer to the value whose parts are hidden. */
  readonly pointer: string;
  /** Depth in the tree, starting at 1. */
  readonly depth: number;
  /** Name or index within the parent. Empty for the message itself. */
  readonly key: string;
  readonly kind: "object" | "array" | "string" | "number" | "boolean" | "null" | "more";
  /**
   * The value as JSON. For an object or array, the number of its parts. For `more`, the number of
   * hidden parts.
   */
  readonly text: string;
  /** Whether the node's parts are shown. Absent if it has none. */
  readonly isOpen?: boolean;
}

/**
 * Number of a value's parts that are shown initially, and that are added each time the user asks
 * for more.
 */
export const partsAtOnce = 100;

/** Values with fewer parts than this are initially open. */
const smallValue = 60;

/** Number of visible parts of each open value, by JSON Pointer. A closed value has 0. */
type OpenParts = ReadonlyMap<string, number>;

/** Returns the visible lines of a tree view. */
export function linesOf(value: unknown, open: OpenParts): readonly JsonNode[] {
  const lines: JsonNode[] = [];
  const add = (value: unknown, pointer: string, depth: number, key: string): void => {
    const kind = kindOf(value);
    const isOwner = kind === "object" || kind === "array";
    const count = isOwner ? sizeOf(value as object) : 0;
    const shown = Math.min(count, open.get(pointer) ?? 0);
    lines.push({
      pointer,
      depth,
      key,
      kind,
      text: isOwner ? ownerText(kind, count) : JSON.stringify(value),
      ...(count === 0 ? {} : { isOpen: shown > 0 }),
    });
    if (shown === 0) return;
    for (const [name, part] of firstParts(value as object, shown))
      add(part, `${pointer}${pointerStep(name)}`, depth + 1, name);
    if (shown < count)
      lines.push({ pointer, depth: depth + 1, key: "", kind: "more", text: String(count - shown) });
  };
  add(value, "", 1, "");
  return lines;
}

/**
 * Decides which nodes are initially open: in a small message, all of them; otherwise, those near
 * the root and at the given locations.
 */
export function opened(value: unknown, pointers: readonly string[]): Map<string, number> {
  const open = new Map<string, number>();
  let budget = smallValue;
  let level: (readonly [string, unknown])[] = [["", value]];
  for (let depth = 0; level.length > 0 && depth < 12; depth++) {
    const next: (readonly [string, unknown])[] = [];
    for (const [pointer, value] of level) {
      if (typeof value !== "object" || value === null) continue;
      const count = sizeOf(value);
      if (depth > 0 && count > budget) continue;
      budget -= count;
      open.set(pointer, partsAtOnce);
      for (const [name, part] of firstParts(value, partsAtOnce))
        next.push([`${pointer}${pointerStep(name)}`, part]);
    }
    level = next;
  }
  for (const pointer of pointers) openTo(open, value, pointer);
  return open;
}

/**
 * Opens the nodes that contain a location, and returns that location. If it does not exist, returns
 * the closest enclosing location that does.
 */
export function openTo(open: Map<string, number>, value: unknown, pointer: string): string {
  let part = value;
  let here = "";
  for (const name of parsePointer(pointer)) {
    if (typeof part !== "object" || part === null || !Object.hasOwn(part, name)) break;
    const index = Array.isArray(part) ? Number(name) : Object.keys(part).indexOf(name);
    const needed = Math.ceil((index + 1) / partsAtOnce) * partsAtOnce;
    open.set(here, Math.max(open.get(here) ?? 0, needed));
    here += pointerStep(name);
    part = (part as Record<string, unknown>)[name];
  }
  return here;
}

function kindOf(value: unknown): JsonNode["kind"] {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value as "object" | "string" | "number" | "boolean";
}

function sizeOf(value: object): number {
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}

function firstParts(value: object, count: number): (readonly [string, unknown])[] {
  if (Array.isArray(value))
    return value.slice(0, count).map((part, index) => [String(index), part] as const);
  return Object.entries(value).slice(0, count);
}

function ownerText(kind: JsonNode["kind"], count: number): string {
  const [begin, end] = kind === "array" ? "[]" : "{}";
  return count === 0 ? `${begin}${end}` : `${begin} ${count} ${end}`;
}
