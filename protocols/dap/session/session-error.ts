/**
 * Why a session cannot do what it is asked for.
 *
 * - `ERR_SESSION_ENDED`: the program has ended, or can no longer be debugged
 * - `ERR_SESSION_RESTART`: neither the adapter nor `launch` can start the program anew
 * - `ERR_SESSION_THREAD`: the program has no thread
 */
export type SessionErrorCode = "ERR_SESSION_ENDED" | "ERR_SESSION_RESTART" | "ERR_SESSION_THREAD";

/** A session cannot do what it is asked for. Match on `code`. */
export class SessionError extends Error {
  override readonly name = "SessionError";
  readonly code: SessionErrorCode;

  constructor(code: SessionErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
