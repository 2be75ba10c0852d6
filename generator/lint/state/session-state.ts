import type { Protocol } from "../../model/protocol.js";
import type { Fields } from "../../session/typed-walk.js";
import { AnnouncedCapabilities } from "./announced-capabilities.js";
import type { JudgedMessage } from "./judged-message.js";
import { judgedProtocolOf, type JudgedProtocol } from "./judged-protocol.js";
import type { PartsWalk } from "./parts-walk.js";
import { SentRequests } from "./sent-requests.js";
import type { SessionExtent } from "./session-extent.js";
import { SequenceNumbers } from "./sequence-numbers.js";

/** How strict messages are judged: to the letter, or by what a tolerant reader can use. */
export type LintProfile = "strict" | "wire";

export interface SessionOptions {
  readonly profile: LintProfile;
  /** What one side said is all there is: what takes both to judge is not judged. */
  readonly isOneSided: boolean;
  /** The first message is the first of the session, whatever it is. */
  readonly isFromStart: boolean;
  /** Requests and references that are remembered, of each the latest. */
  readonly limit: number;
  /** Flags that rules depend on, besides those of the protocol: `adapter.supportsStepBack`. */
  readonly flags: readonly string[];
}

/** How often capabilities may change before that is taken to be a habit. */
const maxTurns = 20;

/** Messages before the opening request that are remembered. */
const maxEarly = 20;

/** What rules look at: the protocol, how to judge, and what the session has said before the message that is judged. */
export class SessionState {
  readonly protocol: Protocol;
  readonly judged: JudgedProtocol;
  readonly profile: LintProfile;
  readonly isOneSided: boolean;
  /** Ids that are remembered, of each kind the latest. */
  readonly limit: number;
  readonly requests: SentRequests;
  readonly numbers: SequenceNumbers;
  readonly capabilities: AnnouncedCapabilities;
  readonly #isFromStart: boolean;
  #noted: PartsWalk | undefined;
  /** The announcements that `#noted` goes by, and how often there were others. */
  #notedFor = -1;
  #turns = 0;
  #isOpen = false;
  #first: string | undefined;
  /** Number of the first message; null if it has none. */
  #number: number | null | undefined;
  /** Messages of the other side from before the first one of the side that opens the session. */
  #early: JudgedMessage[] = [];

  constructor(
    protocol: Protocol,
    { profile, isOneSided, isFromStart, limit, flags }: SessionOptions,
  ) {
    const judged = judgedProtocolOf(protocol);
    this.protocol = protocol;
    this.judged = judged;
    this.profile = profile;
    this.isOneSided = isOneSided;
    this.#isFromStart = isFromStart;
    this.limit = limit;
    this.requests = new SentRequests(protocol, limit);
    this.numbers = new SequenceNumbers(protocol);
    this.capabilities = new AnnouncedCapabilities(judged, this, flags);
  }

  /** The opening request was answered. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** How much of the session is in the recording. Messages are counted from 0 or 1. */
  get extent(): SessionExtent {
    if (this.isOneSided) return "unknown";
    const opening = this.protocol.conversation?.opening;
    if (this.#isFromStart || opening === undefined || this.#first === opening) return "whole";
    return typeof this.#number === "number" && this.#number <= 1 ? "unknown" : "later";
  }

  /** Takes in the first message of the session, before it is judged. */
  begin(fields: Fields): void {
    if (this.#number !== undefined) return;
    const { field } = this.numbers;
    const number = field === undefined ? undefined : fields[field];
    this.#number = typeof number === "number" ? number : null;
  }

  /** Finds the properties that are deprecated, or need a capability that is not announced. */
  get noted(): PartsWalk {
    const { capabilities, judged } = this;
    if (this.#noted !== undefined && this.#notedFor === capabilities.version) return this.#noted;
    this.#notedFor = capabilities.version;
    // Announcements rarely change. Where they do all the time, all that need a capability are looked at.
    if (this.#turns === maxTurns && this.#noted !== undefined) return this.#noted;
    const isAny = ++this.#turns === maxTurns;
    this.#noted = judged.notedWalk(({ role, flag }) => isAny || !capabilities.has(role, flag));
    return this.#noted;
  }

  /** The side that opens the session has sent something else first. */
  get isLate(): boolean {
    return this.#first !== undefined && this.#first !== this.protocol.conversation?.opening;
  }

  /** Messages of the other side that came before the opening request. */
  get early(): readonly JudgedMessage[] {
    return this.#early;
  }

  /** Takes in a message that has been judged. */
  follow(message: JudgedMessage): void {
    const { kind, name, from } = message;
    if (from === this.protocol.roles[0]) {
      this.#first ??= kind === "request" ? name : "";
      this.#early = [];
    } else if (
      !this.#isFromStart &&
      this.#first === undefined &&
      kind !== "response" &&
      this.#early.length < maxEarly
    )
      this.#early.push(message);
    if (kind === "response" && name === this.protocol.conversation?.opening) this.#isOpen = true;
    this.requests.follow(message);
    this.numbers.follow(message);
    this.capabilities.follow(message);
  }
}
