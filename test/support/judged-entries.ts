import assert from "node:assert/strict";
import { readProtocol } from "../../cli/index.js";
import { LintSession } from "../../sessions/judge/lint-session.js";
import { type LintOptions, type LintedMessage } from "../../sessions/judge/lint-options.js";
import type { RecordedEntry } from "../../sessions/read/recording.js";
import type { LintFinding } from "../../sessions/judge/rules.js";
import type { Protocol } from "../../generator/model/protocol.js";

export const dap = await readProtocol("dap");

export const entry = (from: string, message: object, more: object = {}): RecordedEntry => ({
  from,
  message,
  ...more,
});

export const ask = (
  seq: number,
  command: string,
  args?: object,
  more: object = {},
): RecordedEntry =>
  entry(
    "client",
    { seq, type: "request", command, ...(args === undefined ? {} : { arguments: args }) },
    more,
  );

export const answer = (
  seq: number,
  request_seq: number,
  command: string,
  fields: object = {},
  more: object = {},
): RecordedEntry =>
  entry("adapter", { seq, type: "response", request_seq, success: true, command, ...fields }, more);

export const tell = (seq: number, event: string, body?: object, more: object = {}): RecordedEntry =>
  entry("adapter", { seq, type: "event", event, ...(body === undefined ? {} : { body }) }, more);

export function judged(
  entries: readonly RecordedEntry[],
  options: Partial<LintOptions> = {},
  protocol: Protocol = dap,
  isOver = true,
): { readonly findings: readonly LintFinding[]; readonly messages: readonly LintedMessage[] } {
  const findings: LintFinding[] = [];
  const messages: LintedMessage[] = [];
  // A copy of the protocol has no results cached by earlier calls.
  const session = new LintSession(
    { ...protocol },
    {
      onFinding: (finding) => findings.push(finding),
      onMessage: (message) => messages.push(message),
      rules: "none",
      ...options,
    },
  );
  for (const each of entries) session.push(each);
  assert.equal(session.messages, entries.filter(({ message }) => message !== undefined).length);
  session.end(isOver);
  return { findings, messages };
}

export const short = ({ rule, index, pointer, message }: LintFinding): string =>
  `${rule} #${index} ${pointer} ${message}`;
