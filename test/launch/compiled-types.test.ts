import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { check } from "prettier";
import { generate } from "../../cli/index.js";
import {
  compile,
  installedCompilers,
  installPackages,
  withFolder,
  withProject,
  writeFiles,
} from "../support/compile.js";
import { loadPackage } from "../support/load-package.js";
import { shared, skipWithout } from "../support/paths.js";
import { own } from "../support/configuration-packages.js";

const real = ["bash-debug", "go", "mock-debug", "node-debug2", "php-debug"];

/** Compiles files with strict settings. Returns an empty string if there are no errors. */
function complaints(
  files: Readonly<Record<string, string>>,
  roots: readonly string[],
): Promise<string> {
  return withProject((folder) => {
    installPackages(folder, ["@wirewright/dap"]);
    writeFiles(folder, {
      ...files,
      "package.json": '{ "type": "module" }',
      "tsconfig.json": JSON.stringify({
        compilerOptions: {
          strict: true,
          exactOptionalPropertyTypes: true,
          noUncheckedIndexedAccess: true,
          noEmit: true,
          target: "es2022",
          module: "nodenext",
          types: ["node"],
        },
        files: roots,
      }),
    });
    return installedCompilers.map((compiler) => compile(compiler, "-p", folder)).join("");
  });
}

/** Returns the modules generated for several configurations, each in its own folder. */
async function filesOf(sources: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const [name, configuration] of Object.entries(sources))
    for (const [path, text] of (await generate("dap", { configuration })).files)
      files[`${name}/${path}`] = text;
  return files;
}

test(
  "configurations for public extensions compile",
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

const program = `
import { defineAdapter } from "@wirewright/dap/adapter";
import { Refusal } from "@wirewright/dap/connection";
import { attach, launch, type AdapterTarget } from "@wirewright/dap/session";
import {
  validateLaunchArguments,
  validateLaunchConfiguration,
  withLaunchDefaults,
  type AttachArguments,
  type AttachConfiguration,
  type LaunchArguments,
  type LaunchConfiguration,
  type LaunchConfigurations,
} from "./configuration.js";

declare module "@wirewright/dap/connection" {
  interface ConfiguredArguments {
    launch: LaunchArguments;
    attach: AttachArguments;
  }
}

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
      if (level === 0) throw new Refusal("no");
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
export const other = defineAdapter({
  handlers: { launch: ({ file }: { file: string }) => void file.length },
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
  await launch(target, { arguments: { program: "p", level: 4 } });
  await launch(target, { arguments: configuration });
  await attach(target, { arguments: { port: 9000 } });
  // @ts-expect-error There is no such attribute.
  await launch(target, { arguments: { program: "p", levle: 4 } });
  // @ts-expect-error The program is missing.
  await launch(target, { arguments: {} });
  const result = validateLaunchConfiguration(JSON.parse("{}"));
  if (result.ok) await launch(target, { arguments: result.value });
  const received = validateLaunchArguments(JSON.parse("{}"), { profile: "wire" });
  if (received.ok) await launch(target, { arguments: received.value });
}
`;

test("defineAdapter and sessions accept the configurations without a type argument", async () => {
  const files = await filesOf({ own });
  files["own/program.ts"] = program;
  assert.equal(await complaints(files, ["own/program.ts", "own/index.ts", "own/node.ts"]), "");
});

test("descriptions in a schema cannot end a comment, begin a JSDoc tag or become code", async () => {
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
