import type { EntryPlace, JudgedMessage } from "./judged-message.js";

/** The reasons why a fact is unknown or partly unknown, with their texts in reports. */
export const gaps = {
  start: "the recording does not contain the start of the session",
  end: "the recording does not show the end of the session",
  side: "the recording contains only one side",
  order: "the order of the two sides is a guess",
  capabilities: "the recording does not contain the announced capabilities",
  log: "the log omits messages or parts of messages",
  lost: "a part of the recording cannot be read",
  memory: "the session is too long to keep all of it in memory",
  sender: "the recording does not show who sent some messages",
  mixed: "the messages of two sessions cannot be distinguished",
} as const;

/** The ids of `gaps`. */
export type Gap = keyof typeof gaps;

/**
 * A fact about a session that a rule needs.
 *
 * - `start`: that the recording begins with the session, so that absent messages were not sent
 * - `end`: that nothing follows
 * - `order`: the order of the messages of both sides
 * - `own order`: the order of the messages of one side
 * - `both sides`: the messages of either side
 * - `no loss`: that every message so far could be read
 */
export type Fact = "start" | "end" | "order" | "own order" | "both sides" | "no loss";

/** How a session was recorded, as far as its reader knows. */
export interface RecordingFacts {
  /** Whether the recording has the messages of only one side. */
  readonly isOneSided: boolean;
  /**
   * Whether the first message is the first of the session, even if it is not the opening request.
   */
  readonly isFromStart: boolean;
  /** Whether the two sides were recorded separately. */
  readonly isOrderGuessed: boolean;
  /** Whether messages are missing in the recording. */
  readonly isPartial: boolean;
}

/** The knowledge about a session: limits of its recording, and facts from its messages. */
export class SessionKnowledge {
  readonly #facts: RecordingFacts;
  readonly #initiator: string;
  readonly #opening: string | undefined;
  /**
   * Name of the first request of the side that opens the session; empty if it began with another
   * message.
   */
  #first: string | undefined;
  #firstPlace: EntryPlace | undefined;
  /** By role: the number of its first message. */
  readonly #firstNumbers = new Map<string, unknown>();
  /** Whether the other side sent the first message. */
  #isAnsweredFirst = false;
  #isOver = false;
  /** Number of the response that ended the session. */
  #closedAt: number | undefined;
  #hasCrashed = false;
  #isHoled = false;
  #isMixed = false;
  #isSenderOpen = false;

  /** @param opening Request that opens a session. */
  constructor(facts: RecordingFacts, initiator: string, opening: string | undefined) {
    this.#facts = facts;
    this.#initiator = initiator;
    this.#opening = opening;
  }

  /**
   * Name of the first request of the side that opens the session; undefined while it has not sent a
   * message.
   */
  get first(): string | undefined {
    return this.#first;
  }

  /**
   * Whether the first message of that side has the number 0 or 1, with which peers start to count.
   */
  get isFirstCounted(): boolean {
    const number = this.#firstNumbers.get(this.#initiator);
    return typeof number === "number" && number <= 1;
  }

  /** Position of the first message of that side. */
  get firstPlace(): EntryPlace | undefined {
    return this.#firstPlace;
  }

  /**
   * Whether the recording contains the first message of that side, even if it is not the opening
   * request.
   */
  get isFirstKnown(): boolean {
    if (this.#facts.isFromStart) return true;
    const [number, other] = [...this.#firstNumbers]
      .sort(([role]) => (role === this.#initiator ? -1 : 1))
      .map(([, each]) => each);
    // If a side counts from 0, its second message has the number 1.
    return number === 0 || (number === 1 && other === 1);
  }

  /** Whether a program crashed, so that it will not answer pending requests. */
  get hasCrashed(): boolean {
    return this.#hasCrashed;
  }

  /** Why a fact is unknown; undefined if it is known. */
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

  /** Why messages may have preceded the recording, in a protocol without an opening request. */
  get startGap(): Gap | undefined {
    return this.#facts.isFromStart ? undefined : "start";
  }

  /**
   * Whether the recording may begin in the middle of the session. Without an opening request, its
   * first message shows that.
   */
  get #mayBeginLate(): boolean {
    return this.#opening === undefined ? this.#isAnsweredFirst : !this.#beginsWithOpening;
  }

  /** A client that opens the session again in the middle continues its numbers. */
  get #beginsWithOpening(): boolean {
    const number = this.#firstNumbers.get(this.#initiator);
    return this.#first === this.#opening && !(typeof number === "number" && number > 1);
  }

  /** @param number The number of the message, if it is counted. */
  follow(message: JudgedMessage, number: unknown): void {
    const { from, kind, name = "" } = message;
    if (!this.#firstNumbers.has(from)) this.#firstNumbers.set(from, number);
    if (from !== this.#initiator) this.#isAnsweredFirst ||= this.#first === undefined;
    if (from !== this.#initiator || this.#first !== undefined) return;
    this.#first = kind === "request" ? name : "";
    this.#firstPlace = message;
  }

  /**
   * Called when nothing follows.
   *
   * @param how How a program ended, in the words of `wirewright tap`.
   */
  end(how = ""): void {
    this.#isOver = true;
    this.#hasCrashed ||= isCrash(how);
  }

  /** Called when the response with this number ended the session. */
  close(index: number): void {
    this.#isOver = true;
    this.#closedAt ??= index;
  }

  /** Whether a message came after the end of its session. */
  isAfterEnd({ index }: EntryPlace): boolean {
    return this.#closedAt !== undefined && index > this.#closedAt;
  }

  /** Called when messages may be missing here. */
  lose(): void {
    this.#isHoled = true;
  }

  /** Called when the sender of a message is unknown. */
  doubtSender(): void {
    this.#isSenderOpen = true;
  }

  /**
   * Called when, from here on, messages of other sessions may be mixed in or messages may be
   * missing.
   */
  mix(): void {
    this.#isMixed = true;
  }
}

/** Signals with which a system ends a faulty program. */
const crashes = /\bSIG(?:ABRT|BUS|FPE|ILL|SEGV|SYS|TRAP)\b/;

/** The exit statuses of a shell for these signals, and the lowest code of a crash on Windows. */
const crashCodes: readonly number[] = [132, 133, 134, 135, 136, 139, 159];
const leastWindowsCrash = 0xc0000000;

/** Whether a program has crashed, according to its end in `wirewright tap`. */
export function isCrash(how: string): boolean {
  const code = Number(/^exited with (\d+)$/.exec(how)?.[1]);
  return crashes.test(how) || crashCodes.includes(code) || code >= leastWindowsCrash;
}

/** Collects reasons why it is unknown whether a tested condition is true. */
export class Doubt {
  #gap: Gap | undefined;

  get gap(): Gap | undefined {
    return this.#gap;
  }

  /** Starts again, with the existing doubt. */
  reset(gap?: Gap): void {
    this.#gap = gap;
  }

  /** @param gap Undefined: no doubt. */
  add(gap: Gap | undefined): void {
    this.#gap ??= gap;
  }
}
