import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { fromRoot } from "../../tools/shared/paths.js";

const root = fromRoot("");
const parts = ["runtime", "generator"];

const sources = parts.flatMap((part) =>
  readdirSync(join(root, part), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => `${part}/${path.replaceAll("\\", "/")}`),
);

/** Paths from the root, by module: what it imports or re-exports, types included. */
const imports = new Map(
  sources.map((path) => {
    const text = readFileSync(join(root, path), "utf8");
    const targets = [...text.matchAll(/(?:from|import|import\()\s*"(\.[^"]+)"/g)].map(
      ([, specifier]) => {
        const target = relative(root, join(root, dirname(path), specifier!)).replaceAll("\\", "/");
        const source = target.replace(/\.js$/, ".ts");
        return sources.includes(source) ? source : `${source}x`;
      },
    );
    // Others stand in code that is printed.
    return [path, targets.filter((target) => sources.includes(target))];
  }),
);

const page = readFileSync(fromRoot("docs/architecture.md"), "utf8");

/** By room: the rooms that it may use, as docs/architecture.md has them. */
const allowed = new Map<string, readonly string[]>();
for (const section of page.split("\n### ").slice(1)) {
  const [part = ""] = section.split("\n", 1);
  for (const [, room, uses] of section.matchAll(/^\| `([^`]+)` +\|[^|]*\|([^|]*)\|$/gm))
    allowed.set(
      `${part}/${room}`,
      [...uses!.matchAll(/`([^`]+)`/g)].map(([, each]) => `${part}/${each}`),
    );
}

/** Modules that stand in front of the rooms: what people import, and the command. */
const doors = ["runtime", "generator"];

/** The generator reads messages as the packages do. */
function isOfRuntime(path: string, target: string): boolean {
  return path.startsWith("generator/") && target.startsWith("runtime/");
}

test("the rooms of docs/architecture.md are those of the tree", () => {
  const rooms = new Set(sources.map((path) => dirname(path)));
  assert.deepEqual([...allowed.keys(), ...doors].sort(), [...rooms].sort());
});

test("no room uses one that its row does not name", () => {
  const arrows: string[] = [];
  for (const [path, targets] of imports) {
    const room = dirname(path);
    if (doors.includes(room)) continue;
    for (const target of targets) {
      const other = dirname(target);
      if (other === room || isOfRuntime(path, target)) continue;
      if (allowed.get(room)!.includes(other)) continue;
      arrows.push(`${path} → ${target}`);
    }
  }
  assert.deepEqual(arrows, []);
});

test("the parts of the generator that use the runtime are those of docs/architecture.md", () => {
  const [said = ""] = /^.* parts of the runtime .*$/m.exec(page) ?? [];
  const users = [...imports]
    .filter(([path, targets]) => targets.some((target) => isOfRuntime(path, target)))
    .map(([path]) => path.split("/")[1]!);
  assert.deepEqual(
    [...said.matchAll(/`([^`]+)`/g)].map(([, part]) => part!).sort(),
    [...new Set(users)].sort(),
  );
});

test("every arrow that a row allows is there", () => {
  const used = new Set(
    [...imports].flatMap(([path, targets]) =>
      targets.map((target) => `${dirname(path)} → ${dirname(target)}`),
    ),
  );
  const unused = [...allowed].flatMap(([room, others]) =>
    others.map((other) => `${room} → ${other}`).filter((arrow) => !used.has(arrow)),
  );
  assert.deepEqual(unused, []);
});

test("the runtime imports nothing of the rest", () => {
  const outside = [...imports]
    .filter(([path]) => path.startsWith("runtime/"))
    .flatMap(([path, targets]) =>
      targets.filter((target) => !target.startsWith("runtime/")).map((target) => [path, target]),
    );
  assert.deepEqual(outside, []);
});

test("no module imports itself through others", () => {
  assert.deepEqual(circles(imports), []);
  const planted = new Map([
    ["a", ["b"]],
    ["b", ["c", "d"]],
    ["c", ["b"]],
    ["d", []],
  ]);
  assert.deepEqual(circles(planted), [["b", "c", "b"]]);
});

/** Ways from a module back to itself: one for each module that closes one. */
function circles(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const found: (readonly string[])[] = [];
  const done = new Set<string>();
  const visit = (node: string, way: readonly string[]): void => {
    const start = way.indexOf(node);
    if (start >= 0) found.push([...way.slice(start), node]);
    if (start >= 0 || done.has(node)) return;
    for (const next of graph.get(node) ?? []) visit(next, [...way, node]);
    done.add(node);
  };
  for (const node of graph.keys()) visit(node, []);
  return found;
}
