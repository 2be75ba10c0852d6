import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Project } from "ts-morph";
import { compile, withFolder, writeFiles } from "./support/compile.js";
import { fromRoot } from "./support/paths.js";

/** The published declarations. TypeScript 7 no longer reads their `declare module` for a namespace. */
const published = readFileSync(
  fromRoot("node_modules/@vscode/debugprotocol/lib/debugProtocol.d.ts"),
  "utf8",
).replace("declare module DebugProtocol", "declare namespace DebugProtocol");

const settings = JSON.stringify({
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: "es2022",
    lib: ["es2022", "dom"],
    module: "nodenext",
    types: [],
  },
  files: ["assign.ts"],
});

/** Compiles assignments between our types and theirs with both compilers. */
async function compileAssignments(ours: string, lines: readonly string[]): Promise<void> {
  await withFolder((folder) => {
    writeFiles(folder, {
      "assign.ts": [
        `import type ${ours} from ${JSON.stringify(fromRoot("generated/dap/index.js"))};`,
        'import type { DebugProtocol as Theirs } from "./published.js";',
        ...lines,
      ].join("\n"),
      "published.d.ts": published,
      "tsconfig.json": settings,
      "package.json": '{ "type": "module" }',
    });
    for (const compiler of ["TypeScript 5.4", "TypeScript 7"] as const)
      assert.equal(compile(compiler, "-p", folder), "", compiler);
  });
}

/** The interfaces and types that the published namespace declares. */
function publishedNames(): string[] {
  const file = new Project({ useInMemoryFileSystem: true }).createSourceFile(
    "published.d.ts",
    published,
  );
  const namespace = file.getModuleOrThrow("DebugProtocol");
  return [...namespace.getInterfaces(), ...namespace.getTypeAliases()].map((each) =>
    each.getName(),
  );
}

test("DebugProtocol has every name of @vscode/debugprotocol, with data assignable both ways and messages to theirs", async () => {
  const names = publishedNames();
  assert.ok(names.length > 180, `${names.length} names`);
  const isMessage = (name: string): boolean =>
    /(Request|Response|Event)$|^ProtocolMessage$/.test(name);
  const lines = names.flatMap((name) => [
    `export const to${name} = (ours: Ours.${name}): Theirs.${name} => ours;`,
    ...(isMessage(name)
      ? []
      : [`export const from${name} = (theirs: Theirs.${name}): Ours.${name} => theirs;`]),
  ]);
  await compileAssignments("{ DebugProtocol as Ours }", lines);
});

test("the messages of the package itself are assignable to the published ones", async () => {
  const names = publishedNames().filter((name) => /.(Request|Event)$/.test(name));
  const responses = publishedNames().filter(
    (name) => /.Response$/.test(name) && name !== "ErrorResponse",
  );
  await compileAssignments("* as Ours", [
    ...names.map(
      (name) => `export const to${name} = (ours: Ours.${name}): Theirs.${name} => ours;`,
    ),
    // A failure has no result: only a success fits a type that promises one.
    ...responses.map(
      (name) =>
        `export const to${name} = (ours: Ours.${name.replace(/Response$/, "Success")}): Theirs.${name} => ours;`,
    ),
    ...responses.map(
      (name) => `export const any${name} = (ours: Ours.${name}): Theirs.Response => ours;`,
    ),
  ]);
});
