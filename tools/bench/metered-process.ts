/** Runs Node processes and measures their total processor time and peak memory. */
import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from "node:child_process";
import { once } from "node:events";

/** The time and memory that a process uses from start to end, summed over all threads. */
export interface Usage {
  /** Processor time in nanoseconds. */
  readonly time: number;
  /** Peak memory in megabytes. */
  readonly peak: number;
  /** Processor time of the main thread in nanoseconds; 0 if unknown. */
  readonly main: number;
}

const meter = new URL("./meter.js", import.meta.url).href;

/** Node arguments that make a process print its usage. */
export const metered: readonly string[] = ["--import", meter];

/**
 * Runs a process until it exits. `usage` is undefined if the exit status is higher than `accepted`.
 */
export function runMetered(
  args: readonly string[],
  accepted = 0,
): {
  readonly usage: Usage | undefined;
  readonly errors: string;
} {
  const { status, stderr } = spawnSync(process.execPath, [...metered, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
    maxBuffer: 1 << 28,
  });
  return {
    usage: status !== null && status <= accepted ? readUsage(stderr) : undefined,
    errors: stderr,
  };
}

/**
 * Starts a process and reads its stderr. Callers must not kill the process with a signal, because
 * it prints its usage on exit.
 */
export function startMetered(
  args: readonly string[],
  options: SpawnOptions,
): { readonly child: ChildProcess; readonly usage: Promise<Usage> } {
  const child = spawn(process.execPath, [...metered, ...args], options);
  return { child, usage: usageOf(child) };
}

/** Returns the usage that a metered process has printed on stderr. */
export async function usageOf(child: ChildProcess): Promise<Usage> {
  let errors = "";
  child.stderr!.on("data", (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-5_000)));
  await once(child, "close");
  const usage = readUsage(errors);
  if (usage === undefined) throw new Error(`a measured process ended early: ${errors}`);
  return usage;
}

function readUsage(errors: string): Usage | undefined {
  const found = /\nmetered (\d+) (\d+) (\d+)\n$/.exec(errors);
  return found === null
    ? undefined
    : { time: Number(found[1]) * 1e3, peak: Number(found[2]) / 1024, main: Number(found[3]) };
}
