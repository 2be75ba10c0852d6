import { partOf } from "../base/json-pointer.js";

/** A kind of message that answers a command. */
export interface AnswerPattern {
  readonly name: string;
  /** Strings that the message's text may begin with. If absent, any text matches. */
  readonly begins?: readonly string[];
  /** Values required in the body, by JSON Pointer. */
  readonly where?: { readonly [pointer: string]: unknown };
  /** JSON Pointer to the error message in the body. Default: `/text`. */
  readonly says?: string;
}

/** How a command is answered. */
export interface CommandAnswers {
  /** The lane of the command. */
  readonly lane: string;
  /** Names of messages that report success; empty if none do. */
  readonly answers: readonly string[];
  readonly failures: readonly AnswerPattern[];
  /** Name of an array argument. One answer arrives for each of its items. */
  readonly each?: string;
  /** Argument values for which no answer arrives. */
  readonly silentWith?: { readonly [argument: string]: unknown };
  /** Name of an argument. If the command lacks it, no answer arrives. */
  readonly silentWithout?: string;
  /** Whether the answer is text of any length. */
  readonly isText?: boolean;
  /** Whether the command resumes the program, which means that its lane waits for the next stop. */
  readonly resumes?: boolean;
}

/** The lanes of a protocol without ids. Within a lane, answers arrive in order. */
export interface LaneTable {
  /** For each lane, by name, whether its commands wait while the program is running. */
  readonly lanes: { readonly [lane: string]: { readonly waits: boolean } };
  readonly commands: { readonly [name: string]: CommandAnswers };
  /** Unsolicited messages that report that the program has stopped. */
  readonly stops: readonly string[];
  /** Messages that are notes for the user and do not answer any command. */
  readonly notes: readonly AnswerPattern[];
  /**
   * The message with which the peer reports that it failed while running the current command. The
   * next message contains the details.
   */
  readonly breakdown?: AnswerPattern;
  /** The answer to a command that the peer does not know. Its text ends with that command. */
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
