import assert from "node:assert/strict";
import { test } from "node:test";
import { readProtocol } from "../../../cli/index.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import { type Fields, kindReaderOf, MessageReader } from "../../../sessions/read/message-reader.js";
import {
  rememberedKey,
  shortName,
  shortText,
  valueText,
} from "../../../sessions/read/remembered.js";
import { dap, ask, answer, tell } from "../../support/read-entries.js";

const acp = await readProtocol("acp-breakpoints");

test("a message's label includes its sender if only one side sends that message", () => {
  const senderOf = (message: object, protocol: Protocol): string | undefined => {
    const reader = new MessageReader(protocol);
    const { kind, name } = reader.envelopeOf(message) ?? {};
    return kind && reader.senderOf(kind, name);
  };
  const cases: readonly (readonly [message: object, from: string | undefined])[] = [
    [ask(1), "client"],
    [ask(1, "runInTerminal"), "adapter"],
    [ask(1, "mine"), undefined],
    [answer(1), "adapter"],
    [answer(1, "runInTerminal"), "client"],
    [answer(1, "mine"), undefined],
    [tell("stopped"), "adapter"],
    [tell("mine"), undefined],
    [{ type: "odd" }, undefined],
    [{}, undefined],
  ];
  assert.deepEqual(
    cases.map(([message]) => senderOf(message, dap)),
    cases.map(([, from]) => from),
  );
  assert.deepEqual(
    [
      senderOf({ jsonrpc: "2.0", id: 1, method: "initialize" }, acp),
      senderOf({ jsonrpc: "2.0", id: 1, method: "fs/read_text_file" }, acp),
      senderOf({ jsonrpc: "2.0", method: "session/update" }, acp),
      senderOf({ jsonrpc: "2.0", id: 1, result: {} }, acp),
    ],
    ["client", "agent", "agent", undefined],
  );
  assert.deepEqual(
    [ask(1), answer(1), tell("x"), { type: "odd" }, { seq: 1 }].map(
      (each) => kindReaderOf(dap)(each as Fields) !== undefined,
    ),
    [true, true, true, false, false],
  );
});

test("strings are truncated to a maximum length, and long strings are compared by their digest", () => {
  assert.deepEqual(
    [shortText("abcd", 4), shortText("abcde", 4), shortText("", 4)],
    ["abcd", "abc…", ""],
  );
  assert.deepEqual(
    [shortName("x".repeat(200)), shortName("x".repeat(201))],
    ["x".repeat(200), `${"x".repeat(199)}…`],
  );
  assert.deepEqual([[], {}, null, undefined, 1, "a", true].map(valueText), [
    "a list",
    "an object",
    "null",
    "undefined",
    "1",
    "a",
    "true",
  ]);
  const long = "y".repeat(201);
  assert.deepEqual([null, undefined, 1, "a", "y".repeat(200), true].map(rememberedKey), [
    null,
    undefined,
    1,
    "a",
    "y".repeat(200),
    true,
  ]);
  assert.match(String(rememberedKey(long)), /^[0-9a-f]{64}$/);
  assert.equal(rememberedKey(long), rememberedKey("y".repeat(201)));
  assert.notEqual(rememberedKey(long), rememberedKey(`${long}y`));
  const object = {};
  assert.notEqual(rememberedKey(object), rememberedKey(object));
});
