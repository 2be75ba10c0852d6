import assert from "node:assert/strict";
import { readFileSync, rmSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { check } from "prettier";
import { generate } from "../../cli/index.js";
import { compile, installedCompilers, withFolder, writeFiles, type CompilerName } from "../support/compile.js";
import { bundledDap, publishedDap } from "../support/dap-versions.js";
import { isLong, someOf } from "../support/long-tests.js";
import { fromRoot } from "../support/paths.js";
import { packages, filesOf } from "../support/package-files.js";

const newest = "TypeScript 7";

/**
 * Replaces a package's runtime with a link to a shared copy. A compiler resolves links, so it reads
 * the runtime only once.
 */
function linkRuntime(folder: string): void {
  const own = join(folder, "runtime");
  rmSync(own, { recursive: true, force: true });
  symlinkSync(fromRoot("runtime"), own, "junction");
}

test("packages with an embedded runtime compile under strict settings", async () => {
  await withFolder(async (folder) => {
    const config = JSON.parse(
      readFileSync(fromRoot("test/fixtures/ticker/generated/tsconfig.json"), "utf8"),
    ) as object;
    writeFiles(folder, {
      "tsconfig.json": JSON.stringify({ ...config, include: ["*/*.ts", "*/runtime"] }),
    });
    for (const { protocol, name } of packages)
      writeFiles(join(folder, basename(name)), await filesOf(protocol));
    // Compiles all packages in one process with the newest compiler. TypeScript 5.4 does not
    // support the newer flags.
    const flags = ["--erasableSyntaxOnly", "--verbatimModuleSyntax"];
    assert.equal(compile(newest, "-p", folder, "--noEmit", ...flags), "");
    if (!installedCompilers.includes("TypeScript 5.4")) return;
    // All packages contain the same runtime, so TypeScript 5.4, which is slow, checks it only once.
    for (const { name } of packages) linkRuntime(join(folder, basename(name)));
    assert.equal(compile("TypeScript 5.4", "-p", folder, "--noEmit"), "");
  });
});

test(
  "packages of all tested DAP versions compile",
  async () => {
    const versions = someOf(bundledDap);
    await withFolder(async (folder) => {
      for (const version of versions) {
        const { files } = await generate("dap", publishedDap(version).source);
        const own = [...files].filter(([path]) => !path.startsWith("runtime/"));
        writeFiles(join(folder, version), new Map(own));
        linkRuntime(join(folder, version));
      }
      const config = JSON.parse(
        readFileSync(fromRoot("test/fixtures/ticker/generated/tsconfig.json"), "utf8"),
      ) as object;
      const compiled = (compiler: CompilerName, folders: readonly string[]): string => {
        const include = folders.map((each) => `${each}/*.ts`);
        writeFiles(folder, { "tsconfig.json": JSON.stringify({ ...config, include }) });
        return compile(compiler, "-p", folder, "--noEmit");
      };
      assert.equal(compiled(newest, versions), "");
      if (!installedCompilers.includes("TypeScript 5.4")) return;
      // TypeScript 5.4 is slow: it would take minutes to compile all versions.
      const some = isLong ? versions : [versions[0]!, versions.at(-1)!];
      assert.equal(compiled("TypeScript 5.4", some), "");
    });
  },
);

test("a package with a different framing in each direction requires the sender and compiles", async () => {
  await withFolder(async (folder) => {
    const fixture = fromRoot("test/fixtures/ticker");
    const description = JSON.parse(readFileSync(join(fixture, "protocol.json"), "utf8")) as {
      framing: unknown;
    };
    description.framing = { watcher: "lines", clock: "content-length" };
    writeFiles(join(folder, "input"), {
      "protocol.json": JSON.stringify(description),
      "types.json": readFileSync(join(fixture, "types.json"), "utf8"),
    });
    const { files } = await generate(join(folder, "input"));
    for (const path of ["codec.ts", "node.ts", "protocol.ts"]) {
      assert.equal(await check(files.get(path)!, { filepath: path, printWidth: 100 }), true, path);
    }
    writeFiles(join(folder, "out"), files);
    writeFiles(join(folder, "out"), {
      "use.ts": `import { createDecoder, createEncoder } from "./index.js";
export const bytes = createEncoder({ from: "clock" }).encode({ jsonrpc: "2.0", method: "ticker/tick", params: { tickerId: "a", count: 1 } });
const kinds: string[] = [];
const decoder = createDecoder({ from: "clock", onMessage: (message) => void kinds.push(message.status) });
decoder.push(bytes);
decoder.end();
export const seen: readonly string[] = kinds;
// @ts-expect-error TS2345: the sender must be given.
createEncoder({});
`,
    });
    for (const compiler of installedCompilers) {
      assert.equal(compile(compiler, "-p", join(folder, "out")), "", compiler);
    }
    writeFiles(join(folder, "out/dist"), { "package.json": '{ "type": "module" }' });
    const { bytes, seen } = (await import(join(folder, "out/dist/use.js"))) as {
      bytes: Uint8Array;
      seen: readonly string[];
    };
    assert.match(Buffer.from(bytes).toString(), /^Content-Length: 76\r\n\r\n/);
    assert.deepEqual(seen, ["known"]);
  });
});
