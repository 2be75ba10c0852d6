import type { LaneError } from "./lane-error.js";
import type { CommandAnswers } from "./lane-table.js";
import { LaneText } from "./lane-text.js";
import { getField } from "../base/own-fields.js";
import { nothing } from "../base/promises.js";

/** Placeholder for the answers to an undefined command, which are unknown. */
export const anyAnswer = "*";

/** A command awaiting its answers. */
export interface PendingCommand {
  readonly command: string;
  readonly values: object | undefined;
  readonly answers: CommandAnswers;
  readonly count: number;
  readonly received: object[];
  /** The command's line, without backslashes. */
  line: string;
  /** The text received so far, if the answer is text. */
  readonly text: LaneText;
  failure: LaneError | undefined;
  resolve: (answers: readonly object[]) => void;
  reject: (error: unknown) => void;
  /**
   * Milliseconds from when the command is written until it times out; undefined if it never does.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Functions that cancel the timeout, stop watching the signal, and stop the timer that ends a
   * text.
   */
  stopTimer: () => void;
  stopWatching: () => void;
  stopSilence: () => void;
}

export function pendingCommand(
  command: string,
  values: object | undefined,
  answers: CommandAnswers,
  settle: Pick<PendingCommand, "resolve" | "reject" | "timeoutMs">,
): PendingCommand {
  return {
    command,
    values,
    answers,
    count: answerCount(answers, values),
    received: [],
    line: "",
    text: new LaneText(),
    failure: undefined,
    ...settle,
    stopTimer: nothing,
    stopWatching: nothing,
    stopSilence: nothing,
  };
}

/** Returns whether the answers to a command are unknown. */
export function isCustom({ answers }: CommandAnswers): boolean {
  return answers.includes(anyAnswer);
}

/** Returns whether the answer is text of any length. */
export function isText({ isText: is }: CommandAnswers): boolean {
  return is === true;
}

/** Returns the number of answers to expect. */
export function answerCount(answers: CommandAnswers, values: unknown): number {
  const { each, silentWith, silentWithout } = answers;
  if (answers.answers.length === 0) return 0;
  if (
    silentWith !== undefined &&
    Object.entries(silentWith).every(([name, value]) => getField(values, name) === value)
  )
    return 0;
  if (silentWithout !== undefined && isEmpty(getField(values, silentWithout))) return 0;
  if (answers.isText === true) return Infinity;
  const list = each === undefined ? undefined : getField(values, each);
  return Array.isArray(list) ? Math.max(1, list.length) : 1;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}
