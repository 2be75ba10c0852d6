import { systemReason } from "./input-error.js";
import { printable, visible } from "./visible-text.js";

/** Where commands write their output. Tests supply their own. */
export interface Terminal {
  /**
   * Prints lines. Callers must first escape foreign text, using `visible` or the printer for the
   * output format.
   */
  out(text: string): void;
  /** Prints lines to stderr. */
  error(text: string): void;
  /** Whether `out` may print colours. */
  readonly colours: boolean;
  /** Whether `error` may print colours. */
  readonly errorColours: boolean;
  /** Width of `out`, in characters. */
  readonly columns: number;
  /**
   * Shows the progress of a long-running task in a line, but only on a terminal. Printing clears the
   * line, as does an empty string.
   */
  progress(text: string): void;
}

export function processTerminal(): Terminal {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  const wanted = FORCE_COLOR !== undefined && FORCE_COLOR !== "0";
  const allowed = (NO_COLOR ?? "") === "" && TERM !== "dumb";
  const watch = (): void => {
    isWatched = true;
    process.stdout.on("error", (error: NodeJS.ErrnoException) => {
      // If the reader closes the pipe, as `head` does, keep the command's exit status.
      if (error.code === "EPIPE") return;
      process.stderr.write(
        `Cannot write the output: ${visible(systemReason(error))} [ERR_OUTPUT]\n`,
      );
      process.exit(2);
    });
  };
  let isWatched = false;
  let hasProgress = false;
  const progress = (text: string): void => {
    if (process.stderr.isTTY !== true || (text === "" && !hasProgress)) return;
    process.stderr.write(`\r\u001b[K${printable(text, false)}`);
    hasProgress = text !== "";
  };
  const colours = wanted || (process.stdout.isTTY === true && allowed);
  const errorColours = wanted || (process.stderr.isTTY === true && allowed);
  // Ignore errors: there is no stream left to report them to, and a tap must keep forwarding.
  process.stderr.on("error", () => undefined);
  return {
    out(text) {
      if (!isWatched) watch();
      progress("");
      process.stdout.write(`${printable(text, colours)}\n`);
    },
    error(text) {
      progress("");
      process.stderr.write(`${printable(text, errorColours)}\n`);
    },
    columns: process.stdout.columns ?? 100,
    progress,
    colours,
    errorColours,
  };
}
