import assert from "node:assert/strict";
import { test } from "node:test";
import { printRecording, readProtocol, readRecording } from "../../../cli/index.js";
import { CapturedSessions } from "../../../sessions/read/captured-sessions.js";
import type { RecordedEntry } from "../../../sessions/read/recording.js";

const protocol = await readProtocol("dap");

const capture = Buffer.from(
  [
    '{"recording":"wirewright","form":2,"protocol":"dap","version":"1.71.0","roles":["client","adapter"]}\n',
    '{"kind":"bytes","time":1,"from":"client","length":39}\nContent-Length: 38\r\n\r\n{"seq":1,"type":"\n',
    '{"kind":"stderr","time":2,"from":"adapter","length":5}\nsta\nr\n',
    '{"kind":"bytes","time":3,"from":"client","length":21}\nevent","event":"a\\n"}\n',
    '{"kind":"stderr","time":4,"from":"adapter","length":6}\nted\r\n!\n',
    '{"kind":"bytes","time":6,"from":"adapter","length":24}\nContent-Length: 2\r\n\r\n{}\n\n',
    '{"kind":"end","time":7,"from":"client","how":"closed"}\n',
    '{"kind":"end","time":8,"from":"adapter","how":"exited with 0"}\n',
  ].join(""),
);

const observed: readonly object[] = [
  { kind: "stderr", time: 2, from: "adapter", text: "sta" },
  {
    kind: "message",
    time: 3,
    from: "client",
    offset: 0,
    length: 60,
    message: { seq: 1, type: "event", event: "a\n" },
  },
  { kind: "stderr", time: 4, from: "adapter", text: "rted" },
  { kind: "message", time: 6, from: "adapter", offset: 0, length: 23, message: {} },
  { kind: "end", time: 7, from: "client", how: "closed" },
  { kind: "stderr", time: 8, from: "adapter", text: "!" },
  { kind: "end", time: 8, from: "adapter", how: "exited with 0" },
];

/** Reads a capture that arrives in two parts. */
function read(bytes: Uint8Array, cut = bytes.length): readonly object[] {
  const found: object[] = [];
  const sessions = new CapturedSessions(
    protocol,
    (each) => found.push(each),
    (text) => found.push({ broken: text }),
  );
  sessions.push(bytes.subarray(0, cut));
  sessions.push(bytes.subarray(cut));
  return found;
}

test("a capture has the same entries wherever it is split", () => {
  for (let cut = 0; cut <= capture.length; cut++) assert.deepEqual(read(capture, cut), observed);
});

test("a truncated capture has all entries before the truncation", () => {
  for (let end = 0; end < capture.length; end++) {
    const found = read(capture.subarray(0, end));
    assert.deepEqual(found, observed.slice(0, found.length), `${end}`);
  }
});

test("a line that is not a record ends the capture", () => {
  const record = '{"kind":"bytes","time":1,"from":"client","length":1}\nx\n';
  const cases: readonly (readonly [string, string])[] = [
    ["nonsense\n", "Cannot read the capture from byte 0 on"],
    [`${record}{"kind":"bytes"}\n`, `Cannot read the capture from byte ${record.length} on`],
    [
      '{"kind":"bytes","time":1,"from":"client","length":-1}\n',
      "Cannot read the capture from byte 0 on",
    ],
    [
      '{"kind":"bytes","time":1,"from":"client","length":1e300}\n',
      "Cannot read the capture from byte 0 on",
    ],
    [`${" ".repeat(70_000)}\n`, "Cannot read the capture from byte 0 on"],
    [
      '{"kind":"end","time":1,"from":"adaptor","how":"x"}\n',
      'Cannot determine the sender of bytes: "adaptor" is not a role of dap, "adapter" is',
    ],
  ];
  for (const [text, broken] of cases)
    for (const cut of [1, 10, text.length])
      assert.deepEqual(
        read(Buffer.from(text), cut).filter((each) => "broken" in each),
        [{ broken }],
      );
});

const entries: readonly RecordedEntry[] = [
  { from: "adapter", time: 2, printed: "sta" },
  { from: "client", time: 3, offset: 0, message: { seq: 1, type: "event", event: "a\n" } },
  { from: "adapter", time: 4, printed: "rted" },
  { from: "adapter", time: 6, offset: 0, message: {} },
  { ended: "closed", from: "client", time: 7 },
  { from: "adapter", time: 8, printed: "!" },
  { ended: "exited with 0", from: "adapter", time: 8 },
];

test("a capture can be read as a recording and is printed like one", () => {
  assert.deepEqual(readRecording([{ name: "x", bytes: capture }], protocol), entries);
  const bytes = Buffer.from(printRecording(entries, protocol));
  const read = readRecording([{ name: "x", bytes }], protocol);
  assert.deepEqual(
    read.map(({ line: _, ...entry }) => entry),
    entries,
  );
});
