import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { printTable } from "../../test/support/table.js";
import { areas, ArgumentError, chooseFiles } from "./areas.js";
import { keyOf, readEquivalentMutants } from "./equivalent.js";
import { instrument } from "./instrument.js";
import { exitStatusOf, formatMutant, scoreHead, scoreRows } from "./report.js";
import { runMutants } from "./run-mutants.js";
import { endTestFiles } from "./test-process.js";

const help = `Usage: node build/tools/mutants/cli.js [options] FILE|FOLDER|AREA...

Makes small changes to the code, one at a time, and reports those that no test catches.
Areas: ${Object.keys(areas).join(", ")}.

  --sample N     run N mutants, selected by the seed
  --seed S       seed for --sample; default 1
  --list         print the mutants without running them
  --survivors    print the mutants that no test caught
  --again        run only mutants that survived the last run in this checkout
  --goal P       exit with status 1 if the score is below P percent; default 90
  --tests REGEX  use only test files with matching names
  --slow S       leave out tests that take longer than S seconds; default 10
  --budget S     maximum seconds for the tests of one mutant; default 30
  --at-once N    number of mutants to run concurrently; default 2

Exit status: 0 goal reached, 1 goal missed or list of equivalent mutants stale, 2 the run failed.`;

const root = fileURLToPath(new URL("../../../", import.meta.url));
const lastRun = join(root, "build/mutants-last.json");

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      sample: { type: "string" },
      seed: { type: "string", default: "1" },
      list: { type: "boolean", default: false },
      survivors: { type: "boolean", default: false },
      again: { type: "boolean", default: false },
      goal: { type: "string", default: "90" },
      slow: { type: "string", default: "10" },
      budget: { type: "string", default: "30" },
      tests: { type: "string" },
      "at-once": { type: "string", default: "2" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help || positionals.length === 0) {
    console.log(help);
    return values.help ? 0 : 2;
  }
  const files = chooseFiles(root, positionals);
  if (values.list) {
    const { mutants } = await instrument(root, files);
    for (const mutant of mutants) console.log(`${formatMutant(mutant, `number ${mutant.id}`)}\n`);
    return 0;
  }
  const goal = readNumber("goal", values.goal);
  const report = await runMutants({
    root,
    files,
    ...(values.sample !== undefined && {
      sample: { count: readNumber("sample", values.sample), seed: readNumber("seed", values.seed) },
    }),
    ...(values.again && { isChosen: survivedLastRun() }),
    equivalent: readEquivalentMutants(join(root, "tools/mutants/equivalent.json")),
    ...(values.tests !== undefined && { isJudge: named(values.tests) }),
    limits: {
      testMs: 1000 * readNumber("slow", values.slow),
      fileMs: 60_000,
      mutantMs: 1000 * readNumber("budget", values.budget),
      graceMs: 5000,
    },
    atOnce: readNumber("at-once", values["at-once"]),
    onProgress: (text) => console.error(text),
  });
  const unnoticed = report.judgements.filter(
    ({ verdict }) => verdict === "survived" || verdict === "not covered",
  );
  writeFileSync(lastRun, JSON.stringify(unnoticed.map(({ mutant }) => mutant)));
  if (values.survivors)
    for (const { mutant, verdict } of unnoticed) console.log(`${formatMutant(mutant, verdict)}\n`);
  for (const reason of report.leftOut) console.log(`left out ${reason}`);
  for (const { file, before } of report.stale)
    console.log(`stale in mutants/equivalent.json: ${file}: ${before}`);
  printTable(scoreHead, scoreRows(report.judgements));
  if (report.equivalent > 0) console.log(`${report.equivalent} equivalent mutants are not counted`);
  return exitStatusOf(report, goal);
}

function readNumber(name: string, text: string): number {
  const number = Number(text);
  if (text.trim() === "" || !(number >= 0))
    throw new ArgumentError(`--${name} takes a number, not "${text}"`);
  return number;
}

function named(pattern: string): (file: string) => boolean {
  const name = new RegExp(pattern);
  return (file) => name.test(basename(file, ".test.js"));
}

function survivedLastRun(): (mutant: Parameters<typeof keyOf>[0]) => boolean {
  if (!existsSync(lastRun)) throw new ArgumentError("--again requires an earlier run");
  const survivors = JSON.parse(readFileSync(lastRun, "utf8")) as Parameters<typeof keyOf>[0][];
  const keys = new Set(survivors.map(keyOf));
  return (mutant) => keys.has(keyOf(mutant));
}

setPriority(10);
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    endTestFiles();
    process.exit(2);
  });
try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.exitCode = 2;
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof ArgumentError || code?.startsWith("ERR_PARSE_ARGS")) console.error(message);
  else console.error(error);
}
