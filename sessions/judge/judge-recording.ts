import type { Protocol } from "../../generator/model/protocol.js";
import type { HostTable } from "./host-table.js";
import { KeptFindings, UnjudgedCounts } from "./kept-findings.js";
import { LintSession } from "./lint-session.js";
import { type LintedMessage } from "./lint-options.js";
import type { OpenRecording, RecordedEntry } from "../read/recording.js";
import { maxRemembered, shortText } from "../read/remembered.js";
import type { LintReport, OtherText } from "./report.js";
import type { Severity } from "../../generator/base/severity.js";
import type { LintFinding } from "./rules.js";
import { CarriedValues } from "./table/carried-values.js";
import type { RuleTable } from "./table/rule-table.js";
import type { LintProfile } from "./session-state.js";

export interface JudgeOptions {
  /** The name of the recording. */
  readonly name: string;
  readonly profile: LintProfile;
  /** The session rules of the protocol. */
  readonly rules?: RuleTable | undefined;
  readonly host: HostTable | undefined;
  /**
   * Id of the only session to judge. Ids count from 1, as in reports. Default: all sessions are
   * judged.
   */
  readonly session?: number | undefined;
  /** Severities that override the defaults, by rule. */
  readonly severities: ReadonlyMap<string, Severity | "off">;
  /** Shows the recording to the user while it is judged. */
  readonly viewer?: RecordingViewer | undefined;
  /**
   * Called at regular intervals with the number of messages and the approximate number of bytes
   * read so far. Reading continues once a returned promise has been fulfilled.
   */
  readonly onProgress?: (messages: number, bytes: number) => void | Promise<void>;
}

/** Receives a recording's entries and findings while it is judged. */
export interface RecordingViewer {
  /**
   * Called with each entry before it is judged. `message` is absent for bytes that are not a
   * message.
   */
  onEntry(entry: RecordedEntry, message?: LintedMessage): void;
  /**
   * Called with each finding that is counted. The finding concerns the latest entry or an earlier
   * one.
   */
  onFinding(finding: LintFinding): void;
}

/** Judges the sessions in a recording while it is being read. */
export async function judgeRecording(
  recording: OpenRecording,
  protocol: Protocol,
  options: JudgeOptions,
): Promise<LintReport> {
  const judge = new RecordingJudge(protocol, recording, options);
  let bytes = 0;
  for await (const batch of recording.batches()) {
    for (const entry of batch.entries) judge.push(entry);
    bytes += batch.bytes;
    await options.onProgress?.(judge.messages, bytes);
  }
  const { log } = recording;
  return { ...judge.end(), ...(log === undefined ? {} : { log }) };
}

/** Maximum length of a text that is not part of the session. */
const maxText = 200;

/** Maximum number of texts listed in a report. */
const maxTexts = 1_000;

/** Maximum number of sessions listed in a report. */
const maxListed = 1_000;

/**
 * Maximum number of sessions that are judged at the same time. Once it is reached, the session that
 * has been silent the longest is ended before another one is started.
 */
const maxSessions = 100;

interface OpenSession {
  readonly number: number | undefined;
  readonly session: LintSession;
  /** Position in the recording of the session's latest entry. */
  last: number;
}

/** Judges the sessions in a recording, entry by entry. */
export class RecordingJudge {
  readonly #protocol: Protocol;
  readonly #isOneSided: boolean;
  readonly #isOrderGuessed: boolean;
  readonly #options: JudgeOptions;
  readonly #findings = new KeptFindings();
  readonly #unjudged = new UnjudgedCounts();
  readonly #texts: OtherText[] = [];
  readonly #seen = new Map<number, { session: number; messages: number; line?: number }>();
  readonly #sessions = new Map<number | undefined, OpenSession>();
  readonly #carried = new CarriedValues();
  #current: OpenSession | undefined;
  #entries = 0;
  /** The entry that is being judged. */
  #entry: RecordedEntry = {};
  /** Number of messages read so far. */
  messages = 0;

  constructor(
    protocol: Protocol,
    { isOneSided, isOrderGuessed }: OpenRecording,
    options: JudgeOptions,
  ) {
    this.#protocol = protocol;
    this.#isOneSided = isOneSided;
    this.#isOrderGuessed = isOrderGuessed;
    this.#options = options;
  }

  push(entry: RecordedEntry): void {
    const { session: only } = this.#options;
    if (only !== undefined && (entry.session ?? 1) !== only) return;
    this.#count(entry);
    const { line, printed } = entry;
    if (printed !== undefined && line !== undefined && this.#texts.length < maxTexts)
      this.#texts.push({ line, text: shortText(printed, maxText) });
    if (entry.message !== undefined) this.messages++;
    this.#entry = entry;
    const session = this.#sessionOf(entry.session);
    if (entry.message === undefined) this.#options.viewer?.onEntry(entry);
    session.push(entry);
  }

  end(): LintReport {
    for (const { session } of this.#sessions.values()) this.#endSession(session);
    const { name, profile, host } = this.#options;
    const { list, groups, counts, unlisted } = this.#findings;
    return {
      file: name,
      protocol: this.#protocol.name,
      version: this.#protocol.version,
      profile,
      messages: this.messages,
      roles: this.#protocol.roles,
      ...(host === undefined ? {} : { host: host.title }),
      counts,
      findings: list,
      groups: groups.list,
      ...(groups.ungrouped.size === 0 ? {} : { ungrouped: Object.fromEntries(groups.ungrouped) }),
      ...(unlisted.size === 0 ? {} : { unlisted: Object.fromEntries(unlisted) }),
      ...(this.#seen.size < 2 ? {} : { sessions: [...this.#seen.values()] }),
      ...(this.#texts.length === 0 ? {} : { texts: this.#texts }),
      ...(this.#unjudged.list.length === 0 ? {} : { unjudged: this.#unjudged.list }),
    };
  }

  #count({ session: number = 1, message, line }: RecordedEntry): void {
    if (message === undefined) return;
    const seen = this.#seen.get(number);
    if (seen !== undefined) seen.messages++;
    else if (this.#seen.size < maxListed)
      this.#seen.set(number, {
        session: number,
        messages: 1,
        ...(line === undefined ? {} : { line }),
      });
  }

  #sessionOf(number: number | undefined): LintSession {
    if (this.#current === undefined || this.#current.number !== number)
      this.#current = this.#sessions.get(number) ?? this.#begin(number);
    this.#current.last = ++this.#entries;
    return this.#current.session;
  }

  #begin(number: number | undefined): OpenSession {
    if (this.#sessions.size === maxSessions) this.#endSilent();
    const { profile, rules, host, viewer } = this.#options;
    const session = new LintSession(this.#protocol, {
      profile,
      isOneSided: this.#isOneSided,
      isOrderGuessed: this.#isOrderGuessed,
      rules: rules ?? "none",
      host,
      // The first session may remember the most requests and ids. Each later session gets a smaller
      // share, so that total memory grows only slowly.
      remembered: Math.ceil(maxRemembered / (this.#sessions.size + 1)),
      carried: this.#carried,
      onFinding: (finding) => this.#keep(finding),
      ...(viewer === undefined
        ? {}
        : { onMessage: (message) => viewer.onEntry(this.#entry, message) }),
    });
    const open = { number, session, last: 0 };
    this.#sessions.set(number, open);
    return open;
  }

  #endSilent(): void {
    const silent = [...this.#sessions.values()].reduce((a, b) => (b.last < a.last ? b : a));
    this.#endSession(silent.session);
    this.#sessions.delete(silent.number);
  }

  /** The end of the recording is not necessarily the end of its session. */
  #endSession(session: LintSession): void {
    session.end(false);
    for (const { rule, gap, count } of session.unjudged)
      if (this.#options.severities.get(rule) !== "off") this.#unjudged.add(rule, gap, count);
  }

  #keep(finding: LintFinding): void {
    const severity = this.#options.severities.get(finding.rule) ?? finding.severity;
    if (severity === "off") return;
    const judged = { ...finding, severity };
    this.#findings.add(judged);
    this.#options.viewer?.onFinding(judged);
  }
}
