import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import { generate } from "../../cli/index.js";
import { withProject, writeFiles } from "../support/compile.js";
import { compileWith, settingsOf, sourceCompilers } from "../support/compilers.js";
import { runFile, typescriptHosts, type Host } from "../support/hosts.js";
import { filesOf } from "../support/package-files.js";

const extensions = { js: ".js", ts: ".ts", none: "" } as const;

type Extension = keyof typeof extensions;

/** A program that uses every entry point, and prints what it decodes, checks and receives. */
const program = (extension: string): string => `
import { createDecoder, createEncoder, type StoppedEvent } from "./dap/index${extension}";
import { connect, inlineTransports } from "./dap/connection${extension}";
import { nodeTransport } from "./dap/node${extension}";
import type { Capabilities } from "./dap/types${extension}";
import { isValidStoppedEvent, validate } from "./dap/validators${extension}";

const event: StoppedEvent = { seq: 1, type: "event", event: "stopped", body: { reason: "step" } };
const decoder = createDecoder({ onMessage: ({ status }) => console.log(status) });
decoder.push(createEncoder().encode(event));
decoder.end();
console.log(isValidStoppedEvent(event), validate({ ...event, body: {} }).ok, typeof nodeTransport);

const [near, far] = inlineTransports();
const capabilities: Capabilities = { supportsCancelRequest: true };
connect("adapter", far, { handlers: { initialize: () => capabilities } });
const client = connect("client", near);
console.log(JSON.stringify(await client.request("initialize", { adapterID: "a" })));
await client.close();
`;

const output = 'known\ntrue false function\n{"supportsCancelRequest":true}\n';

/** Creates a project with a program that imports generated modules. */
function withProgram(
  extension: Extension,
  use: (folder: string, files: readonly string[]) => Promise<void> | void,
): Promise<void> {
  return withProject(async (folder) => {
    const { files } = await generate("dap", { importExtension: extension });
    writeFiles(join(folder, "src/dap"), files);
    writeFiles(folder, {
      "package.json": '{ "type": "module" }',
      "src/index.ts": program(extensions[extension]),
    });
    await use(folder, ["src/index.ts", ...[...files.keys()].map((path) => `src/dap/${path}`)]);
  });
}

for (const [name, extension] of Object.entries(extensions))
  test(`with the import extension "${name}", the modules differ only in how they import each other`, async () => {
    const { files } = await generate("dap", { importExtension: name as Extension });
    const expected = [...(await filesOf("dap"))].map(([path, text]) => [
      path,
      text.replaceAll(/ from "(\.\/\w+)\.js";$/gm, ` from "$1${extension}";`),
    ]);
    assert.deepEqual([...files], expected);
  });

test("compiled packages import their modules as JavaScript with any import extension", async () => {
  const options = { only: ["types"], target: "js+dts" } as const;
  const { files } = await generate("dap", { ...options, importExtension: "ts" });
  assert.deepEqual([...files], [...(await generate("dap", options)).files]);
});

for (const host of typescriptHosts)
  test(`${host.name} runs a program with generated modules as it is`, { skip: host.skip }, () =>
    withProgram("ts", (folder) => assert.equal(runFile(host, folder, "src/index.ts"), output)),
  );

const thisNode: Host = { name: "this Node", command: [process.execPath], skip: false };

for (const compiler of sourceCompilers) {
  const strictest = (
    resolution: "nodenext" | "bundler",
    files: readonly string[],
    more: object,
  ): object => {
    const lib = ["es2022", "dom"];
    const settings = settingsOf(compiler, { resolution, lib, types: ["node"], files });
    const { compilerOptions } = settings as { compilerOptions: object };
    return { ...settings, compilerOptions: { ...compilerOptions, ...more } };
  };

  test(`TypeScript ${compiler.version} accepts modules with the import extension "ts" if it may`, () =>
    withProgram("ts", (folder, files) => {
      const settings = strictest("nodenext", files, { allowImportingTsExtensions: true });
      assert.equal(compileWith(compiler, folder, settings), "");
    }));

  test(`TypeScript ${compiler.version} accepts modules with the import extension "none" for bundlers`, () =>
    withProgram("none", (folder, files) => {
      assert.equal(compileWith(compiler, folder, strictest("bundler", files, {})), "");
    }));

  test(
    `TypeScript ${compiler.version} turns the import extension "ts" into "js"`,
    { skip: Number(compiler.version) < 5.7 && "needs TypeScript 5.7" },
    () =>
      withProgram("ts", (folder, files) => {
        const emitting = { noEmit: false, rewriteRelativeImportExtensions: true, outDir: "dist" };
        const settings = strictest("nodenext", files, { ...emitting, rootDir: "src" });
        assert.equal(compileWith(compiler, folder, settings), "");
        assert.equal(runFile(thisNode, folder, "dist/index.js"), output);
      }),
  );
}

test('a bundler resolves the import extension "none"', () =>
  withProgram("none", async (folder) => {
    await build({
      entryPoints: [join(folder, "src/index.ts")],
      outfile: join(folder, "bundle.js"),
      bundle: true,
      format: "esm",
      platform: "node",
    });
    assert.equal(runFile(thisNode, folder, "bundle.js"), output);
  }));
