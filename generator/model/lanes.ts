import type { Json } from "./types.js";

/** Lanes in which answers keep the order of their commands, where messages have no ids. */
export interface Lanes {
  /** Whether commands of a lane wait while the program runs, by its name. */
  readonly lanes: Readonly<Record<string, { readonly waits: boolean }>>;
  /** Messages that come without being asked for, when the program stops. */
  readonly stops: readonly string[];
  /** Messages that belong to nothing. */
  readonly notes: readonly AnswerPattern[];
  /** What says that the other side broke down over a command. */
  readonly breakdown?: AnswerPattern;
  /** What answers a command that nobody knows, and in which lane. */
  readonly unknown?: AnswerPattern & { readonly lane: string };
}

/** A message by which a command is answered. */
export interface AnswerPattern {
  readonly name: string;
  /** How its text begins, one of these. */
  readonly begins?: readonly string[];
  /** Value of a part of its body, by JSON Pointer. */
  readonly where?: Readonly<Record<string, Json>>;
  /** JSON Pointer of its text. */
  readonly says?: string;
}

/** How a command is answered. */
export interface CommandAnswers {
  readonly lane: string;
  /** Messages that say that it was carried out; none if nothing does. */
  readonly answers: readonly string[];
  readonly failures: readonly AnswerPattern[];
  /** Argument with a list: an answer comes for each of its items. */
  readonly each?: string;
  /** Arguments with which no answer comes. */
  readonly silentWith?: Readonly<Record<string, Json>>;
  /** Argument without which no answer comes. */
  readonly silentWithout?: string;
  /** Answered by text of any length. */
  readonly isText?: true;
  /** Lets the program run on. */
  readonly resumes?: true;
}
