import type { EntryPlace, JudgedMessage } from "./judged-message.js";

/** Why something is not known, or only in part, with the words of reports. */
export const gaps = {
  start: "the recording does not hold the start of the session",
  end: "the recording does not say that the session is over",
  side: "the recording has one side only",
  order: "the order of the two sides is a guess",
  capabilities: "the recording lacks their announcement",
  log: "the log leaves out messages or parts of them",
  lost: "a part of the recording cannot be read",
  memory: "the session is so long that parts of it are forgotten",
  sender: "the recording does not say who sent some messages",
  mixed: "its messages and those of another session cannot be distinguished",
} as const;

/** The ids of `gaps`. */
export type Gap = keyof typeof gaps;

/**
 * A fact that a rule has to know of a session.
 *
 * - `start`: that the recording begins with the session, so that absent messages were not sent
 * - `end`: that nothing follows
 * - `order`: which message of the two sides came before which
 * - `own order`: which message of one side came before which
 * - `both sides`: the messages of either side
 */
export type Fact = "start" | "end" | "order" | "own order" | "both sides";

/** How a session was recorded, as far as its reader knows. */
export interface RecordingFacts {
  /** The recording has only the messages of one side. */
  readonly isOneSided: boolean;
  /** The first message is the first of the session, whatever it is. */
  readonly isFromStart: boolean;
  /** The two sides were recorded apart. */
  readonly isOrderGuessed: boolean;
  /** The recording leaves out messages that were sent. */
  readonly isPartial: boolean;
}

/** The knowledge about a session: limits of its recording, and facts from its messages. */
export class SessionKnowledge {
  readonly #facts: RecordingFacts;
  readonly #initiator: string;
  readonly #opening: string | undefined;
  /** Name of the first request of the side that opens the session; empty if it began with something else. */
  #first: string | undefined;
  #firstPlace: EntryPlace | undefined;
  /** By role, the number of its first message. */
  readonly #firstNumbers = new Map<string, unknown>();
  /** The other side has sent the first message. */
  #isAnsweredFirst = false;
  #isOver = false;
  /** Number of the response that has ended the session. */
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

  /** Name of the first request of the side that opens the session; undefined as long as it has sent nothing. */
  get first(): string | undefined {
    return this.#first;
  }

  /** The number of that side's first message is one from which peers count: 0 or 1. */
  get isFirstCounted(): boolean {
    const number = this.#firstNumbers.get(this.#initiator);
    return typeof number === "number" && number <= 1;
  }

  /** Where that side's first message is. */
  get firstPlace(): EntryPlace | undefined {
    return this.#firstPlace;
  }

  /** The recording holds the first message of that side, be it the opening request or not. */
  get isFirstKnown(): boolean {
    if (this.#facts.isFromStart) return true;
    const [number, other] = [...this.#firstNumbers]
      .sort(([role]) => (role === this.#initiator ? -1 : 1))
      .map(([, each]) => each);
    // Some count from 0: the second message of these has the number 1, too.
    return number === 0 || (number === 1 && other === 1);
  }

  /** A program has crashed: it will not answer the open requests. */
  get hasCrashed(): boolean {
    return this.#hasCrashed;
  }

  /** Why a fact is not known; undefined if it is. */
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
      case "both sides":
        if (this.#isSenderOpen) return "sender";
        return isOneSided ? "side" : this.#isHoled ? "lost" : isPartial ? "log" : undefined;
    }
  }

  /** Why something may have come before the recording, in a protocol in which nothing opens a session. */
  get startGap(): Gap | undefined {
    return this.#facts.isFromStart ? undefined : "start";
  }

  /** Whether the recording may begin in the middle of the session. If nothing opens a session, its first message says so. */
  get #mayBeginLate(): boolean {
    return this.#opening === undefined ? this.#isAnsweredFirst : !this.#beginsWithOpening;
  }

  /** A client that opens the session again, in its middle, has counted further. */
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
   * Nothing follows.
   *
   * @param how How a program has ended, in the words of `wirewright tap`.
   */
  end(how = ""): void {
    this.#isOver = true;
    this.#hasCrashed ||= isCrash(how);
  }

  /** The session has ended with the response that has this number. */
  close(index: number): void {
    this.#isOver = true;
    this.#closedAt ??= index;
  }

  /** Whether a message came after the end of its session. */
  isAfterEnd({ index }: EntryPlace): boolean {
    return this.#closedAt !== undefined && index > this.#closedAt;
  }

  /** Messages may be missing here. */
  lose(): void {
    this.#isHoled = true;
  }

  /** Nothing says which side sent a message. */
  doubtSender(): void {
    this.#isSenderOpen = true;
  }

  /** From here on, messages of another session may be among those of this one, or some of its own may be missing. */
  mix(): void {
    this.#isMixed = true;
  }
}

/** Signals by which a system ends a program that has made a mistake. */
const crashes = /\bSIG(?:ABRT|BUS|FPE|ILL|SEGV|SYS|TRAP)\b/;

/** The exit statuses that a shell gives these signals, and the least code of a crash on Windows. */
const crashCodes: readonly number[] = [132, 133, 134, 135, 136, 139, 159];
const leastWindowsCrash = 0xc0000000;

/** Whether a program has crashed, according to its end in `wirewright tap`. */
export function isCrash(how: string): boolean {
  const code = Number(/^exited with (\d+)$/.exec(how)?.[1]);
  return crashes.test(how) || crashCodes.includes(code) || code >= leastWindowsCrash;
}

/** Collects reasons why the truth of a tested condition is not known. */
export class Doubt {
  #gap: Gap | undefined;

  get gap(): Gap | undefined {
    return this.#gap;
  }

  /** Begins again, with the existing doubt. */
  reset(gap?: Gap): void {
    this.#gap = gap;
  }

  /** @param gap Undefined: no doubt. */
  add(gap: Gap | undefined): void {
    this.#gap ??= gap;
  }
}
