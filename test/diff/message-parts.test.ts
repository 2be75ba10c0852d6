/**
 * Tests comparisons of message parts other than payloads and results: error data, partial results,
 * registrations and capabilities.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { diffProtocols, readProtocol } from "../../cli/index.js";
import type { Protocol } from "../../generator/model/protocol.js";
import { isAnnounced } from "../../runtime/protocol/capabilities.js";
import { withFolder, writeFiles } from "../support/compile.js";
import { base, reference } from "../support/meta-model.js";

const capabilities = (inner: readonly string[]): object[] => [
  { name: "ClientCapabilities", properties: [flag("ask"), flag("other")] },
  {
    name: "ServerCapabilities",
    properties: [
      {
        name: "ask",
        optional: true,
        type: { kind: "or", items: [base("boolean"), reference("Options")] },
      },
    ],
  },
  { name: "Options", properties: inner.map(flag) },
];

function flag(name: string): object {
  return { name, optional: true, type: base("boolean") };
}

const structures = [
  { name: "Data", properties: [{ name: "retry", type: base("boolean") }] },
  { name: "Other", properties: [{ name: "retry", type: base("string") }] },
  {
    name: "InitializeParams",
    properties: [{ name: "capabilities", type: reference("ClientCapabilities") }],
  },
  {
    name: "InitializeResult",
    properties: [{ name: "capabilities", type: reference("ServerCapabilities") }],
  },
];

/**
 * Creates a protocol with the request `initialize` and, if its parts are given, the request `ask`.
 */
function version(
  parts: object | undefined,
  inner: readonly string[] = ["deep"],
  gates: object = { clientCapability: "other" },
): Promise<Protocol> {
  const ask = { method: "ask", messageDirection: "clientToServer", result: base("null"), ...parts };
  const initialize = {
    method: "initialize",
    messageDirection: "clientToServer",
    params: reference("InitializeParams"),
    result: reference("InitializeResult"),
  };
  return withFolder(async (folder) => {
    const model = {
      metaData: { version: "1.0.0" },
      requests: [initialize, ...(parts === undefined ? [] : [ask])],
      notifications: [{ method: "note", messageDirection: "serverToClient", ...gates }],
      structures: [...capabilities(inner), ...structures],
    };
    writeFiles(folder, { "metaModel.json": JSON.stringify(model) });
    return readProtocol("lsp", { schema: join(folder, "metaModel.json") });
  });
}

async function findings(before: object | undefined, after: object | undefined): Promise<string[]> {
  const diff = diffProtocols(await version(before), await version(after));
  return diff.findings.map(
    ({ severity, rule, at, receivers, witnesses }) =>
      `${severity} ${rule} ${at}: ${receivers.join()}${witnesses.length === 0 ? "" : ", shown"}`,
  );
}

const data = { errorData: reference("Data") };
const list = (element: object): object => ({ partialResult: { kind: "array", element } });
const options = { registrationOptions: reference("Data") };

const rows: readonly (readonly [string, object | undefined, object | undefined, string])[] = [
  ["added error data", {}, data, "lossy message.error-data-added request ask: client"],
  ["removed error data", data, {}, "lossy message.error-data-removed request ask: client"],
  [
    "error data of a different type",
    data,
    { errorData: reference("Other") },
    "breaking type.changed ask error data.retry: client",
  ],
  [
    "added partial results",
    {},
    list(base("string")),
    "lossy message.partial-result-added request ask: client",
  ],
  [
    "removed partial results",
    list(base("string")),
    {},
    "lossy message.partial-result-removed request ask: client",
  ],
  [
    "different partial results",
    list(base("string")),
    list(base("boolean")),
    "breaking type.changed AskPartialResult[]: client",
  ],
  ["an added registration", {}, options, "risky message.registration-added request ask: client"],
  ["a removed registration", options, {}, "risky message.registration-removed request ask: client"],
  [
    "a renamed registration",
    options,
    { ...options, registrationMethod: "asking" },
    "risky message.registration-changed request ask: client",
  ],
  [
    "added registration options",
    { registrationMethod: "ask" },
    options,
    "lossy message.registration-options-added request ask: client",
  ],
  [
    "removed registration options",
    options,
    { registrationMethod: "ask" },
    "lossy message.registration-options-removed request ask: client",
  ],
  [
    "different registration options",
    options,
    { registrationOptions: reference("Other") },
    "breaking type.changed ask registration.retry: client",
  ],
  [
    "an added receiver capability",
    {},
    { serverCapability: "ask.deep" },
    "risky gate.added request ask: server",
  ],
  [
    "a different sender capability",
    { clientCapability: "ask" },
    { clientCapability: "other" },
    "lossy gate.sender-changed request ask: server",
  ],
  ["a proposal", {}, { proposed: true }, "doc doc.changed AskRequest: server"],
  ["the version that introduced it", {}, { since: "1.1.0" }, "doc doc.changed AskRequest: server"],
];

for (const [what, before, after, finding] of rows)
  test(`diff reports one finding for ${what}`, async () => {
    assert.deepEqual(await findings(before, before), []);
    assert.deepEqual(await findings(before, after), [finding]);
  });

test("an added request that requires a new capability is safe, even if the capability is nested", async () => {
  const diff = diffProtocols(
    await version(undefined, []),
    await version({ serverCapability: "ask.deep" }),
  );
  const added = diff.findings.find(({ at }) => at === "request ask")!;
  assert.deepEqual([added.rule, added.severity], ["message.added-gated", "safe"]);
});

test("a meta model without capabilities does not state which capabilities messages require", async () => {
  const silent = await version({}, ["deep"], {});
  const gated = await version({ serverCapability: "ask.deep" });
  const diff = diffProtocols(silent, gated);
  assert.deepEqual([silent.unstated, diff.findings], [["gates"], []]);
  assert.deepEqual(diff.uncompared, [{ fact: "gates", unstatedBy: "before" }]);
  const added = diffProtocols(
    await version(undefined, [], {}),
    await version({ serverCapability: "ask.deep" }),
  );
  assert.equal(added.findings.find(({ at }) => at === "request ask")!.rule, "message.added-gated");
});

const sent = (direction: string): object => ({ messageDirection: direction });

const directions: readonly (readonly [string, string, readonly string[]])[] = [
  // The verdicts are those for a new client with an old server, followed by those for an old client
  // with a new server.
  ["clientToServer", "both", ["risky message.added-request: ok degraded"]],
  ["both", "clientToServer", ["risky message.removed-request: degraded lost"]],
  ["serverToClient", "both", ["risky message.added-request: degraded ok"]],
  ["clientToServer", "serverToClient", ["breaking message.direction-changed: rejected rejected"]],
];

for (const [before, after, expected] of directions)
  test(`diff reports that a request sent ${before} is now sent ${after}`, async () => {
    const diff = diffProtocols(await version(sent(before)), await version(sent(after)));
    assert.deepEqual(
      diff.findings.map(
        ({ severity, rule, wire }) => `${severity} ${rule}: ${Object.values(wire).join(" ")}`,
      ),
      expected,
    );
  });

test("the model includes a capability that a meta model requires, unless no peer can announce it", async () => {
  const gated = { serverCapability: "ask.deep", clientCapability: "nothing" };
  const { messages } = await version(gated);
  const ask = messages.find(({ name }) => name === "ask")!;
  assert.deepEqual(
    [ask.gate, ask.senderGate],
    [{ role: "server", capability: "ask.deep" }, undefined],
  );
});

test("a nested capability is announced only if all enclosing capabilities are announced", () => {
  const rows: readonly (readonly [object | null, string, boolean])[] = [
    [{ ask: { deep: true } }, "ask.deep", true],
    [{ ask: { deep: {} } }, "ask.deep", true],
    [{ ask: { deep: false } }, "ask.deep", false],
    [{ ask: true }, "ask.deep", false],
    [{ ask: 1 }, "ask.deep", true],
    [{ ask: 0 }, "ask.deep", false],
    [{ ask: {} }, "ask", true],
    [{ ask: [] }, "ask", false],
    [{ ask: ["a"] }, "ask", true],
    [{ "ask.deep": true }, "ask.deep", true],
    [{ ask: null }, "ask.deep", false],
    [{}, "ask.deep", false],
    [null, "ask", false],
  ];
  for (const [flags, name, expected] of rows)
    assert.equal(isAnnounced(flags, name), expected, JSON.stringify([flags, name]));
});
