/**
 * Preloaded into a process that is being measured. At exit, prints the time and memory used, as the
 * last line on stderr.
 */
import { readFileSync } from "node:fs";

/**
 * Returns the peak memory in kilobytes. `maxRSS` is never lower than the peak of the process that
 * started this one.
 */
function peak(): number {
  try {
    const status = readFileSync("/proc/self/status", "utf8");
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)![1]);
  } catch {
    // `/proc/self/status` exists only on Linux.
    return process.resourceUsage().maxRSS;
  }
}

/**
 * This thread's processor time in nanoseconds, read from a file that exists only on Linux. On other
 * systems, the result is 0.
 */
function mainThread(): number {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(" ")[0]);
  } catch {
    return 0;
  }
}

process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  const main = mainThread();
  process.stderr.write(`\nmetered ${user + system} ${peak()} ${main}\n`);
});
