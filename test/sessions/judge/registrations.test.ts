/**
 * Tests how lint judges Language Server Protocol capabilities that are announced or registered
 * later.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { readProtocol } from "../../../cli/index.js";
import type { RecordedEntry } from "../../../sessions/read/recording.js";
import { readInput, testCases } from "../../support/case-list.js";
import { withFolder, writeFiles } from "../../support/compile.js";
import { findingsOf } from "../../support/judged-entries.js";
import { base, reference } from "../../support/meta-model.js";

const optional = (name: string, type: object): object => ({ name, type, optional: true });

/** Creates an object type with optional properties. */
const literal = (...properties: readonly object[]): object => ({
  kind: "literal",
  value: { properties },
});

const array = (element: object): object => ({ kind: "array", element });

const registered = (name: string): object => ({
  name,
  properties: [
    { name: "id", type: base("string") },
    { name: "method", type: base("string") },
  ],
});

const listOf = (name: string, list: string, item: string): object => ({
  name,
  properties: [{ name: list, type: array(reference(item)) }],
});

const request = (method: string, messageDirection: string, more: object = {}): object => ({
  method,
  messageDirection,
  result: base("null"),
  ...more,
});

const flag = optional("dynamicRegistration", base("boolean"));

const metaModel = {
  metaData: { version: "3.99.0" },
  requests: [
    request("initialize", "clientToServer", {
      params: reference("InitializeParams"),
      result: reference("InitializeResult"),
    }),
    request("client/registerCapability", "serverToClient", {
      params: reference("RegistrationParams"),
    }),
    request("client/unregisterCapability", "serverToClient", {
      params: reference("UnregistrationParams"),
    }),
    request("text/hover", "clientToServer", {
      clientCapability: "text.hover",
      serverCapability: "hoverProvider",
      registrationOptions: reference("HoverOptions"),
    }),
    request("hover/resolve", "clientToServer", {
      clientCapability: "text.hover",
      serverCapability: "hoverProvider.resolve",
    }),
    request("text/rename", "clientToServer", {
      clientCapability: "text.rename",
      serverCapability: "renameProvider",
      registrationMethod: "text/renaming",
    }),
    request("window/ask", "serverToClient", { clientCapability: "window.ask" }),
  ],
  notifications: [
    { method: "initialized", messageDirection: "clientToServer" },
    { method: "window/logMessage", messageDirection: "serverToClient" },
    { method: "text/changed", messageDirection: "serverToClient" },
  ],
  structures: [
    {
      name: "InitializeParams",
      properties: [{ name: "capabilities", type: reference("ClientCapabilities") }],
    },
    {
      name: "InitializeResult",
      properties: [{ name: "capabilities", type: reference("ServerCapabilities") }],
    },
    {
      name: "ClientCapabilities",
      properties: [
        optional(
          "text",
          literal(optional("hover", literal(flag)), optional("rename", literal(flag))),
        ),
        optional("window", literal(optional("ask", base("boolean")))),
      ],
    },
    {
      name: "ServerCapabilities",
      properties: [
        optional("hoverProvider", literal(optional("resolve", base("boolean")))),
        optional("renameProvider", base("boolean")),
      ],
    },
    { name: "HoverOptions", properties: [] },
    registered("Registration"),
    registered("Unregistration"),
    listOf("RegistrationParams", "registrations", "Registration"),
    listOf("UnregistrationParams", "unregisterations", "Unregistration"),
  ],
};

const lsp = await withFolder((folder) => {
  writeFiles(folder, { "metaModel.json": JSON.stringify(metaModel) });
  return readProtocol("lsp", { schema: join(folder, "metaModel.json") });
});

/** Returns the findings for a session that begins with both sides' capabilities. */
function judge(
  client: object,
  server: object,
  ...calls: readonly (readonly [string, string, object?])[]
): readonly string[] {
  const entries: RecordedEntry[] = [];
  const call = (
    from: string,
    method: string,
    params?: object,
    result: object | null = null,
  ): void => {
    const id = entries.length;
    const message = { jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) };
    entries.push(
      { from, message },
      {
        from: from === "client" ? "server" : "client",
        message: { jsonrpc: "2.0", id, result },
      },
    );
  };
  call("client", "initialize", { capabilities: client }, { capabilities: server });
  entries.push({ from: "client", message: { jsonrpc: "2.0", method: "initialized" } });
  for (const [from, method, params] of calls) call(from, method, params);
  return findingsOf(lsp, entries, { rules: "none", isFromStart: true }).map(
    ({ rule, pointer, message }) => `${rule} ${pointer} ${message}`,
  );
}

const registration = (method: string): readonly [string, string, object] => [
  "server",
  "client/registerCapability",
  { registrations: [{ id: "1", method }] },
];

const hover = ["client", "text/hover"] as const;

testCases(
  "test/cases/registrations.md",
  "lint judges capabilities",
  (input) => readInput(input, { hover, judge, registration })[0] as readonly string[],
);

test("before its response to initialize, a server may send nothing but log messages", () => {
  const message = (from: string, fields: object): RecordedEntry => ({
    from,
    message: { jsonrpc: "2.0", ...fields },
  });
  const log = message("server", { method: "window/logMessage" });
  const changed = message("server", { method: "text/changed" });
  const opening = message("client", {
    id: 1,
    method: "initialize",
    params: { capabilities: {} },
  });
  const opened = message("server", { id: 1, result: { capabilities: {} } });
  const early = (...entries: readonly RecordedEntry[]): readonly string[] =>
    findingsOf(lsp, entries, { rules: "none" }).map(({ rule, index }) => `${rule} #${index}`);
  assert.deepEqual(early(opening, log, changed, opened, changed), ["opening.early #3"]);
  assert.deepEqual(early(log, changed, opening, opened), ["opening.early #2"]);
});
