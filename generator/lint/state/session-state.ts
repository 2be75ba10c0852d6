import type { Protocol } from "../../model/protocol.js";
import { AnnouncedCapabilities, type CapabilityTest } from "./announced-capabilities.js";
import type { JudgedMessage } from "./judged-message.js";
import { judgedProtocolOf, type JudgedProtocol } from "./judged-protocol.js";
import { Doubt, SessionKnowledge, type Fact, type Gap, type RecordingFacts } from "./knowledge.js";
import { LaneExchanges, type LaneAnswer } from "./lane-exchanges.js";
import type { PartsWalk } from "./parts-walk.js";
import { SentRequests } from "./sent-requests.js";
import { SequenceNumbers } from "./sequence-numbers.js";

/** How strict messages are judged: exactly by the schema, or by what a tolerant reader can use. */
export type LintProfile = "strict" | "wire";

export interface SessionOptions extends RecordingFacts {
  readonly profile: LintProfile;
  /** Requests and references that are remembered, of each the latest. */
  readonly limit: number;
  /** Flags that rules depend on, besides those of the protocol: `adapter.supportsStepBack`. */
  readonly flags: readonly string[];
  /** Messages that may be sent without the capability that gates them, and the flags with which they may. */
  readonly ungated: Readonly<Record<string, Readonly<Record<string, CapabilityTest>>>>;
}

/** How often capabilities may change before that is taken to be a habit. */
const maxTurns = 20;

/** Messages before the opening request that are remembered. */
const maxEarly = 20;

/** The input of rules: the protocol, the options, and the session before the judged message. */
export class SessionState {
  readonly protocol: Protocol;
  readonly judged: JudgedProtocol;
  readonly profile: LintProfile;
  /** How much of the session is known. */
  readonly knowledge: SessionKnowledge;
  /** Reasons why the tested condition may not hold. */
  readonly doubt: Doubt = new Doubt();
  /** Ids that are remembered, of each kind the latest. */
  readonly limit: number;
  readonly requests: SentRequests;
  readonly numbers: SequenceNumbers;
  readonly capabilities: AnnouncedCapabilities;
  /** Commands and their answers, if messages have no ids. */
  readonly #lanes: LaneExchanges | undefined;
  #laneAnswer: LaneAnswer | undefined;
  readonly #isFromStart: boolean;
  readonly #ungated: SessionOptions["ungated"];
  #noted: PartsWalk | undefined;
  /** The announcements that `#noted` goes by, and how often there were others. */
  #notedFor = -1;
  #turns = 0;
  #isOpen = false;
  #hasOpening = false;
  #index = 0;
  /** Messages of the other side from before the first one of the side that opens the session. */
  #early: JudgedMessage[] = [];

  constructor(protocol: Protocol, { profile, limit, flags, ungated, ...facts }: SessionOptions) {
    const judged = judgedProtocolOf(protocol);
    this.protocol = protocol;
    this.judged = judged;
    this.profile = profile;
    this.#isFromStart = facts.isFromStart;
    this.limit = limit;
    this.knowledge = new SessionKnowledge(facts, protocol.roles[0], protocol.conversation?.opening);
    this.requests = new SentRequests(protocol, limit, this.knowledge);
    this.numbers = new SequenceNumbers(protocol);
    this.#lanes = protocol.lanes === undefined ? undefined : new LaneExchanges(protocol, limit);
    this.capabilities = new AnnouncedCapabilities(judged, this.knowledge, flags);
    this.#ungated = ungated;
  }

  /** Whether a message may be sent, or that is not known, although the capability that gates it is not announced. */
  isUngated(name: string): boolean {
    const flags = Object.hasOwn(this.#ungated, name) ? this.#ungated[name] : undefined;
    return flags !== undefined && this.capabilities.areMet(flags, this.doubt);
  }

  /** Number of the latest message. */
  get index(): number {
    return this.#index;
  }

  /** The opening request, or its response, has come. */
  get hasOpening(): boolean {
    return this.#hasOpening || this.#isOpen;
  }

  /** The opening request was answered. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** The recording holds the opening of the session, and the opening request is not answered yet. */
  get isOpening(): boolean {
    return (
      !this.#isOpen &&
      (this.#isFromStart || this.knowledge.first === this.protocol.conversation?.opening)
    );
  }

  /** Why one of some facts is not known; undefined if all are. */
  gapOf(facts: readonly Fact[] = []): Gap | undefined {
    for (const fact of facts) {
      const gap = this.knowledge.gapOf(fact);
      if (gap !== undefined) return gap;
    }
    return undefined;
  }

  /** Finds the properties that are deprecated, or need a capability that is not announced. */
  get noted(): PartsWalk {
    const { capabilities, judged } = this;
    if (this.#noted !== undefined && this.#notedFor === capabilities.version) return this.#noted;
    this.#notedFor = capabilities.version;
    // Announcements rarely change. Where they do all the time, all that need a capability are looked at.
    if (this.#turns === maxTurns && this.#noted !== undefined) return this.#noted;
    const isAny = ++this.#turns === maxTurns;
    this.#noted = judged.notedWalk(
      ({ role, capability }) => isAny || !capabilities.has(role, capability),
    );
    return this.#noted;
  }

  /** The command that the judged message answers, if messages have no ids. */
  get laneAnswer(): LaneAnswer | undefined {
    return this.#laneAnswer;
  }

  /** Messages of the other side that came before the opening request. */
  get early(): readonly JudgedMessage[] {
    return this.#early;
  }

  /** Takes in a message that is going to be judged. */
  begin(message: JudgedMessage): void {
    this.#index = message.index;
    const { field = "" } = this.numbers;
    const isTold = message.unknown?.includes(`/${field}`) !== true;
    this.knowledge.follow(message, isTold ? message.fields[field] : undefined);
    this.#laneAnswer = message.kind === "event" ? this.#lanes?.receive(message) : undefined;
    const answered = this.#laneAnswer?.answered;
    if (answered !== undefined) this.requests.see(answered);
  }

  /** Takes in a message that has been judged. */
  follow(message: JudgedMessage): void {
    const { kind, name } = message;
    if (this.knowledge.first !== undefined) this.#early = [];
    else if (
      !this.#isFromStart &&
      this.knowledge.first === undefined &&
      kind !== "response" &&
      this.#early.length < maxEarly
    )
      this.#early.push(message);
    const { opening, closing } = this.protocol.conversation ?? {};
    if (kind === "request" && name === opening) this.#hasOpening = true;
    if (kind === "response" && name === opening) this.#isOpen = true;
    if (kind === "response" && name === closing && !message.hasFailed)
      this.knowledge.close(message.index);
    if (this.#lanes === undefined) this.requests.follow(message);
    else if (kind === "request") this.#lanes.ask(message);
    this.numbers.follow(message);
    this.capabilities.follow(message);
  }
}
