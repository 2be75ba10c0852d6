import nodeModule from "node:module";
import { inspect } from "node:util";
import { toolVersion } from "../generator/base/bundled.js";
import { formatInputError, InputError, nearest } from "../generator/base/input-error.js";
import { processTerminal, type Terminal } from "../generator/base/terminal.js";
import { visible } from "../generator/base/visible-text.js";
import { argumentError } from "./argument-error.js";

/** The commands by name, each with a short summary and a function that loads its code. */
export type Commands = ReadonlyMap<
  string,
  { readonly about: string; readonly load: () => Promise<Command> }
>;

type Command = (args: readonly string[], terminal: Terminal) => Promise<number>;

/**
 * Runs the named command, and sets the exit status.
 *
 * @param isDebug Whether crashes print a stack.
 */
export async function runCommand(
  commands: Commands,
  [name = "", ...args]: readonly string[],
  isDebug: boolean,
): Promise<void> {
  // Commands start faster with the compile cache, which is available in Node 22.8 and later.
  (nodeModule as { enableCompileCache?: () => void }).enableCompileCache?.();
  const terminal = processTerminal();
  reportCrashes(terminal, isDebug);
  try {
    if (["--version", "-v", "version"].includes(name)) return terminal.out(toolVersion());
    const command = commands.get(name);
    if (command === undefined) throw unknownCommand(name, [...commands.keys()]);
    process.exitCode = await (await command.load())(args, terminal);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    terminal.error(formatInputError(error));
    process.exitCode = 2;
  }
}

function unknownCommand(name: string, names: readonly string[]): InputError {
  const guess = nearest(name, names);
  return argumentError(
    `Cannot find the command "${name}"`,
    guess === undefined ? `Commands: ${names.join(", ")}` : `Did you mean "${guess}"?`,
  );
}

/** Node's exit status when a top-level `await` never settles. */
const neverSettled = 13;

/**
 * Reports bugs in wirewright itself as a readable message, and exits with status 2. Status 1 is
 * reserved for findings.
 *
 * @param isDebug Whether to print the stack as well.
 */
function reportCrashes(terminal: Terminal, isDebug: boolean): void {
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
