import type { TestContext } from "node:test";
import type { Problem } from "@wirewright/dap/connection";
import { spawnAdapter } from "@wirewright/dap/node";
import { fromRoot } from "./paths.js";

export const script = fromRoot("build/test/support/peer-process.js");

export type SpawnOptions = NonNullable<Parameters<typeof spawnAdapter>[2]>;

/** Starts a peer process and collects its problems and its stderr output. */
export async function start(
  context: TestContext,
  peer: readonly string[],
  options: SpawnOptions = {},
): Promise<
  Awaited<ReturnType<typeof spawnAdapter>> & { problems: Problem[]; errorOutput: () => string }
> {
  const problems: Problem[] = [];
  const spawned = await spawnAdapter(process.execPath, [script, ...peer], {
    onProblem: (problem) => void problems.push(problem),
    process: { stdio: "pipe" },
    ...options,
  });
  context.after(() => void spawned.process.kill("SIGKILL"));
  let errorOutput = "";
  spawned.process.stderr?.on("data", (chunk: Buffer) => (errorOutput += chunk.toString()));
  return { ...spawned, problems, errorOutput: () => errorOutput };
}
