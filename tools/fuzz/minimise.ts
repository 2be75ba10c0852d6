import { replaced } from "./mutate-bytes.js";
import { parseJson } from "./mutate-json.js";
import type { Format } from "./target.js";

/** Maximum number of candidates to try. */
const mostCandidates = 3_000;

/** Time limit in milliseconds. */
const mostMs = 15_000;

/**
 * Minimises an input by removing ranges, large ones first, and then simplifying bytes.
 * @param fails Returns whether an input still has the finding. Must return true for `input` itself.
 */
export async function minimise(
  input: Uint8Array,
  fails: (candidate: Uint8Array) => Promise<boolean>,
  format: Format = "bytes",
): Promise<Uint8Array> {
  let smallest = input;
  let left = mostCandidates;
  const end = performance.now() + mostMs;
  const isOver = (): boolean => left <= 0 || performance.now() > end;
  const takes = async (candidate: Uint8Array): Promise<boolean> => {
    if (isOver()) return false;
    left--;
    if (!(await fails(candidate))) return false;
    smallest = candidate;
    return true;
  };

  for (let before = -1; before !== smallest.length && !isOver();) {
    before = smallest.length;
    if (format !== "bytes") await removeParts(() => smallest, takes);
    for (let size = smallest.length >> 1; size >= 1; size >>= 1)
      for (let at = 0; at + size <= smallest.length && !isOver();)
        if (!(await takes(replaced(smallest, at, at + size, new Uint8Array(0))))) at += size;
  }
  for (let at = 0; at < smallest.length && !isOver(); at++) {
    for (const plain of [0x61, 0x30, 0x20]) {
      if (smallest[at] === plain) break;
      if (await takes(replaced(smallest, at, at + 1, Uint8Array.of(plain)))) break;
    }
  }
  return smallest;
}

/** Removes members and items from a JSON input, and replaces values with their own parts. */
async function removeParts(
  current: () => Uint8Array,
  takes: (candidate: Uint8Array) => Promise<boolean>,
): Promise<void> {
  for (let index = 0; ;) {
    const root = parseJson(current());
    if (root === undefined) return;
    const candidates = smallerValues(root);
    const candidate = candidates[index];
    if (candidate === undefined) return;
    const bytes = new Uint8Array(Buffer.from(JSON.stringify(candidate())));
    if (bytes.length >= current().length || !(await takes(bytes))) index++;
  }
}

/**
 * Returns all values that are one step smaller: either one member or item is removed, or the value
 * is replaced with one of its parts. Large parts come first.
 */
function smallerValues(root: unknown): (() => unknown)[] {
  const ways: { readonly size: number; readonly make: () => unknown }[] = [];
  const visit = (value: unknown, rebuild: (part: unknown) => unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const list = Array.isArray(value) ? (value as unknown[]) : undefined;
    const entries: [string, unknown][] = Object.entries(value);
    const without = (index: number): unknown =>
      list === undefined
        ? Object.fromEntries(entries.filter((_, at) => at !== index))
        : list.filter((_, at) => at !== index);
    const withPart = (index: number, part: unknown): unknown =>
      list === undefined
        ? Object.fromEntries(entries.map(([key, old], at) => [key, at === index ? part : old]))
        : list.map((old, at) => (at === index ? part : old));
    for (const [index, [, part]] of entries.entries()) {
      const size = JSON.stringify(part).length;
      ways.push({ size, make: () => rebuild(without(index)) });
      if (typeof part === "object" && part !== null)
        ways.push({ size: JSON.stringify(value).length - size, make: () => rebuild(part) });
      visit(part, (smaller) => rebuild(withPart(index, smaller)));
    }
  };
  visit(root, (part) => part);
  return ways.sort((a, b) => b.size - a.size).map(({ make }) => make);
}
