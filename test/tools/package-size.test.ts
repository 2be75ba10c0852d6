import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { withFolder } from "../support/compile.js";
import { packDap } from "../generated/packed-dap.js";
import { runCommand } from "../support/run-command.js";

/** A program's import, its entry point, and the size limit for the bundle. */
const bundles: readonly (readonly [name: string, entry: string, limit: Limit])[] = [
  ["isStoppedEvent", "", { minified: 250 }],
  ["isValidStoppedEvent", "/validators", { compressed: 500 }],
  ["isValid", "/validators", { compressed: 5_900 }],
  ["validate", "/validators", { compressed: 14_000 }],
  ["validateStoppedEvent", "/validators", { minified: 14_300 }],
  ["validateStackTraceResponse", "/validators", { minified: 16_000 }],
  ["peek", "", { compressed: 3_300 }],
  ["createDecoder", "", { minified: 26_000, compressed: 9_500 }],
  ["readMessages", "", { minified: 28_300 }],
  ["createEncoder", "", { compressed: 2_500 }],
  ["connect", "/connection", { minified: 108_000, compressed: 34_800 }],
  ["bridge", "/connection", { compressed: 31_700 }],
  ["defineAdapter", "/adapter", { compressed: 39_300 }],
  ["launch", "/session", { compressed: 45_100 }],
];

interface Limit {
  readonly minified?: number;
  readonly compressed?: number;
}

const { dap: packed, tarballs } = await packDap("package-size");

/** Unpacks the packages into a project's `node_modules`. */
function unpack(folder: string): void {
  for (const [index, name] of ["runtime", "dap"].entries()) {
    const target = join(folder, "node_modules/@wirewright", name);
    mkdirSync(target, { recursive: true });
    execFileSync("tar", ["-xzf", tarballs[index]!, "-C", target, "--strip-components=1"]);
  }
}

test("the published package has few files and a bounded size", () => {
  assert.ok(packed.files.length <= 110, `${packed.files.length} files`);
  assert.ok(packed.unpackedSize <= 700_000, `${packed.unpackedSize} bytes`);
});

test("the output of generate has few files and a bounded size", async () => {
  await withFolder((folder) => {
    const { status, stderr } = runCommand(folder, ["generate", "dap", "--out", "dap"]);
    assert.equal(status, 0, stderr);
    const files = readdirSync(join(folder, "dap"), { recursive: true, withFileTypes: true });
    const sources = files.filter((each) => each.isFile() && each.name.endsWith(".ts"));
    assert.ok(sources.length <= 12, `${sources.length} sources`);
    const bytes = files
      .filter((each) => each.isFile())
      .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
    assert.ok(bytes <= 450_000, `${bytes} bytes`);
  });
});

test("bundles for browsers and for Node contain only the code that a program uses", async () => {
  await withFolder(async (folder) => {
    unpack(folder);
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
        const { minified = Infinity, compressed = Infinity } = limit;
        assert.ok(bytes.length <= minified, `${name} on ${platform}: ${bytes.length} bytes`);
        assert.ok(length <= compressed, `${name} on ${platform}: ${length} bytes compressed`);
      }
    }
  });
});

test("an error from one entry point is an instance of its class in another, and class names are kept", async () => {
  await withFolder((folder) => {
    unpack(folder);
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
      ["assertValid, InvalidMessageError", "/validators"],
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
