/** Nothing of a recording is left that is not the protocol's, and its findings are the same. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { openProtocol } from "../../../../cli/index.js";
import { examplesIn, readExamplePage } from "../../../../sessions/judge/rule-examples.js";
import type { RecordedEntry } from "../../../../sessions/read/recording.js";
import { recordingLine } from "../../../../sessions/read/recorded-lines.js";
import { Redactor } from "../../../../sessions/show/redact/redactor.js";
import { findingsOf } from "../../../support/judged-entries.js";
import { property } from "../../../support/property.js";
import { shorthandsOf, writtenMessages } from "../../../support/written-messages.js";

const dap = await openProtocol("dap");
const { sessionRules: rules } = dap;

/** Ways in which programs write a string into another. */
const spellings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `INFO: token: ${text}`,
  (text) => `db:\n  password: ${text}\n`,
  (text) => `$env:KEY = "${text}"`,
  (text) => `redis://:${text}@host:1/x?y=${text}#${text}`,
  (text) => `/home/${text}/${text}.${text}`,
  (text) => `C:\\Users\\${text}\\x.py`,
  (text) => `${text}/${text}`,
  (text) => `${text}:${text}`,
  (text) => `\x1b[3${text}m \x1b[31m${text}\x1b[0m`,
  (text) => `0x${text}`,
  (text) => `2026-01-01T00:00:00${text}`,
  (text) => `data:text/plain;base64,${text}`,
  (text) => JSON.stringify({ [text]: text }),
  (text) => `ERR_${text.toUpperCase()}`,
  (text) => `exited with ${text}`,
  (text) => `/body/${text}/0`,
];

/** Replaces every string and name in a value by one with a mark of its own. */
function marked(value: unknown, spell: (text: string) => string, next: () => string): unknown {
  if (typeof value === "string") return spell(next());
  if (Array.isArray(value)) return value.map((each) => marked(each, spell, next));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.values(value).map((each) => [spell(next()), marked(each, spell, next)]),
  );
}

const places: readonly ((value: unknown) => object)[] = [
  (value) => ({ seq: 1, type: "request", command: "launch", arguments: value }),
  (value) => ({ seq: 1, type: "request", command: "launch", arguments: { env: value } }),
  (value) => ({ seq: 1, type: "event", event: "output", body: { output: value, data: value } }),
  (value) => ({ seq: 1, type: "event", event: value, body: value }),
  (value) => ({ seq: 1, type: "response", command: value, success: false, message: value }),
  (value) => ({ seq: value, type: value, event: value }),
  (value) => ({ kind: "message", from: "adapter", message: { type: "event", event: value } }),
  (value) => ({ kind: "message", from: value, session: value, unknown: value, message: value }),
  (value) => ({ kind: "stderr", from: "adapter", text: value }),
  (value) => ({ kind: "fault", from: "adapter", code: value, text: value }),
  (value) => ({ kind: "end", from: "adapter", how: value }),
  (value) => ({ kind: value, bytes: [{ quirk: value, pointer: value, value }] }),
  (value) => ({ recording: "wirewright", form: 1, protocol: value, roles: value, began: value }),
  (value) => ({ time: "10:00", msg: { seq: 1, type: "event", event: "x", body: value }, x: value }),
];

const redacted = fc.record({
  value: fc.oneof(fc.string(), fc.jsonValue({ maxDepth: 3 })),
  place: fc.constantFrom(...places),
  spell: fc.constantFrom(...spellings),
});

property(
  "no mark is left of a random recording with a mark in every string that is not the protocol's",
  fc.array(redacted, { maxLength: 8 }),
  (lines) => {
    const redactor = new Redactor(dap, rules);
    let count = 0;
    for (const { value, place, spell } of lines) {
      const line = place(marked(value, spell, () => `qmark${++count}zq`));
      const shown = JSON.stringify(redactor.redacted(line));
      assert.doesNotMatch(shown, /qmark|\d{1,5}zq/i);
    }
    assert.doesNotMatch(redactor.redactedText("qmark in a title"), /qmark/);
  },
  1_000,
);

for (const name of ["dap", "acp-breakpoints", "sqltools", "ruby-debug-ide"]) {
  const protocol = await openProtocol(name);
  const page = readExamplePage(name)!;
  const examples = examplesIn(page);
  test(`redacted sessions of ${name} have the same findings`, () => {
    const findings = (entries: readonly RecordedEntry[]): readonly object[] =>
      findingsOf(protocol, entries, { rules: protocol.sessionRules ?? "none" }, false).map(
        ({ rule, severity, from }) => ({ rule, severity, from }),
      );
    const shorthands = shorthandsOf(page);
    for (const { rule, broken, kept } of examples)
      for (const session of [broken, kept]) {
        const entries = writtenMessages(session, protocol, shorthands, true);
        const redactor = new Redactor(protocol, protocol.sessionRules);
        const lines = entries.map((entry) => redactor.redacted(JSON.parse(recordingLine(entry))));
        const after = lines.map((line, index): RecordedEntry => ({
          ...entries[index]!,
          ...(entries[index]!.message === undefined
            ? {}
            : { message: (line as { readonly message: object }).message }),
        }));
        assert.deepEqual(findings(after), findings(entries), rule);
      }
  });
}
