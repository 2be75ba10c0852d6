/**
 * Tests how lint judges Language Server Protocol capabilities that are announced or registered
 * later.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readProtocol } from "../../../cli/index.js";
import type { RecordedEntry } from "../../../sessions/read/recording.js";
import { readInput, testCases } from "../../support/case-list.js";
import { findingsOf } from "../../support/judged-entries.js";
import { fromRoot } from "../../support/paths.js";

const lsp = await readProtocol("lsp", {
  schema: fromRoot("test/fixtures/documents/registrations.json"),
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
