import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { check } from "prettier";
import { emittedModules } from "../../../generator/emit/emitted-modules.js";
import { namePackage } from "../../../generator/emit/modules/package-names.js";
import { generate, InputError } from "../../../generator/index.js";
import type { Validation } from "../../../runtime/index.js";
import { compile, compilers, withFolder, writeFiles } from "../../../tools/shared/compile.js";
import { loadPackage } from "../../support/load-package.js";
import { fromRoot, shared, skipWithout } from "../../../tools/shared/paths.js";

const own = fromRoot("test/fixtures/configurations/keywords.package.json");
const real = ["bash-debug", "go", "mock-debug", "node-debug2", "php-debug"];

/** Compiles files with the settings of a package; empty if there are no complaints. */
function complaints(
  files: Readonly<Record<string, string>>,
  roots: readonly string[],
): Promise<string> {
  return withFolder((folder) => {
    const settings = JSON.parse(files[`${dirname(roots[0]!)}/tsconfig.json`]!) as {
      compilerOptions: object;
    };
    const { rootDir: _, ...compilerOptions } = settings.compilerOptions as { rootDir?: string };
    writeFiles(folder, {
      ...files,
      "tsconfig.json": JSON.stringify({
        compilerOptions: { ...compilerOptions, noEmit: true },
        files: roots,
      }),
    });
    return Object.keys(compilers)
      .map((compiler) => compile(compiler as keyof typeof compilers, "-p", folder))
      .join("");
  });
}

/** The files of packages, each in a folder of its own. Together they have one runtime. */
async function filesOf(sources: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const [name, configuration] of Object.entries(sources)) {
    const generated = await generate("dap", { configuration });
    for (const [path, text] of generated.files)
      if (!path.startsWith("runtime/")) files[`${name}/${path}`] = text;
      else files[`runtime/${path.slice("runtime/".length)}`] ??= text;
    files[`${name}/runtime/index.ts`] = 'export * from "../../runtime/index.js";\n';
    files[`${name}/runtime/node.ts`] = 'export * from "../../runtime/node.js";\n';
  }
  return files;
}

test("what is generated is formatted, imports nothing from outside, and is the same again", async () => {
  const generated = await generate("dap", { configuration: own });
  for (const file of [
    "configuration.ts",
    "configured-arguments.ts",
    "adapter/adapter-definition.ts",
  ]) {
    const text = generated.files.get(file)!;
    assert.equal(await check(text, { filepath: file, printWidth: 100 }), true, file);
  }
  for (const [path, text] of generated.files)
    if (path.startsWith("runtime/configuration/") || path.startsWith("configuration"))
      for (const [, target] of text.matchAll(/from ["']([^"']+)["']/g))
        assert.match(target!, /^\.\.?\//, `${path} imports ${target}`);
  assert.deepEqual(
    [...(await generate("dap", { configuration: own })).files],
    [...generated.files],
    "a second run makes something else",
  );
});

test("a package exports what its README and its entry say", async () => {
  const { protocol, files } = await generate("dap", { configuration: own });
  const module = emittedModules(protocol).find(({ file }) => file === "configuration.ts")!;
  const text = files.get("configuration.ts")!;
  const declared = text.matchAll(/^export (?:const|interface|type) (\w+)/gm);
  assert.deepEqual(
    [...(module.exports?.(protocol, namePackage(protocol)) ?? [])].sort(),
    [...declared].map(([, name]) => name).sort(),
  );
  assert.match(
    files.get("README.md")!,
    /^`@wirewright\/dap\/configuration`:\n\n- `LaunchConfiguration`, `validateLaunchConfiguration`, /m,
  );
  const entries = (manifest: ReadonlyMap<string, string>): readonly string[] =>
    Object.keys((JSON.parse(manifest.get("package.json")!) as { exports: object }).exports);
  assert.ok(entries(files).includes("./configuration"));
  assert.ok(!entries((await generate("dap")).files).includes("./configuration"));
});

test(
  "configurations of public extensions compile",
  { skip: skipWithout("configurations") },
  async () => {
    const sources = real.map(
      (name) => [name, shared(`configurations/${name}.package.json`)!] as const,
    );
    const files = await filesOf(Object.fromEntries(sources));
    for (const name of real) {
      const text = files[`${name}/configuration.ts`]!;
      assert.equal(await check(text, { filepath: "a.ts", printWidth: 100 }), true, name);
      assert.doesNotMatch(text, /: any\b/, name);
    }
    const code = `
import type { AttachConfiguration, LaunchConfiguration } from "./configuration.js";
export function use(configuration: LaunchConfiguration | AttachConfiguration): string | null | undefined {
  if (configuration.request === "attach") return configuration.type satisfies "legacy-node2";
  if (configuration.type === "legacy-extensionHost") return configuration.args[0];
  return configuration.cwd;
}
`;
    files["node-debug2/program.ts"] = code;
    const roots = real.map((name) => `${name}/configuration.ts`);
    assert.equal(await complaints(files, [...roots, "node-debug2/program.ts"]), "");
  },
);

test("types of attributes are what the schema says, with its texts", async () => {
  const { files } = await generate("dap", { configuration: own });
  const text = files.get("configuration.ts")!;
  const start = text.indexOf('/** Attributes of Sampler for "launch". */');
  const end = text.indexOf('/** A configuration of Sampler for "launch"');
  assert.equal(
    text.slice(start, end).trim(),
    `/** Attributes of Sampler for "launch". */
export interface SamplerLaunchAttributes {
  /**
   * Path of the sample.
   *
   * @default "\${workspaceFolder}/main.sample"
   */
  program: string;
  /**
   * How to run. See \`--mode\`.
   *
   * - \`"fast"\`: at once
   * - \`"safe"\`: with checks
   * - \`3\`: the third
   * - \`null\`: none
   * - \`{"own":true}\`: own
   *
   * @default "safe"
   */
  mode?: "fast" | "safe" | 3 | null | { own: true };
  /**
   * @default 4
   */
  level?: number;
  ratio?: number;
  label?: string;
  fixed?: { a: [1, 2] };
  /**
   * @default ["--once"]
   */
  args?: string[] | string;
  pair?: [] | [string] | [string, number, ...boolean[]];
  marks?: unknown[];
  env?: {
    [k: string]: string | null;
  };
  paths?: {
    [k: string]: unknown;
  };
  /**
   * @default {"host":"127.0.0.1"}
   */
  nested?: {
    /**
     * @default "localhost"
     */
    host: string;
    /**
     * @default 4711
     */
    port?: number;
    /**
     * @default false
     */
    secure?: boolean;
    [k: string]: unknown;
  };
  choice?:
    | number
    | ("auto" | "none")
    | {
        id: string;
        [k: string]: unknown;
      };
  single?: number;
  both?: {
    a?: string;
    [k: string]: unknown;
  } & {
    a: unknown;
    /**
     * @default 1
     */
    b?: number;
    [k: string]: unknown;
  };
  unlike?: string;
  either?: {
    kind?: "file" | "port";
    [k: string]: unknown;
  };
  tree?: SamplerLaunchNode;
  anything?: unknown;
  nothing?: never;
  /**
   * @default "\${workspaceFolder}"
   */
  folder?: string;
  /**
   * @deprecated Use \`mode\` instead.
   */
  old?: string;
  /**
   * @deprecated Gone in *2.0*.
   */
  older?: boolean;
  "// a note to the next reader"?: unknown;
  /**
   * Shown as a title
   */
  snippet?: {
    [k: string]: unknown;
  };
}
export interface SamplerLaunchNode {
  name: string;
  children?: SamplerLaunchNode[];
  [k: string]: unknown;
}`,
  );
});

const program = `
import { defineAdapter } from "./adapter.js";
import { attach, launch } from "./session.js";
import type { AdapterTarget } from "./session/session-options.js";
import {
  validateLaunchArguments,
  validateLaunchConfiguration,
  withLaunchDefaults,
  type AttachConfiguration,
  type LaunchConfiguration,
  type LaunchConfigurations,
} from "./configuration.js";

export const adapter = defineAdapter({
  handlers: {
    launch(parameters) {
      const program: string = parameters.program;
      const level: number | undefined = parameters.level;
      const noDebug: boolean | undefined = parameters.noDebug;
      const name: string | undefined = parameters.name;
      // @ts-expect-error There is no such attribute.
      const none: unknown = parameters.progam;
      const complete = withLaunchDefaults(parameters);
      const filled: number = complete.level;
      // @ts-expect-error Its default has a variable.
      const folder: string = complete.folder;
      return void [program, level, noDebug, name, none, filled, folder];
    },
    attach({ port, processId }) {
      const number: number | undefined = port;
      const id: number | "\${command:pickProcess}" | undefined = processId;
      return void [number, id];
    },
  },
});

/**
 * Arguments of its own still win.
 */
export const other = defineAdapter<{ launch: { file: string } }>({
  handlers: { launch: ({ file }) => void file.length },
});

export const configuration: LaunchConfiguration = {
  type: "sampler",
  request: "launch",
  name: "n",
  program: "p",
  preLaunchTask: "build",
  presentation: { hidden: true },
  serverReadyAction: { action: "openExternally" },
  osx: { level: 2, preLaunchTask: "build:mac" },
};
export const byType: LaunchConfigurations["sampler"] = configuration;
export const ofOne: LaunchConfiguration<"sampler"> = configuration;
export const attached: AttachConfiguration = { type: "sampler", request: "attach", name: "n", port: 1 };
// @ts-expect-error The program is missing.
export const incomplete: LaunchConfiguration = { type: "sampler", request: "launch", name: "n" };
// @ts-expect-error There is no such attribute.
export const wrong: LaunchConfiguration = { type: "sampler", request: "launch", name: "n", program: "p", progam: "p" };
// @ts-expect-error Neither of the two that are asked for.
export const neither: AttachConfiguration = { type: "sampler", request: "attach", name: "n" };

export async function start(target: AdapterTarget): Promise<void> {
  await launch(target, { program: "p", level: 4 });
  await launch(target, configuration);
  await attach(target, { port: 9000 });
  // @ts-expect-error There is no such attribute.
  await launch(target, { program: "p", levle: 4 });
  // @ts-expect-error The program is missing.
  await launch(target, {});
  const result = validateLaunchConfiguration(JSON.parse("{}"));
  if (result.ok) await launch(target, result.message);
  const received = validateLaunchArguments(JSON.parse("{}"), { profile: "wire" });
  if (received.ok) await launch(target, received.message);
}
`;

test("defineAdapter and sessions take the configurations without a type argument", async () => {
  const files = await filesOf({ own });
  files["own/program.ts"] = program;
  assert.equal(await complaints(files, ["own/program.ts", "own/testing.ts", "own/node.ts"]), "");
});

type Loaded = {
  validateLaunchConfiguration: (value: unknown) => Validation<object>;
  validateAttachArguments: (value: unknown) => Validation<object>;
  withLaunchDefaults: (value: object, options?: object) => object;
};

test("the validators and defaults of a package work, and nothing else is needed", async () => {
  const generated = await generate("dap", { configuration: own });
  const loaded = (await loadPackage(generated, ["configuration.ts"])) as unknown as Loaded;
  const valid = {
    type: "sampler",
    request: "launch",
    name: "n",
    program: "p",
    tree: { name: "x" },
  };
  assert.deepEqual(loaded.validateLaunchConfiguration(valid), {
    ok: true,
    message: valid,
    deviations: [],
  });
  assert.deepEqual(loaded.validateLaunchConfiguration({ ...valid, level: 3, tree: {} }), {
    ok: false,
    issues: [
      { path: "/level", code: "out-of-range", expected: "a multiple of 2", received: 3 },
      { path: "/tree/name", code: "missing", expected: "a string", received: undefined },
    ],
  });
  assert.deepEqual(loaded.validateAttachArguments({ port: 1 }).ok, true);
  // The default of `env` is not what its own schema allows, so that nobody gets it.
  assert.deepEqual(loaded.withLaunchDefaults({ program: "p" }), {
    program: "p",
    mode: "safe",
    level: 4,
    args: ["--once"],
    nested: { host: "127.0.0.1", port: 4711, secure: false },
  });
});

test("a protocol without configurations, and debuggers without names, are refused", async () => {
  await assert.rejects(
    generate("sqltools", { configuration: own }),
    (error: InputError) =>
      error.code === "ERR_ARGUMENT" &&
      error.message === "Cannot use configurations with sqltools: none of its requests carries one",
  );
  await withFolder(async (folder) => {
    const refusal = async (...types: string[]): Promise<readonly unknown[]> => {
      const debuggers = types.map((type) => ({ type, configurationAttributes: { launch: {} } }));
      writeFiles(folder, { "package.json": JSON.stringify({ contributes: { debuggers } }) });
      try {
        await generate("dap", { configuration: join(folder, "package.json") });
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        return [error.code, error.message, error.place.pointer];
      }
      return assert.fail("it was generated");
    };
    const at = (index: number): string =>
      `/contributes/debuggers/${index}/configurationAttributes/launch`;
    assert.deepEqual(await refusal("日本"), [
      ...["ERR_NAME", 'Cannot name types after the debugger "日本"', at(0)],
    ]);
    assert.deepEqual(await refusal("a-b", "aB"), [
      "ERR_NAME_COLLISION",
      'Cannot name the types of "aB" like those of "a-b": ABLaunch',
      at(1),
    ]);
  });
});

test("texts of a schema end no comment, begin no tag and are no code", async () => {
  await withFolder(async (folder) => {
    const evil = "*/ export const stolen = process.env; /* @deprecated ${1} ` \u2028\u202e";
    writeFiles(folder, {
      "package.json": JSON.stringify({
        contributes: {
          debuggers: [
            {
              type: "evil",
              label: evil,
              configurationAttributes: {
                launch: {
                  properties: {
                    [evil]: { description: evil, enum: [evil, 1], enumDescriptions: [evil, evil] },
                    a: { deprecationMessage: evil, default: evil, tsType: "typeof process" },
                    b: { $ref: "#/definitions/B", title: evil },
                  },
                  definitions: { B: { title: evil, type: "string", $id: evil } },
                },
              },
            },
          ],
        },
      }),
    });
    const configuration = join(folder, "package.json");
    assert.equal(
      await complaints(await filesOf({ evil: configuration }), ["evil/configuration.ts"]),
      "",
    );
    const generated = await generate("dap", { configuration });
    const text = generated.files.get("configuration.ts")!;
    assert.doesNotMatch(text, /^export const stolen|typeof process|[\u2028\u202e]/m);
    const loaded = await loadPackage(generated, ["configuration.ts"]);
    assert.equal("stolen" in loaded, false);
  });
});
