import type { Protocol } from "../model/protocol.js";
import type { HostTable } from "./host-table.js";
import { KeptFindings } from "./kept-findings.js";
import { LintSession, type LintedMessage } from "./lint-session.js";
import type { OpenRecording, RecordedEntry } from "../session/recording.js";
import { maxRemembered } from "../session/remembered.js";
import type { LintReport } from "./report.js";
import type { LintFinding, LintSeverity } from "./rules.js";
import type { RuleTable } from "./table/rule-table.js";
import type { LintProfile } from "./state/session-state.js";

export interface JudgeOptions {
  /** What the recording is called. */
  readonly name: string;
  readonly profile: LintProfile;
  /** What the protocol says about sessions. */
  readonly rules?: RuleTable | undefined;
  readonly host: HostTable | undefined;
  /** Severities other than those of the rules. */
  readonly severities: ReadonlyMap<string, LintSeverity | "off">;
  /** Keeps the messages that a page shows. */
  readonly keepsMessages: boolean;
  /** Called now and then with the number of messages and the approximate number of bytes so far. */
  readonly onProgress?: (messages: number, bytes: number) => void;
}

/** Judges the sessions of a recording, as it is read. */
export async function judgeRecording(
  recording: OpenRecording,
  protocol: Protocol,
  options: JudgeOptions,
): Promise<LintReport> {
  const judge = new RecordingJudge(protocol, recording.isOneSided, options);
  let bytes = 0;
  for await (const batch of recording.batches()) {
    for (const entry of batch.entries) judge.push(entry);
    bytes += batch.bytes;
    options.onProgress?.(judge.messages, bytes);
  }
  return judge.end();
}

/** Sessions that are judged at the same time. If there are more, the one that has been silent longest is ended. */
const maxSessions = 100;

/** A page shows all messages up to this number; of longer recordings, only those with findings. */
const shownMessages = 5_000;

interface OpenSession {
  readonly number: number | undefined;
  readonly session: LintSession;
  /** Number of its latest entry in the recording. */
  last: number;
}

class RecordingJudge {
  readonly #protocol: Protocol;
  readonly #isOneSided: boolean;
  readonly #options: JudgeOptions;
  readonly #findings = new KeptFindings();
  readonly #sessions = new Map<number | undefined, OpenSession>();
  #current: OpenSession | undefined;
  #entries = 0;
  #shown: LintedMessage[] = [];
  readonly #found = new Set<LintedMessage>();
  #message: LintedMessage | undefined;
  #messages = 0;

  constructor(protocol: Protocol, isOneSided: boolean, options: JudgeOptions) {
    this.#protocol = protocol;
    this.#isOneSided = isOneSided;
    this.#options = options;
  }

  /** Number of messages so far. */
  get messages(): number {
    return this.#messages;
  }

  push(entry: RecordedEntry): void {
    if (entry.message !== undefined) this.#messages++;
    this.#sessionOf(entry.session).push(entry);
    this.#dropMessages();
  }

  end(): LintReport {
    this.#message = undefined;
    for (const { session } of this.#sessions.values()) session.end();
    const { name, profile, host } = this.#options;
    const { list, groups, counts, unlisted } = this.#findings;
    return {
      file: name,
      protocol: this.#protocol.name,
      version: this.#protocol.version,
      profile,
      messages: this.#messages,
      roles: this.#protocol.roles,
      session: this.#shown,
      ...(host === undefined ? {} : { host: host.title }),
      counts,
      findings: list,
      groups: groups.list,
      ...(groups.others.size === 0 ? {} : { ungrouped: Object.fromEntries(groups.others) }),
      ...(unlisted.size === 0 ? {} : { unlisted: Object.fromEntries(unlisted) }),
    };
  }

  #sessionOf(number: number | undefined): LintSession {
    if (this.#current === undefined || this.#current.number !== number)
      this.#current = this.#sessions.get(number) ?? this.#begin(number);
    this.#current.last = ++this.#entries;
    return this.#current.session;
  }

  #begin(number: number | undefined): OpenSession {
    if (this.#sessions.size === maxSessions) this.#endSilent();
    const { profile, rules, host, keepsMessages } = this.#options;
    const session = new LintSession(this.#protocol, {
      profile,
      isOneSided: this.#isOneSided,
      rules,
      host,
      // The first of many may remember much, and all together not much more.
      remembered: Math.ceil(maxRemembered / (this.#sessions.size + 1)),
      onFinding: (finding) => this.#keep(finding),
      ...(keepsMessages ? { onMessage: (message) => this.#show(message) } : {}),
    });
    const open = { number, session, last: 0 };
    this.#sessions.set(number, open);
    return open;
  }

  #endSilent(): void {
    const silent = [...this.#sessions.values()].reduce((a, b) => (b.last < a.last ? b : a));
    silent.session.end();
    this.#sessions.delete(silent.number);
  }

  #keep(finding: LintFinding): void {
    const severity = this.#options.severities.get(finding.rule) ?? finding.severity;
    if (severity === "off") return;
    const isKept = this.#findings.add({ ...finding, severity });
    if (isKept && this.#message !== undefined) this.#found.add(this.#message);
  }

  #show(message: LintedMessage): void {
    this.#message = message;
    this.#shown.push(message);
  }

  /** Drops the messages that a page does not show. */
  #dropMessages(): void {
    const message = this.#message;
    this.#message = undefined;
    if (message === undefined || this.#messages <= shownMessages) return;
    if (this.#messages === shownMessages + 1)
      this.#shown = this.#shown.filter((each) => this.#found.has(each));
    else if (!this.#found.has(message)) this.#shown.pop();
  }
}
