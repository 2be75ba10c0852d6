import { spawnSync } from "node:child_process";
import { fromRoot } from "./paths.js";

export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line tool in a folder, to its end. */
export function runCommand(
  cwd: string,
  args: readonly string[],
  input?: string,
  env: NodeJS.ProcessEnv = {},
): Outcome {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [fromRoot("build/generator/cli.js"), ...args],
    {
      cwd,
      encoding: "utf8",
      input,
      env: { ...process.env, ...env },
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  return { status, stdout, stderr };
}
