import { isBranded, setBrand } from "../base/errors.js";
import { causedBy, ConnectionClosedError } from "../connection/call-errors.js";
import type { FrameFaultCode } from "../frames/frame-faults.js";

/**
 * Why a command failed.
 *
 * - `ERR_COMMAND_FAILED`: the peer refused it; see `answers`
 * - `ERR_ANSWER_MISSING`: a later command in its lane was answered first
 * - `ERR_ANSWER_TOO_LONG`: the text answer exceeds the body-size limit
 * - `ERR_INVALID_MESSAGE`: its answer is invalid; see `checkIncoming`
 * - `ERR_COMMANDS_WAITING`: the command was not sent, because too many are awaiting an answer
 */
export type LaneErrorCode =
  | "ERR_COMMAND_FAILED"
  | "ERR_ANSWER_MISSING"
  | "ERR_ANSWER_TOO_LONG"
  | "ERR_INVALID_MESSAGE"
  | "ERR_COMMANDS_WAITING";

const laneErrorBrand = /* @__PURE__ */ Symbol.for("wirewright.LaneError");

/**
 * Thrown when a command fails. Check `code` for the reason. A command that takes too long fails
 * with a `TimeoutError` instead.
 */
export class LaneError extends Error {
  override readonly name = "LaneError";
  readonly code: LaneErrorCode;
  readonly command: string;
  /** All messages that answered the command. */
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
    setBrand(this, laneErrorBrand);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(this, LaneError, laneErrorBrand, value);
  }
}

/**
 * Why a connection ended, other than by `close` or a fault in strict recovery.
 *
 * - `ERR_TRANSPORT`: writing failed
 * - `ERR_COMMANDS_WAITING`: the peer has sent more commands than may be queued
 * - `ERR_COMMAND_HANDLER`: a handler failed, and its lane cannot continue or the peer cannot be
 *   informed
 */
export type LaneProblemCode = "ERR_TRANSPORT" | "ERR_COMMANDS_WAITING" | "ERR_COMMAND_HANDLER";

/** The problem that ended a connection. */
export interface LaneProblem {
  readonly code: LaneProblemCode | FrameFaultCode;
  /** A human-readable sentence about the problem. */
  readonly message: string;
  /** The exception, or the fault in the stream. */
  readonly cause?: unknown;
}

/**
 * Creates the error for a command that is pending when the connection ends.
 *
 * @param problem The problem that ended the connection, if any. It becomes the `cause`.
 */
export function laneClosedError(
  text: string,
  problem: LaneProblem | undefined,
): ConnectionClosedError {
  const why = problem === undefined ? "" : `: ${problem.message}`;
  return new ConnectionClosedError(`${text}${why}`, causedBy(problem));
}
