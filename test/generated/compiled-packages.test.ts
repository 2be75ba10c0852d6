import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { check } from "prettier";
import { generate } from "../../cli/index.js";
import { compile, installedCompilers, withProject, writeFiles } from "../support/compile.js";
import { compileStrictly, sourceCompilers } from "../support/compilers.js";
import { bundledDap, publishedDap } from "../support/dap-versions.js";
import { isLong, someOf } from "../support/long-tests.js";
import { fromRoot } from "../support/paths.js";
import { filesOf } from "../support/package-files.js";
import { packagedProtocols } from "../support/workspaces.js";

const ticker = fromRoot("test/fixtures/ticker");

/** Writes modules into a folder of a project. Returns the paths of the files. */
function writeModules(
  project: string,
  name: string,
  files: ReadonlyMap<string, string>,
): readonly string[] {
  writeFiles(join(project, name), files);
  return [...files.keys()].map((path) => `${name}/${path}`);
}

test("generated modules compile under the strictest settings", async () => {
  await withProject(async (folder) => {
    const paths: string[] = [];
    for (const protocol of [...packagedProtocols, ticker])
      paths.push(...writeModules(folder, basename(protocol), await filesOf(protocol)));
    for (const compiler of sourceCompilers)
      assert.equal(compileStrictly(compiler, folder, paths), "", compiler.version);
  });
});

test("modules of all tested DAP versions compile", async () => {
  const versions = someOf(bundledDap);
  await withProject(async (folder) => {
    const paths = new Map<string, readonly string[]>();
    for (const version of versions) {
      const { files } = await generate("dap", publishedDap(version).source);
      paths.set(version, writeModules(folder, version, files));
    }
    for (const compiler of sourceCompilers) {
      // TypeScript 5.4 is slow: it would take minutes to compile all versions.
      const isSlow = compiler.version === "5.4" && !isLong;
      const chosen = isSlow ? [versions[0]!, versions.at(-1)!] : versions;
      const files = chosen.flatMap((version) => paths.get(version)!);
      assert.equal(compileStrictly(compiler, folder, files), "", compiler.version);
    }
  });
});

/** The guarantees that the types generated for a JSON-RPC protocol make. */
const guarantees = `
import {
  isErrorResponse,
  isNotification,
  type ClockToWatcher,
  type ParametersOf,
  type TickerStartResponse,
  type TickerTickNotification,
  type WatcherToClock,
} from "./index.js";
import { validateTickerStartResponse } from "./validators.js";

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function assertType<_Holds extends true>(): void {}

export function receive(message: ClockToWatcher): void {
  if (isNotification(message, "ticker/tick"))
    assertType<Equal<typeof message, TickerTickNotification>>();
  if ("method" in message && message.method === "watcher/confirm")
    assertType<Equal<typeof message.id, number | string>>();
}

// In the absence of a success field, the error field distinguishes failures from successes.
export function split(response: TickerStartResponse): string {
  if (response.error !== undefined) return response.error.message;
  return response.result.tickerId;
}
export function splitByGuard(response: TickerStartResponse): string {
  return isErrorResponse(response) ? response.error.message : response.result.tickerId;
}

export function validates(value: unknown): string {
  const result = validateTickerStartResponse(value);
  if (!result.ok) return result.issues[0]!.pointer;
  return split(result.value);
}

assertType<Equal<ParametersOf<"watcher/confirm"> extends [unknown?] ? true : false, true>>();
export const start: WatcherToClock = {
  jsonrpc: "2.0",
  id: 1,
  method: "ticker/start",
  params: { interval: 5 },
};
// @ts-expect-error TS2322: the JSON-RPC version is wrong.
export const old: WatcherToClock = { ...start, jsonrpc: "1.0" };
`;

test("a package with a different framing in each direction requires the sender and compiles", async () => {
  await withProject(async (folder) => {
    const description = JSON.parse(readFileSync(join(ticker, "protocol.json"), "utf8")) as {
      framing: unknown;
    };
    description.framing = { watcher: "lines", clock: "content-length" };
    writeFiles(join(folder, "input"), {
      "protocol.json": JSON.stringify(description),
      "types.json": readFileSync(join(ticker, "types.json"), "utf8"),
    });
    const { files } = await generate(join(folder, "input"), { packageName: "framed" });
    for (const path of ["codec.ts", "node.ts", "protocol.ts"]) {
      assert.equal(await check(files.get(path)!, { filepath: path, printWidth: 100 }), true, path);
    }
    writeFiles(join(folder, "out"), files);
    writeFiles(join(folder, "out"), {
      "guarantees.ts": guarantees,
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
    const { bytes, seen } = (await import(join(folder, "out/dist/use.js"))) as {
      bytes: Uint8Array;
      seen: readonly string[];
    };
    assert.match(Buffer.from(bytes).toString(), /^Content-Length: 76\r\n\r\n/);
    assert.deepEqual(seen, ["known"]);
  });
});
