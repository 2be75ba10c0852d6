import type { ChildProcess } from "node:child_process";

/** Milliseconds that children have between the signal and their end when our process ends. */
const exitMs = 100;

const children = new Map<ChildProcess, NodeJS.Signals | number>();

/** Ends a child process when ours ends, as far as we get to know of that. */
export function killOnExit(child: ChildProcess, signal: NodeJS.Signals | number): void {
  if (children.size === 0) process.on("exit", killChildren);
  children.set(child, signal);
  child.once("exit", () => {
    children.delete(child);
    if (children.size === 0) process.off("exit", killChildren);
  });
}

/** Nothing asynchronous happens any more: those that need time get it while we wait. */
function killChildren(): void {
  for (const [child, signal] of children) child.kill(signal);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, exitMs);
  for (const child of children.keys()) child.kill("SIGKILL");
}
