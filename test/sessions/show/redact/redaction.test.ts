import assert from "node:assert/strict";
import { test } from "node:test";
import { openProtocol } from "../../../../cli/index.js";
import { readFramingRules } from "../../../../sessions/judge/framing-rules.js";
import { Redactor, type RedactOptions } from "../../../../sessions/show/redact/redactor.js";

const { sessionRules, ...dap } = await openProtocol("dap");

const launch = (args: object): object => ({
  seq: 1,
  type: "request",
  command: "launch",
  arguments: args,
});

const output = (body: object): object => ({ seq: 2, type: "event", event: "output", body });

const cases: readonly {
  readonly about: string;
  readonly value: unknown;
  readonly want: unknown;
  readonly options?: RedactOptions;
}[] = [
  {
    about: "every string and name that the protocol does not define",
    value: launch({ program: "x", env: { TOKEN: "hunter2" }, noDebug: true, request: "launch" }),
    want: launch({
      "key-1": "a",
      env: { "key-2": "b......" },
      noDebug: true,
      request: "launch",
    }),
  },
  {
    about: "a string by the same placeholder wherever it occurs",
    value: [output({ output: "ab" }), output({ output: "ab", data: { ab: "cd" } })],
    want: [output({ output: "a." }), output({ output: "a.", data: { "key-1": "b." } })],
  },
  {
    about: "names of messages that the protocol does not define",
    value: { seq: 1, type: "event", event: "vendor.mine", body: null },
    want: { seq: 1, type: "event", event: "text-1.....", body: null },
  },
  {
    about: "numbers where the schema has none",
    value: launch({ port: 5432, pins: [1234, 5432], line: 7, lines: [8, 9], ratio: 1.5 }),
    want: launch({ "key-1": 1, "key-2": [2, 1], line: 7, lines: [8, 9], "key-3": 3 }),
  },
  {
    about: "paths by paths, with the extension if it is a common one",
    value: [
      "/home/alice/src/app.py",
      "/home/alice/src/app.alice",
      "C:\\Users\\alice\\x.cs",
      "./a/../b",
      "src/app.py",
      "~/x",
    ],
    want: [
      "/p1/p2/p3/f1.py",
      "/p1/p2/p3/f2",
      "C:\\p4\\p2\\f3.cs",
      "./p5/../f4",
      "p3/f1.py",
      "~/f5",
    ],
  },
  {
    about: "addresses of resources, with their scheme if it is a common one",
    value: ["https://user:pw@host/a?token=1", "file:///home/a.rb", "alice:secret", "untitled:One"],
    want: ["https://p1/f1", "file:///p2/f2.rb", "uri:text-1", "untitled:text-2"],
  },
  {
    about: "numbers in text by numbers, memory addresses by addresses, base64 by base64",
    value: ["4711", "0x00007fff", "c2VjcmV0IGJ5dGVzIQ=="],
    want: ["1", "0x00000001", Buffer.from("1 1 1 1 1 1 1").toString("base64")],
  },
  {
    about: "lines one by one, and keeps their breaks, indentation and colours",
    value: output({ output: "  at one\r\n\n\x1b[31mred\x1b[0m\n" }),
    want: output({ output: "  a.....\r\n\n\x1b[31mb..\x1b[0m\n" }),
  },
  {
    about: "text by text of the same length",
    value: ["", "1 2", "a".repeat(17)],
    want: ["", "a..", "text-1..........."],
  },
  {
    about: "nothing in empty strings, times, true, false and null",
    value: ["", " ", "2026-01-01T10:00:00.000Z", true, false, null],
    want: ["", " ", "2026-01-01T10:00:00.000Z", true, false, null],
  },
  {
    about: "names such as __proto__ like any other",
    value: launch(JSON.parse('{"__proto__":{"constructor":"x"}}') as object),
    want: launch({ "key-1": { "key-2": "a" } }),
  },
  {
    about: "what an option names, even if it would be kept, and keeps what another names",
    value: launch({ request: "launch", line: 7, env: { A: "1" }, args: ["My App", "x"] }),
    want: launch({ request: "a.....", line: 1, env: { A: "1" }, args: ["b.....", "x"] }),
    options: {
      keep: ["/arguments/env", "/arguments/args", "/arguments/none"],
      replace: ["/arguments/request", "/arguments/line"],
      texts: ["my app"],
    },
  },
];

for (const { about, value, want, options } of cases)
  test(`redact replaces ${about}`, () => {
    const redactor = new Redactor(dap, sessionRules, options);
    assert.deepEqual(
      Array.isArray(value)
        ? value.map((each) => redactor.redacted(each))
        : redactor.redacted(value),
      want,
    );
  });

test("an option that keeps a value is weaker than one that replaces a part around it", () => {
  const redactor = new Redactor(dap, undefined, {
    keep: ["/body/*"],
    replace: ["/body/data/a"],
    texts: ["none"],
  });
  assert.deepEqual(redactor.redacted(output({ output: "kept", data: { a: { b: "x" }, c: "y" } })), {
    ...output({ output: "kept", data: { a: { "key-1": "a" }, c: "y" } }),
  });
  assert.deepEqual(redactor.counts, {
    replaced: 2,
    kept: 4,
    unmatched: ['--text "none"'],
  });
});

test("redact keeps those parts of a recording that do not come from the session", () => {
  const lines = [
    {
      recording: "wirewright",
      form: 1,
      protocol: "dap",
      version: dap.version,
      roles: ["client", "adapter"],
      began: "2026-01-01T10:00:00.000Z",
      order: "guessed",
    },
    {
      session: 1,
      kind: "message",
      time: 12_345,
      from: "adapter",
      offset: 0,
      length: 80,
      bytes: [{ quirk: "duplicate-key", offset: 3, pointer: "/body/data/mine/0", value: "mine" }],
      message: output({ output: "x", data: { mine: [1] } }),
    },
    { kind: "noise", from: "adapter", text: "oh hunter2" },
    { kind: "fault", from: "adapter", code: "ERR_JSON", text: "no hunter2" },
    { kind: "stderr", time: 1, from: "adapter", text: "oh hunter2" },
    { kind: "end", from: "adapter", how: "exited with 1" },
    { n: 1, from: "client", msg: launch({ a: "x" }), note: "x" },
  ];
  const redactor = new Redactor(dap, sessionRules);
  assert.deepEqual(
    lines.map((line) => redactor.redacted(line)),
    [
      lines[0],
      {
        ...lines[1],
        bytes: [
          { quirk: "duplicate-key", offset: 3, pointer: "/body/data/key-1/0", value: "a..." },
        ],
        message: output({ output: "b", data: { "key-1": [1] } }),
      },
      { kind: "noise", from: "adapter", text: "text-1...." },
      { kind: "fault", from: "adapter", code: "ERR_JSON", text: "text-2...." },
      { kind: "stderr", time: 1, from: "adapter", text: "text-1...." },
      lines[5],
      { "key-2": 1, from: "client", msg: launch({ "key-4": "b" }), "key-3": "b" },
    ],
  );
});

test("redact keeps the quirks of a message's bytes, which framing rules judge", () => {
  const redactor = new Redactor(dap, sessionRules);
  for (const { bytes } of readFramingRules().rules) {
    const line = { kind: "message", from: "client", bytes: [{ quirk: bytes, offset: 0 }] };
    assert.deepEqual(redactor.redacted(line), line);
  }
});

test("a message may be nested as deeply as a decoder allows", () => {
  let value: unknown = "secret";
  for (let depth = 0; depth < 100_000; depth++) value = depth % 2 === 0 ? [value] : { a: value };
  let inner = new Redactor(dap, sessionRules).redacted(value);
  while (typeof inner === "object") inner = Object.values(inner!)[0];
  assert.equal(inner, "a.....");
});
