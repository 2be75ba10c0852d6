import assert from "node:assert/strict";
import { execFileSync, spawnSync, type SpawnSyncReturns } from "node:child_process";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { build, transform } from "esbuild";
import { rollup } from "rollup";
import { packPackage, type PackedPackage } from "../../tools/release/pack-package.js";
import { withFolder, writeFiles } from "../support/compile.js";
import { fromRoot } from "../support/paths.js";
import { runCommand } from "../support/run-command.js";

/** A program's import, its entry point, and the size limit for the bundle. */
const bundles: readonly (readonly [name: string, entry: string, limit: Limit])[] = [
  ["isStoppedEvent", "", { minified: 250 }],
  ["isValidStoppedEvent", "/validate", { compressed: 700 }],
  ["peek", "", { compressed: 3200 }],
  ["createDecoder", "", { minified: 27_450, compressed: 10_300 }],
  ["readMessages", "", { minified: 29_700 }],
  ["createEncoder", "", { compressed: 3_000 }],
  ["validateStoppedEvent", "/validate", { minified: 9_850 }],
  ["validateStackTraceResponse", "/validate", { minified: 13_450 }],
  ["connect", "/connection", { minified: 69_700, compressed: 24_600 }],
  ["bridge", "/connection", { minified: 55_150 }],
  ["defineAdapter", "/adapter", { minified: 83_000 }],
  ["launch", "/session", { minified: 111_200 }],
];

interface Limit {
  readonly minified?: number;
  readonly compressed?: number;
}

const packed: PackedPackage = await packPackage("dap", fromRoot("build/package-size/dap"));

test("the published package has few files and a bounded size", () => {
  assert.ok(packed.files.length <= 40, `${packed.files.length} files`);
  assert.ok(packed.unpackedSize <= 1_307_000, `${packed.unpackedSize} bytes`);
});

test("a package generated with default options has few files and a bounded size", async () => {
  await withFolder((folder) => {
    const { status, stderr } = runCommand(folder, ["generate", "dap", "--out", "dap"]);
    assert.equal(status, 0, stderr);
    const files = readdirSync(join(folder, "dap"), { recursive: true, withFileTypes: true });
    const sources = files.filter((each) => each.isFile() && each.name.endsWith(".ts"));
    assert.ok(sources.length <= 45, `${sources.length} sources`);
    const bytes = files
      .filter((each) => each.isFile())
      .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
    assert.ok(bytes <= 1_004_000, `${bytes} bytes`);
  });
});

test("bundles for browsers and for Node contain only the code that a program uses", async () => {
  await withFolder(async (folder) => {
    const own = join(folder, "node_modules/@wirewright/dap");
    mkdirSync(own, { recursive: true });
    execFileSync("tar", ["-xzf", packed.tarball, "-C", own, "--strip-components=1"]);
    for (const platform of ["browser", "node"] as const) {
      const bundle = async (contents: string): Promise<Uint8Array> => {
        const { outputFiles } = await build({
          stdin: { contents, resolveDir: folder },
          bundle: true,
          minify: true,
          format: "esm",
          platform,
          write: false,
        });
        return outputFiles[0]!.contents;
      };
      const unused = await bundle('import { isStoppedEvent } from "@wirewright/dap";');
      assert.ok(unused.length <= 100, `an unused import: ${unused.length} bytes`);
      for (const [name, entry, limit] of bundles) {
        const bytes = await bundle(
          `import { ${name} } from "@wirewright/dap${entry}"; console.log(${name}(globalThis.x));`,
        );
        const { length } = gzipSync(bytes, { level: 9 });
        if (limit.minified !== undefined && platform === "node") {
          const rolled = await rolledUp(join(folder, "node_modules/@wirewright/dap"), name, entry);
          assert.ok(rolled <= limit.minified * 1.1, `${name} with rollup: ${rolled} bytes`);
        }
        const { minified = Infinity, compressed = Infinity } = limit;
        assert.ok(bytes.length <= minified, `${name} on ${platform}: ${bytes.length} bytes`);
        assert.ok(length <= compressed, `${name} on ${platform}: ${length} bytes compressed`);
      }
    }
  });
});

/** Returns the minified size of a Rollup bundle. */
async function rolledUp(own: string, name: string, entry: string): Promise<number> {
  const bundle = await rollup({
    input: "program",
    external: /^node:/,
    plugins: [
      {
        name: "program",
        resolveId: (id) => (id === "program" ? id : null),
        load: (id) =>
          id === "program"
            ? `import { ${name} } from ${JSON.stringify(join(own, `${entry || "index"}.mjs`))}; console.log(${name}(globalThis.x));`
            : null,
      },
    ],
  });
  const { output } = await bundle.generate({ format: "es" });
  await bundle.close();
  return (await transform(output[0].code, { minify: true, format: "esm" })).code.length;
}

test("importing a type adds three files to a program", async () => {
  await withFolder((folder) => {
    const own = join(folder, "node_modules/@wirewright/dap");
    mkdirSync(own, { recursive: true });
    execFileSync("tar", ["-xzf", packed.tarball, "-C", own, "--strip-components=1"]);
    writeFiles(folder, {
      "package.json": '{ "type": "module" }',
      "use.ts": 'export type { StoppedEvent } from "@wirewright/dap";\n',
    });
    const tsc = fromRoot("node_modules/typescript/bin/tsc");
    const options = ["--module", "nodenext", "--target", "es2022", "--types", "--listFilesOnly"];
    const listed = execFileSync(process.execPath, [tsc, "use.ts", ...options], {
      cwd: folder,
      encoding: "utf8",
    });
    const files = listed.split("\n").filter((file) => file.includes("/@wirewright/dap/"));
    assert.deepEqual(files.map((file) => basename(file)).sort(), [
      "index.d.mts",
      "index.d.ts",
      "shared.d.ts",
    ]);
  });
});

test("Node finds exactly the exports of the CommonJS files", async () => {
  await withFolder(async (folder) => {
    const own = join(folder, "dap");
    mkdirSync(own, { recursive: true });
    execFileSync("tar", ["-xzf", packed.tarball, "-C", own, "--strip-components=1"]);
    const namesOf = async (file: string): Promise<readonly string[]> =>
      Object.keys((await import(pathToFileURL(join(own, file)).href)) as object)
        .filter((name) => name !== "default" && name !== "module.exports")
        .sort();
    for (const file of packed.files.filter(
      (path) => path.endsWith(".mjs") && !path.includes(".d."),
    ))
      assert.deepEqual(await namesOf(file.replace(".mjs", ".js")), await namesOf(file), file);
    assert.deepEqual(await namesOf("types.js"), []);
  });
});

test("an error from one entry point is an instance of its class in another, and class names are kept", async () => {
  await withFolder((folder) => {
    const own = join(folder, "node_modules/@wirewright/dap");
    mkdirSync(own, { recursive: true });
    execFileSync("tar", ["-xzf", packed.tarball, "-C", own, "--strip-components=1"]);
    const body = `
      const [port] = [new MessageChannel().port1];
      const connection = connect("client", portTransport(port));
      connection.request("threads").catch((error) => console.log(error instanceof ConnectionClosedError, error.constructor.name));
      connection.close();
      try { createEncoder().encode(1); } catch (error) { console.log(error.constructor === EncodeError, EncodeError.name); }
      try { createEncoder({ validate: assertValid }).encode({}); } catch (error) { console.log(error instanceof InvalidMessageError, error.name); }
      spawnAdapter(process.execPath, ["--eval", "process.stdin.resume()"]).then(async ({ connection }) => {
        const waiting = connection.request("threads").catch((error) => console.log(error instanceof ConnectionClosedError, "from ./node"));
        await connection.close({ graceMs: 0 });
        await waiting;
      });`;
    const run = (...args: readonly string[]): string =>
      execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
    const expected = [
      "true ConnectionClosedError",
      "true EncodeError",
      "true InvalidMessageError",
      "true from ./node",
    ];
    const linesOf = (output: string): readonly string[] => output.trim().split("\n").sort();
    const names: readonly (readonly [names: string, entry: string])[] = [
      ["createEncoder, EncodeError", ""],
      ["assertValid, InvalidMessageError", "/validate"],
      ["connect, ConnectionClosedError, portTransport", "/connection"],
      ["spawnAdapter", "/node"],
    ];
    const required = names
      .map(([names, entry]) => `const { ${names} } = require("@wirewright/dap${entry}");`)
      .join("\n");
    assert.deepEqual(linesOf(run("--input-type=commonjs", "-e", required + body)), expected);
    const imported = names
      .map(([names, entry]) => `import { ${names} } from "@wirewright/dap${entry}";`)
      .join("\n");
    assert.deepEqual(linesOf(run("--input-type=module", "-e", imported + body)), expected);
  });
});

test("tests of sessions, adapters, recordings and validators pass with the packed package", () => {
  const folder = fromRoot("build/package-size/dap");
  // The chosen tests do not depend on the clock.
  const names = ["session-snapshots", "adapter-positions", "replay", "generated-dap"];
  const runWith = (modules: string): SpawnSyncReturns<string> => {
    const hooks = `
      export async function resolve(specifier, context, next) {
        const found = await next(specifier, context);
        const own = /\\/build\\/(?:generated\\/dap\\/(?=index|validate)|protocols\\/dap\\/)(index|validate|connection|node|adapter|session|testing)(?:\\/index)?\\.js$/;
        const name = own.exec(found.url)?.[1];
        return name === undefined ? found : { ...found, url: ${JSON.stringify(`${pathToFileURL(modules)}/`)} + name + ".mjs" };
      }`;
    const url = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
    const register = `import { register } from "node:module"; register(${JSON.stringify(url(hooks))});`;
    const files = names.map((name) => fromRoot(`build/test/protocols/dap/${name}.test.js`));
    const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
    const options = ["--import", url(register), "--test", "--test-concurrency=1"];
    return spawnSync(process.execPath, [...options, ...files], { env, encoding: "utf8" });
  };
  const { status, stdout } = runWith(folder);
  assert.equal(status, 0, stdout);
  assert.notEqual(runWith(join(folder, "missing")).status, 0);
});
