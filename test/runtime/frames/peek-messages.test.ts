import assert from "node:assert/strict";
import { test } from "node:test";
import { peek } from "@wirewright/dap";
import { createPeek, type Peeked } from "../../../runtime/index.js";
import { ticker } from "../../support/ticker.js";
import { textOf } from "../../support/framed-text.js";

const peeks: readonly (readonly [string, string, Peeked | undefined])[] = [
  [
    "a request",
    '{"seq":5,"type":"request","command":"next","arguments":{"seq":9}}',
    { kind: "request", id: 5, name: "next", replyTo: undefined, success: undefined },
  ],
  [
    "an event with look-alikes inside",
    '{"body":{"type":"request","seq":1,"event":"no"},"event":"stopped","type":"event","seq":7}',
    { kind: "event", id: 7, name: "stopped", replyTo: undefined, success: undefined },
  ],
  [
    "a response",
    ' { "seq" : 8 , "type" : "response" , "request_seq" : 5 , "success" : false , "command" : "" } ',
    { kind: "response", id: 8, name: "", replyTo: 5, success: false },
  ],
  [
    "escaped keys and values",
    '{"s\\u0065q":3,"\\u0074ype":"ev\\u0065nt","event":"\\u0073topped"}',
    { kind: "event", id: 3, name: "stopped", replyTo: undefined, success: undefined },
  ],
  [
    "repeated keys, of which the last wins",
    '{"seq":1,"type":"request","seq":2,"type":"event","event":"a","event":"b"}',
    { kind: "event", id: 2, name: "b", replyTo: undefined, success: undefined },
  ],
  [
    "keys in strings",
    '{"seq":1,"x":"\\"seq\\":2,\\"type\\":\\"event\\"","type":"event","event":"é\\"}"}',
    { kind: "event", id: 1, name: 'é"}', replyTo: undefined, success: undefined },
  ],
  [
    "fields of other types",
    '{"seq":{"a":1},"type":"event","event":null}',
    { kind: "event", id: undefined, name: undefined, replyTo: undefined, success: undefined },
  ],
  [
    "a message of an unknown kind",
    '{"type":"responce"}',
    { kind: undefined, id: undefined, name: undefined, replyTo: undefined, success: undefined },
  ],
  [
    "an empty object",
    "{}",
    { kind: undefined, id: undefined, name: undefined, replyTo: undefined, success: undefined },
  ],
  ["no object", "[1]", undefined],
  ["a truncated object", '{"seq":1,"type":"ev', undefined],
  ["nothing", "", undefined],
];

for (const [name, body, want] of peeks) {
  test(`peek() reads ${name}`, () => {
    const bytes = Buffer.from(body);
    assert.deepEqual(peek(bytes), want);
    const end = Buffer.byteLength(body.trimEnd());
    for (let cut = 0; cut < end; cut++)
      assert.equal(peek(bytes.subarray(0, cut)), undefined, `cut at ${cut}`);
  });
}

test("renumber() changes only the id and the header, whatever the old id and its position", () => {
  const frames: [Uint8Array, string][] = [];
  for (const [body, id, want] of [
    ['{"seq":1,"type":"event"}', 4711, '{"seq":4711,"type":"event"}'],
    ['{"seq":123456789,"type":"event"}', 1, '{"seq":1,"type":"event"}'],
    ...[0, 9, 10, 99_999, 100_000, 4_294_967_295, 4_294_967_296, 1e15 - 1, 1e15, 2 ** 53 - 1].map(
      (id) => ['{"seq":1,"type":"event"}', id, `{"seq":${id},"type":"event"}`] as const,
    ),
    [`{"seq":"${"x".repeat(500)}","type":"event"}`, 2, '{"seq":2,"type":"event"}'],
    [`{"text":"${"é".repeat(50)}","seq":7}`, 30, `{"text":"${"é".repeat(50)}","seq":30}`],
    ['{"seq":1,"a":"q\\"","seq":2}', 3, '{"seq":1,"a":"q\\"","seq":3}'],
  ] as const) {
    const frame = peek.renumber(Buffer.from(body), id)!;
    frames.push([frame, `Content-Length: ${Buffer.byteLength(want)}\r\n\r\n${want}`]);
  }
  for (const id of [-1, 1.5, NaN, 2 ** 53])
    assert.throws(() => peek.renumber(Buffer.from('{"seq":1}'), id), RangeError);
  // Compare all frames again: a later frame must not have overwritten an earlier one.
  for (const [frame, want] of frames) assert.equal(textOf(frame), want);
});

test("peek() determines the kind of a JSON-RPC message from its fields", () => {
  const look = createPeek(ticker.protocol.envelope);
  assert.deepEqual(look(Buffer.from('{"jsonrpc":"2.0","id":"a","method":"ticker/start"}')), {
    kind: "request",
    id: "a",
    name: "ticker/start",
    replyTo: undefined,
    success: undefined,
  });
  assert.deepEqual(
    look(Buffer.from('{"jsonrpc":"2.0","method":"ticker/tick","params":{"id":1}}')),
    { kind: "event", id: undefined, name: "ticker/tick", replyTo: undefined, success: undefined },
  );
  assert.deepEqual(look(Buffer.from('{"id":4,"result":{"error":1}}')), {
    kind: "response",
    id: 4,
    name: undefined,
    replyTo: 4,
    success: true,
  });
  assert.deepEqual(look(Buffer.from('{"id":4,"error":{}}')), {
    kind: "response",
    id: 4,
    name: undefined,
    replyTo: 4,
    success: false,
  });
});
