import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Project } from "ts-morph";
import { emitDeclarationsPackage, readProtocol } from "../../../cli/index.js";
import {
  compile,
  installPackages,
  withFolder,
  writeFiles,
  type CompilerName,
} from "../../support/compile.js";
import { fromRoot, inPeers, skipWithoutPeer } from "../../support/paths.js";

/**
 * Published versions of the declarations, each with the folder it is installed in and the schema
 * version it was made from.
 */
const published = [
  ["debugprotocol-1.17", "1.17.0"],
  ["debugprotocol-1.24", "1.24.0"],
  ["debugprotocol-1.30", "1.30.0"],
  ["debugprotocol-1.40", "1.40.0"],
  ["debugprotocol-1.43", "1.43.0"],
  ["debugprotocol-1.49", "1.49.0"],
  ["debugprotocol-1.51", "1.51.0"],
  ["debugprotocol-1.55", "1.55.0"],
  ["debugprotocol-1.59", "1.59.0"],
  ["debugprotocol-1.61", "1.61.0"],
  ["debugprotocol-1.65", "1.65.0"],
  ["@vscode/debugprotocol", "1.68.0"],
] as const;

/** The reason for skipping the older versions, or false if they are installed. */
const olderDeclarations = skipWithoutPeer("debugprotocol-1.65");

/** The published versions that are also compiled with an older compiler. */
const compiledTwice: readonly string[] = ["1.40.0", "1.51.0", "1.65.0"];

/**
 * Reads published declarations and replaces `declare module`, which TypeScript 7 no longer accepts
 * for a namespace.
 */
function publishedDeclarations(folder: string): string {
  const modules = folder.startsWith("@") ? fromRoot("node_modules") : inPeers("");
  return readFileSync(join(modules, folder, "lib/debugProtocol.d.ts"), "utf8").replace(
    "declare module DebugProtocol",
    "declare namespace DebugProtocol",
  );
}

const settings = {
  strict: true,
  noEmit: true,
  target: "es2022",
  lib: ["es2022", "dom"],
  module: "nodenext",
  types: [],
};

/** Asserts that a program compiles. Its files can see only what they import. */
async function assertCompiles(
  files: Readonly<Record<string, string>>,
  versions: readonly CompilerName[],
): Promise<void> {
  await withFolder((folder) => {
    writeFiles(folder, {
      ...files,
      "package.json": '{ "type": "module" }',
      "tsconfig.json": JSON.stringify({
        compilerOptions: settings,
        files: Object.keys(files).filter((path) => !path.endsWith(".d.ts")),
      }),
    });
    for (const version of versions) assert.equal(compile(version, "-p", folder), "", version);
  });
}

/** Returns our declarations for a version. */
async function declarationsOf(version?: string): Promise<string> {
  const protocol = await readProtocol("dap", version === undefined ? {} : { version });
  return emitDeclarationsPackage(protocol)!.get("lib/debugProtocol.d.ts")!;
}

/** Lists the interfaces and types that a namespace declares. */
function declaredNames(declarations: string): readonly string[] {
  const file = new Project({ useInMemoryFileSystem: true }).createSourceFile("d.ts", declarations);
  const namespace = file.getModuleOrThrow("DebugProtocol");
  return [...namespace.getInterfaces(), ...namespace.getTypeAliases()]
    .map((each) => each.getName())
    .sort();
}

/**
 * Creates a program that contains our declarations for a version, the published declarations, and
 * assignments in both directions.
 */
async function bothDirections(
  folder: string,
  version: string,
): Promise<Readonly<Record<string, string>>> {
  const ours = await declarationsOf(version);
  const theirs = publishedDeclarations(folder);
  const names = declaredNames(theirs);
  assert.deepEqual(declaredNames(ours), names, version);
  assert.ok(names.length > 130, `${names.length} names`);
  return {
    [`${version}/ours.d.ts`]: ours,
    [`${version}/theirs.d.ts`]: theirs,
    [`${version}/assign.ts`]: [
      'import type { DebugProtocol as Ours } from "./ours.js";',
      'import type { DebugProtocol as Theirs } from "./theirs.js";',
      ...names.flatMap((name) => [
        `export const to${name} = (ours: Ours.${name}): Theirs.${name} => ours;`,
        `export const from${name} = (theirs: Theirs.${name}): Ours.${name} => theirs;`,
      ]),
    ].join("\n"),
  };
}

test(
  "our declarations for selected versions are assignable to the published ones and vice versa, with old and new compilers",
  { skip: skipWithoutPeer("typescript-5.4") || olderDeclarations },
  async () => {
    const chosen = published.filter(([, version]) => compiledTwice.includes(version));
    assert.equal(chosen.length, compiledTwice.length);
    const programs = await Promise.all(
      chosen.map(([folder, version]) => bothDirections(folder, version)),
    );
    await assertCompiles(Object.assign({}, ...programs) as Record<string, string>, [
      "TypeScript 5.4",
      "TypeScript 7",
    ]);
  },
);

test(
  "our declarations for all versions are assignable in both directions with the newest compiler",
  { skip: olderDeclarations },
  async () => {
    const programs = await Promise.all(
      published.map(([folder, version]) => bothDirections(folder, version)),
    );
    await assertCompiles(Object.assign({}, ...programs) as Record<string, string>, [
      "TypeScript 7",
    ]);
  },
);

test("the package's types are assignable to its compatible declarations and to the published ones", async () => {
  const loose = await declarationsOf();
  const names = declaredNames(loose);
  // Only a successful response has a body, so only that is assignable to a response type. Base
  // types have different names in the package.
  const strict = (name: string): string =>
    /^(Request|Response|Event)$/.test(name)
      ? `${name}Message`
      : /.Response$/.test(name) && name !== "ErrorResponse"
        ? name.replace(/Response$/, "Success")
        : name;
  const theirs = publishedDeclarations("@vscode/debugprotocol");
  const inTheirs = new Set(declaredNames(theirs));
  // The official declarations require more than peers actually send. Ours describe real messages.
  const differing = new Set(["ErrorResponse"]);
  await assertCompiles(
    {
      "theirs.d.ts": theirs,
      "loose.d.ts": loose,
      "assign.ts": [
        `import type * as Ours from ${JSON.stringify(fromRoot("generated/dap/index.js"))};`,
        'import type { DebugProtocol as Loose } from "./loose.js";',
        'import type { DebugProtocol as Theirs } from "./theirs.js";',
        ...names
          .filter((name) => !differing.has(name))
          .flatMap((name) => [
            `export const loosened${name} = (ours: Ours.${strict(name)}): Loose.${name} => ours;`,
            ...(inTheirs.has(name)
              ? [`export const to${name} = (ours: Ours.${strict(name)}): Theirs.${name} => ours;`]
              : []),
          ]),
        ...names
          .filter((name) => /.Response$/.test(name))
          .map((name) => `export const any${name} = (ours: Ours.${name}): Loose.Response => ours;`),
      ].join("\n"),
    },
    ["TypeScript 7"],
  );
});

/** A typical adapter based on the official classes, with classes and types of its own. */
const adapter = readFileSync(fromRoot("test/fixtures/adapter-on-classes.ts"), "utf8");

/** Creates a project in which our declarations package replaces the published one. */
async function withReplacement(use: (folder: string) => void): Promise<void> {
  const files = emitDeclarationsPackage(await readProtocol("dap"))!;
  await withFolder((folder) => {
    const modules = join(folder, "node_modules");
    for (const [path, text] of files)
      writeFiles(join(modules, "@vscode/debugprotocol"), { [path]: text });
    for (const name of ["@vscode/debugadapter", "@vscode/debugadapter-testsupport"])
      cpSync(fromRoot(`node_modules/${name}`), join(modules, name), { recursive: true });
    installPackages(folder, ["@types/node", "undici-types"]);
    writeFiles(folder, { "adapter.ts": adapter, "package.json": "{}" });
    use(folder);
  });
}

test(
  "an adapter based on the official classes compiles if our package replaces the published declarations",
  { skip: skipWithoutPeer("typescript-5.4") },
  async () => {
    await withReplacement((folder) => {
      for (const [version, moduleResolution] of [
        ["TypeScript 5.4", "node10"],
        ["TypeScript 7", "bundler"],
      ] as const) {
        const compilerOptions = {
          ...settings,
          types: ["node"],
          module: "commonjs",
          moduleResolution,
          skipLibCheck: false,
        };
        writeFiles(folder, {
          "tsconfig.json": JSON.stringify({ compilerOptions, files: ["adapter.ts"] }),
        });
        assert.equal(compile(version, "-p", folder), "", version);
      }
    });
  },
);

test(
  "TypeScript 4.5 accepts the declarations",
  { skip: skipWithoutPeer("typescript-4.5") },
  async () => {
    const files = emitDeclarationsPackage(await readProtocol("dap"))!;
    await withFolder((folder) => {
      writeFiles(folder, {
        "debugProtocol.d.ts": files.get("lib/debugProtocol.d.ts")!,
        "use.ts": [
          'import { DebugProtocol } from "./debugProtocol";',
          "declare const reason: string;",
          "class Stopped implements DebugProtocol.StoppedEvent {",
          '  seq = 0; type = "event"; event = "stopped"; body = { reason, threadId: 1 };',
          "}",
          "export const event: DebugProtocol.Event = new Stopped();",
          'export const step: DebugProtocol.SteppingGranularity = "line";',
        ].join("\n"),
      });
      const { stdout, status } = spawnSync(
        process.execPath,
        [inPeers("typescript-4.5/bin/tsc"), "--noEmit", "--strict", "use.ts"],
        { cwd: folder, encoding: "utf8" },
      );
      assert.deepEqual({ stdout, status }, { stdout: "", status: 0 });
    });
  },
);

test("an editor shows a declaration's documentation and finds its definition", async () => {
  const files = emitDeclarationsPackage(await readProtocol("dap"))!;
  const project = new Project({ useInMemoryFileSystem: true });
  const declarations = project.createSourceFile(
    "node_modules/@vscode/debugprotocol/index.d.ts",
    files.get("lib/debugProtocol.d.ts")!,
  );
  const file = project.createSourceFile(
    "use.ts",
    'import { DebugProtocol } from "@vscode/debugprotocol";\nlet frame: DebugProtocol.StackFrame;\nframe!.line;\n',
  );
  const service = project.getLanguageService();
  const at = (text: string): number => file.getFullText().indexOf(text);
  const infoAt = (text: string): string => {
    const info = service.compilerObject.getQuickInfoAtPosition(file.getFilePath(), at(text))!;
    return [...info.displayParts!, { text: "\n" }, ...info.documentation!]
      .map((part) => part.text)
      .join("");
  };
  assert.match(infoAt("StackFrame"), /^interface DebugProtocol\.StackFrame\n\w.*\.$/s);
  assert.match(infoAt("line;"), /^\(property\) DebugProtocol\.StackFrame\.line: number\n\w/);
  const [definition] = service.getDefinitionsAtPosition(file, at("StackFrame"));
  assert.equal(definition!.getSourceFile(), declarations);
  assert.equal(definition!.getDeclarationNode()!.getKindName(), "InterfaceDeclaration");
});
