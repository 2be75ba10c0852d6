import assert from "node:assert/strict";
import { test } from "node:test";
import { diffProtocols, type ReaderPolicy } from "../../cli/index.js";
import type { Protocol } from "../../generator/model/protocol.js";
import { readSchema } from "../support/compared-versions.js";
import { schemaWith, type Schema } from "../support/elementary-changes.js";
import { fromRoot, root } from "../support/paths.js";
import { runCommand } from "../support/run-command.js";
import { withFolder, writeFiles } from "../support/compile.js";

const schemaOf = (q: Schema): Schema =>
  schemaWith({ schema: { type: "object", properties: { q }, required: ["q"] } }, "adapter");

const version = (q: Schema): Promise<Protocol> => readSchema(schemaOf(q));

/**
 * Returns each finding's rule, severity, verdicts in the order of the pairs, and example values.
 */
async function found(before: Schema, after: Schema, reader: ReaderPolicy): Promise<unknown[]> {
  const { findings, pairs } = diffProtocols(await version(before), await version(after), {
    reader,
  });
  return findings.map(({ rule, severity, message: change, wire, witnesses }) => [
    rule,
    severity,
    change,
    pairs.map((pair) => wire[pair]).join(" "),
    ...witnesses.map(
      ({ message }) => (message as { readonly arguments: { readonly q: unknown } }).arguments.q,
    ),
  ]);
}

const text = { type: "string" };
const pattern = (expression: string, more: Schema = {}): Schema => ({
  ...text,
  pattern: expression,
  ...more,
});

test("a changed pattern does not stop the comparison, and its effect is reported as unknown", async () => {
  assert.deepEqual(await found(pattern("^a"), pattern("^a"), "schema"), []);
  assert.deepEqual(await found(text, pattern("^a"), "schema"), [
    ["constraint.pattern-added", "risky", "no pattern → pattern ^a", "ok unknown"],
  ]);
  assert.deepEqual(await found(pattern("^a"), text, "schema"), [
    ["constraint.pattern-removed", "risky", "pattern ^a → no pattern", "unknown ok"],
  ]);
  assert.deepEqual(await found(pattern("^a"), pattern("^b"), "strict"), [
    ["constraint.pattern-changed", "risky", "pattern ^a → pattern ^b", "unknown unknown"],
  ]);
  assert.deepEqual(await found(pattern("^a"), pattern("^b"), "tolerant"), [
    ["constraint.pattern-changed", "safe", "pattern ^a → pattern ^b", "ok ok"],
  ]);
});

test("changes that accompany a pattern are compared, and their example values match the pattern", async () => {
  assert.deepEqual(await found(pattern("^a"), { type: "integer" }, "schema"), [
    ["type.changed", "breaking", "string → integer", "rejected rejected", 0, "a"],
  ]);
  assert.deepEqual(
    await found(pattern("^1", { maxLength: 5 }), pattern("^1", { maxLength: 1 }), "schema"),
    [
      [
        "constraint.tightened",
        "breaking",
        "string of length ≤ 5 → string of length ≤ 1",
        "ok rejected",
        "1.0",
      ],
    ],
  );
  // One of the enum values does not match the pattern.
  assert.deepEqual(await found({ enum: ["a", "b"] }, pattern("^a"), "schema"), [
    ["constraint.pattern-added", "risky", "no pattern → pattern ^a", "ok unknown"],
    ["constraint.tightened", "breaking", '"a" | "b" → string', "ok rejected", "b"],
    ["union.widened", "breaking", '"a" | "b" → string', "rejected ok", "a0"],
  ]);
});

test("a slow pattern is not applied to long strings", async () => {
  const slow = pattern("^(([a-z])+.)+[A-Z]([a-z])+$");
  const list = { enum: ["a".repeat(60), "b".repeat(60)] };
  const start = performance.now();
  await found(list, slow, "schema");
  await found(slow, list, "schema");
  assert.ok(performance.now() - start < 5_000);
});

test("an invalid pattern is refused with its location", async () => {
  await withFolder((folder) => {
    writeFiles(folder, {
      "old.json": JSON.stringify(schemaOf(text)),
      "new.json": JSON.stringify(schemaOf(pattern("(")), null, 2),
    });
    const protocol = fromRoot("test/fixtures/elementary");
    const run = (...args: readonly string[]): unknown => {
      const { status, stderr } = runCommand(root, args);
      return [status, stderr.replaceAll(`${folder}/`, "")];
    };
    assert.deepEqual(
      run("diff", `${folder}/old.json`, `${folder}/new.json`, "--protocol", protocol),
      [
        2,
        'new.json:207:22 /definitions/Payload/properties/q/pattern: Cannot read "pattern": it must be a regular expression [ERR_SCHEMA]\n',
      ],
    );
  });
});

test("conditions are compared as text, and the effect of changing them is reported as unknown", async () => {
  const list = { type: "array", items: text };
  assert.deepEqual(
    await found({ ...list, uniqueItems: true }, { ...list, uniqueItems: true }, "schema"),
    [],
  );
  assert.deepEqual(await found(list, { ...list, uniqueItems: true }, "schema"), [
    ["condition.added", "risky", "no condition → unique items", "ok unknown"],
  ]);
  const map = { type: "object", properties: { a: text } };
  assert.deepEqual(
    await found(map, { ...map, additionalProperties: { type: "string" } }, "schema"),
    [["condition.added", "risky", "no condition → other properties: string", "ok unknown"]],
  );
  const not = (value: string): Schema => ({ ...text, not: { const: value } });
  assert.deepEqual(await found(not("a"), not("b"), "strict"), [
    ["condition.changed", "risky", 'not "a" → not "b"', "unknown unknown"],
  ]);
  assert.deepEqual(await found({ ...text, not: {} }, { ...text, not: {} }, "schema"), []);
});
