import { partOf } from "../base/json-pointer.js";

/** A kind of message that answers a command. */
export interface AnswerPattern {
  /** Name of the message. */
  readonly name: string;
  /** The text of the message begins with one of these strings. Absent: any text. */
  readonly begins?: readonly string[];
  /** Values that parts of its body must have, by JSON Pointer. */
  readonly where?: { readonly [pointer: string]: unknown };
  /** JSON Pointer to the error message. */
  readonly says?: string;
}

/** How a command is answered. */
export interface CommandAnswers {
  /** Lane that the command belongs to. */
  readonly lane: string;
  /** Messages that report success. Empty if nothing does. */
  readonly answers: readonly string[];
  readonly failures: readonly AnswerPattern[];
  /** Argument that is a list: one answer arrives for each of its items. */
  readonly each?: string;
  /** Argument values for which no answer arrives. */
  readonly silentWith?: { readonly [argument: string]: unknown };
  /** Argument without which no answer arrives. */
  readonly silentWithout?: string;
  /** Whether the answer is text of any length. */
  readonly isText?: boolean;
  /** Whether the command resumes the program, so that its lane waits for the next stop. */
  readonly resumes?: boolean;
}

/** The lanes of a protocol without ids. Answers keep their order within a lane. */
export interface LaneTable {
  /** Lanes by name, and whether their commands wait while the program runs. */
  readonly lanes: { readonly [lane: string]: { readonly waits: boolean } };
  readonly commands: { readonly [name: string]: CommandAnswers };
  /** Unsolicited messages that report that the program has stopped. */
  readonly stops: readonly string[];
  /** Notes for the user, which answer no command. */
  readonly notes: readonly AnswerPattern[];
  /**
   * The peer failed while it ran the current command. The message after it contains the details.
   */
  readonly breakdown?: AnswerPattern;
  /** The answer to a command that the peer does not know. Its text ends with the command. */
  readonly unknown?: AnswerPattern & { readonly lane: string };
}

/** Whether a message matches a pattern. */
export function matchesPattern(pattern: AnswerPattern, name: string, body: unknown): boolean {
  if (pattern.name !== name) return false;
  const { begins, where } = pattern;
  if (begins !== undefined) {
    const text = textOf(pattern, body);
    if (!begins.some((start) => text.startsWith(start))) return false;
  }
  return Object.entries(where ?? {}).every(([pointer, value]) => partOf(body, pointer) === value);
}

/** The text of a message. */
export function textOf({ says = "/text" }: AnswerPattern, body: unknown): string {
  const text = partOf(body, says);
  return typeof text === "string" ? text : "";
}
