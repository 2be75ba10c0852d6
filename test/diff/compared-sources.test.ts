import { uncomparedTexts } from "../../diff/unstated-facts.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { diffProtocols, openProtocolSource, readProtocol } from "../../cli/index.js";
import type { Protocol } from "../../generator/model/protocol.js";
import { dapSchemaText, newestDap } from "../support/dap-versions.js";
import { fromRoot } from "../support/paths.js";
import { object, version } from "../support/compared-versions.js";

test("a fact that a source cannot state is reported as unknown, not as changed", async () => {
  const before = await version(object({ x: { type: "integer", minimum: 0 } }, ["x"]));
  const after = await version(object({ x: { type: "number" } }, ["x"]));
  const rulesOf = (now: Protocol): readonly string[] =>
    diffProtocols(before, now).findings.map(({ rule }) => rule);
  assert.deepEqual(rulesOf(after), ["type.int-to-number"]);
  assert.deepEqual(rulesOf({ ...after, unstated: ["integers"] }), ["constraint.loosened"]);
  assert.deepEqual(rulesOf({ ...after, unstated: ["ranges"] }), ["type.int-to-number"]);
  const silent: Protocol = { ...after, unstated: ["integers", "ranges"] };
  assert.deepEqual(diffProtocols(before, silent).findings, []);
  assert.deepEqual(diffProtocols(silent, before).findings, []);
  assert.deepEqual(diffProtocols({ ...before, unstated: [] }, silent).uncompared, [
    { fact: "ranges", unstatedBy: "after" },
    { fact: "integers", unstatedBy: "after" },
  ]);
  // Neither version has descriptions, so diff does not compare them.
  const { uncompared } = diffProtocols(
    { ...before, unstated: ["docs", "integers"] },
    { ...after, unstated: ["docs", "integers"] },
  );
  assert.deepEqual(uncompared, [{ fact: "integers", unstatedBy: "both" }]);
  const texts = diffProtocols(
    { ...before, unstated: ["docs", "deprecation", "integers"] },
    { ...after, unstated: ["integers", "ranges", "extras", "open-values", "gates"] },
  );
  assert.deepEqual(uncomparedTexts({ ...texts, before: "1", after: "2" }), [
    "Not compared: descriptions, deprecations, which 1 does not state.",
    "Not compared: ranges and formats, closed objects, values of open lists, required capabilities, which 2 does not state.",
    "Not compared: whole numbers, which neither version states.",
  ]);
  // Both sources are of the same kind and lack the same facts, so every difference is real.
  assert.equal(
    diffProtocols({ ...before, unstated: ["integers"] }, { ...after, unstated: ["integers"] })
      .findings.length,
    2,
  );
});

test("a protocol with a different envelope is compared the same way as DAP", async () => {
  const ticker = await readProtocol(fromRoot("test/fixtures/ticker"));
  assert.deepEqual(diffProtocols(ticker, ticker).findings, []);
  const definitions = ticker.definitions.map((definition) =>
    definition.name === "StartParams" && definition.type.kind === "object"
      ? {
          ...definition,
          type: {
            ...definition.type,
            properties: definition.type.properties.map((property) => ({
              ...property,
              required: true,
            })),
          },
        }
      : definition,
  );
  const diff = diffProtocols(ticker, { ...ticker, definitions });
  const [first] = diff.findings.filter(({ rule }) => rule === "prop.became-required");
  assert.deepEqual(first!.witnesses, [
    {
      pair: "old-watcher/new-clock",
      sender: "watcher",
      message: { jsonrpc: "2.0", id: 0, method: "ticker/start", params: {} },
    },
  ]);
});

test("an extension differs from its base in its additions, and drafts of a protocol can be compared", async () => {
  const base = await readProtocol("acp");
  const extended = diffProtocols(base, await readProtocol("acp-breakpoints"));
  assert.deepEqual(
    extended.findings.map(({ rule, at }) => `${rule} ${at}`),
    [
      "message.added-gated request setBreakpoints",
      "message.added-gated request setFunctionBreakpoints",
      "message.added-gated request setExceptionBreakpoints",
      "message.added-gated request addBreakpoints",
      "message.added-gated request removeBreakpoints",
      "message.added-event event breakpointChanged",
      "capability.added ClientCapabilities.breakpoints",
      "capability.added AgentCapabilities.breakpoints",
    ],
  );
  const draft = diffProtocols(base, await readProtocol("acp", { version: "2" }));
  const renamed = draft.findings.filter(({ rule }) => rule === "message.renamed");
  assert.deepEqual(
    renamed.map(({ message: change }) => change),
    ["authenticate → auth/login", "logout → auth/logout"],
  );
});

test("a source may be a URL, a folder, a description or a bundled version", async () => {
  const asked: string[] = [];
  const fetchText = (url: string): Promise<string> => {
    asked.push(url);
    return Promise.resolve(dapSchemaText("1.70.0"));
  };
  const open = async (spec: string): Promise<string> =>
    (await openProtocolSource(spec, "dap", { fetchText })).protocol.version;
  assert.equal(await open("https://example.com/1.70.0.json"), "1.70.0");
  assert.deepEqual(asked, ["https://example.com/1.70.0.json"]);
  assert.equal(await open("dap"), newestDap);
  assert.equal(await open("dap@1.51.0"), "1.51.0");
  assert.equal(await open(fromRoot("test/fixtures/ticker")), "1.0.0");
  assert.equal(await open(fromRoot("schema/dap/protocol.json")), newestDap);
  await assert.rejects(open("ftp://example.com/a.json"), { code: "ERR_READ" });
});
