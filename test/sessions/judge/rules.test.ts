import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { validate } from "@wirewright/dap/validators";
import { validationRulesOf } from "../../../generator/model/validation-rules.js";
import { readRecording, type RecordedEntry } from "../../../sessions/read/recording.js";
import { createValidator } from "../../../runtime/index.js";
import { readInput, testCases } from "../../support/case-list.js";
import { recordedSessions } from "../../support/recorded-sessions.js";
import { plantFaults, Sampler } from "../../support/sample-values.js";
import { dap, lint } from "../../support/linted-session.js";

test("lint judges messages as the generated package does", () => {
  const judge = createValidator(validationRulesOf(dap).message);
  const sampler = new Sampler(dap, 21);
  let faults = 0;
  for (const message of dap.messages) {
    for (const definition of [
      message.definition,
      ...(message.kind === "request" ? [message.responseDefinition!] : []),
    ]) {
      const sample = sampler.sample(definition, "some");
      for (const value of [
        sample,
        ...plantFaults(sampler, definition, sample).map((each) => each.value),
      ]) {
        faults++;
        assert.deepEqual(judge(value), validate(value), definition);
        assert.deepEqual(
          judge(value, { profile: "wire" }),
          validate(value, { profile: "wire" }),
          definition,
        );
      }
    }
  }
  assert.ok(faults > 1_500, String(faults));
});

interface RecordedFrame {
  readonly dir: "in" | "out";
  readonly off: number;
  readonly valid?: boolean;
  readonly trailing?: number;
}

for (const { name, folder } of recordedSessions) {
  test(`on the recording of ${name}, the strict profile finds the same errors as the schema, and the wire profile finds none`, () => {
    const files = ["out.bin", "in.bin"].map((name) => ({
      name,
      bytes: readFileSync(join(folder, name)),
    }));
    const entries = readRecording(files, dap);
    const frames = readFileSync(join(folder, "frames.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as RecordedFrame);
    const invalid = frames
      .filter(({ valid }) => valid === false)
      .map(({ dir, off }) => `${dir} ${off}`)
      .sort();
    const found = new Set(
      lint(entries, "strict")
        .filter(({ rule }) => rule === "schema.issue")
        .map(({ from, offset }) => `${from === "adapter" ? "in" : "out"} ${offset}`),
    );
    assert.deepEqual([...found].sort(), invalid);
    const wire = lint(entries, "wire");
    assert.deepEqual(
      wire.filter(({ severity, rule }) => severity === "error" && rule !== "stream.fault"),
      [],
    );
    const isCut = frames.some(({ trailing }) => trailing !== undefined);
    assert.equal(wire.filter(({ rule }) => rule === "stream.fault").length, isCut ? 1 : 0);
  });
}

type Fields = Readonly<Record<string, unknown>>;

let number = 0;

const asks = (seq: number, command: string, args?: object, from = "client"): RecordedEntry => ({
  from,
  message: { seq, type: "request", command, ...(args === undefined ? {} : { arguments: args }) },
});

const answers = (
  request_seq: number,
  command: string,
  more: Fields = {},
  from = "adapter",
): RecordedEntry => ({
  from,
  message: { seq: ++number, type: "response", request_seq, command, success: true, ...more },
});

const eventOf = (event: string, body?: object): RecordedEntry => ({
  from: "adapter",
  message: { seq: ++number, type: "event", event, ...(body === undefined ? {} : { body }) },
});

const opened = (capabilities: object = {}, client: object = {}): readonly RecordedEntry[] => [
  asks(1, "initialize", { adapterID: "a", ...client }),
  answers(1, "initialize", { body: capabilities }),
];

const stop = (): RecordedEntry => eventOf("stopped", { reason: "step", threadId: 1 });

const stack = (seq: number, id: number): readonly RecordedEntry[] => [
  asks(seq, "stackTrace", { threadId: 1 }),
  answers(seq, "stackTrace", { body: { stackFrames: [{ id, name: "f", line: 1, column: 1 }] } }),
];

const scopes = (seq: number, frameId: number): readonly RecordedEntry[] => [
  asks(seq, "scopes", { frameId }),
  answers(seq, "scopes", { body: { scopes: [] } }),
];

const names = { answers, asks, eventOf, opened, scopes, stack, stop };

testCases("test/cases/session-rules.md", "lint judges", (input) => {
  number = 1_000;
  const [entries] = readInput(input, names) as readonly [readonly RecordedEntry[]];
  return lint(entries, "wire").map(
    ({ rule, index, pointer, message }) => `${rule} #${index} ${pointer} ${message}`,
  );
});

test("lint completes for every recording", () => {
  const odd: readonly unknown[] = [
    { type: "request", command: {}, seq: [] },
    { type: "response", request_seq: {}, command: 5, success: "x" },
    { type: "event", event: "__proto__", body: { __proto__: null } },
    JSON.parse(`{"type":"event","event":"output","body":${"[".repeat(3_000)}${"]".repeat(3_000)}}`),
    JSON.parse('{"__proto__":{"type":"event"},"type":"request","seq":1,"command":"constructor"}'),
  ];
  const findings = lint(
    odd.map((message) => ({ message: message as object })),
    "wire",
  );
  assert.ok(findings.length >= odd.length);
});
