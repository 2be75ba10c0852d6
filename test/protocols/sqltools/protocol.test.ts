import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";
import * as sqltools from "@wirewright/sqltools";
import * as sqltoolsDialects from "@wirewright/sqltools/dialects";
import * as sqltoolsValidators from "@wirewright/sqltools/validators";
import { readProtocol, requestsOf } from "../../../cli/index.js";
import { shared, skipWithout } from "../../support/paths.js";
import { seeded } from "../../support/sample-values.js";
import {
  type Message,
  type Classified,
  decode,
  only,
  connect,
} from "../../support/sqltools-messages.js";
import { framed } from "../../support/framed-text.js";

function frame(message: object | string): Uint8Array {
  return framed(typeof message === "string" ? message : JSON.stringify(message));
}

/**
 * Yields ways to split a stream: into single bytes, once at many offsets, and at random offsets.
 */
function* waysToCut(length: number): Generator<readonly number[]> {
  yield Array.from({ length: length - 1 }, (_, index) => index + 1);
  const random = seeded(length);
  for (let at = 1; at < length; at += Math.max(1, Math.floor(length / 200))) yield [at];
  for (let round = 0; round < 50; round++)
    yield Array.from({ length: 8 }, () => Math.floor(random() * length)).sort((a, b) => a - b);
}

test("validators recognise the protocol's messages, and are strict about names, nulls and values", () => {
  const good = { ...connect, params: { ownerUri: "a", connection: { options: { server: "b" } } } };
  const classified = only(frame(good));
  assert.ok(classified.status === "known" && classified.kind === "request");
  assert.equal(classified.name, "connection/connect");
  assert.ok(sqltoolsValidators.isValid(good));
  for (const params of [
    { OwnerUri: "a", connection: {} },
    { ownerUri: "a", connection: null },
    { ownerUri: null, connection: {} },
  ])
    assert.equal(sqltoolsValidators.isValid({ ...connect, params }), false);
  const diagnostic = {
    range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } },
    severity: "Error",
    message: "no",
  };
  const published = { jsonrpc: "2.0", method: "textDocument/publishDiagnostics" };
  const diagnostics = (one: object): object => ({
    ...published,
    params: { uri: "a", diagnostics: [one] },
  });
  assert.ok(sqltoolsValidators.isValid(diagnostics(diagnostic)));
  assert.equal(sqltoolsValidators.isValid(diagnostics({ ...diagnostic, severity: 1 })), false);
});

test("the protocol includes error codes, notifications and cancellation", () => {
  const failed = { jsonrpc: "2.0", id: null, error: { code: -32700, message: "no JSON" } };
  assert.ok(sqltoolsValidators.isValid(failed));
  assert.ok(sqltools.isErrorResponse(failed as sqltools.KnownResponse));
  const cancel = { jsonrpc: "2.0", method: "$/cancelRequest", params: { id: "a" } };
  const classified = only(frame(cancel));
  assert.ok(classified.status === "known" && classified.kind === "notification");
  assert.equal(classified.name, "$/cancelRequest");
  assert.equal(sqltools.notifications["$/cancelRequest"].direction, "client-to-service");
  // The guide and the current service disagree on who sends it.
  assert.equal(sqltools.notifications["connection/connectionchanged"].direction, "both");
  assert.equal(sqltools.requests["window/showMessageRequest"].direction, "service-to-client");
});

test("a byte order mark before the first header is ignored", () => {
  const bytes = Buffer.concat([
    Buffer.from([0xef, 0xbb, 0xbf]),
    frame({ jsonrpc: "2.0", id: 1, result: null }),
  ]);
  const whole = { messages: [only(bytes)], errors: [] };
  for (const cuts of waysToCut(bytes.length))
    assert.deepEqual(decode(bytes, undefined, cuts), whole);
});

test("dialect seq converts the older envelope in both directions, even if events and responses have no sequence number", () => {
  const dialect = sqltoolsDialects.createDialect("seq");
  assert.deepEqual(
    dialect.read({ seq: 9, type: "request", command: "scopes", arguments: { frameId: 1 } }),
    {
      jsonrpc: "2.0",
      id: 9,
      method: "scopes",
      params: { frameId: 1 },
    },
  );
  const answer = { jsonrpc: "2.0", id: 9, result: { scopes: [] } };
  const written = {
    type: "response",
    request_seq: 9,
    command: "scopes",
    success: true,
    body: { scopes: [] },
  };
  assert.deepEqual(dialect.write(answer), written);
  assert.deepEqual(dialect.read(written), answer);
  assert.deepEqual(dialect.write({ jsonrpc: "2.0", method: "started" }), {
    type: "event",
    event: "started",
  });
  assert.deepEqual(dialect.read({ seq: 0, type: "event", event: "started", body: null }), {
    jsonrpc: "2.0",
    method: "started",
  });
  const error = { code: 5, message: "no", data: null };
  assert.deepEqual(
    dialect.read({
      type: "response",
      request_seq: 1,
      command: "next",
      success: false,
      message: error,
    }),
    { jsonrpc: "2.0", id: 1, error },
  );
  // The service ignores the case of `type`.
  for (const type of ["Request", "REQUEST"])
    assert.deepEqual(dialect.read({ seq: 3, type, command: "scopes" }), {
      jsonrpc: "2.0",
      id: 3,
      method: "scopes",
    });
  assert.deepEqual(dialect.read({ ...written, type: "Response" }), answer);
  assert.deepEqual(dialect.read({ type: "Strange" }), { type: "Strange" });
  assert.deepEqual(dialect.read({ type: "strange" }), { type: "strange" });
  assert.equal(dialect.read(null), null);
});

test("the legacy messages form a separate set", async () => {
  const protocol = await readProtocol("sqltools");
  const legacy = protocol.messages.filter(({ set }) => set === "legacy").map(({ name }) => name);
  assert.equal(legacy.length, 29);
  assert.equal(sqltools.requests.geterr.set, "legacy");
  assert.ok(!("set" in sqltools.requests.initialize));
  assert.equal(requestsOf(protocol).length, 67);
});

suite("recorded messages decode and are valid", { skip: skipWithout("streams/sqltools") }, () => {
  test("every example in the guide decodes, and is recognised as valid in its dialect", () => {
    const lines = readFileSync(shared("streams/sqltools/seed-examples/v8-messages.jsonl")!, "utf8")
      .trim()
      .split("\n");
    const messages = lines.map((line) => JSON.parse(line) as Message);
    const bytes = Buffer.concat(messages.map(frame));
    const all = decode(bytes, sqltoolsDialects.createDialect("seq"));
    assert.deepEqual([all.messages.length, all.errors], [messages.length, []]);
    all.messages.forEach((classified, index) => {
      assert.equal(classified.status, "known", lines[index]);
      const { message } = classified as Extract<Classified, { status: "known" }>;
      assert.ok(sqltoolsValidators.isValid(message), lines[index]);
      const { command, type, success } = messages[index]!;
      if (type !== "response" || success !== true) return;
      const definition = `isValid${String(command)[0]!.toUpperCase()}${String(command).slice(1)}Response`;
      const check = (sqltoolsValidators as unknown as Record<string, (value: unknown) => boolean>)[
        definition
      ];
      assert.ok(check?.(message), `${definition} ${JSON.stringify(message)}`);
    });
    for (const cuts of waysToCut(bytes.length))
      assert.deepEqual(decode(bytes, sqltoolsDialects.createDialect("seq"), cuts), all);
  });

  for (const side of ["c2s", "s2c"] as const)
    test(`the bytes of ${side} decode to the messages that were sent, no matter how they are split`, () => {
      const bytes = readFileSync(shared(`streams/sqltools/hosting-jsonrpc.${side}.bin`)!);
      const all = decode(bytes, sqltoolsDialects.createDialect("service"));
      const named = all.messages.map((each) =>
        each.status === "malformed" ? each.code : "name" in each ? each.name : each.kind,
      );
      if (side === "s2c") {
        assert.deepEqual(all.errors, []);
        assert.equal(named.filter((name) => name === "hosting/error").length, 7);
        assert.deepEqual([...new Set(all.messages.map(({ status }) => status))], ["known"]);
      } else {
        // The deliberate mistakes in the recording are reported at their offsets, and no other
        // bytes are lost.
        assert.deepEqual(all.errors, [
          "ERR_NOISE at 1767",
          "ERR_LENGTH_INVALID at 1796",
          "ERR_LENGTH_WRONG at 1820",
        ]);
        assert.deepEqual(
          ["connection/cancelconnect", "shutdown", "$/cancelRequest", "exit"].filter(
            (name) => !named.includes(name),
          ),
          [],
        );
        assert.equal(named.at(-1), "exit");
      }
      for (const cuts of waysToCut(bytes.length))
        assert.deepEqual(decode(bytes, sqltoolsDialects.createDialect("service"), cuts), all);
    });
});
