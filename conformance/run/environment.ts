import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Capabilities } from "@wirewright/dap/types";
import { foreignText } from "../cases/base-cases.js";
import { fillIn, ProgramError } from "../session/programs.js";
import type { Suite } from "../session/suite.js";
import type { Reasons } from "../session/verdict.js";

interface Outcome {
  /** The exit status, or the reason why there is none. */
  readonly end: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Finds out, without the adapter, which checks this machine cannot exercise. If a probe cannot run,
 * the machine is assumed to be able.
 */
export async function probeEnvironment(suite: Suite, capabilities: Capabilities): Promise<Reasons> {
  const { programs, attach } = suite;
  const reasons: Record<string, string> = await probeOutput(suite);
  if (programs.language.isNative !== true) return reasons;
  const source = join(suite.fixtures, "probes/machine.c");
  const probe = join(programs.output, "machine");
  mkdirSync(programs.output, { recursive: true });
  if ((await outcomeOf("gcc", ["-o", probe, source])).end !== 0) return reasons;
  const isUnable = async (ability: string): Promise<boolean> =>
    (await outcomeOf(probe, [ability])).end === 3;
  if (capabilities.supportsDataBreakpoints === true && (await isUnable("watch")))
    for (const check of ["bp-14", "bp-40"])
      reasons[check] = "hardware watchpoints do not fire on this machine";
  if (attach !== undefined && attach.isAdapter !== true && (await isUnable("attach")))
    for (const check of ["attach-01", "end-03", "end-13"])
      reasons[check] = "this machine does not let a process attach to another";
  return reasons;
}

/** Runs the program `io` on its own, to see what it prints and how it ends. */
async function probeOutput({ programs }: Suite): Promise<Record<string, string>> {
  const { run } = programs.language;
  if (!programs.has("io") || !run.includes("${program}")) return {};
  try {
    const { program } = programs.get("io");
    const [command, ...args] = fillIn(run, { program });
    const { end, stdout, stderr } = await outcomeOf(command!, args);
    const without = "without a debugger, the program";
    return {
      ...(stdout.includes(foreignText)
        ? {}
        : { "out-01": `${without} does not print "${foreignText}" to stdout: ${end}` }),
      ...(stderr.includes("warning")
        ? {}
        : { "out-02": `${without} does not print "warning" to stderr: ${end}` }),
      ...(end === 3 ? {} : { "end-08": `${without} does not exit with 3: ${end}` }),
    };
  } catch (error) {
    // The cases of a program that cannot be built are not applicable, anyway.
    if (error instanceof ProgramError) return {};
    throw error;
  }
}

function outcomeOf(command: string, args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(command, [...args], { timeout: 20_000 }, (error, stdout, stderr) => {
      const end = error === null ? 0 : (error.code ?? error.signal ?? error.message);
      resolve({ end, stdout, stderr });
    });
  });
}
