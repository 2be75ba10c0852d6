import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** An event that a running test file reports. */
export type TestNote =
  | { readonly kind: "started" | "failed"; readonly name: string }
  | { readonly kind: "ended"; readonly name: string; readonly ms: number };

export interface TestRun {
  readonly root: string;
  /** Path relative to the root. */
  readonly file: string;
  /** Regular expressions for the names of the tests to run. If empty, all tests are run. */
  readonly patterns?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** A module to load before the test file. */
  readonly preload?: string;
  readonly onNote?: (note: TestNote, end: () => void) => void;
}

export type TestOutcome = "passed" | "failed" | "timed out";

const running = new Set<ChildProcess>();

/** Runs a test file in its own process group, and kills that group at the end. */
export function runTestFile(run: TestRun): Promise<TestOutcome> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(
    process.execPath,
    [
      ...(run.preload === undefined ? [] : [`--import=${urlOf(run.preload)}`]),
      `--test-reporter=${urlOf("test-reporter.js")}`,
      ...(run.patterns ?? []).map((pattern) => `--test-name-pattern=${pattern}`),
      join(run.root, run.file),
    ],
    {
      cwd: run.root,
      env: { ...env, ...run.env },
      stdio: ["ignore", "ignore", "ignore", "pipe"],
      detached: true,
    },
  );
  running.add(child);
  const notes = createInterface({ input: child.stdio[3] as NodeJS.ReadableStream });
  notes.on("line", (line) => run.onNote?.(JSON.parse(line) as TestNote, () => endGroup(child)));
  return new Promise((resolve, reject) => {
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      endGroup(child);
    }, run.timeoutMs);
    child.on("error", reject);
    child.on("exit", (status) => {
      clearTimeout(timer);
      endGroup(child);
      running.delete(child);
      resolve(timedOut ? "timed out" : status === 0 ? "passed" : "failed");
    });
  });
}

/** Kills all running processes when the runner itself is terminated. */
export function endTestFiles(): void {
  for (const child of running) endGroup(child);
}

function endGroup(child: ChildProcess): void {
  try {
    process.kill(-child.pid!, "SIGKILL");
  } catch {
    // Ignore the error: the process group has already ended.
  }
}

function urlOf(module: string): string {
  return new URL(module, import.meta.url).href;
}
