import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { withFolder } from "./compile.js";
import { fromRoot, root } from "./paths.js";
import { runCommand } from "./run-command.js";

export const textAdapter = fromRoot("build/examples/text-adapter.js");

export interface Place {
  readonly folder: string;
  /** The path of a text file with four lines. */
  readonly program: string;
  readonly log: string;
}

export function inPlace(run: (place: Place) => Promise<void>): Promise<void> {
  return withFolder(async (folder) => {
    const program = join(folder, "text.txt");
    writeFileSync(program, "one\ntwo\nthree\nfour\n");
    await run({ folder, program, log: join(folder, "session.jsonl") });
  });
}

/**
 * Returns lint's findings about the adapter in a recording, leaving out remarks on allowed
 * behaviour.
 */
export function findingsIn(log: string): unknown {
  const { stdout } = runCommand(root, ["lint", log, "--format", "json"]);
  const { findings } = JSON.parse(stdout) as { findings: { from: string; severity: string }[] };
  return findings.filter(({ from, severity }) => from !== "client" && severity !== "info");
}
