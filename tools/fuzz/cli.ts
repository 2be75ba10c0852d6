#!/usr/bin/env node
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { checkInput } from "./check-input.js";
import { readCorpus, readSeeds, writeCorpus } from "./corpus.js";
import type { Finding } from "./outcome.js";
import { updateInstrumentedCopy } from "./instrumented-copy.js";
import { escapeBytes, unescapeBytes } from "./literal.js";
import {
  findingFile,
  printFinding,
  printHead,
  printProgress,
  printRow,
  printSlowest,
} from "./report.js";
import { runSession, type SessionResult } from "./session.js";
import { oracles, type Target } from "./target.js";
import { targets } from "./targets/index.js";

const help = `Usage: npm run fuzz -- [options]

Feeds code that reads untrusted input with inputs that reach more and more of it, and reports violated oracles.

  --seconds N       total duration for all targets (default: 20)
  --target NAME     run only this target; may be given several times
  --seed N          the same seed creates the same inputs (default: random)
  --executions N    maximum number of executions per target
  --jobs N          number of targets to run concurrently (default: 1)
  --seeds FOLDER    additional initial inputs
  --save            save a set of inputs that reaches all edges to fuzz/corpus
  --findings FOLDER where to write findings (default: build/fuzz-findings)
  --input FILE      only run this input with every salt; requires one --target. Content of .txt files is escaped
  --minimise        minimise the input given with --input
  --list            list the targets and oracles
  --help            show this text

Exit status: 0 no findings, 1 findings, 2 the fuzzer failed.`;

const options = {
  seconds: { type: "string" },
  target: { type: "string", multiple: true },
  seed: { type: "string" },
  executions: { type: "string" },
  jobs: { type: "string" },
  seeds: { type: "string" },
  save: { type: "boolean" },
  findings: { type: "string" },
  input: { type: "string" },
  minimise: { type: "boolean" },
  list: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** Thrown if the command line arguments are invalid. */
class CallError extends Error {}

const { stdout, stderr } = process;

try {
  process.exitCode = await main();
} catch (error) {
  stderr.write(`${error instanceof CallError ? error.message : String((error as Error).stack)}\n`);
  process.exitCode = 2;
}

async function main(): Promise<number> {
  const values = readOptions();
  if (values.help === true) {
    stdout.write(`${help}\n`);
    return 0;
  }
  if (values.list === true) {
    for (const { name, about } of targets) stdout.write(`${name.padEnd(20)}  ${about}\n`);
    stdout.write("\n");
    for (const [name, sentence] of Object.entries(oracles))
      stdout.write(`${name.padEnd(20)}  ${sentence}\n`);
    return 0;
  }
  const chosen = chooseTargets(values.target ?? []);
  updateInstrumentedCopy();
  const folder = values.findings ?? fileURLToPath(new URL("../../fuzz-findings/", import.meta.url));
  if (values.input !== undefined) {
    if (chosen.length !== 1) throw new CallError("Cannot use --input without exactly one --target");
    return runInput(chosen[0]!, values.input, values.minimise === true, folder);
  }

  const seed = numberOf("--seed", values.seed, Date.now() % 2 ** 31);
  const seconds = numberOf("--seconds", values.seconds, 20);
  const executions = numberOf("--executions", values.executions, Infinity);
  const jobs = numberOf("--jobs", values.jobs, 1);
  const weights = chosen.reduce((sum, { weight = 1 }) => sum + weight, 0);
  stdout.write(`${printHead()}\n`);
  const results: SessionResult[] = [];
  const waiting = [...chosen];
  const work = async (): Promise<void> => {
    for (let target = waiting.shift(); target !== undefined; target = waiting.shift()) {
      const result = await run(target, {
        seed,
        executions,
        seconds: (seconds * jobs * (target.weight ?? 1)) / weights,
        seeds: values.seeds,
        folder,
      });
      stdout.write(`${printRow(result)}\n`);
      if (values.save === true) writeCorpus(target.name, result.smallest);
      results.push(result);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, jobs) }, work));
  const total = (count: (result: SessionResult) => number): number =>
    results.reduce((sum, result) => sum + count(result), 0);
  const slowest = results.reduce((a, b) =>
    b.stats.slowest.perByte > a.stats.slowest.perByte ? b : a,
  );
  const found = total(({ stats }) => stats.findings);
  stdout.write(`\nslowest input: ${printSlowest(slowest)}\n`);
  stdout.write(
    `${total(({ stats }) => stats.executions)} executions, ${found} ${found === 1 ? "finding" : "findings"}${found === 0 ? "" : `, in ${folder}`}\n`,
  );
  return found === 0 ? 0 : 1;
}

async function run(
  target: Target,
  settings: {
    readonly seed: number;
    readonly seconds: number;
    readonly executions: number;
    readonly seeds: string | undefined;
    readonly folder: string;
  },
): Promise<SessionResult> {
  const { seeds } = settings;
  const own = target.seeds().map((each) => new Uint8Array(Buffer.from(each)));
  const more = seeds === undefined ? [] : readSeeds(seeds, target.maxLength ?? 2_048);
  return runSession({
    ...settings,
    target: target.name,
    inputs: [...own, ...readCorpus(target.name), ...more],
    onFinding: (finding) => keepFinding(finding, settings.folder),
    onStats: (stats) => {
      if (stderr.isTTY) stderr.write(`\r${printProgress(target.name, stats)}\x1b[K\r`);
    },
  });
}

/** Prints a finding and saves it in a form that `--input` accepts. */
function keepFinding(finding: Finding, folder: string): void {
  const place = join(folder, finding.target);
  mkdirSync(place, { recursive: true });
  const path = join(place, findingFile(finding));
  writeFileSync(`${path}.bin`, finding.input);
  writeFileSync(`${path}.txt`, `${escapeBytes(finding.input)}\n`);
  const printed = printFinding(finding);
  writeFileSync(`${path}.case`, `${printed}\n`);
  stdout.write(`\n${printed}\n\n`);
}

async function runInput(
  target: Target,
  path: string,
  isMinimised: boolean,
  folder: string,
): Promise<number> {
  const bytes = readFileSync(path);
  const input = path.endsWith(".txt")
    ? unescapeBytes(bytes.toString().replace(/\n$/, ""))
    : new Uint8Array(bytes);
  const findings = await checkInput(target.name, input, isMinimised);
  for (const finding of findings) {
    if (isMinimised) keepFinding(finding, folder);
    else stdout.write(`${printFinding(finding)}\n`);
  }
  if (findings.length === 0) stdout.write("Everything holds.\n");
  return findings.length === 0 ? 0 : 1;
}

function chooseTargets(names: readonly string[]): readonly Target[] {
  if (names.length === 0) return targets;
  return names.map((name) => {
    const target = targets.find((each) => each.name === name);
    if (target === undefined)
      throw new CallError(
        `Cannot find the target "${name}": there are ${targets.map((each) => each.name).join(", ")}`,
      );
    return target;
  });
}

function numberOf(option: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0))
    throw new CallError(`Cannot use ${option} ${JSON.stringify(text)}: it must be a number from 0`);
  return value;
}

function readOptions(): ReturnType<typeof parseArgs<{ options: typeof options }>>["values"] {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw new CallError(`${(error as Error).message}\nSee npm run fuzz -- --help`);
  }
}
