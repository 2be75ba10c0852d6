import { isBranded, setBrand } from "@wirewright/runtime";

/**
 * Why a session's method failed.
 *
 * - `ERR_SESSION_ENDED`: the program has ended, or can no longer be debugged
 * - `ERR_SESSION_RUNNING`: the program is running, so there is nothing to resume
 * - `ERR_SESSION_RESTART`: neither the adapter nor `launch` can start the program again
 * - `ERR_SESSION_THREAD`: the program has no thread
 * - `ERR_SESSION_RESPONSE`: the adapter's response cannot be used
 * - `ERR_SESSION_CHILD`: the adapter requested a child session that cannot be started, because the
 *   request is invalid, or `maxChildDepth` or `maxChildren` is reached
 */
export type SessionErrorCode =
  | "ERR_SESSION_ENDED"
  | "ERR_SESSION_RUNNING"
  | "ERR_SESSION_RESTART"
  | "ERR_SESSION_THREAD"
  | "ERR_SESSION_RESPONSE"
  | "ERR_SESSION_CHILD";

const brand = /* @__PURE__ */ Symbol.for("wirewright.SessionError");

/** Thrown when a session's method fails. Check `code` for the reason. */
export class SessionError extends Error {
  override readonly name = "SessionError";
  readonly code: SessionErrorCode;

  constructor(code: SessionErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    setBrand(this, brand);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(this, SessionError, brand, value);
  }
}
