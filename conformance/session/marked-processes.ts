import { randomUUID } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";

/** Name of the environment variable that marks a case's processes. */
export const markName = "WIREWRIGHT_CONFORMANCE_CASE";

export const newMark = (): string => randomUUID();

interface MarkedProcess {
  readonly pid: number;
  readonly commandLine: string;
}

/**
 * Returns the processes that inherited a mark, or undefined if the system does not expose
 * environments in `/proc`.
 */
function markedProcesses(mark: string): readonly MarkedProcess[] | undefined {
  if (process.platform !== "linux") return undefined;
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        if (!readFileSync(`/proc/${name}/environ`, "latin1").includes(`${markName}=${mark}`))
          return [];
        const isZombie = / Z /.test(readFileSync(`/proc/${name}/stat`, "latin1").slice(0, 60));
        const commandLine = readFileSync(`/proc/${name}/cmdline`, "utf8");
        return isZombie ? [] : [{ pid: Number(name), commandLine }];
      } catch {
        // The process has ended, or belongs to another user.
        return [];
      }
    });
}

/**
 * Returns whether a marked process other than the adapter has the program in its command line, or
 * undefined if this is unknown.
 */
export function isMarkedRunning(
  mark: string,
  program: string,
  adapter: number | undefined,
): boolean | undefined {
  return markedProcesses(mark)?.some(
    ({ pid, commandLine }) => pid !== adapter && commandLine.includes(program),
  );
}

/** Kills any marked processes that remain. */
export function endMarked(mark: string): void {
  for (const { pid } of markedProcesses(mark) ?? [])
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // Ignore the failure: the process has already ended.
    }
}
