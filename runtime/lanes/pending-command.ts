import type { StringBuilder } from "../base/string-builder.js";
import type { LaneError } from "./lane-error.js";
import type { CommandAnswers } from "./lane-table.js";
import { getField } from "../base/own-fields.js";

/** Stands for the answer to a command that the protocol does not define. */
export const anyAnswer = "*";

/** A command that waits for its answers. */
export interface PendingCommand {
  readonly command: string;
  readonly values: object | undefined;
  readonly answers: CommandAnswers;
  readonly count: number;
  readonly received: object[];
  /** How it was written, without what is escaped with backslashes. */
  line: string;
  /** The text so far, of a command that is answered by text. */
  text: StringBuilder;
  /** Whether any text has come, even if it is not kept. */
  hasText: boolean;
  /** Whether the last line of the text has not ended. */
  isLineOpen: boolean;
  failure: LaneError | undefined;
  readonly resolve: (answers: readonly object[]) => void;
  readonly reject: (error: Error) => void;
  /** End the waits for an answer, and for a text to go on. */
  stopTimer: () => void;
  stopSilence: () => void;
}

/** Whether it is not known what answers a command. */
export function isCustom({ answers }: CommandAnswers): boolean {
  return answers.includes(anyAnswer);
}

/** Whether a command is answered by text of any length. */
export function isText({ isText: is }: CommandAnswers): boolean {
  return is === true;
}

/** How many answers a command gets. */
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
