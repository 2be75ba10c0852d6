import { inspect } from "node:util";
import { visible } from "../generator/base/visible-text.js";
import type { Terminal } from "../generator/base/terminal.js";

/** Removes `--debug` from the arguments before `--`. Every command accepts this option. */
export function withoutDebug(given: readonly string[]): {
  readonly args: readonly string[];
  readonly isDebug: boolean;
} {
  const end = given.indexOf("--");
  const own = end < 0 ? given : given.slice(0, end);
  const args = [...own.filter((each) => each !== "--debug"), ...given.slice(own.length)];
  return {
    args,
    isDebug: args.length < given.length || (process.env["WIREWRIGHT_DEBUG"] ?? "") !== "",
  };
}

/** Node's exit status when a top-level `await` never settles. */
const neverSettled = 13;

/**
 * Reports bugs in wirewright itself as a readable message, and exits with status 2. Status 1 is
 * reserved for findings.
 *
 * @param isDebug Whether to print the stack as well.
 */
export function reportCrashes(terminal: Terminal, isDebug: boolean): void {
  process.on("uncaughtException", (error: unknown) => {
    terminal.error(crashText(error, isDebug));
    process.exit(2);
  });
  process.on("exit", (status) => {
    if (status !== neverSettled && process.exitCode !== neverSettled) return;
    terminal.error(crashText("Stuck: a promise never settled", isDebug));
    process.exitCode = 2;
  });
}

function crashText(error: unknown, isDebug: boolean): string {
  const isError = error instanceof Error;
  const what = isError ? `${error.name}: ${error.message}` : inspect(error);
  const [line = ""] = what.split("\n");
  const advice = isDebug
    ? "Please report it with this output and, if possible, the input"
    : "Please report it with the output of --debug and, if possible, the input";
  return [
    `wirewright stopped because of a bug: ${visible(line.slice(0, 500))} [ERR_INTERNAL]`,
    `  ${advice}`,
    ...(isDebug && isError ? (error.stack ?? "").split("\n").map(visible) : []),
  ].join("\n");
}
