import { visible } from "./visible-text.js";

/** Where commands print; replaceable in tests. */
export interface Terminal {
  /** Prints lines. What of them is foreign has gone through `visible`, or through what prints its format. */
  out(text: string): void;
  /** The same to the error output. */
  error(text: string): void;
  /** Whether `out` goes to a terminal that shows colours. */
  readonly colours: boolean;
  /** The same of `error`. */
  readonly errorColours: boolean;
  /** Width of `out` in characters. */
  readonly columns: number;
  /** Shows how far long work is, on a terminal only; an empty text ends it. */
  progress(text: string): void;
}

export function processTerminal(): Terminal {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  const wanted = FORCE_COLOR !== undefined && FORCE_COLOR !== "0";
  const allowed = (NO_COLOR ?? "") === "" && TERM !== "dumb";
  const watch = (): void => {
    isWatched = true;
    process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
      // Whoever reads has seen enough, as `head` has: the status is still the command's.
      if (code === "EPIPE") return;
      process.stderr.write(`Cannot write the output: ${visible(message)} [ERR_OUTPUT]\n`);
      process.exit(2);
    });
  };
  let isWatched = false;
  // Nobody can be told. A tap goes on for those whom it stands between.
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
