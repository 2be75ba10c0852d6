import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readProtocol } from "../../../cli/index.js";
import { readInput, testCases } from "../../support/case-list.js";
import { withFolder, writeFiles } from "../../support/compile.js";
import { bundledDap, newestDap, newestDapSchema } from "../../support/dap-versions.js";
import { readJson } from "../../support/paths.js";
import { refusalOf } from "../../support/refusal.js";

type Change = (description: any, types: any) => void;

/** The protocols whose descriptions are changed. */
const sources: Readonly<Record<string, string>> = {
  ticker: "test/fixtures/ticker",
  "ruby-debug-ide": "schema/ruby-debug-ide",
};

/** Changes a protocol's files and reads it. Returns the error as text. */
async function report(change: Change, source: string): Promise<string> {
  return withFolder(async (folder) => {
    const load = (name: string): unknown => readJson(`${source}/${name}`);
    const description = load("protocol.json");
    const types = load("types.json");
    change(description, types);
    writeFiles(folder, {
      "protocol.json": JSON.stringify(description, null, 2),
      "types.json": JSON.stringify(types, null, 2),
    });
    const refusal = await refusalOf(() => readProtocol(folder));
    const position = /:\d+:\d+/;
    assert.ok(refusal === "accepted" || position.test(refusal), `no line: ${refusal}`);
    return refusal.replaceAll(`${folder}/`, "").replace(position, "");
  });
}

testCases(
  "test/cases/descriptions.md",
  "readProtocol() judges a description with faults",
  async (input, section) => {
    const [change] = readInput(input) as readonly [Change];
    return [await report(change, sources[section]!)];
  },
);

test("readProtocol() suggests the known protocol closest to a misspelt name", async () => {
  await assert.rejects(readProtocol("dop"), {
    code: "ERR_UNKNOWN_PROTOCOL",
    hint: 'Did you mean "dap"?',
  });
});

test("readProtocol() lists the available versions", async () => {
  await assert.rejects(readProtocol("dap", { version: "1.2.3" }), {
    code: "ERR_UNKNOWN_VERSION",
    hint: `Similar versions: ${bundledDap.slice(0, 2).join(", ")}; known: ${bundledDap.length} versions from ${bundledDap[0]} to ${bundledDap.at(-1)}; or pass a schema file for that version`,
  });
});

test("readProtocol() reads a schema from standard input or an https: URL, but not from any other URL", async () => {
  const text = readFileSync(newestDapSchema, "utf8");
  const bundled = await readProtocol("dap");
  assert.deepEqual(
    (await readProtocol("dap", { schema: "-", readStdin: async () => text })).messages,
    bundled.messages,
  );
  const asked: string[] = [];
  const address = `https://example.test/${newestDap}.json`;
  const fetchText = async (url: string): Promise<string> => (asked.push(url), text);
  assert.deepEqual(await readProtocol("dap", { schema: address, fetchText }), bundled);
  assert.deepEqual(asked, [address]);
  await assert.rejects(readProtocol("dap", { schema: "http://example.test/a.json", fetchText }), {
    code: "ERR_READ",
  });
  await assert.rejects(readProtocol("dap", { schema: "file:///etc/passwd", fetchText }), {
    code: "ERR_READ",
  });
  await assert.rejects(readProtocol("dap", { schema: "/no/such/file.json" }), {
    code: "ERR_READ",
    message: "Cannot read the file: there is no such file",
  });
});
