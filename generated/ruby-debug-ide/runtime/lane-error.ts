/**
 * Why a command came to nothing.
 *
 * - `ERR_COMMAND_FAILED`: the other side refused it; `answers` are what it said
 * - `ERR_ANSWER_MISSING`: its lane went on without an answer to it
 * - `ERR_ANSWER_LATE`: no answer in the time given
 * - `ERR_CONNECTION_CLOSED`: the connection ended
 */
export type LaneErrorCode =
  "ERR_COMMAND_FAILED" | "ERR_ANSWER_MISSING" | "ERR_ANSWER_LATE" | "ERR_CONNECTION_CLOSED";

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
  ) {
    super(message);
    this.code = code;
    this.command = command;
    this.answers = answers;
  }
}
