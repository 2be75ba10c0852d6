import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { coverageVariable, type CoverageRecord } from "./coverage-recorder.js";
import { runTestFile, type TestOutcome } from "./test-process.js";

/** The code that a test file reaches while no mutant is active. */
export interface FileCoverage {
  readonly file: string;
  /** Milliseconds until the first test begins. */
  readonly loadMs: number;
  /** The tests that can kill a mutant, by name. */
  readonly tests: ReadonlyMap<string, CoveredTest>;
  /** Mutants that are reached outside tests. Any test in the file may detect them. */
  readonly onLoad: ReadonlySet<string>;
  /** Tests that are not used, and why. */
  readonly leftOut: readonly string[];
}

export interface CoveredTest {
  readonly ms: number;
  readonly mutants: ReadonlySet<string>;
}

export interface CoverageLimits {
  /** Tests that take longer than this, in milliseconds, are not used. */
  readonly testMs: number;
  /**
   * If the file runs longer than this, in milliseconds, tests that have not started by that time
   * are not used.
   */
  readonly fileMs: number;
}

/**
 * Runs a test file without a mutant and measures what each test reaches. Tests that fail or are too
 * slow are left out, with the reason.
 */
export async function measureCoverage(
  root: string,
  file: string,
  limits: CoverageLimits,
): Promise<FileCoverage> {
  const folder = mkdtempSync(join(tmpdir(), "wirewright-coverage-"));
  const ended = new Map<string, number>();
  const failed = new Set<string>();
  const slow: string[] = [];
  let loadMs = 0;
  let outcome: TestOutcome;
  const deadline = performance.now() + limits.fileMs;
  try {
    for (;;) {
      const run = await runTests(root, file, folder, [...ended.keys(), ...slow], {
        testMs: limits.testMs,
        fileMs: Math.max(deadline - performance.now(), 1),
      });
      for (const [name, ms] of run.ended) ended.set(name, ms);
      for (const name of run.failed) failed.add(name);
      loadMs = run.loadMs;
      outcome = run.outcome;
      if (run.slow === undefined) break;
      slow.push(run.slow);
    }
    const reached = readRecords(folder);
    const tests = new Map<string, CoveredTest>();
    for (const [name, ms] of ended)
      if (!failed.has(name)) tests.set(name, { ms, mutants: reached.get(name) ?? new Set() });
    const leftOut = [
      ...slow.map((name) => `"${name}" takes more than ${limits.testMs / 1000} s`),
      ...[...failed].map((name) => `"${name}" fails without a mutant`),
      ...(outcome === "timed out"
        ? [`everything that had not started within ${limits.fileMs / 1000} s`]
        : outcome === "failed" && failed.size === 0
          ? ["everything that did not run, because the file ended with a failure"]
          : []),
    ];
    return {
      file,
      loadMs,
      tests,
      onLoad: reached.get("") ?? new Set(),
      leftOut: leftOut.map((reason) => `${file}: ${reason}`),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Run {
  readonly outcome: TestOutcome;
  readonly loadMs: number;
  /** Duration of each test in milliseconds, by name. */
  readonly ended: ReadonlyMap<string, number>;
  readonly failed: ReadonlySet<string>;
  /** The test that took too long and thereby ended the run. */
  readonly slow: string | undefined;
}

async function runTests(
  root: string,
  file: string,
  folder: string,
  except: readonly string[],
  limits: CoverageLimits,
): Promise<Run> {
  const ended = new Map<string, number>();
  const failed = new Set<string>();
  let slow: string | undefined;
  let loadMs: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const begun = performance.now();
  const outcome = await runTestFile({
    root,
    file,
    // Leave out the root's name: a pattern that matches it would select all tests.
    patterns: except.length === 0 ? [] : [`^(?!${anyOf(["<root>", ...except])}$)`],
    env: { [coverageVariable]: folder },
    timeoutMs: limits.fileMs,
    preload: "coverage-of-tests.js",
    onNote(note, end) {
      if (note.kind === "failed") return failed.add(note.name);
      clearTimeout(timer);
      if (note.kind === "ended") return ended.set(note.name, note.ms);
      loadMs ??= performance.now() - begun;
      timer = setTimeout(() => {
        slow = note.name;
        end();
      }, limits.testMs);
      return undefined;
    },
  });
  clearTimeout(timer);
  return { outcome, loadMs: loadMs ?? 0, ended, failed, slow };
}

function readRecords(folder: string): ReadonlyMap<string, ReadonlySet<string>> {
  const reached = new Map<string, Set<string>>();
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), "utf8");
    const { test, mutants } = JSON.parse(text) as CoverageRecord;
    const known = reached.get(test) ?? new Set();
    for (const id of mutants) known.add(id);
    reached.set(test, known);
  }
  return reached;
}

/** Returns a regular expression that matches only the given names. */
export function anyOf(names: readonly string[]): string {
  return `(?:${names.map((name) => name.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("|")})`;
}
