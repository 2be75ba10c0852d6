import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  isValid,
  validate,
  wireTolerances,
  type Tolerance,
  type ValidateOptions,
} from "@wirewright/dap/validators";
import { recordedSessions } from "../../support/recorded-sessions.js";

const wire: ValidateOptions = { profile: "wire" };

/** Messages from real adapters, each with the deviations that the wire profile tolerates. */
const tolerated: readonly (readonly [
  what: string,
  message: Readonly<Record<string, unknown>>,
  deviations: readonly (readonly [rule: Tolerance, path: string])[],
])[] = [
  [
    "an unset sequence number",
    { seq: 0, type: "event", event: "exited", body: { exitCode: 3 } },
    [["id-unset", "/seq"]],
  ],
  ["no sequence number at all", { type: "event", event: "initialized" }, [["id-unset", "/seq"]]],
  [
    "the response to a message without a sequence number",
    { seq: 9, type: "response", request_seq: 0, success: true, command: "runInTerminal", body: {} },
    [["id-unset", "/request_seq"]],
  ],
  [
    "a sequence number written as a string",
    { seq: "15", type: "event", event: "initialized" },
    [["id-text", "/seq"]],
  ],
  [
    "null for absent",
    {
      seq: 1,
      type: "event",
      event: "breakpoint",
      body: {
        reason: "changed",
        breakpoint: { verified: true, message: null, source: { sourceReference: null } },
      },
    },
    [
      ["null", "/body/breakpoint/message"],
      ["null", "/body/breakpoint/source/sourceReference"],
    ],
  ],
  [
    "null for a value",
    {
      seq: 1,
      type: "response",
      request_seq: 2,
      success: true,
      command: "evaluate",
      body: { result: null, variablesReference: 0 },
    },
    [["null", "/body/result"]],
  ],
  [
    "a failure without a body",
    { seq: 4, type: "response", request_seq: 4, success: false, command: "next", message: "no" },
    [["failure-body", "/body"]],
  ],
  [
    "a failure that does not repeat the command",
    { seq: 4, type: "response", request_seq: 4, success: false, command: "", body: {} },
    [],
  ],
  [
    "a success without a body",
    { seq: 4, type: "response", request_seq: 4, success: true, command: "continue" },
    [["success-body", "/body"]],
  ],
  [
    "a scope that does not state whether it is expensive",
    {
      seq: 4,
      type: "response",
      request_seq: 4,
      success: true,
      command: "scopes",
      body: { scopes: [{ name: "Locals", variablesReference: 1 }] },
    },
    [["implied", "/body/scopes/0/expensive"]],
  ],
  [
    "a frame without a position",
    {
      seq: 4,
      type: "response",
      request_seq: 4,
      success: true,
      command: "stackTrace",
      body: { stackFrames: [{ id: 1, name: "main" }] },
    },
    [
      ["implied", "/body/stackFrames/0/line"],
      ["implied", "/body/stackFrames/0/column"],
    ],
  ],
  [
    "a custom value in a closed enum",
    { seq: 1, type: "event", event: "process", body: { name: "a", startMethod: "process" } },
    [["closed-enum", "/body/startMethod"]],
  ],
  [
    "an integer outside its format's range",
    {
      seq: 1,
      type: "response",
      request_seq: 2,
      success: true,
      command: "evaluate",
      body: { result: "x", variablesReference: 4294967296 },
    },
    [["integer-range", "/body/variablesReference"]],
  ],
  [
    "custom fields",
    {
      seq: 1,
      type: "event",
      event: "stopped",
      jsonrpc: "2.0",
      body: { reason: "step", var_ref: 1 },
    },
    [
      ["unknown-field", "/body/var_ref"],
      ["unknown-field", "/jsonrpc"],
    ],
  ],
  [
    "custom launch arguments, which are expected",
    { seq: 1, type: "request", command: "launch", arguments: { program: "a.out", noDebug: true } },
    [],
  ],
  [
    "a custom message",
    { seq: 1, type: "event", event: "debugpySockets", body: { sockets: [1] } },
    [],
  ],
];

test("the wire profile accepts and reports deviations that readers tolerate", () => {
  for (const [what, message, deviations] of tolerated) {
    const before = structuredClone(message);
    const result = validate(message, wire);
    assert.ok(result.ok, what);
    assert.equal(result.value, message, what);
    assert.deepEqual(message, before, what);
    assert.deepEqual(
      result.deviations.map(({ rule, pointer }) => [rule, pointer]),
      deviations,
      what,
    );
    const isStrict = deviations.every(([rule]) => rule === "unknown-field");
    const strict = validate(message);
    assert.equal(strict.ok, isStrict, what);
    assert.equal(isValid(message), isStrict, what);
    if (strict.ok) continue;
    // Each error in the strict profile names its tolerance, and exactly these tolerances make the
    // value acceptable.
    assert.deepEqual(
      strict.issues.map(({ rule, pointer }) => [rule, pointer]),
      deviations,
      what,
    );
    const rules = new Set(deviations.map(([rule]) => rule));
    assert.ok(validate(message, { tolerate: [...rules] }).ok, what);
    const others = wireTolerances.filter((rule) => !rules.has(rule));
    assert.ok(!validate(message, { tolerate: others }).ok, what);
  }
  const rules = tolerated.flatMap(([, , deviations]) => deviations.map(([rule]) => rule));
  assert.deepEqual([...new Set(rules)].sort(), [...wireTolerances].sort());
});

test("the wire profile refuses values that readers cannot use", () => {
  const refused: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
    [{ seq: 1, type: "event", event: "stopped", body: {} }, "/body/reason"],
    [{ seq: 1, type: "event", event: "stopped" }, "/body"],
    [{ seq: 1, type: "responce", command: "next" }, "/type"],
    [{ seq: 1, type: "event" }, "/event"],
    [{ seq: 1, type: "event", event: null }, "/event"],
    [{ seq: 1, type: "response", success: true, command: "next" }, "/request_seq"],
    [
      { seq: 1, type: "response", request_seq: null, success: true, command: "next" },
      "/request_seq",
    ],
    [{ seq: 1, type: "response", request_seq: 1, success: null, command: "next" }, "/success"],
    [{ seq: 2 ** 53, type: "event", event: "initialized" }, "/seq"],
    [{ seq: 1.5, type: "event", event: "initialized" }, "/seq"],
    ...["", " 1", "-1", "1e3", "1x", "1234567890123456"].map(
      (seq) => [{ seq, type: "event", event: "initialized" }, "/seq"] as const,
    ),
    [
      { seq: 1, type: "response", request_seq: "1", success: true, command: "next" },
      "/request_seq",
    ],
  ];
  for (const [message, path] of refused) {
    const result = validate(message, wire);
    assert.ok(!result.ok, path);
    assert.deepEqual(
      result.issues.map((issue) => issue.pointer),
      [path],
    );
  }
});

for (const { name, folder } of recordedSessions)
  test(`on the recording of ${name}, the strict profile agrees with the schema, and the wire profile accepts all messages`, () => {
    const bytes = {
      in: readFileSync(join(folder, "in.bin")),
      out: readFileSync(join(folder, "out.bin")),
    };
    const frames = readFileSync(join(folder, "frames.jsonl"), "utf8").trim().split("\n");
    let judged = 0;
    for (const line of frames) {
      const { dir, off, headLen, bodyLen, valid } = JSON.parse(line) as {
        dir: "in" | "out";
        off: number;
        headLen: number;
        bodyLen: number;
        valid?: boolean;
      };
      // The recording ends in the middle of a frame, for which there is no verdict.
      if (valid === undefined) continue;
      judged++;
      const start = off + headLen;
      const message: unknown = JSON.parse(bytes[dir].toString("utf8", start, start + bodyLen));
      const strict = validate(message);
      assert.equal(strict.ok, valid, `${name} ${dir} ${off}: ${JSON.stringify(strict)}`);
      assert.equal(isValid(message), valid);
      const result = validate(message, wire);
      assert.ok(result.ok, `${name} ${dir} ${off}: ${JSON.stringify(result)}`);
      assert.equal(
        result.deviations.every(({ rule }) => rule === "unknown-field"),
        valid,
      );
    }
    assert.ok(judged > 20, `${judged} of ${frames.length} frames have a verdict`);
  });
