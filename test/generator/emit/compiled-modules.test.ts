import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { generate } from "../../../cli/index.js";
import { compileModules } from "../../../generator/emit/compiled-modules.js";
import {
  compile,
  installedCompilers,
  withFolder,
  withProject,
  writeFiles,
} from "../../support/compile.js";
import { loadPackage } from "../../support/load-package.js";
import { wirewright } from "../../support/run-command.js";

const compiled = generate("dap", { packageName: "@wirewright/dap", target: "js+dts" });

test("each module becomes JavaScript with declarations", async () => {
  const head = "// Generated.\n";
  const files = await compileModules(
    new Map([
      ["package.json", "{}\n"],
      [
        "index.ts",
        `${head}\nimport { make, type Made } from "./make.js";\nimport type { Shape } from "./shape.js";\n\nexport type { Shape };\n\n/** Makes it. */\nexport const made: Made = /* @__PURE__ */ make();\n\n/** A class. */\nexport class Box {\n  /** Where it is. */\n  readonly at: number;\n\n  constructor(at: number) {\n    // Why.\n    this.at = at;\n  }\n\n  get [Symbol.toStringTag](): string {\n    return "Box";\n  }\n\n  *[Symbol.iterator](): Generator<number> {\n    yield this.at;\n  }\n}\n`,
      ],
      [
        "make.ts",
        `${head}\nimport { inner } from "./inner.js";\n\nexport interface Made {\n  /** A name. */\n  readonly name: string;\n}\n\nexport function make(): Made {\n  return { name: inner };\n}\n`,
      ],
      ["inner.ts", `${head}\nexport const inner: string = "a // b";\n`],
      ["shape.ts", `${head}\n/** A shape. */\nexport type Shape = "round";\n`],
    ]),
  );
  assert.deepEqual(Object.fromEntries(files), {
    "package.json": "{}\n",
    "index.js": `${head}import { make } from "./make.js";\nexport const made = /* @__PURE__ */ make();\nexport class Box {\n    at;\n    constructor(at) {\n        this.at = at;\n    }\n    get [Symbol.toStringTag]() {\n        return "Box";\n    }\n    *[Symbol.iterator]() {\n        yield this.at;\n    }\n}\n`,
    "index.d.ts": `${head}import { type Made } from "./make.js";\nimport type { Shape } from "./shape.js";\nexport type { Shape };\n/** Makes it. */\nexport declare const made: Made;\n/** A class. */\nexport declare class Box {\n    /** Where it is. */\n    readonly at: number;\n    constructor(at: number);\n    get [Symbol.toStringTag](): string;\n    [Symbol.iterator](): Generator<number>;\n}\n`,
    "make.js": `${head}import { inner } from "./inner.js";\nexport function make() {\n    return { name: inner };\n}\n`,
    "make.d.ts": `${head}export interface Made {\n    /** A name. */\n    readonly name: string;\n}\nexport declare function make(): Made;\n`,
    "inner.js": `${head}export const inner = "a // b";\n`,
    "inner.d.ts": `${head}export declare const inner: string;\n`,
    "shape.js": `${head}export {};\n`,
    "shape.d.ts": `${head}/** A shape. */\nexport type Shape = "round";\n`,
  });
});

test("an export without a type is refused with its location", async () => {
  const text =
    "// Generated.\n\nexport const made = 1;\nexport const other = made + Math.random();\n";
  await assert.rejects(compileModules(new Map([["own/code.ts", text]])), {
    code: "ERR_DECLARATION",
    message:
      "Cannot write declarations: Variable must have an explicit type annotation with --isolatedDeclarations.",
    place: { file: "own/code.ts", line: 4, column: 14 },
    hint: "Declare the type explicitly, or use --target ts",
  });
});

test("compiled packages have the same exports and results as the TypeScript package", async () => {
  const entries = ["index", "validators", "connection", "node"];
  const source = await loadPackage(
    await generate("dap"),
    entries.map((entry) => `${entry}.ts`),
  );
  await withProject(async (folder) => {
    writeFiles(folder, (await compiled).files);
    const own: Record<string, unknown> = {};
    const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
      exports: Record<string, string | { readonly default: string }>;
    };
    for (const entry of entries) {
      const exported = exports[entry === "index" ? "." : `./${entry}`];
      if (typeof exported !== "object") assert.fail(entry);
      Object.assign(own, await import(pathToFileURL(join(folder, exported.default)).href));
    }
    assert.deepEqual(Object.keys(own).sort(), Object.keys(source).sort());
    const invalid = { seq: 1, type: "event", event: "stopped", body: { threadId: "1" } };
    const validate = (made: Record<string, unknown>): unknown =>
      (made["validate"] as (value: unknown) => unknown)(invalid);
    assert.deepEqual(validate(own), validate(source));
  });
});

test("all compilers accept a compiled package's declarations, and its exports have the declared types", async () => {
  await withProject(async (folder) => {
    writeFiles(join(folder, "node_modules/@wirewright/dap"), (await compiled).files);
    writeFiles(folder, {
      "package.json": '{ "type": "module" }',
      "use.ts": [
        'import { createDecoder, type StoppedEvent } from "@wirewright/dap";',
        'import { connect } from "@wirewright/dap/connection";',
        'import { validateStoppedEvent } from "@wirewright/dap/validators";',
        "export const reason = (event: StoppedEvent): string => event.body.reason;",
        "// @ts-expect-error No such event.",
        'connect("client", undefined as never).on("stoped", () => {});',
        "export const used: unknown = [createDecoder, validateStoppedEvent];",
        "",
      ].join("\n"),
      "tsconfig.json": JSON.stringify({
        compilerOptions: {
          module: "nodenext",
          target: "es2022",
          lib: ["es2022", "dom"],
          strict: true,
          exactOptionalPropertyTypes: true,
          noEmit: true,
          types: ["node"],
        },
        files: ["use.ts"],
      }),
    });
    for (const compiler of installedCompilers)
      assert.equal(compile(compiler, "-p", folder), "", compiler);
  });
});

test("generating for another target replaces the files of the previous target, and --check detects it", async () => {
  await withFolder((folder) => {
    const generate = (...args: readonly string[]): string =>
      wirewright(folder, ["generate", "dap", "--only", "types", "--out", "out", ...args]).stdout;
    generate();
    assert.equal(
      generate("--target", "js+dts"),
      "out: all files written (Debug Adapter Protocol 1.71.0: 62 messages, 236 types)\n",
    );
    const { files } = JSON.parse(readFileSync(join(folder, "out/.wirewright.json"), "utf8")) as {
      files: readonly string[];
    };
    assert.deepEqual(files, [
      "index.d.ts",
      "index.js",
      "messages.d.ts",
      "messages.js",
      "types.d.ts",
      "types.js",
    ]);
    assert.equal(generate("--target", "js+dts", "--check"), "1 package up to date\n");
    assert.equal(wirewright(folder, ["generate", "dap", "--target", "mjs"]).status, 2);
  });
});
