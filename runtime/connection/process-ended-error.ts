import { isBranded, setBrand } from "../base/branded-class.js";

const brand = /* @__PURE__ */ Symbol.for("wirewright.ProcessEndedError");

/** How a process ended. */
export interface ProcessEnd {
  /** The exit code, or null if a signal ended the process. */
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** Thrown when a process ends in any way other than with exit code 0. */
export class ProcessEndedError extends Error implements ProcessEnd {
  override readonly name = "ProcessEndedError";
  readonly code = "ERR_PROCESS_ENDED";
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The last lines of stderr, if stderr was read. */
  readonly errorOutput: string;

  constructor(end: ProcessEnd, errorOutput: string) {
    super(describeEnd(end, errorOutput));
    this.exitCode = end.exitCode;
    this.signal = end.signal;
    this.errorOutput = errorOutput;
    setBrand(this, brand);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(this, ProcessEndedError, brand, value);
  }
}

/** Describes how a process ended, as a sentence without a full stop. */
export function describeEnd({ exitCode, signal }: ProcessEnd, errorOutput: string): string {
  const end =
    signal === null
      ? `the process ended with exit code ${exitCode}`
      : `the process was ended by ${signal}`;
  const last = makeVisible(errorOutput);
  return last === "" ? end : `${end}; its error output ends with:\n${last.replace(/^/gm, "  ")}`;
}

/** Escapes control characters and characters that change the text direction. */
function makeVisible(text: string): string {
  return text
    .replace(/\r\n/g, "\n")
    .replace(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
}
