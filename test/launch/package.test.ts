import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { check } from "prettier";
import { emittedModules } from "../../generator/emit/emitted-modules.js";
import { namePackage } from "../../generator/emit/modules/package-names.js";
import { generate, InputError } from "../../cli/index.js";
import type { Validation } from "../../runtime/index.js";
import { withFolder, writeFiles } from "../support/compile.js";
import { loadPackage } from "../support/load-package.js";
import { wirewright } from "../support/run-command.js";
import { own } from "../support/configuration-packages.js";

test("generated configurations are formatted, import only the runtime, and are the same in every run", async () => {
  const generated = await generate("dap", { configuration: own });
  const text = generated.files.get("configuration.ts")!;
  assert.equal(await check(text, { filepath: "a.ts", printWidth: 100 }), true);
  for (const path of ["configuration.ts", "configuration-tables.ts"])
    for (const [, target] of generated.files.get(path)!.matchAll(/from ["']([^"']+)["']/g))
      assert.match(target!, /^(\.\/[\w-]+\.js|@wirewright\/runtime)$/, `${path} imports ${target}`);
  assert.deepEqual(
    [...(await generate("dap", { configuration: own })).files],
    [...generated.files],
    "a second run produces something else",
  );
});

test("a package exports exactly the names listed in its README and its entry point", async () => {
  const packageName = "own-dap";
  const { protocol, files } = await generate("dap", { configuration: own, packageName });
  const module = emittedModules(protocol).find(({ file }) => file === "configuration.ts")!;
  const text = files.get("configuration.ts")!;
  const declared = text.matchAll(/^export (?:const|interface|type) (\w+)/gm);
  assert.deepEqual(
    [...(module.exports?.(protocol, namePackage(protocol)) ?? [])].sort(),
    [...declared].map(([, name]) => name).sort(),
  );
  assert.match(
    files.get("README.md")!,
    /^`own-dap\/configuration`:\n\n- `LaunchConfiguration`, `validateLaunchConfiguration`, /m,
  );
  const entries = (manifest: ReadonlyMap<string, string>): readonly string[] =>
    Object.keys((JSON.parse(manifest.get("package.json")!) as { exports: object }).exports);
  assert.ok(entries(files).includes("./configuration"));
  assert.ok(!entries((await generate("dap", { packageName })).files).includes("./configuration"));
});

type Loaded = {
  validateLaunchConfiguration: (value: unknown) => Validation<object>;
  validateAttachArguments: (value: unknown) => Validation<object>;
  withLaunchDefaults: (value: object, options?: object) => object;
};

test("a package's validators and defaults work", async () => {
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
    value: valid,
    deviations: [],
  });
  assert.deepEqual(loaded.validateLaunchConfiguration({ ...valid, level: 3, tree: {} }), {
    ok: false,
    issues: [
      { pointer: "/level", code: "out-of-range", expected: "a multiple of 2", received: 3 },
      { pointer: "/tree/name", code: "missing", expected: "a string", received: undefined },
    ],
  });
  assert.deepEqual(loaded.validateAttachArguments({ port: 1 }).ok, true);
  // The default of `env` does not match its own schema, so it is omitted.
  assert.deepEqual(loaded.withLaunchDefaults({ program: "p" }), {
    program: "p",
    mode: "safe",
    level: 4,
    args: ["--once"],
    nested: { host: "127.0.0.1", port: 4711, secure: false },
  });
});

test("a protocol without configurations and debuggers without names are refused", async () => {
  await assert.rejects(
    generate("sqltools", { configuration: own }),
    (error: InputError) =>
      error.code === "ERR_ARGUMENT" &&
      error.message ===
        "Cannot use configurations with sqltools: none of its requests takes a configuration",
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
      "ERR_NAME",
      'Cannot derive type names from the debugger "日本"',
      at(0),
    ]);
    assert.deepEqual(await refusal("a-b", "aB"), [
      "ERR_NAME_COLLISION",
      'Cannot use the same type names for "aB" and "a-b": ABLaunch',
      at(1),
    ]);
  });
});

test("a warning that concerns several locations in a manifest is printed once, with all locations", () =>
  withFolder((folder) => {
    const names = ["a", "b", "c", "d", "e"];
    const launch = { properties: Object.fromEntries(names.map((name) => [name, { typo: 1 }])) };
    const debuggers = [{ type: "t", configurationAttributes: { launch } }];
    writeFiles(folder, new Map([["package.json", JSON.stringify({ contributes: { debuggers } })]]));
    const { status, stderr } = wirewright(folder, [
      "generate",
      "dap",
      "--configuration",
      "package.json",
      "--out",
      "out",
    ]);
    const at = "/contributes/debuggers/0/configurationAttributes/launch/properties";
    assert.deepEqual(
      [status, stderr.split("\n").slice(0, 2)],
      [
        0,
        [
          `warning package.json:1:105 ${at}/a/typo: The keyword "typo" is unknown and has no effect. Did you mean "type"?`,
          `  also at 4 other locations: ${at}/b/typo, ${at}/c/typo, ${at}/d/typo, …`,
        ],
      ],
    );
  }));
