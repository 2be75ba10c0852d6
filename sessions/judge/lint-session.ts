import * as option from "../../runtime/base/check-options.js";
import { checkArguments, protocolModel } from "../../generator/base/check-arguments.js";
import { visible } from "../../generator/base/visible-text.js";
import type { RecordedEntry } from "../read/recorded-entry.js";
import { maxRemembered, shortText } from "../read/remembered.js";
import { dialectOf } from "../read/message-dialect.js";
import { readersText, readFramingRules } from "./framing-rules.js";
import type { HostTable } from "./host-table.js";
import { isRepeated, isUntold } from "./incomplete-knowledge.js";
import { lintRules, ruleFamilies, type LintFinding, type LintRuleId } from "./rules.js";
import type { Report, SessionChecks } from "./rules/rule-family.js";
import type { EntryPlace, JudgedMessage } from "./state/judged-message.js";
import { placeOf, readMessage } from "./state/read-message.js";
import { SessionState } from "./state/session-state.js";
import type { Gap } from "./state/knowledge.js";
import { referenceRules } from "./table/reference-rules.js";
import type { RuleTable } from "./table/rule-table.js";
import { listOf } from "./table/selectors.js";
import { textOfFinding } from "./table/table-text.js";
import type { TableFinding } from "./table/table-finding.js";
import { TableSession } from "./table/table-session.js";
import { UnjudgedCounts, type Unjudged } from "./unjudged.js";
import {
  checks,
  type LintedMessage,
  type LintedProtocol,
  type LintOptions,
} from "./lint-options.js";

/** Maximum length of a finding's message and pointer. */
const maxTextLength = 1_000;

const families: readonly SessionChecks<LintRuleId>[] = ruleFamilies;

/** Judges a session, entry by entry. */
export class LintSession {
  readonly #state: SessionState;
  readonly #tables: readonly TableSession[];
  readonly #framing: TableSession;
  readonly #onFinding: (finding: LintFinding) => void;
  readonly #unjudged = new UnjudgedCounts();
  readonly #onMessage: LintOptions["onMessage"];
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
      rules: given = rulesOf(protocol),
      host,
      remembered = maxRemembered,
      onFinding,
      onMessage,
    } = options;
    const rules = given === "none" ? referenceRules(protocol) : given;
    this.#state = new SessionState(protocol, {
      profile,
      isOneSided,
      isFromStart,
      isOrderGuessed,
      isPartial,
      limit: remembered,
      flags: [rules, host].flatMap((table) => (table === undefined ? [] : capabilitiesIn(table))),
      ungated: rules.ungated ?? {},
    });
    this.#place = placeOf({}, 0, "", this.#state);
    this.#onFinding = onFinding;
    this.#onMessage = onMessage;
    this.#framing = new TableSession(readFramingRules(), this.#state, (found) =>
      this.#reportBytes(found),
    );
    this.#tables = [
      new TableSession(rules, this.#state, (found) => this.#reportRule(found)),
      ...(host === undefined
        ? []
        : [new TableSession(host, this.#state, (found) => this.#reportOutcome(host, found))]),
    ];
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
    if (entry.isDoubtful === true) this.#state.knowledge.mix();
    if (entry.ended !== undefined) {
      this.#state.knowledge.end(entry.ended);
      this.#place = placeOf(entry, this.#index, "end", this.#state);
      this.#checkOther(entry);
      return;
    }
    if (entry.message === undefined) {
      this.#place = placeOf(entry, this.#index, "bytes", this.#state);
      this.#checkOther(entry);
      if (entry.fault !== undefined && entry.fault.code !== "ERR_NOISE")
        this.#state.knowledge.lose();
      return;
    }
    this.#index++;
    if (entry.from === undefined) this.#state.knowledge.doubtSender();
    const message = readMessage(entry, this.#index, this.#state);
    if (message === undefined) {
      this.#place = placeOf(entry, this.#index, "message", this.#state);
      this.#onMessage?.(wordsOf(this.#place));
      this.#checkOther(entry);
      return;
    }
    this.#state.begin(message);
    this.#place = message;
    this.#onMessage?.(wordsOf(message, message));
    for (const family of families) family.checkMessage?.(message, this.#state, this.#report);
    if (message.bytes !== undefined) this.#framing.judge(message);
    for (const table of this.#tables) table.judge(message);
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

  #reportRule({ rule, pointer, place = this.#place, gap, ...found }: TableFinding): void {
    const { id, severity = "warning" } = rule;
    this.#add({ rule: id, severity }, place, pointer, gap, () => textOfFinding(rule, found));
  }

  #reportBytes({ rule, pointer, place = this.#place, gap, ...found }: TableFinding): void {
    const { id, severity = "warning", bytes } = rule;
    this.#add({ rule: id, severity }, place, pointer, gap, () => {
      const text = textOfFinding(rule, found);
      const readers = readersText(listOf(bytes), this.#state.protocol, place.from);
      const located = `${text.replace(/\.$/, "")} (byte ${place.offset}).`;
      return readers === undefined ? located : `${located} ${readers}.`;
    });
  }

  #reportOutcome(
    { outcomes }: HostTable,
    { rule, pointer, place = this.#place, gap, ...found }: TableFinding,
  ): void {
    const { id, outcome = "" } = rule;
    const { severity, docs } = outcomes[outcome]!;
    const text = (): string => `${textOfFinding(rule, found)} ${docs}`;
    this.#add({ rule: id, severity, outcome }, place, pointer, gap, text);
  }

  /**
   * @param text Returns the finding's text. Not called for findings that cannot be judged, because
   * these are only counted.
   */
  #add(
    named: Pick<LintFinding, "rule" | "severity" | "outcome">,
    place: EntryPlace,
    pointer: string,
    gap: Gap | undefined,
    text: () => string,
  ): void {
    if (isUntold(pointer, place)) return;
    if (gap === undefined) this.#onFinding({ ...named, ...findingAt(place, pointer, text()) });
    else this.#unjudged.add(named.rule, gap);
  }

  #checkOther(entry: RecordedEntry): void {
    const { from, fault, message } = entry;
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
    for (const family of families) family.checkOther?.(entry, report);
  }

  readonly #report: Report<LintRuleId> = (rule, pointer, text, more = {}) => {
    const { place = this.#place } = more;
    if (rule.startsWith("schema.") && isRepeated(pointer, place, this.#state.protocol)) return;
    const { severity, needs } = lintRules.get(rule)!;
    this.#add(
      { rule, severity },
      place,
      pointer,
      "gap" in more ? more.gap : this.#state.gapOf(needs),
      () => text,
    );
  };
}

/** Lists the capabilities that a table's rules depend on. */
function capabilitiesIn({ rules, ungated = {} }: RuleTable): readonly string[] {
  return [...rules.map(({ capabilities = {} }) => capabilities), ...Object.values(ungated)].flatMap(
    (each) => Object.keys(each),
  );
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
function wordsOf(
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
