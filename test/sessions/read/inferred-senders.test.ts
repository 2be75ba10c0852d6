import assert from "node:assert/strict";
import { test } from "node:test";
import { openProtocol } from "../../../cli/index.js";
import { judgeRecording } from "../../../sessions/judge/judge-recording.js";
import { openRecording, readRecording } from "../../../sessions/read/recording.js";
import { framed } from "../../support/framed-text.js";

const sqltools = await openProtocol("sqltools");
const dap = await openProtocol("dap");

type Protocol = typeof dap;

const call = (id: number, method: string, params: object = {}): object => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});
const result = (id: number, value: unknown): object => ({ jsonrpc: "2.0", id, result: value });
const ask = (seq: number, command: string): object => ({ seq, type: "request", command });
const answer = (seq: number, request_seq: number, command: string): object => ({
  seq,
  type: "response",
  request_seq,
  success: true,
  command,
});

const linesOf = (messages: readonly object[]): Uint8Array =>
  Buffer.from(messages.map((each) => `${JSON.stringify(each)}\n`).join(""));
const framesOf = (messages: readonly object[]): Uint8Array =>
  Buffer.concat(messages.map((each) => framed(JSON.stringify(each))));

function sendersIn(messages: readonly object[], protocol: Protocol): readonly unknown[] {
  const [lines, frames] = [linesOf, framesOf].map((spell) =>
    readRecording([{ name: "x", bytes: spell(messages) }], protocol).map(({ from }) => from),
  );
  assert.deepEqual(lines, frames);
  return lines!;
}

/** Returns the errors and warnings, along with the rules that were not judged. */
async function judge(messages: readonly object[], protocol: Protocol): Promise<readonly string[]> {
  const recording = await openRecording([{ name: "x", chunks: [linesOf(messages)] }], protocol);
  const { findings, unjudged = [] } = await judgeRecording(recording, protocol, {
    name: "x",
    profile: "wire",
    host: undefined,
    severities: new Map(),
  });
  return [
    ...findings
      .filter(({ severity }) => severity !== "info")
      .map(({ rule, index, from }) => `${rule} #${index} ${from}`),
    ...unjudged.map(({ rule, gap, count }) => `${count} ${rule} unjudged: ${gap}`),
  ];
}

const connection = { ownerUri: "file:///a.sql", connection: { options: { server: "s" } } };

test("a response without a name is sent by the receiver of the request with its id", async () => {
  const session = [
    call(1, "initialize", { capabilities: {} }),
    result(1, { capabilities: {} }),
    call(2, "connection/connect", connection),
    result(2, true),
    call(3, "x/mine"),
    result(3, {}),
    {
      jsonrpc: "2.0",
      id: "a",
      method: "window/showMessageRequest",
      params: { type: "Info", message: "m", actions: [] },
    },
    { jsonrpc: "2.0", id: "a", result: null },
    call(4, "shutdown"),
    result(4, null),
  ];
  const [c, s] = sqltools.roles;
  assert.deepEqual(sendersIn(session, sqltools), [c, s, c, s, c, s, s, c, c, s]);
  assert.deepEqual(
    (await judge(session, sqltools)).filter((each) => /^(response|request|number)/.test(each)),
    [],
  );
  // In the first six messages, the second side sends only responses.
  assert.deepEqual(sendersIn(session.slice(0, 6), sqltools), [c, s, c, s, c, s]);
});

test("a custom request is attributed to its usual sender, or to the side with the preceding id", async () => {
  const session = [
    ask(1, "initialize"),
    answer(1, 1, "initialize"),
    ask(2, "mine"),
    answer(2, 2, "mine"),
    { seq: 3, type: "event", event: "mine" },
    ask(4, "reverse"),
    answer(3, 4, "reverse"),
    { seq: 5, type: "event", event: "initialized" },
  ];
  const [c, a] = dap.roles;
  assert.deepEqual(sendersIn(session, dap), [c, a, c, a, a, a, c, a]);
  assert.deepEqual(
    (await judge(session, dap)).filter((each) => /^(response|request|number)/.test(each)),
    [],
  );
});

test("if both sides sent a request with this id, a response belongs to the one with its name", () => {
  const session = [
    ask(1, "initialize"),
    answer(1, 1, "initialize"),
    ask(2, "mine"),
    ask(2, "reverse"),
    answer(3, 2, "reverse"),
    answer(3, 2, "mine"),
  ];
  const [c, a] = dap.roles;
  assert.deepEqual(sendersIn(session, dap), [c, a, c, a, c, a]);
});

test("one side's messages are not attributed to two sides, even if responses repeat its request ids", () => {
  const asked = [1, 2, 3, 4, 5].map((id) => call(id, "shutdown"));
  const [c] = sqltools.roles;
  const sent = [...asked, result(2, null)];
  assert.deepEqual(
    sendersIn(sent, sqltools),
    sent.map(() => c),
  );
  assert.deepEqual(sendersIn([...asked, result(9, null)], sqltools), Array(6).fill(c));
});

test("lint does not report findings if the sender is unknown", async () => {
  const both = [
    call(7, "connection/connect", connection),
    call(7, "window/showMessageRequest", { type: "Info", message: "m", actions: [] }),
    result(7, true),
    result(7, null),
    result(8, null),
  ];
  const [c, s] = sqltools.roles;
  assert.deepEqual(sendersIn(both, sqltools), [c, s, undefined, undefined, undefined]);
  assert.deepEqual(
    (await judge(both, sqltools)).filter((each) => /^(response|\d+ response)/.test(each)),
    ["1 response.double unjudged: sender", "1 response.unmatched unjudged: sender"],
  );
});
