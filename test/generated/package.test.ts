import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { test } from "node:test";
import { check } from "prettier";
import { emittedModules } from "../../generator/emit/emitted-modules.js";
import { compareOutput, generate, readProtocol } from "../../cli/index.js";
import { newestDap } from "../support/dap-versions.js";
import { fromRoot, readJson } from "../support/paths.js";
import { filesOf } from "../support/package-files.js";
import { packagedProtocols } from "../support/workspaces.js";

for (const protocol of packagedProtocols) {
  const name = `generated/${protocol}`;
  const folder = fromRoot(name);

  test(`${name} matches the output of generate for its schema (update it with "npm run generate")`, async () => {
    assert.deepEqual(await compareOutput(folder, await filesOf(protocol)), []);
  });

  test(`${name} is identical if generate runs again`, async () => {
    assert.deepEqual([...(await generate(protocol)).files], [...(await filesOf(protocol))]);
  });

  test(`${name} imports nothing but the runtime from outside its folder, and Node only in its entry point for Node`, async () => {
    const files = await filesOf(protocol);
    for (const [path, text] of files)
      for (const [, target] of text.matchAll(/from ["']([^"']+)["']/g)) {
        const where = `${path} imports ${target}`;
        if (target!.startsWith("node:") || target === "@wirewright/runtime/node")
          assert.equal(path, "node.ts", where);
        else if (target !== "@wirewright/runtime") {
          const imported = posix.join(posix.dirname(path), target!).replace(/\.js$/, ".ts");
          assert.ok(files.has(imported) && target!.startsWith("."), where);
          assert.notEqual(imported, "node.ts", where);
        }
      }
  });

  test(`${name} is checked by the compiler and linters like any other code`, async () => {
    for (const [path, text] of await filesOf(protocol))
      assert.doesNotMatch(text, /@ts-|eslint-|prettier-ignore/, path);
  });

  test(`${name} is formatted as by Prettier, except for tables and checks`, async () => {
    const tables = emittedModules(await readProtocol(protocol))
      .filter(({ isTable }) => isTable === true)
      .map(({ file }) => file);
    assert.deepEqual(tables, ["validators.ts"]);
    const { files } = await generate(protocol, { packageName: "formatted" });
    for (const [path, text] of files)
      if (/\.(ts|json|md)$/.test(path) && !tables.includes(path as `${string}.ts`))
        assert.equal(await check(text, { filepath: path, printWidth: 100 }), true, path);
  });

  test(`${name} contains no time, tool version or path`, () => {
    const { version } = readJson("package.json") as {
      version: string;
    };
    for (const path of readdirSync(folder)) {
      const text = readFileSync(join(folder, path), "utf8");
      assert.ok(!text.includes(version), path);
      assert.doesNotMatch(text, /20\d\d-\d\d-\d\d|\/home\/|\/root\/|\/tmp\/|node_modules/, path);
      assert.ok(!text.includes(fromRoot("")), path);
    }
  });
}

test("by default, DAP is eleven modules that import nothing but each other and the runtime", async () => {
  const files = await filesOf("dap");
  assert.deepEqual(
    [...files.keys()],
    [
      "codec.ts",
      "connection.ts",
      "fields.ts",
      "guards.ts",
      "index.ts",
      "maps.ts",
      "messages.ts",
      "node.ts",
      "protocol.ts",
      "types.ts",
      "validators.ts",
    ],
  );
});

/** Lists what modules import, except each other. */
const importsOf = (files: ReadonlyMap<string, string>): readonly string[] => [
  ...new Set(
    [...files.values()]
      .flatMap((text) => [...text.matchAll(/ from "([^"]+)";$/gm)])
      .map(([, specifier]) => specifier!)
      .filter((specifier) => !specifier.startsWith("./"))
      .sort(),
  ),
];

for (const [runtime, imported] of [
  [undefined, ["@wirewright/runtime", "@wirewright/runtime/node"]],
  // As long as the default, because the length decides where imports are broken.
  ["@own-things/runtime", ["@own-things/runtime", "@own-things/runtime/node"]],
  ["../../../runtime", ["../../../runtime/index.js", "../../../runtime/node.js"]],
] as const)
  test(`with the runtime ${runtime ?? "by default"}, modules import ${imported.join(" and ")} and are otherwise the same`, async () => {
    const { files } = await generate("dap", runtime === undefined ? {} : { runtime });
    assert.deepEqual(
      importsOf(files).filter((specifier) => !specifier.startsWith("node:")),
      imported,
    );
    const [index, node] = imported;
    const [originalIndex, originalNode] = ["@wirewright/runtime", "@wirewright/runtime/node"];
    assert.deepEqual(
      [...files].map(([path, text]) => [
        path,
        text
          .replaceAll(`from "${index}"`, `from "${originalIndex}"`)
          .replaceAll(`from "${node}"`, `from "${originalNode}"`),
      ]),
      [...(await filesOf("dap"))],
    );
  });

test("with a package name, a package.json, a README and compiler settings are added", async () => {
  const { files } = await generate("dap", { packageName: "my-dap" });
  const modules = await filesOf("dap");
  assert.deepEqual([...files].filter(([path]) => path.endsWith(".ts")), [...modules]);
  assert.deepEqual(
    [...files.keys()].filter((path) => !modules.has(path)),
    [".gitattributes", "README.md", "package.json", "tsconfig.json"],
  );
  const { version: _, ...manifest } = JSON.parse(files.get("package.json")!) as {
    version: string;
  };
  assert.deepEqual(manifest, {
    name: "my-dap",
    protocol: "dap",
    protocolVersion: newestDap,
    description:
      "Types, guards, message maps, validators and a codec for the Debug Adapter Protocol",
    license: "MIT",
    type: "module",
    sideEffects: false,
    engines: { node: ">=20.19" },
    exports: {
      ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
      "./types": { types: "./dist/types.d.ts", default: "./dist/types.js" },
      "./validators": { types: "./dist/validators.d.ts", default: "./dist/validators.js" },
      "./connection": { types: "./dist/connection.d.ts", default: "./dist/connection.js" },
      "./node": { types: "./dist/node.d.ts", default: "./dist/node.js" },
      "./package.json": "./package.json",
    },
    files: ["dist"],
    scripts: { build: "tsc", prepack: "npm run build" },
    dependencies: { "@wirewright/runtime": "^0.1" },
    devDependencies: { "@types/node": ">=20", typescript: ">=5.4" },
  });
});
