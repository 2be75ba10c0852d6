import { partOf } from "../base/json-pointer.js";

/** An element or a text by which a command is answered. */
export interface AnswerPattern {
  /** Name of the message. */
  readonly name: string;
  /** How its text begins, one of these. Absent: any. */
  readonly begins?: readonly string[];
  /** Value that a part of its body has, by JSON Pointer. */
  readonly where?: { readonly [pointer: string]: unknown };
  /** JSON Pointer of the text that says what went wrong. */
  readonly says?: string;
}

/** How a command is answered. */
export interface CommandAnswers {
  /** Lane in which it waits for its turn. */
  readonly lane: string;
  /** Messages that say that it was carried out; none if nothing does. */
  readonly answers: readonly string[];
  readonly failures: readonly AnswerPattern[];
  /** Argument with a list: an answer comes for each of its items. */
  readonly each?: string;
  /** Arguments with which no answer comes. */
  readonly silentWith?: { readonly [argument: string]: unknown };
  /** Argument without which no answer comes. */
  readonly silentWithout?: string;
  /** Answered by text of any length. */
  readonly isText?: boolean;
  /** Lets the program run on, so that its lane waits for the next stop. */
  readonly resumes?: boolean;
}

/** What goes with a protocol whose messages carry no ids: lanes in which answers keep their order. */
export interface LaneTable {
  /** Lanes by name: whether commands of it wait while the program runs. */
  readonly lanes: { readonly [lane: string]: { readonly waits: boolean } };
  readonly commands: { readonly [name: string]: CommandAnswers };
  /** Messages that come without being asked for, when the program stops. */
  readonly stops: readonly string[];
  /** Messages that belong to nothing: notes for people. */
  readonly notes: readonly AnswerPattern[];
  /** The other side broke down over the command that is at its turn; what follows it is the second message. */
  readonly breakdown?: AnswerPattern;
  /** What answers a command that the other side does not know; its text ends with the command. */
  readonly unknown?: AnswerPattern & { readonly lane: string };
}

/** Whether a message is one that a pattern means. */
export function matchesPattern(pattern: AnswerPattern, name: string, body: unknown): boolean {
  if (pattern.name !== name) return false;
  const { begins, where } = pattern;
  if (begins !== undefined) {
    const text = textOf(pattern, body);
    if (!begins.some((start) => text.startsWith(start))) return false;
  }
  return Object.entries(where ?? {}).every(([pointer, value]) => partOf(body, pointer) === value);
}

/** The text that a message says, by its pattern. */
export function textOf({ says = "/text" }: AnswerPattern, body: unknown): string {
  const text = partOf(body, says);
  return typeof text === "string" ? text : "";
}
