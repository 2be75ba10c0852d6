import { visible } from "./visible-text.js";

export { nearestText as nearest } from "../../runtime/base/nearest-text.js";

/** The location of a fault in an input. Any of its properties may be unknown. */
export interface InputPlace {
  /** Path or URL as the user wrote it, or `<stdin>`. */
  readonly file?: string;
  /** JSON Pointer (RFC 6901) into the file. */
  readonly pointer?: string;
  /** Line, 1-based. */
  readonly line?: number;
  /** Column, 1-based, in UTF-16 code units. */
  readonly column?: number;
}

/** Codes for faults in an input. `docs/reference/error-codes.md` lists all codes. */
export type InputErrorCode =
  | "ERR_ARGUMENT"
  | "ERR_CONFIG"
  | "ERR_DECLARATION"
  | "ERR_DESCRIPTION"
  | "ERR_DUPLICATE_KEY"
  | "ERR_DUPLICATE_MESSAGE"
  | "ERR_ENCODING"
  | "ERR_JSON"
  | "ERR_KEYWORD"
  | "ERR_MESSAGE"
  | "ERR_NAME"
  | "ERR_NAME_COLLISION"
  | "ERR_NO_SCHEMA"
  | "ERR_OUTPUT"
  | "ERR_OVERLAY_CLASH"
  | "ERR_READ"
  | "ERR_READER"
  | "ERR_REF"
  | "ERR_REF_CYCLE"
  | "ERR_REF_OUTSIDE"
  | "ERR_SCHEMA"
  | "ERR_TOO_DEEP"
  | "ERR_TOO_LARGE"
  | "ERR_UNKNOWN_PROTOCOL"
  | "ERR_UNKNOWN_VERSION";

/**
 * Thrown when an input, such as a schema, a description or a command line, cannot be used. Use
 * `code` to distinguish errors: codes are stable. `message` and `hint` are safe to print, even if
 * they quote the input. `place` is raw data.
 */
export class InputError extends Error {
  override readonly name = "InputError";
  readonly code: InputErrorCode;
  readonly place: InputPlace;
  /** How to fix the input, as a sentence without a final period. */
  readonly hint: string | undefined;

  constructor(code: InputErrorCode, message: string, place: InputPlace = {}, hint?: string) {
    super(visible(message));
    this.code = code;
    this.place = place;
    this.hint = hint === undefined ? undefined : visible(hint);
  }
}

/**
 * Prints an input error as one or two lines: the location, message and code, followed by the hint.
 */
export function formatInputError(error: InputError): string {
  const { file, pointer, line, column } = error.place;
  const position = line === undefined ? "" : `:${line}:${column ?? 1}`;
  const where = [file === undefined ? "" : `${visible(file)}${position}`, visible(pointer ?? "")]
    .filter((part) => part !== "")
    .join(" ");
  const head = where === "" ? error.message : `${where}: ${error.message}`;
  return `${head} [${error.code}]${error.hint === undefined ? "" : `\n  ${error.hint}`}`;
}

/**
 * Returns the text of a system error, such as "no space left on device". Node puts this text
 * between a code and the name of the system call, which may be followed by the path of a temporary
 * file.
 */
export function systemReason(error: unknown): string {
  const { message } = error as Error;
  return /^[A-Z]+: (.*?), \w+(?: '[^]*)?$/.exec(message)?.[1] ?? message;
}
