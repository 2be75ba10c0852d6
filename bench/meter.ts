/** Preloaded into a measured process: its last line on stderr is what the process has used. */
import { readFileSync } from "node:fs";

/** Peak memory in kilobytes. `maxRSS` is at least that of the process which started this one. */
function peak(): number {
  try {
    const status = readFileSync("/proc/self/status", "utf8");
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)![1]);
  } catch {
    // Only Linux has the file.
    return process.resourceUsage().maxRSS;
  }
}

process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  process.stderr.write(`\nmetered ${user + system} ${peak()}\n`);
});
