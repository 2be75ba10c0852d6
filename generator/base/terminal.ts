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
   * Shows the progress of a long-running task, but only on a terminal. An empty string clears the
   * line.
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
  const colours = wanted || (process.stdout.isTTY === true && allowed);
  const errorColours = wanted || (process.stderr.isTTY === true && allowed);
  // Ignore errors: there is no stream left to report them to, and a tap must keep forwarding.
  process.stderr.on("error", () => undefined);
  return {
    out(text) {
      if (!isWatched) watch();
      process.stdout.write(`${printable(text, colours)}\n`);
    },
    error: (text) => void process.stderr.write(`${printable(text, errorColours)}\n`),
    columns: process.stdout.columns ?? 100,
    progress(text) {
      if (process.stderr.isTTY === true)
        process.stderr.write(`\r\u001b[K${printable(text, false)}`);
    },
    colours,
    errorColours,
  };
}
