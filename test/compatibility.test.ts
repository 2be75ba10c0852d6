import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Project } from "ts-morph";
import { compile, compilers, withFolder, writeFiles } from "./support/compile.js";
import { fromRoot } from "./support/paths.js";

/** The published declarations. TypeScript 7 no longer reads their `declare module` for a namespace. */
const published = readFileSync(
  fromRoot("node_modules/@vscode/debugprotocol/lib/debugProtocol.d.ts"),
  "utf8",
).replace("declare module DebugProtocol", "declare namespace DebugProtocol");

/** The interfaces and types that the published namespace declares. */
const names: readonly string[] = (() => {
  const file = new Project({ useInMemoryFileSystem: true }).createSourceFile(
    "published.d.ts",
    published,
  );
  const namespace = file.getModuleOrThrow("DebugProtocol");
  return [...namespace.getInterfaces(), ...namespace.getTypeAliases()].map((each) =>
    each.getName(),
  );
})();

/** A module of assignments between our types and theirs. */
function assignments(ours: string, lines: readonly string[]): string {
  return [
    `import type ${ours} from ${JSON.stringify(fromRoot("generated/dap/index.js"))};`,
    'import type { DebugProtocol as Theirs } from "./published.js";',
    ...lines,
  ].join("\n");
}

/** `DebugProtocol` has every name of theirs: data are assignable both ways, and messages to theirs. */
function namespaceAssignments(): readonly string[] {
  const isMessage = (name: string): boolean =>
    /(Request|Response|Event)$|^ProtocolMessage$/.test(name);
  return names.flatMap((name) => [
    `export const to${name} = (ours: Ours.${name}): Theirs.${name} => ours;`,
    ...(isMessage(name)
      ? []
      : [`export const from${name} = (theirs: Theirs.${name}): Ours.${name} => theirs;`]),
  ]);
}

/** The messages of the package itself are assignable to the published ones. */
function messageAssignments(): readonly string[] {
  const messages = names.filter((name) => /.(Request|Event)$/.test(name));
  const responses = names.filter((name) => /.Response$/.test(name) && name !== "ErrorResponse");
  assert.ok(messages.length > 50 && responses.length > 40);
  return [
    ...messages.map(
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
  ];
}

for (const compiler of Object.keys(compilers) as (keyof typeof compilers)[]) {
  test(`DebugProtocol has every name of @vscode/debugprotocol, and our types fit theirs: ${compiler}`, async () => {
    assert.ok(names.length > 180, `${names.length} names`);
    await withFolder((folder) => {
      writeFiles(folder, {
        "namespace.ts": assignments("{ DebugProtocol as Ours }", namespaceAssignments()),
        "messages.ts": assignments("* as Ours", messageAssignments()),
        "published.d.ts": published,
        "tsconfig.json": JSON.stringify({
          compilerOptions: {
            strict: true,
            noEmit: true,
            target: "es2022",
            lib: ["es2022", "dom"],
            module: "nodenext",
            types: [],
          },
          files: ["namespace.ts", "messages.ts"],
        }),
        "package.json": '{ "type": "module" }',
      });
      assert.equal(compile(compiler, "-p", folder), "");
    });
  });
}
