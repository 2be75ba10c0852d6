import { spawn } from "node:child_process";
import { once } from "node:events";
import { fromRoot } from "../../test/support/paths.js";
import { benches } from "./benches.js";
import type { BenchOptions } from "./report.js";
import type { Printed } from "./results.js";

/**
 * Runs a benchmark in a separate process using the given Node executable.
 * @param onText Receives the rows as text as they are measured. By default, they are printed on
 * stderr.
 */
export async function runUnder(
  path: string,
  name: string,
  options: BenchOptions,
  onText?: (text: string) => void,
): Promise<Printed> {
  const file = fromRoot("build/tools/bench/run-bench.js");
  const args = [...(benches[name]!.nodeArgs ?? []), file, name, JSON.stringify(options)];
  const output = onText === undefined ? "inherit" : "pipe";
  const child = spawn(path, args, { stdio: ["ignore", output, output, "ipc"] });
  let printed: Printed | undefined;
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (part: string) => {
      text += part;
      onText?.(part);
    });
  child.on("message", (message) => (printed = message as Printed));
  const [status] = (await once(child, "close")) as [number | null];
  if (status !== 0 || printed === undefined)
    throw new Error(`${name} failed under ${path}\n${text}`);
  return printed;
}
