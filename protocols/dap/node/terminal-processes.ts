import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import { option } from "@wirewright/runtime";
import type { RunInTerminalRequestArguments } from "../../../generated/dap/types.js";

/** Options for `terminalProcesses`. */
export interface TerminalOptions {
  /**
   * The standard streams of the processes. Default: `inherit`, which means the streams of this
   * process.
   */
  readonly stdio?: StdioOptions;
  /** Milliseconds between the signal at the session's end and SIGKILL. Default: 1,000. */
  readonly killGraceMs?: number;
  /** Called with each process. */
  readonly onProcess?: (process: ChildProcess) => void;
}

const terminalChecks = (): option.OptionChecks<TerminalOptions> => ({
  stdio: option.either(option.text, option.listOf(option.anything)),
  killGraceMs: option.milliseconds,
  onProcess: option.callback,
});

/** An object whose connection ends at some point, such as a session. */
interface Ending {
  readonly connection: { readonly closed: Promise<unknown> };
}

/**
 * Creates the `runInTerminal` option for a session. It runs commands as processes, and kills them
 * when the session ends.
 */
export function terminalProcesses(
  options: TerminalOptions = {},
): (arguments_: RunInTerminalRequestArguments, session: Ending) => Promise<{ processId: number }> {
  option.checkOptions("terminalProcesses", options, terminalChecks());
  const { stdio = "inherit", killGraceMs = 1_000, onProcess } = options;
  return async ({ args, cwd, env = {}, ...rest }, { connection }) => {
    const { argsCanBeInterpretedByShell: shell = false } = rest as {
      readonly argsCanBeInterpretedByShell?: boolean;
    };
    const merged: NodeJS.ProcessEnv = { ...process.env, ...(env as object) };
    for (const [name, value] of Object.entries(merged) as [string, unknown][])
      if (value === null) delete merged[name];
    const [command = "", ...commandArguments] = args;
    // Some adapters send an empty string for the folder.
    const child = spawn(command, commandArguments, {
      shell,
      stdio,
      env: merged,
      ...(cwd === "" || cwd === undefined ? {} : { cwd }),
    });
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", reject);
    });
    child.on("error", () => undefined);
    void connection.closed.then(() => {
      child.kill();
      const timer = setTimeout(() => child.kill("SIGKILL"), killGraceMs);
      child.once("exit", () => clearTimeout(timer));
    });
    onProcess?.(child);
    return { processId: child.pid! };
  };
}
