import type { EntryPlace, JudgedMessage } from "./judged-message.js";

/** Reasons why a fact is unknown or only partly known, as worded in reports. */
export const gaps = {
  start: "the recording does not contain the start of the session",
  end: "the recording does not show the end of the session",
  side: "the recording contains only one side",
  order: "the order of the two sides is a guess",
  capabilities: "the recording does not contain the announced capabilities",
  log: "the log omits messages or parts of messages",
  lost: "a part of the recording cannot be read",
  memory: "the session is too long to keep entirely in memory",
  sender: "the recording does not show who sent some messages",
  mixed: "the messages of two sessions cannot be distinguished",
} as const;

/** Identifies a reason why a fact is unknown. */
export type Gap = keyof typeof gaps;

/**
 * A fact that a rule needs to know about a session.
 *
 * - `start`: the recording begins with the session, so a message that is absent was not sent
 * - `end`: no more messages follow
 * - `order`: the order of messages across both sides
 * - `own order`: the order of messages within one side
 * - `both sides`: the messages from both sides
 * - `no loss`: every message so far was readable
 */
export type Fact = "start" | "end" | "order" | "own order" | "both sides" | "no loss";

/** How complete a recording is, as far as its reader knows. */
export interface RecordingFacts {
  /** Whether the recording contains messages from only one side. */
  readonly isOneSided: boolean;
  /**
   * Whether the session begins with the first message in the recording, even if that is not the
   * opening request.
   */
  readonly isFromStart: boolean;
  /** Whether the two sides were recorded separately. */
  readonly isOrderGuessed: boolean;
  /** Whether messages are missing from the recording. */
  readonly isPartial: boolean;
}

/**
 * Determines which facts about a session are known, based on the limits of its recording and on its
 * messages.
 */
export class SessionKnowledge {
  readonly #facts: RecordingFacts;
  readonly #initiator: string;
  readonly #opening: string | undefined;
  /**
   * Name of the first request from the side that opens the session. Empty if that side's first
   * message was not a request, and undefined before that message.
   */
  first: string | undefined;
  /** Location of the opening side's first message. */
  firstPlace: EntryPlace | undefined;
  /** Sequence number of each role's first message. */
  readonly #firstNumbers = new Map<string, unknown>();
  /** Whether the first message came from the side that does not open the session. */
  #isAnsweredFirst = false;
  #isOver = false;
  /** Position of the response that ended the session. */
  #closedAt: number | undefined;
  /** Whether a program crashed and therefore cannot answer its pending requests. */
  hasCrashed = false;
  #isHoled = false;
  #isMixed = false;
  #isSenderOpen = false;

  /** @param opening Name of the request that opens a session. */
  constructor(facts: RecordingFacts, initiator: string, opening: string | undefined) {
    this.#facts = facts;
    this.#initiator = initiator;
    this.#opening = opening;
  }

  /**
   * Whether the opening side's first message has the sequence number 0 or 1, from which peers start
   * counting.
   */
  get isFirstCounted(): boolean {
    const number = this.#firstNumbers.get(this.#initiator);
    return typeof number === "number" && number <= 1;
  }

  /**
   * Whether the recording contains the opening side's first message, even if that is not the
   * opening request.
   */
  get isFirstKnown(): boolean {
    if (this.#facts.isFromStart) return true;
    const [number, other] = [...this.#firstNumbers]
      .sort(([role]) => (role === this.#initiator ? -1 : 1))
      .map(([, each]) => each);
    // A first number of 1 from this side proves nothing on its own: if the side counts from 0, that
    // is the number of its second message.
    return number === 0 || (number === 1 && other === 1);
  }

  /** Returns why a fact is unknown, or undefined if it is known. */
  gapOf(fact: Fact): Gap | undefined {
    const { isOneSided, isFromStart, isOrderGuessed, isPartial } = this.#facts;
    if (this.#isMixed) return "mixed";
    switch (fact) {
      case "start":
        if (!isFromStart && this.#mayBeginLate) return "start";
        return this.#isHoled ? "lost" : isPartial ? "log" : undefined;
      case "end":
        return this.#isOver ? undefined : "end";
      case "order":
        return isOneSided ? "side" : isOrderGuessed ? "order" : undefined;
      case "own order":
        return this.#isSenderOpen ? "sender" : undefined;
      case "no loss":
        return this.#isHoled ? "lost" : undefined;
      case "both sides":
        if (this.#isSenderOpen) return "sender";
        return isOneSided ? "side" : this.#isHoled ? "lost" : isPartial ? "log" : undefined;
    }
  }

  /** Why messages may precede the recording, in a protocol without an opening request. */
  get startGap(): Gap | undefined {
    return this.#facts.isFromStart ? undefined : "start";
  }

  /**
   * Whether the recording may begin in the middle of the session. Without an opening request, this
   * depends on which side sent the first message.
   */
  get #mayBeginLate(): boolean {
    return this.#opening === undefined ? this.#isAnsweredFirst : !this.#beginsWithOpening;
  }

  /**
   * Whether the opening side's first request begins the session. It does not if its sequence number
   * is greater than 1, because the client has then opened the session a second time and continued
   * its sequence numbers.
   */
  get #beginsWithOpening(): boolean {
    const number = this.#firstNumbers.get(this.#initiator);
    return this.first === this.#opening && !(typeof number === "number" && number > 1);
  }

  /** @param number The sequence number of the message, if it has one. */
  follow(message: JudgedMessage, number: unknown): void {
    const { from, kind, name = "" } = message;
    if (!this.#firstNumbers.has(from)) this.#firstNumbers.set(from, number);
    if (from !== this.#initiator) this.#isAnsweredFirst ||= this.first === undefined;
    if (from !== this.#initiator || this.first !== undefined) return;
    this.first = kind === "request" ? name : "";
    this.firstPlace = message;
  }

  /**
   * Records that no more messages follow.
   *
   * @param how How a program ended, as worded by `wirewright tap`.
   */
  end(how = ""): void {
    this.#isOver = true;
    this.hasCrashed ||= isCrash(how);
  }

  /** Records that the response at the given position has ended the session. */
  close(index: number): void {
    this.#isOver = true;
    this.#closedAt ??= index;
  }

  /** Returns whether a message arrived after the end of its session. */
  isAfterEnd({ index }: EntryPlace): boolean {
    return this.#closedAt !== undefined && index > this.#closedAt;
  }

  /** Records that messages may be missing at the current position. */
  lose(): void {
    this.#isHoled = true;
  }

  /** Records that the sender of a message is unknown. */
  doubtSender(): void {
    this.#isSenderOpen = true;
  }

  /**
   * Records that, from the current position on, messages may be missing or may belong to other
   * sessions.
   */
  mix(): void {
    this.#isMixed = true;
  }
}

/** Signals that the operating system uses to end a crashing program. */
const crashes = /\bSIG(?:ABRT|BUS|FPE|ILL|SEGV|SYS|TRAP)\b/;

/**
 * Exit codes that a shell reports for these signals. On Windows, exit codes from
 * `leastWindowsCrash` upwards mean a crash.
 */
const crashCodes: readonly number[] = [132, 133, 134, 135, 136, 139, 159];
const leastWindowsCrash = 0xc0000000;

/**
 * Returns whether a program has crashed, judging by the text that `wirewright tap` records when it
 * ends.
 */
export function isCrash(how: string): boolean {
  const code = Number(/^exited with (\d+)$/.exec(how)?.[1]);
  return crashes.test(how) || crashCodes.includes(code) || code >= leastWindowsCrash;
}

/**
 * Collects reasons why it is unknown whether a tested condition holds. Keeps only the first one.
 */
export class Doubt {
  gap: Gap | undefined;

  /** Replaces the reason with the given one, or clears it. */
  reset(gap?: Gap): void {
    this.gap = gap;
  }

  /** @param gap A reason. Undefined if the test result is certain. */
  add(gap: Gap | undefined): void {
    this.gap ??= gap;
  }
}
