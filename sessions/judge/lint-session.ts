import * as option from "../../runtime/base/check-options.js";
import { checkArguments, protocolModel } from "../../generator/base/check-arguments.js";
import { once } from "../../generator/model/once.js";
import { visible } from "../../generator/base/visible-text.js";
import type { RecordedEntry } from "../read/recorded-entry.js";
import { maxRemembered, shortText } from "../read/remembered.js";
import { dialectOf } from "../read/message-dialect.js";
import { readersText, readFramingRules } from "./framing-rules.js";
import type { HostTable } from "./host-table.js";
import { type LintFinding, type LintRuleId, lintRules, ruleFamilies } from "./rules.js";
import type { Report, SessionChecks } from "./rule-family.js";
import type { EntryPlace, JudgedMessage } from "./judged-message.js";
import { SessionState } from "./session-state.js";
import { CarriedValues } from "./table/carried-values.js";
import { referenceRules } from "./table/references.js";
import type { RuleTable } from "./table/rule-table.js";
import { listOf } from "./table/selectors.js";
import { type TableFinding, textOfFinding } from "./table/rule-checks.js";
import { TableSession } from "./table/table-session.js";
import { type Unjudged, UnjudgedCounts } from "./kept-findings.js";
import {
  checks,
  type LintedMessage,
  type LintedProtocol,
  type LintOptions,
} from "./lint-options.js";
import type { Protocol } from "../../generator/model/protocol.js";

/** Maximum length of a finding's message and pointer. */
const maxTextLength = 1_000;

const families: readonly SessionChecks<LintRuleId>[] = ruleFamilies;

/** Judges a session, entry by entry. */
export class LintSession {
  readonly #state: SessionState;
  readonly #tables: TableSession[];
  /** Judges the bytes of messages, of which most recordings have none. */
  readonly #framing: () => TableSession;
  readonly #onFinding: (finding: LintFinding) => void;
  readonly #unjudged = new UnjudgedCounts();
  readonly #onMessage: LintOptions["onMessage"];
  readonly #hasHost: boolean;
  /** Deviations in the judged message, which say nothing new about values that the host refuses. */
  #deviations: LintFinding[] = [];
  /** Locations of values in the judged message that the host refuses. */
  readonly #refused = new Set<string>();
  #index = 0;
  /** The entry that is being judged. */
  #place: EntryPlace;

  /**
   * @param protocol The result of `openProtocol`.
   * @throws TypeError for an unknown or invalid option, or if the protocol's rules have not been
   * read.
   */
  constructor(protocol: LintedProtocol, options: LintOptions) {
    option.checkOptions("LintSession", options, checks);
    checkArguments("LintSession", { protocol: [protocol, protocolModel] });
    const {
      profile = "wire",
      isOneSided = false,
      isFromStart = false,
      isOrderGuessed = false,
      isPartial = false,
      rules: chosenRules = rulesOf(protocol),
      host,
      remembered = maxRemembered,
      carried = new CarriedValues(),
      onFinding,
      onMessage,
    } = options;
    const rules = chosenRules === "none" ? referenceRules(protocol) : chosenRules;
    this.#state = new SessionState(protocol, {
      profile,
      isOneSided,
      isFromStart,
      isOrderGuessed,
      isPartial,
      limit: remembered,
      ungated: rules.ungated ?? {},
      carried,
    });
    this.#place = this.#state.placeOf({}, 0, "");
    this.#onFinding = onFinding;
    this.#onMessage = onMessage;
    this.#framing = once(
      () =>
        new TableSession(readFramingRules(), this.#state, (finding) => this.#reportBytes(finding)),
    );
    this.#hasHost = host !== undefined;
    this.#tables = [new TableSession(rules, this.#state, (finding) => this.#reportRule(finding))];
    if (host !== undefined)
      this.#tables.push(
        new TableSession(host, this.#state, (finding) => this.#reportOutcome(host, finding)),
      );
  }

  /** Number of messages judged so far. */
  get messages(): number {
    return this.#index;
  }

  /** Possible findings that were left out because too little is known about the session. */
  get unjudged(): readonly Unjudged[] {
    return this.#unjudged.list;
  }

  push(entry: RecordedEntry): void {
    if (entry.printed !== undefined) return;
    const { knowledge } = this.#state;
    if (entry.isDoubtful === true) knowledge.mix();
    if (entry.ended !== undefined) {
      knowledge.end(entry.ended);
      this.#checkOther(entry, "end");
    } else if (entry.message === undefined) {
      this.#checkOther(entry, "bytes");
      if (entry.fault !== undefined && entry.fault.code !== "ERR_NOISE") knowledge.lose();
    } else {
      if (entry.missing !== undefined) knowledge.lose();
      this.#judge(entry);
    }
  }

  #judge(entry: RecordedEntry): void {
    this.#index++;
    if (entry.from === undefined) this.#state.knowledge.doubtSender();
    const message = this.#state.read(entry, this.#index);
    if (message === undefined) {
      this.#onMessage?.(lintedMessage(this.#state.placeOf(entry, this.#index, "message")));
      this.#checkOther(entry, "message");
      // The message that was meant remains unknown.
      this.#state.knowledge.lose();
      return;
    }
    this.#state.begin(message);
    this.#place = message;
    this.#onMessage?.(lintedMessage(message, message));
    for (const family of families) family.checkMessage?.(message, this.#state, this.#report);
    if (message.bytes !== undefined) this.#framing().judge(message);
    for (const table of this.#tables) table.judge(message);
    for (const deviation of this.#deviations)
      if (!this.#refused.has(deviation.pointer)) this.#onFinding(deviation);
    this.#deviations = [];
    this.#refused.clear();
    this.#state.follow(message);
  }

  /**
   * Judges the end of the session. Called after the last entry.
   *
   * @param isOver Whether the session itself has ended, not just the recording. If false, the
   * session's messages determine whether it has ended. Default: true.
   */
  end(isOver = true): void {
    if (isOver) this.#state.knowledge.end();
    for (const family of families) family.checkEnd?.(this.#state, this.#report);
    for (const table of this.#tables) table.end();
  }

  #reportRule(finding: TableFinding): void {
    const { id, severity = "warning" } = finding.rule;
    this.#add({ rule: id, severity }, finding, () => textOfFinding(finding));
  }

  #reportBytes(finding: TableFinding): void {
    const { id, severity = "warning", bytes } = finding.rule;
    this.#add({ rule: id, severity }, finding, ({ from, offset }) => {
      const readers = readersText(listOf(bytes), this.#state.protocol, from);
      const text = `${textOfFinding(finding).replace(/\.$/, "")} (byte ${offset}).`;
      return readers === undefined ? text : `${text} ${readers}.`;
    });
  }

  #reportOutcome({ outcomes }: HostTable, finding: TableFinding): void {
    const { id, outcome = "" } = finding.rule;
    const { severity, docs } = outcomes[outcome]!;
    this.#add({ rule: id, severity, outcome }, finding, () => `${textOfFinding(finding)} ${docs}`);
  }

  /**
   * @param textAt Returns the finding's text. Not called for findings that cannot be judged, because
   * these are only counted.
   */
  #add(
    named: Pick<LintFinding, "rule" | "severity" | "outcome">,
    { place = this.#place, pointer, gap }: Pick<TableFinding, "place" | "pointer" | "gap">,
    textAt: (place: EntryPlace) => string,
  ): void {
    if (isUntold(pointer, place)) return;
    if (gap !== undefined) {
      this.#unjudged.add(named.rule, gap);
      return;
    }
    const finding: LintFinding = { ...named, ...findingAt(place, pointer, textAt(place)) };
    if (named.outcome !== undefined && named.severity === "error") this.#refused.add(pointer);
    if (this.#hasHost && named.rule === "schema.deviation") this.#deviations.push(finding);
    else this.#onFinding(finding);
  }

  /** Judges an entry that is not a request, an event or a response. */
  #checkOther(entry: RecordedEntry, label: "end" | "bytes" | "message"): void {
    const { from, fault, message } = entry;
    this.#place = this.#state.placeOf(entry, this.#index, label);
    const quirk = quirksOfFaults[fault?.code ?? ""];
    // If the sender is unknown, so is the reader's role.
    const readers =
      quirk === undefined || from === undefined
        ? undefined
        : readersText([quirk], this.#state.protocol, from);
    const dialect = message === undefined ? undefined : dialectOf(message, this.#state.protocol);
    const more =
      dialect === undefined
        ? readers
        : `The messages seem to be in the dialect "${dialect}": use --dialect ${dialect}`;
    const report: Report<LintRuleId> = (rule, pointer, text) =>
      this.#report(rule, pointer, more === undefined ? text : `${text}. ${more}`);
    for (const family of families) family.checkOther?.(entry, report, this.#state);
  }

  readonly #report: Report<LintRuleId> = (rule, pointer, text, more = {}) => {
    const { place = this.#place } = more;
    const { protocol } = this.#state;
    if (rule.startsWith("schema.") && isRepeated(pointer, place, protocol)) return;
    // Without its schema, only a protocol's envelope is known.
    const needsSchema = rule.startsWith("schema.") || rule === "message.custom";
    if (needsSchema && protocol.messages.length === 0) return;
    const { severity, needs } = lintRules.get(rule)!;
    const gap = "gap" in more ? more.gap : this.#state.gapOf(needs);
    this.#add({ rule, severity }, { place, pointer, gap }, () => text);
  };
}

function rulesOf(protocol: LintedProtocol): RuleTable | "none" {
  if ("sessionRules" in protocol) return protocol.sessionRules ?? "none";
  throw new TypeError(
    `LintSession: session rules are missing. Open the protocol with openProtocol(${JSON.stringify(protocol.name)}), or set the option "rules" to "none"`,
  );
}

/** Names of quirks in the framing rules, keyed by the code of the stream fault. */
const quirksOfFaults: Readonly<Record<string, string>> = {
  ERR_NOISE: "noise",
  ERR_JSON: "bad-json",
};

/** Creates a finding without the properties that its rule adds. */
function findingAt(
  { index, from, isFromKnown, label, session, time, offset, line }: EntryPlace,
  pointer: string,
  text: string,
): Omit<LintFinding, "rule" | "severity"> {
  return {
    index,
    ...(isFromKnown ? { from } : {}),
    label,
    pointer: shortText(pointer, maxTextLength),
    message: visible(shortText(text, maxTextLength)),
    ...(offset === undefined ? {} : { offset }),
    ...(time === undefined ? {} : { time }),
    ...(line === undefined ? {} : { line }),
    ...(session === undefined ? {} : { session }),
  };
}

/**
 * @param message The judged message. Absent if the entry is not a request, an event or a response.
 */
function lintedMessage(
  { index, from, label, session, time }: EntryPlace,
  message?: JudgedMessage,
): LintedMessage {
  const { kind = "none", name, hasFailed = false, request, latency } = message ?? {};
  return {
    index,
    from,
    kind,
    ...(name === undefined ? {} : { name }),
    label,
    hasFailed,
    ...(request === undefined ? {} : { answers: request.index }),
    ...(session === undefined ? {} : { session }),
    ...(time === undefined ? {} : { time }),
    ...(latency === undefined ? {} : { latency }),
  };
}

/** Returns whether a finding is about a part of its message that the recording's source omits. */
function isUntold(pointer: string, { unknown = [] }: EntryPlace): boolean {
  return unknown.some(
    (part) =>
      pointer === part ||
      pointer.startsWith(`${part}/`) ||
      // The log may have left out the absent property.
      (pointer !== "" && part.lastIndexOf("/") === pointer.length && part.startsWith(pointer)),
  );
}

/**
 * Returns whether a pointer leads to the response field that repeats the request id. Issues with
 * that id are reported only for the request.
 */
function isRepeated(
  pointer: string,
  { request }: Partial<JudgedMessage>,
  { envelope: { replyTo } }: Protocol,
): boolean {
  return request !== undefined && replyTo !== undefined && pointer === `/${replyTo}`;
}
