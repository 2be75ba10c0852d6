import type { ChildProcess } from "node:child_process";

/** Milliseconds between the signal and SIGKILL when our process exits. */
const exitMs = 100;

const children = new Map<ChildProcess, NodeJS.Signals | number>();

/** Ends a child process when our process exits. */
export function killOnExit(child: ChildProcess, signal: NodeJS.Signals | number): void {
  if (children.size === 0) process.on("exit", killChildren);
  children.set(child, signal);
  child.once("exit", () => {
    children.delete(child);
    if (children.size === 0) process.off("exit", killChildren);
  });
}

/** Block until the children exit, because nothing asynchronous runs in an exit listener. */
function killChildren(): void {
  for (const [child, signal] of children) child.kill(signal);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, exitMs);
  for (const child of children.keys()) child.kill("SIGKILL");
}
