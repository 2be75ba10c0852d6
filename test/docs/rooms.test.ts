import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { fromRoot } from "../support/paths.js";

const root = fromRoot("");
const parts = ["runtime", "generator", "protocols", "conformance", "tools", "site"];

const sources = parts.flatMap((part) =>
  readdirSync(join(root, part), { recursive: true, encoding: "utf8" })
    .map((path) => `${part}/${path.replaceAll("\\", "/")}`)
    .filter((path) => /\.tsx?$/.test(path) && !/node_modules|\/typia\/|\/\.astro\//.test(path)),
);

/**
 * The local imports and re-exports of each module, including type imports. All paths are relative
 * to the root.
 */
const imports = new Map(
  sources.map((path) => {
    const text = readFileSync(join(root, path), "utf8");
    const targets = [...text.matchAll(/(?:from|import|import\()\s*"(\.[^"]+)"/g)].map(
      ([, specifier]) => {
        const target = relative(root, join(root, dirname(path), specifier!)).replaceAll("\\", "/");
        const source = target.replace(/\.js$/, ".ts");
        return existsSync(join(root, source)) ? source : `${source}x`;
      },
    );
    // Imports of nonexistent files occur only in code that the tool prints.
    return [path, targets.filter((target) => existsSync(join(root, target)))];
  }),
);

/** A table row: a room, its contents, and the rooms and parts that it may use. */
const row = /^(\| `([^`]+)` +\|[^|]*\|)([^|]*)\|$/gm;

const page = fromRoot("docs/architecture.md");
const isUpdate = process.env["UPDATE_GOLDEN"] !== undefined;

/** The parts that provide public APIs and commands. */
const doors = ["runtime", "generator", "conformance"];

/** Returns a module's room if the module is in the same part as `from`, and its part otherwise. */
function nameOf(target: string, from: string): string {
  const [part = ""] = target.split("/", 1);
  return part === from.split("/", 1)[0] ? dirname(target) : part;
}

const arrows = [...imports].flatMap(([path, targets]) =>
  targets
    .map((target) => ({ path, target, room: dirname(path), use: nameOf(target, path) }))
    .filter(({ room, use }) => room !== use && !doors.includes(room)),
);

if (isUpdate) {
  const usesOf = (room: string): readonly string[] => [
    ...new Set(arrows.filter((arrow) => arrow.room === room).map(({ use }) => use)),
  ];
  const text = readFileSync(page, "utf8").replaceAll(row, (_, start: string, room: string) => {
    const [part = ""] = room.split("/", 1);
    const names = usesOf(room).map((use) => `\`${use.replace(`${part}/`, "")}\``);
    return `${start} ${names.sort().join(", ")} |`;
  });
  const { format } = await import("prettier");
  writeFileSync(page, await format(text, { parser: "markdown", printWidth: 100 }));
}

const allowed = new Map(
  [...readFileSync(page, "utf8").matchAll(row)].map(([, , room, uses]) => {
    const [part] = room!.split("/", 1);
    const names = [...uses!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
    return [room!, names.map((name) => (isPart(name) ? name : `${part!}/${name}`))];
  }),
);

function isPart(name: string): boolean {
  return [...parts, "generated"].includes(name);
}

test("docs/architecture.md lists the repository's rooms", () => {
  const rooms = new Set(sources.map((path) => dirname(path)));
  assert.deepEqual([...allowed.keys(), ...doors].sort(), [...rooms].sort());
});

test("a room uses only the rooms listed in its row", () => {
  const others = arrows.filter(({ room, use }) => allowed.get(room)?.includes(use) !== true);
  assert.deepEqual(
    others.map(({ path, target }) => `${path} → ${target}`),
    [],
  );
});

test("a room uses every room listed in its row", () => {
  const used = new Set(arrows.map(({ room, use }) => `${room} → ${use}`));
  const unused = [...allowed].flatMap(([room, uses]) =>
    uses.map((use) => `${room} → ${use}`).filter((arrow) => !used.has(arrow)),
  );
  assert.deepEqual(unused, []);
});

test("the runtime imports nothing from other folders", () => {
  const outside = [...imports]
    .filter(([path]) => path.startsWith("runtime/"))
    .flatMap(([path, targets]) =>
      targets.filter((target) => !target.startsWith("runtime/")).map((target) => [path, target]),
    );
  assert.deepEqual(outside, []);
});

test("there are no import cycles", () => {
  assert.deepEqual(circles(imports), []);
  const planted = new Map([
    ["a", ["b"]],
    ["b", ["c", "d"]],
    ["c", ["b"]],
    ["d", []],
  ]);
  assert.deepEqual(circles(planted), [["b", "c", "b"]]);
});

/** Returns the import cycles, one for each import that closes a cycle. */
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

/**
 * Rooms whose code also runs in browsers. They access the system only through `base/files` and
 * `base/packages`.
 */
const portable = /^generator\/(read|model|emit|diff|session|lint|exchanges|print|library)(\/|$)/;

/** Node modules that only compute and never access the system. */
const pureModules = /^node:(path|url|util|buffer|crypto)$/;

/** Modules that run only in the command line tool, each with the system module that it imports. */
const systemImports = [
  // Reads revisions from git.
  "generator/read/source/git-files.ts node:child_process",
  // Reads the user's code with ts-morph.
  "diff/find-uses.ts node:fs",
];

test("rooms that run in browsers access files through a single module", () => {
  const own = sources
    .filter((path) => portable.test(dirname(path)))
    .flatMap((path) => {
      const text = readFileSync(join(root, path), "utf8");
      return [...text.matchAll(/^(?:import .*|\} )from "(node:[^"]+)"|import\("(node:[^"]+)"\)/gm)]
        .map(([, still, later]) => still ?? later!)
        .filter((module) => !pureModules.test(module))
        .map((module) => `${path} ${module}`);
    });
  assert.deepEqual([...new Set(own)].sort(), [...systemImports].sort());
});

test("top-level names are unique in the runtime, so that a package can merge its modules", () => {
  const found = new Map<string, string>();
  const names =
    /^(?:export )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type) ([\w$]+)/gm;
  for (const path of sources.filter((each) => each.startsWith("runtime/"))) {
    const own = readFileSync(join(root, path), "utf8").matchAll(names);
    for (const name of new Set([...own].map(([, name]) => name!))) {
      const clash = `${name} is also declared in ${found.get(name)}: choose another name in ${path}`;
      assert.equal(found.get(name), undefined, clash);
      found.set(name, path);
    }
  }
  assert.ok(found.size > 700, `${found.size} names`);
});
