import assert from "node:assert/strict";
import { test } from "node:test";
import { openProtocol } from "../../../../cli/index.js";
import { readFramingRules } from "../../../../sessions/judge/framing-rules.js";
import { Redactor, type RedactOptions } from "../../../../sessions/show/redact/redactor.js";
import { readInput, testCases } from "../../../support/case-list.js";

const { sessionRules, ...dap } = await openProtocol("dap");

const launch = (args: object): object => ({
  seq: 1,
  type: "request",
  command: "launch",
  arguments: args,
});

const output = (body: object): object => ({ seq: 2, type: "event", event: "output", body });

testCases("test/cases/redaction.md", "values are redacted", (input) => {
  const [value, options] = readInput(input, { launch, output }) as readonly [
    unknown,
    RedactOptions?,
  ];
  const redactor = new Redactor(dap, sessionRules, options);
  return (Array.isArray(value) ? value : [value]).map((each) =>
    JSON.stringify(redactor.redacted(each)),
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
