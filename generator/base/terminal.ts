import { systemReason } from "./input-error.js";
import { visible } from "./visible-text.js";

/** The output of commands. Tests replace it. */
export interface Terminal {
  /** Prints lines. Callers escape foreign text first, with `visible` or with the printer of the output format. */
  out(text: string): void;
  /** Prints lines to stderr. */
  error(text: string): void;
  /** Whether to print colours with `out`. */
  readonly colours: boolean;
  /** Whether to print colours with `error`. */
  readonly errorColours: boolean;
  /** Width of `out` in characters. */
  readonly columns: number;
  /** Shows the progress of a long task, on a terminal only. An empty string clears it. */
  progress(text: string): void;
}

export function processTerminal(): Terminal {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  const wanted = FORCE_COLOR !== undefined && FORCE_COLOR !== "0";
  const allowed = (NO_COLOR ?? "") === "" && TERM !== "dumb";
  const watch = (): void => {
    isWatched = true;
    process.stdout.on("error", (error: NodeJS.ErrnoException) => {
      // The reader closed the pipe, as `head` does: keep the exit status of the command.
      if (error.code === "EPIPE") return;
      process.stderr.write(
        `Cannot write the output: ${visible(systemReason(error))} [ERR_OUTPUT]\n`,
      );
      process.exit(2);
    });
  };
  let isWatched = false;
  // There is nothing left to report to, and a tap must keep forwarding.
  process.stderr.on("error", () => undefined);
  return {
    out(text) {
      if (!isWatched) watch();
      process.stdout.write(`${text}\n`);
    },
    error: (text) => void process.stderr.write(`${text}\n`),
    columns: process.stdout.columns ?? 100,
    progress(text) {
      if (process.stderr.isTTY === true) process.stderr.write(`\r\u001b[K${text}`);
    },
    colours: wanted || (process.stdout.isTTY === true && allowed),
    errorColours: wanted || (process.stderr.isTTY === true && allowed),
  };
}
