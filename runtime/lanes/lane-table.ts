import { partOf } from "../base/json-pointer.js";

/** A kind of message that answers a command. */
export interface AnswerPattern {
  readonly name: string;
  /** Strings with which the text of the message may begin. If absent, any text matches. */
  readonly begins?: readonly string[];
  /** Required values in the body, by JSON Pointer. */
  readonly where?: { readonly [pointer: string]: unknown };
  /** JSON Pointer to the error message in the body. */
  readonly says?: string;
}

/** How a command is answered. */
export interface CommandAnswers {
  /** The lane of the command. */
  readonly lane: string;
  /** Names of messages that report success. Empty if no message does. */
  readonly answers: readonly string[];
  readonly failures: readonly AnswerPattern[];
  /** Argument that is an array: one answer arrives for each of its items. */
  readonly each?: string;
  /** Argument values for which no answer arrives. */
  readonly silentWith?: { readonly [argument: string]: unknown };
  /** Name of an argument. If this argument is absent, no answer arrives. */
  readonly silentWithout?: string;
  /** Whether the answer is text of any length. */
  readonly isText?: boolean;
  /** Whether the command resumes the program, so that its lane waits for the next stop. */
  readonly resumes?: boolean;
}

/** The lanes of a protocol without ids. Answers keep their order within a lane. */
export interface LaneTable {
  /** For each lane, by name: whether its commands wait while the program is running. */
  readonly lanes: { readonly [lane: string]: { readonly waits: boolean } };
  readonly commands: { readonly [name: string]: CommandAnswers };
  /** Unsolicited messages that report that the program has stopped. */
  readonly stops: readonly string[];
  /** Notes for the user. They answer no command. */
  readonly notes: readonly AnswerPattern[];
  /**
   * The message that reports that the peer failed while running the current command. The next
   * message contains the details.
   */
  readonly breakdown?: AnswerPattern;
  /** The answer to a command that the peer does not know. Its text ends with the command. */
  readonly unknown?: AnswerPattern & { readonly lane: string };
}

export function matchesPattern(pattern: AnswerPattern, name: string, body: unknown): boolean {
  if (pattern.name !== name) return false;
  const { begins, where } = pattern;
  if (begins !== undefined) {
    const text = textOf(pattern, body);
    if (!begins.some((start) => text.startsWith(start))) return false;
  }
  return Object.entries(where ?? {}).every(([pointer, value]) => partOf(body, pointer) === value);
}

export function textOf({ says = "/text" }: AnswerPattern, body: unknown): string {
  const text = partOf(body, says);
  return typeof text === "string" ? text : "";
}
