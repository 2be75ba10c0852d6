import { isBranded, setBrand } from "../../runtime/base/errors.js";
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
  | "ERR_COMPILE"
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

const brand = /* @__PURE__ */ Symbol.for("wirewright.InputError");

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
  /** All faults that were found, of which this is the first. */
  readonly faults: readonly InputError[];

  constructor(code: InputErrorCode, message: string, place: InputPlace = {}, hint?: string) {
    super(visible(message));
    this.code = code;
    this.place = place;
    this.hint = hint === undefined ? undefined : visible(hint);
    this.faults = [this];
    setBrand(this, brand);
  }

  /** Each bundle of the tool may have a copy of this class. */
  static override [Symbol.hasInstance](value: unknown): value is InputError {
    return isBranded(this, InputError, brand, value);
  }

  /** Creates an error for several faults. Its code, message and place are those of the first. */
  static ofAll([first, ...others]: readonly [InputError, ...InputError[]]): InputError {
    if (others.length === 0) return first;
    const error = new InputError(first.code, first.message, first.place, first.hint);
    (error as { faults: readonly InputError[] }).faults = [first, ...others];
    return error;
  }
}

/** Maximum number of places to print for several faults, and for those with the same cause. */
const maxPlaces = 50;
const maxPlacesOfCause = 10;

/**
 * Prints an input error as one or two lines: the location, message and code, followed by the hint.
 */
export function formatInputError(error: InputError): string {
  if (error.faults.length > 1) return formatFaults(error.faults);
  const where = placeText(error.place);
  const head = where === "" ? error.message : `${where}: ${error.message}`;
  return `${head} [${error.code}]${error.hint === undefined ? "" : `\n  ${error.hint}`}`;
}

function placeText({ file, pointer, line, column }: InputPlace): string {
  const position = line === undefined ? "" : `:${line}:${column ?? 1}`;
  return [file === undefined ? "" : `${visible(file)}${position}`, visible(pointer ?? "")]
    .filter((part) => part !== "")
    .join(" ");
}

/** Prints each cause once, with the places where it occurs. */
function formatFaults(faults: readonly InputError[]): string {
  const causes = new Map<string, InputError[]>();
  for (const fault of faults) {
    const cause = `${fault.message} [${fault.code}]`;
    causes.set(cause, [...(causes.get(cause) ?? []), fault]);
  }
  let left = maxPlaces;
  const groups: string[] = [];
  let printed = 0;
  for (const [cause, places] of causes) {
    if (left === 0) break;
    if (places.length === 1) {
      groups.push(formatInputError(places[0]!));
      [left, printed] = [left - 1, printed + 1];
      continue;
    }
    const shown = places.slice(0, Math.min(maxPlacesOfCause, left));
    [left, printed] = [left - shown.length, printed + places.length];
    const rest = places.length - shown.length;
    const { hint } = places[0]!;
    groups.push(
      [
        `${cause}, ${places.length} times`,
        ...(hint === undefined ? [] : [`  ${hint}`]),
        ...shown.map(({ place }) => `  - ${placeText(place)}`),
        ...(rest === 0 ? [] : [`  - and ${rest} more`]),
      ].join("\n"),
    );
  }
  const rest = faults.length - printed;
  return [
    `Found ${faults.length} faults:`,
    ...groups,
    ...(rest === 0 ? [] : [`and ${rest} more`]),
  ].join("\n");
}

/** Why the system refused something, by its error code. */
const systemReasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EADDRINUSE: "another program uses this port",
  EADDRNOTAVAIL: "this computer does not have this address",
  EAI_AGAIN: "the name of the host cannot be resolved",
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the other side closed the connection",
  EHOSTUNREACH: "the host cannot be reached",
  EISDIR: "it is a folder",
  ENETUNREACH: "the network cannot be reached",
  ENOENT: "there is no such folder",
  ENOSPC: "no space is left on the device",
  ENOTDIR: "a part of its path is a file",
  ENOTFOUND: "there is no such host",
  EPERM: "the operation is not permitted",
  EROFS: "the file system is read-only",
  ETIMEDOUT: "timed out",
};

/**
 * Describes a system error, such as "permission denied". For other errors, Node puts a text between
 * a code and the name of the system call, which may be followed by the path of a temporary file.
 */
export function systemReason(error: unknown): string {
  const { message, code = "" } = error as NodeJS.ErrnoException;
  return systemReasons[code] ?? /^[A-Z]+: (.*?), \w+(?: '[^]*)?$/.exec(message)?.[1] ?? message;
}
