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
import { readInput, testCases } from "../../support/case-list.js";
import { recordedSessions } from "../../support/recorded-sessions.js";

const wire: ValidateOptions = { profile: "wire" };

const tolerances = new Set<Tolerance>();

testCases("test/cases/tolerated-messages.md", "the wire profile tolerates deviations", (input) => {
  const [message] = readInput(input);
  const before = structuredClone(message);
  const result = validate(message, wire);
  assert.ok(result.ok, input);
  assert.equal(result.value, message, input);
  assert.deepEqual(message, before, input);
  const deviations = result.deviations.map(({ rule, pointer }) => `${rule} ${pointer}`);
  const rules = new Set(result.deviations.map(({ rule }) => rule!));
  for (const rule of rules) tolerances.add(rule);
  const isStrict = [...rules].every((rule) => rule === "unknown-field");
  const strict = validate(message);
  assert.equal(strict.ok, isStrict, input);
  assert.equal(isValid(message), isStrict, input);
  if (strict.ok) return deviations;
  // Each error in the strict profile names its tolerance, and exactly these tolerances make the
  // value acceptable.
  assert.deepEqual(
    strict.issues.map(({ rule, pointer }) => `${rule} ${pointer}`),
    deviations,
    input,
  );
  assert.ok(validate(message, { tolerate: [...rules] }).ok, input);
  const others = wireTolerances.filter((rule) => !rules.has(rule));
  assert.ok(!validate(message, { tolerate: others }).ok, input);
  return deviations;
});

test("there is a case for each tolerance", () => {
  assert.deepEqual([...tolerances].sort(), [...wireTolerances].sort());
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
