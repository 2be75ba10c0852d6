import type { Protocol } from "../../../generator/model/protocol.js";
import { AnnouncedCapabilities, type CapabilityTest } from "./announced-capabilities.js";
import type { JudgedMessage } from "./judged-message.js";
import { judgedProtocolOf, type JudgedProtocol } from "./judged-protocol.js";
import { Doubt, SessionKnowledge, type Fact, type Gap, type RecordingFacts } from "./knowledge.js";
import { LaneExchanges, type LaneAnswer } from "./lane-exchanges.js";
import type { PartsWalk } from "./parts-walk.js";
import { Registrations } from "./registrations.js";
import { SentRequests } from "./sent-requests.js";
import { SequenceNumbers } from "./sequence-numbers.js";

/**
 * How strictly to judge messages. `strict`: exactly by the schema. `wire`: by the needs of a
 * tolerant reader.
 */
export type LintProfile = "strict" | "wire";

export interface SessionOptions extends RecordingFacts {
  readonly profile: LintProfile;
  /**
   * Maximum number of requests to remember, and of references and ids of each kind. Beyond these
   * limits, only the latest are kept.
   */
  readonly limit: number;
  /**
   * Capabilities that rules depend on, such as `adapter.supportsStepBack`, in addition to those
   * that the protocol itself requires.
   */
  readonly flags: readonly string[];
  /**
   * Messages, by name, that are permitted without their own capability if these tests of other
   * capabilities hold.
   */
  readonly ungated: Readonly<Record<string, Readonly<Record<string, CapabilityTest>>>>;
}

/** Number of capability changes beyond which changes count as frequent. */
const maxTurns = 20;

/** Maximum number of messages to remember before the opening side's first message. */
const maxEarly = 20;

/**
 * The data that rules read: the protocol, the options, and the state of the session before the
 * judged message.
 */
export class SessionState {
  readonly protocol: Protocol;
  readonly judged: JudgedProtocol;
  readonly profile: LintProfile;
  /** Which facts about the session are known. */
  readonly knowledge: SessionKnowledge;
  /** Collects the reason why it is unknown whether the tested condition holds. */
  readonly doubt: Doubt = new Doubt();
  /** Maximum number of ids of each kind to remember. Beyond that, only the latest are kept. */
  readonly limit: number;
  readonly requests: SentRequests;
  readonly numbers: SequenceNumbers;
  readonly capabilities: AnnouncedCapabilities;
  readonly registrations: Registrations;
  /** Matches answers to commands, if messages have no ids. */
  readonly #lanes: LaneExchanges | undefined;
  #laneAnswer: LaneAnswer | undefined;
  readonly #isFromStart: boolean;
  readonly #ungated: SessionOptions["ungated"];
  #noted: PartsWalk | undefined;
  /** Version of the announced capabilities for which the cached walk is valid. */
  #notedFor = -1;
  #turns = 0;
  #isOpen = false;
  #hasOpening = false;
  #index = 0;
  /** Messages from the other side that precede the opening side's first message. */
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
    this.registrations = new Registrations(protocol);
    this.#ungated = ungated;
  }

  /**
   * Returns whether a message is, or may be, permitted even though its capability was not
   * announced.
   */
  isUngated(name: string): boolean {
    const flags = Object.hasOwn(this.#ungated, name) ? this.#ungated[name] : undefined;
    return flags !== undefined && this.capabilities.areMet(flags, this.doubt);
  }

  /** Position of the latest message in the session. */
  get index(): number {
    return this.#index;
  }

  /** Whether the opening request or its response has arrived. */
  get hasOpening(): boolean {
    return this.#hasOpening || this.#isOpen;
  }

  /** Whether the opening request has been answered. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * Whether the recording contains the beginning of the session and the opening request has not
   * been answered yet.
   */
  get isOpening(): boolean {
    return (
      !this.#isOpen &&
      (this.#isFromStart || this.knowledge.first === this.protocol.conversation?.opening)
    );
  }

  /** Returns why the first unknown fact is unknown, or undefined if all facts are known. */
  gapOf(facts: readonly Fact[] = []): Gap | undefined {
    for (const fact of facts) {
      const gap = this.knowledge.gapOf(fact);
      if (gap !== undefined) return gap;
    }
    return undefined;
  }

  /** Finds properties that are deprecated or require a capability that was not announced. */
  get noted(): PartsWalk {
    const { capabilities, judged } = this;
    if (this.#noted !== undefined && this.#notedFor === capabilities.version) return this.#noted;
    this.#notedFor = capabilities.version;
    // Capabilities rarely change. If they do change frequently, a single walk finds the properties
    // for every capability, so that no new walks are needed.
    if (this.#turns === maxTurns && this.#noted !== undefined) return this.#noted;
    const isAny = ++this.#turns === maxTurns;
    this.#noted = judged.notedWalk(
      ({ role, capability }) => isAny || !capabilities.has(role, capability),
    );
    return this.#noted;
  }

  /** The effect of the judged message on earlier commands, if messages have no ids. */
  get laneAnswer(): LaneAnswer | undefined {
    return this.#laneAnswer;
  }

  /** Messages from the other side that precede the opening side's first message. */
  get early(): readonly JudgedMessage[] {
    return this.#early;
  }

  /**
   * Updates the parts of the state that the checks for this message need. Called before the message
   * is judged.
   */
  begin(message: JudgedMessage): void {
    this.#index = message.index;
    const { field = "" } = this.numbers;
    const isKnown = message.unknown?.includes(`/${field}`) !== true;
    this.knowledge.follow(message, isKnown ? message.fields[field] : undefined);
    this.#laneAnswer = message.kind === "event" ? this.#lanes?.receive(message) : undefined;
    const answered = this.#laneAnswer?.answered;
    if (answered !== undefined) this.requests.see(answered);
  }

  /** Adds a message to the state. Called after the message has been judged. */
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
    this.registrations.follow(message);
  }
}
