/**
 * Tests that no files import each other in a circle. The compiler refuses circles between rooms,
 * but not within one.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { test } from "node:test";
import { filesBelow, fromRoot } from "../support/paths.js";

const rooms = [
  "runtime",
  "generator",
  "diff",
  "sessions",
  "launch",
  "cli",
  "protocols",
  "conformance",
  "docs/site",
  "tools",
];

/** The files that each file imports or re-exports, including for their types. */
const imports = new Map(
  rooms
    .flatMap((room) => filesBelow(room, /\.tsx?$/))
    .map((path) => {
      const text = readFileSync(fromRoot(path), "utf8");
      const specifiers = text.matchAll(/(?:from|import|import\()\s*"(\.[^"]+)\.js"/g);
      const targets = [...specifiers]
        .map(([, specifier]) => posix.join(posix.dirname(path), specifier!))
        .flatMap((target) => [`${target}.ts`, `${target}.tsx`]);
      return [path, targets.filter((target) => existsSync(fromRoot(target)))];
    }),
);

/** Returns the import cycles, one for each import that closes a cycle. */
function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const cycles: (readonly string[])[] = [];
  const visited = new Set<string>();
  const visit = (file: string, importers: readonly string[]): void => {
    const start = importers.indexOf(file);
    if (start >= 0) cycles.push([...importers.slice(start), file]);
    if (start >= 0 || visited.has(file)) return;
    for (const target of graph.get(file) ?? []) visit(target, [...importers, file]);
    visited.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return cycles;
}

test("there are no import cycles", () => {
  assert.ok(imports.size > 500, `${imports.size} files`);
  assert.deepEqual(cyclesOf(imports), []);
  const planted = new Map([
    ["a", ["b"]],
    ["b", ["c", "d"]],
    ["c", ["b"]],
    ["d", []],
  ]);
  assert.deepEqual(cyclesOf(planted), [["b", "c", "b"]]);
});
