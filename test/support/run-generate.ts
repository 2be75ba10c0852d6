import { fromRoot } from "./paths.js";
import { runCommand, type Outcome } from "./run-command.js";

export const cli = fromRoot("build/cli/main.js");

export function wirewright(
  cwd: string,
  args: readonly string[],
  input?: string,
  env: NodeJS.ProcessEnv = {},
): Outcome {
  const outcome = runCommand(cwd, args, input, env);
  return {
    ...outcome,
    stdout: outcome.stdout.replaceAll(/\b\d\d+ files written/g, "all files written"),
  };
}
