import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import * as acp from "@wirewright/acp-breakpoints";
import * as acpDialects from "@wirewright/acp-breakpoints/dialects";
import * as acpValidators from "@wirewright/acp-breakpoints/validators";
import { bundledProtocols, readProtocol, requestsOf } from "../../../cli/index.js";
import { bundledDescriptionPath } from "../../../generator/base/bundled.js";
import {
  readDescription,
  readExtension,
} from "../../../generator/read/description/check-description.js";
import { readJsonInput } from "../../../generator/read/source/input-source.js";
import { readJsonText } from "../../../generator/read/source/json-text.js";
import { withFolder, writeFiles } from "../../support/compile.js";
import { fromRoot, readJson } from "../../support/paths.js";
import { refusalOf } from "../../support/refusal.js";
import { seeded } from "../../support/sample-values.js";

type Classified = acp.Classified;

const textKeys: ReadonlySet<string> = new Set(["description", "title", "x-docs-ignore"]);
const description = readJson("schema/acp/protocol.json") as {
  readonly schema: { readonly omit: readonly string[] };
};

type Message = Readonly<Record<string, unknown>>;

function decode(bytes: Uint8Array, cuts: readonly number[] = []): readonly Classified[] {
  const messages: Classified[] = [];
  const decoder = acp.createDecoder({
    dialect: acpDialects.createDialect("vendor"),
    onMessage: (message) => void messages.push(message),
    onFault: ({ code, offset }) => assert.fail(`${code} at ${offset}`),
  });
  [0, ...cuts].forEach((start, index) => decoder.push(bytes.subarray(start, cuts[index])));
  decoder.end();
  return messages;
}

const asked = {
  jsonrpc: "2.0",
  id: 0,
  method: "setBreakpoints",
  params: { source: { path: "/a.ts" }, breakpoints: [{ line: 42 }, { line: 55, enabled: false }] },
} as const;

test("the bundled version is the SDK's schema without its descriptions (UPDATE_GOLDEN=1 updates it)", () => {
  for (const version of ["1", "2"]) {
    const path = `node_modules/@agentclientprotocol/sdk/schema/v${version}/schema.json`;
    const text = `${JSON.stringify(bundledSchema(readFileSync(fromRoot(path), "utf8")), null, 2)}\n`;
    const bundled = fromRoot(`schema/acp/${version}.json`);
    if (process.env["UPDATE_GOLDEN"] !== undefined) writeFileSync(bundled, text);
    assert.equal(readFileSync(bundled, "utf8"), text, version);
  }
});

test("the SDK's schema and the bundled schema describe the same protocol", async () => {
  for (const version of ["1", "2"]) {
    const schema = fromRoot(`node_modules/@agentclientprotocol/sdk/schema/v${version}/schema.json`);
    const sdk = await readProtocol("acp", { schema, version });
    assert.deepEqual(await readProtocol("acp", { version }), sdk, version);
  }
});

test("the protocol covers all methods and directions, and contains only our own descriptions", async () => {
  const protocol = await readProtocol("acp");
  assert.equal(requestsOf(protocol).length, 21);
  assert.equal(protocol.messages.length, 25);
  const sender = (name: string): unknown =>
    protocol.messages.find((message) => message.name === name)?.sender;
  assert.deepEqual(
    ["initialize", "session/prompt", "session/update", "fs/read_text_file", "$/cancel_request"].map(
      sender,
    ),
    ["client", "client", "agent", "agent", "both"],
  );
  const { docs } = protocol.messages.find(({ name }) => name === "session/prompt")!;
  assert.equal(
    docs,
    "Sends a message from the user. The response follows once the agent's turn is over.",
  );
  const schemaTexts = protocol.definitions.filter(
    ({ pointer, docs: text }) => pointer !== undefined && text !== undefined,
  );
  assert.deepEqual(schemaTexts, []);
  const draft = await readProtocol("acp", { version: "2" });
  assert.equal(draft.messages.length, 18);
});

test("an extension contains all messages of its base but has its own name", async () => {
  const base = await readProtocol("acp");
  const extended = await readProtocol("acp-breakpoints");
  const names = new Set(extended.messages.map(({ name }) => name));
  assert.deepEqual(
    base.messages.filter(({ name }) => !names.has(name)),
    [],
  );
  assert.deepEqual(
    [extended.name, extended.packageName],
    ["acp-breakpoints", "@wirewright/acp-breakpoints"],
  );
  assert.equal(acp.requests.setBreakpoints.direction, "agent-to-client");
  assert.equal(acp.notifications.breakpointChanged.direction, "client-to-agent");
});

test("members of a union are distinguished by their constant property", () => {
  const block: acp.ContentBlock = { type: "text", text: "a" };
  assert.ok(acpValidators.isValidContentBlock(block));
  assert.equal(acpValidators.isValidContentBlock({ type: "text" }), false);
  assert.equal(
    acpValidators.isValidContentBlock({ type: "resource_link", uri: "a", name: "b" }),
    true,
  );
  const form = { message: "m", mode: "form", requestedSchema: { type: "object" } };
  assert.equal(
    acpValidators.isValidCreateElicitationParams(form),
    false,
    "neither session nor request",
  );
  assert.ok(acpValidators.isValidCreateElicitationParams({ ...form, sessionId: "s" }));
  const plan = { sessionUpdate: "plan", entries: [{ priority: "urgent" }] };
  const content = "`/params/update/entries/0/content`: expected a string, received nothing";
  const status =
    '`/params/update/entries/0/status`: expected one of "pending", "in_progress", "completed", received nothing';
  // The wire profile tolerates new values of enumerations.
  assert.deepEqual(issuesOfUpdate(plan), [content, status]);
  assert.deepEqual(issuesOfUpdate(plan, "strict"), [
    content,
    '`/params/update/entries/0/priority`: expected one of "high", "medium", "low", received "urgent"',
    status,
  ]);
  const [unknown = "", ...more] = issuesOfUpdate({ sessionUpdate: "plans", entries: [{}] });
  assert.deepEqual(more, []);
  assert.match(
    unknown,
    /^`\/params\/update\/sessionUpdate`: expected one of "user_message_chunk", .*"plan", /,
  );
  assert.match(unknown, /, received "plans"; did you mean "plan"\?$/);
});

function issuesOfUpdate(update: object, profile: "wire" | "strict" = "wire"): readonly string[] {
  const message = { jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update } };
  const result = acpValidators.validate(message, { profile });
  return result.ok ? [] : result.issues.map(acpValidators.describeIssue);
}

test("message names carry no prefix, and a dialect adds the prefix of a chosen vendor", () => {
  assert.ok(acpValidators.isValid(asked));
  assert.equal(
    acpValidators.isValid({ ...asked, params: { ...asked.params, breakpoints: [{ line: 0 }] } }),
    false,
  );
  const written = (dialect?: acp.Dialect): string =>
    Buffer.from(
      acp.createEncoder(dialect === undefined ? {} : { dialect }).encode(asked),
    ).toString();
  assert.equal(written(), `${JSON.stringify(asked)}\n`);
  const method = (text: string): unknown => (JSON.parse(text) as Message)["method"];
  assert.equal(
    method(written(acpDialects.createDialect("vendor"))),
    "_breakpoints.example.dev/set_breakpoints",
  );
  const mine = { setBreakpoints: "_acme.dev/set_breakpoints" };
  const text = written(acpDialects.createDialect("vendor", mine));
  assert.equal(method(text), "_acme.dev/set_breakpoints");
  assert.deepEqual(acpDialects.createDialect("vendor", mine).read(JSON.parse(text)), asked);
});

for (const side of ["agent-to-client", "client-to-agent"] as const) {
  test(`a recording made with the real SDK decodes no matter how it is split: ${side}`, () => {
    const bytes = readFileSync(fromRoot(`test/fixtures/recordings/acp/${side}.bin`));
    const all = decode(bytes);
    const named = all.map((each) =>
      each.status === "malformed"
        ? each.code
        : "name" in each
          ? `${each.status} ${each.name}`
          : each.kind,
    );
    const expected = {
      "agent-to-client": [
        "response",
        "response",
        "known session/update",
        "known setBreakpoints",
        "known setFunctionBreakpoints",
        "known setExceptionBreakpoints",
        "known setBreakpoints",
        "custom _breakpoints.example.dev/nosuch",
        "known fs/read_text_file",
        "response",
        "response",
        "response",
        "response",
      ],
      "client-to-agent": [
        "known initialize",
        "known session/new",
        "known session/prompt",
        "response",
        "response",
        "response",
        "response",
        "response",
        "response",
        "known breakpointChanged",
        "custom _nosuch.dev/thing",
        "custom session/nosuch",
        "known session/prompt",
      ],
    }[side];
    assert.deepEqual(named, expected);
    const invalid = all.flatMap((each, index) =>
      each.status === "malformed" || acpValidators.isValid(each.message) ? [] : [index],
    );
    // The last prompt deliberately has a number as its session.
    assert.deepEqual(invalid, side === "client-to-agent" ? [12] : []);
    const random = seeded(7);
    const ways = [
      Array.from({ length: bytes.length - 1 }, (_, index) => index + 1),
      ...Array.from({ length: bytes.length - 1 }, (_, index) => [index + 1]),
      ...Array.from({ length: 100 }, () =>
        Array.from({ length: 6 }, () => Math.floor(random() * bytes.length)).sort((a, b) => a - b),
      ),
    ];
    for (const cuts of ways) assert.deepEqual(decode(bytes, cuts), all);
  });
}

test("every bundled description is valid against its schema, which refuses an unknown property", async () => {
  const kinds = new Set<boolean>();
  for (const name of bundledProtocols()) {
    const path = bundledDescriptionPath(name);
    const file = await readJsonInput(path);
    const isExtension = Object.hasOwn(file.value as object, "extends");
    kinds.add(isExtension);
    const read = isExtension ? readExtension : readDescription;
    assert.equal(await refusalOf(() => read(file)), "accepted", name);
    const odd = readJsonText(JSON.stringify({ ...(file.value as object), frammings: {} }), path);
    assert.throws(() => read(odd), { code: "ERR_DESCRIPTION" }, name);
  }
  assert.deepEqual([...kinds].sort(), [false, true]);
});

test("the error for a package that is not installed explains how to install it", async () => {
  const text = readFileSync(fromRoot("schema/acp/protocol.json"), "utf8");
  const changed = text.replace('"1": "', '"1": "npm:@nobody/nothing/');
  await withFolder(async (folder) => {
    writeFiles(folder, { "protocol.json": changed });
    await assert.rejects(readProtocol(folder), {
      code: "ERR_READ",
      message: 'Cannot find "1.json" in the package "@nobody/nothing"',
      hint: "npm install @nobody/nothing",
    });
  });
});

/** Removes the descriptions and omitted definitions from a schema. */
function bundledSchema(text: string): object {
  const { anyOf: _messages, ...schema } = JSON.parse(text, (key, value: unknown) =>
    textKeys.has(key) && typeof value !== "object" ? undefined : value,
  ) as { anyOf: unknown; $defs: Record<string, unknown> };
  for (const name of description.schema.omit) delete schema.$defs[name];
  return schema;
}
