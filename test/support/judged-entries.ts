import assert from "node:assert/strict";
import { CarriedValues, readProtocol } from "../../cli/index.js";
import { LintSession } from "../../sessions/judge/lint-session.js";
import type {
  LintOptions,
  LintedMessage,
  LintedProtocol,
} from "../../sessions/judge/lint-options.js";
import { type RecordedEntry, openRecording } from "../../sessions/read/recording.js";
import type { LintFinding } from "../../sessions/judge/rules.js";
import type { Protocol } from "../../generator/model/protocol.js";
import { judgeRecording, type JudgeOptions } from "../../sessions/judge/judge-recording.js";
import type { HostRule, HostTable } from "../../sessions/judge/host-table.js";

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

/** Judges the lines of a DAP recording. */
export async function judgedLines(
  lines: readonly object[],
  options: Partial<JudgeOptions> = {},
): Promise<Awaited<ReturnType<typeof judgeRecording>>> {
  const bytes = Buffer.from(lines.map((each) => `${JSON.stringify(each)}\n`).join(""));
  const recording = await openRecording([{ name: "x", chunks: [bytes] }], dap);
  return judgeRecording(recording, dap, {
    name: "x",
    profile: "wire",
    host: undefined,
    severities: new Map(),
    ...options,
  });
}

/** Creates the line for an entry in a recording. */
export const recorded = (session: number, { from, message }: RecordedEntry): object => ({
  kind: "message",
  session,
  from,
  message,
});

/** Judges a session against a host with a single rule, and returns the findings. */
export function hosted(
  rule: Partial<HostRule>,
  entries: readonly RecordedEntry[],
  entities: HostTable["entities"] = {},
): readonly string[] {
  const table: HostTable = {
    name: "mine",
    title: "Mine",
    entities,
    outcomes: { dies: { severity: "info", docs: "It dies." } },
    rules: [{ id: "MY-A1", outcome: "dies", docs: "A rule.", ...rule }],
  };
  return judged(entries, { host: table, isFromStart: true })
    .findings.filter(({ outcome }) => outcome !== undefined)
    .map(
      ({ index, severity, outcome, pointer, message }) =>
        `#${index} ${severity} ${outcome} ${pointer} ${message}`,
    );
}

export const output = (fields: object): RecordedEntry => tell(1, "output", fields);

/**
 * Judges the entries of one session, or of several that follow each other.
 * @param isOver Whether the sessions have ended.
 */
export function findingsOf(
  protocol: LintedProtocol,
  entries: Iterable<RecordedEntry>,
  options: Omit<LintOptions, "onFinding"> = {},
  isOver = true,
): readonly LintFinding[] {
  const findings: LintFinding[] = [];
  const carried = new CarriedValues();
  const sessions = new Map<number, LintSession>();
  for (const entry of entries) {
    const { session: number = 1 } = entry;
    if (!sessions.has(number))
      sessions.set(
        number,
        new LintSession(protocol, {
          ...options,
          carried,
          onFinding: (finding) => void findings.push(finding),
        }),
      );
    sessions.get(number)!.push(entry);
  }
  for (const session of sessions.values()) session.end(isOver);
  return findings;
}
