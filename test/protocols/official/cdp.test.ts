/** Tests the Chrome DevTools Protocol with hand-written and published domains. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { generate, readProtocol } from "../../../cli/index.js";
import { loadPackage } from "../../support/load-package.js";
import { runCommand } from "../../support/run-command.js";
import { type Connection, page, runtime, inFiles } from "../../support/cdp-domains.js";

test("domains from two files become definitions and messages", async () => {
  const protocol = await inFiles({ "page.json": page, "runtime.json": runtime }, (_, schema) =>
    readProtocol("cdp", { schema }),
  );
  assert.equal(protocol.version, "1.9");
  assert.deepEqual(protocol.envelope, {
    constants: {},
    id: "id",
    idTypes: ["integer"],
    replyTo: "id",
    fields: ["sessionId"],
    request: {
      noun: "command",
      sender: "client",
      when: { method: true, id: true },
      name: "method",
      payload: "params",
    },
    event: {
      noun: "event",
      sender: "browser",
      when: { method: true, id: false },
      name: "method",
      payload: "params",
    },
    response: { when: { method: false, id: true }, result: "result", error: "error" },
  });
  assert.deepEqual(
    protocol.messages.map(({ kind, name, sender, payload, ...rest }) => [
      kind,
      name,
      sender,
      payload,
      "result" in rest ? rest.result : undefined,
      rest.deprecated,
      rest.docs,
    ]),
    [
      [
        "request",
        "Page.navigate",
        "client",
        { type: { kind: "reference", name: "PageNavigateParams" }, required: true },
        { type: { kind: "reference", name: "PageNavigateResult" }, required: true },
        undefined,
        "Goes to a page.",
      ],
      [
        "request",
        "Page.stop",
        "client",
        { type: { kind: "reference", name: "PageStopParams" }, required: false },
        { type: { kind: "reference", name: "PageStopResult" }, required: true },
        undefined,
        "The message `Page.stop`.",
      ],
      [
        "event",
        "Page.gone",
        "browser",
        undefined,
        undefined,
        undefined,
        "The message `Page.gone`.",
      ],
      [
        "event",
        "Page.moved",
        "browser",
        { type: { kind: "reference", name: "PageMovedParams" }, required: true },
        undefined,
        "",
        "The message `Page.moved`.",
      ],
    ],
  );
  const types = Object.fromEntries(protocol.definitions.map(({ name, type }) => [name, type]));
  const text = { kind: "string" };
  const at = (pointer: string): { pointer: string } => ({ pointer: `/definitions/${pointer}` });
  assert.deepEqual(types["PageFrame"], {
    kind: "object",
    bases: [],
    properties: [
      {
        name: "id",
        type: { kind: "reference", name: "PageFrameId" },
        required: true,
        ...at("PageFrame/properties/id"),
      },
      {
        name: "kind",
        type: { kind: "enum", open: false, values: [{ value: "top" }, { value: "inner" }] },
        required: false,
        ...at("PageFrame/properties/kind"),
      },
      {
        name: "object",
        type: { kind: "reference", name: "RuntimeObjectId" },
        required: false,
        docs: "Experimental.",
        ...at("PageFrame/properties/object"),
      },
    ],
    extras: "open",
  });
  assert.deepEqual(types["PageNavigateParams"], {
    kind: "object",
    bases: [],
    properties: [
      { name: "url", type: text, required: true, ...at("PageNavigateParams/properties/url") },
      {
        name: "frames",
        type: { kind: "array", items: { kind: "reference", name: "PageFrameId" }, minItems: 1 },
        required: false,
        ...at("PageNavigateParams/properties/frames"),
      },
    ],
    extras: "open",
  });
  assert.deepEqual(types["PageBytes"], { kind: "string", format: "byte" });
  assert.deepEqual(types["RuntimeObjectId"], { kind: "integer" });
});

const broken = (change: (document: typeof page) => unknown): object => {
  const copy = structuredClone(page);
  change(copy);
  return copy;
};

/** Files that cannot be read, each with its expected error. */
const refused: readonly (readonly [
  name: string,
  documents: Readonly<Record<string, object>>,
  message: RegExp,
])[] = [
  [
    "a missing file",
    { "page.json": page },
    /^page\.json:\d+:\d+ \/domains\/0\/types\/1\/properties\/2\/\$ref: Cannot find the type "Runtime\.ObjectId" \[ERR_SCHEMA\]\n {2}Pass all of the protocol's files/,
  ],
  [
    "another document",
    { "page.json": page, "runtime.json": { definitions: {} } },
    /^runtime\.json:1:1: Cannot find any domains: this file does not describe CDP domains \[ERR_SCHEMA\]\n$/,
  ],
  [
    "a duplicate type",
    { "page.json": page, "runtime.json": runtime, "again.json": runtime },
    /^again\.json:\d+:\d+ \/domains\/0\/types\/0: Cannot define "RuntimeObjectId" twice: two names in the protocol map to this name \[ERR_SCHEMA\]\n$/,
  ],
  [
    "an unknown type",
    {
      "page.json": broken(({ domains: [domain] }) => (domain!.types[0]!.type = "text")),
      "runtime.json": runtime,
    },
    /^page\.json:\d+:\d+ \/domains\/0\/types\/0\/type: Cannot read the type "text" \[ERR_SCHEMA\]\n$/,
  ],
];

for (const [name, documents, message] of refused)
  test(`invalid domain files are refused with the error's location: ${name}`, () =>
    inFiles(documents, (folder) => {
      const args = Object.keys(documents).flatMap((file) => ["--schema", file]);
      const { status, stderr } = runCommand(folder, ["generate", "cdp", ...args, "--out", "out"]);
      assert.match(stderr, message);
      assert.equal(status, 2);
    }));

test("a request carries additional envelope fields, and its response repeats them", () =>
  inFiles({ "page.json": page, "runtime.json": runtime }, async (_, schema) => {
    const made = await generate("cdp", { schema });
    const loaded = await loadPackage(made, ["connection.ts"]);
    const cdp = loaded as unknown as {
      inlineTransports(): readonly [unknown, unknown];
      connect(role: string, transport: unknown, options: object): Connection;
    };
    const [left, right] = cdp.inlineTransports();
    const seen: unknown[] = [];
    const middleware = [
      { afterReceive: (message: unknown) => (seen.push(structuredClone(message)), message) },
    ];
    const client = cdp.connect("client", left, { middleware });
    const handlers = {
      "Page.stop": () => ({}),
      "Page.navigate": () => Promise.reject(new Error("no such page")),
    };
    cdp.connect("browser", right, { middleware, handlers, onProblem: () => undefined });
    const fields = { sessionId: "S", other: "ignored" };
    await client.request("Page.stop", undefined, { fields });
    await assert.rejects(client.request("Page.navigate", { url: "" }, { fields }));
    await client.request("Page.stop");
    assert.deepEqual(seen, [
      { id: 1, method: "Page.stop", sessionId: "S" },
      { id: 1, sessionId: "S", result: {} },
      { id: 2, method: "Page.navigate", params: { url: "" }, sessionId: "S" },
      { id: 2, sessionId: "S", error: { code: -32000, message: "no such page" } },
      { id: 3, method: "Page.stop" },
      { id: 3, result: {} },
    ]);
    await client.close();
  }));
