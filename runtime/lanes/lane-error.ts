import type { FrameErrorCode } from "../frames/frame-errors.js";

/**
 * Why a command came to nothing.
 *
 * - `ERR_COMMAND_FAILED`: the other side refused it; `answers` are what it said
 * - `ERR_ANSWER_MISSING`: its lane went on without an answer to it
 * - `ERR_ANSWER_LATE`: no answer in the time given
 * - `ERR_ANSWER_TOO_LONG`: an answer in text that is longer than a body may be
 * - `ERR_COMMANDS_WAITING`: it was not sent, since too many commands wait for an answer
 * - `ERR_CONNECTION_CLOSED`: the connection ended; `cause` is what ended it, if that was a problem
 */
export type LaneErrorCode =
  | "ERR_COMMAND_FAILED"
  | "ERR_ANSWER_MISSING"
  | "ERR_ANSWER_LATE"
  | "ERR_ANSWER_TOO_LONG"
  | "ERR_COMMANDS_WAITING"
  | "ERR_CONNECTION_CLOSED";

/** A command that came to nothing. Match on `code`. */
export class LaneError extends Error {
  override readonly name = "LaneError";
  readonly code: LaneErrorCode;
  readonly command: string;
  /** What the other side said, all of it. */
  readonly answers: readonly object[];

  constructor(
    code: LaneErrorCode,
    command: string,
    message: string,
    answers: readonly object[] = [],
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.command = command;
    this.answers = answers;
  }
}

/**
 * What ends a connection before anybody closes it, besides a fault of the stream in strict recovery.
 *
 * - `ERR_TRANSPORT`: writing failed
 * - `ERR_COMMANDS_WAITING`: the other side has sent more commands than may wait for their turn
 * - `ERR_COMMAND_HANDLER`: a handler failed, and its lane cannot go on or the other side cannot be told
 */
export type LaneProblemCode = "ERR_TRANSPORT" | "ERR_COMMANDS_WAITING" | "ERR_COMMAND_HANDLER";

/** Why a connection ended that nobody closed. */
export interface LaneProblem {
  readonly code: LaneProblemCode | FrameErrorCode;
  /** Sentence for people. */
  readonly text: string;
  /** What was thrown, or the fault of the stream. */
  readonly cause?: unknown;
}
