/**
 * Compares validators with ajv, TypeBox, zod, valibot and, if installed, typia. Results are ratios
 * to ajv's standalone code.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import * as dap from "../generated/dap/index.js";
import * as dapValidators from "../generated/dap/validate.js";
import { measure, type Work } from "./measure.js";
import { median, medianRatio, printTable } from "./table.js";
import {
  invalid,
  large,
  largeWithOneFault,
  manyFaults,
  medium,
  mediumMono,
  mixed,
  small,
  tiny,
  type Case,
} from "./validator-corpus.js";
import {
  ajvAtRunTime,
  ajvStandalone,
  typebox,
  typia,
  valibot,
  zod,
  type Peer,
} from "./validator-peers.js";

const rounds = Number(process.env["ROUNDS"] ?? 15);
const turnMs = Number(process.env["TURN_MS"] ?? 12);
/** A mixture calls many functions in turn, so the compiler needs longer. */
const warmMs = Number(process.env["WARM_MS"] ?? 1000);

const exported = dap as unknown as Readonly<
  Record<string, (value: unknown, options?: object) => unknown>
>;

const ours: Peer = {
  name: "wirewright",
  isValid: (definition) => exported[`isValid${definition}`] as (value: unknown) => boolean,
  countIssues(definition) {
    const validate = exported[`validate${definition}`] as typeof dapValidators.validateSource;
    return (value) => {
      const result = validate(value, unlimited);
      return result.ok ? 0 : result.issues.length;
    };
  },
};
const unlimited = { maxIssues: Infinity };

/**
 * Number of values in a row, small enough for the CPU cache, so that the check itself is measured.
 */
const inARow = ({ value }: Case): number => (JSON.stringify(value).length < 1_000 ? 50 : 5);
/** How often a row is repeated. */
const repeats = 20;

/** Medians of the ratios per round: the speed relative to the first contestant. */
async function compare(works: readonly Work[], calls: number): Promise<string[]> {
  const times = await measure(works, { rounds, turnMs, warmMs });
  const [first, ...others] = times;
  const figure = (value: number): string =>
    value >= 10 ? value.toFixed(0) : value >= 0.1 ? value.toFixed(2) : value.toFixed(3);
  return [
    `${(median(first!) / calls).toFixed(1)} ns`,
    ...others.map((each) => figure(medianRatio(first!, each))),
  ];
}

/** Wrong results of other libraries, found by the comparison before measuring. */
const wrong: string[] = [];

let loops = 0;

/**
 * A loop that is compiled separately for each contestant, as in a program with one validator. In a
 * shared loop, megamorphic calls would dominate the time of the fastest contestant.
 *
 * @param step Processes the value at `at`; can use `run`, `values` and `sum`.
 */
function loopOf<Run>(step: string, run: Run, values: readonly unknown[], turns = 1): Work {
  // Loops with the same source would share type feedback.
  const make = new Function(
    "run",
    "values",
    `/* ${++loops} */ return () => {
      let sum = 0;
      for (let turn = 0; turn < ${turns}; turn++)
        for (let at = 0; at < values.length; at++) ${step};
      return sum;
    };`,
  ) as (run: Run, values: readonly unknown[]) => Work;
  return make(run, values);
}

function checks(peer: Peer, cases: readonly Case[], expected: boolean): Work {
  const run = cases.map(({ definition }) => peer.isValid(definition));
  const values = cases.map(({ value }) => value);
  for (const [index, check] of run.entries()) {
    if (check(values[index]) === expected) continue;
    const what = `${peer.name} calls ${JSON.stringify(cases[index]).slice(0, 200)} ${expected ? "in" : ""}valid`;
    assert.ok(peer !== ours, what);
    wrong.push(what);
  }
  const not = expected ? "" : "!";
  if (run.length > 1) return loopOf(`if (${not}run[at](values[at])) sum++`, run, values);
  const text = JSON.stringify(values[0]);
  const row = Array.from({ length: inARow(cases[0]!) }, () => JSON.parse(text) as unknown);
  return loopOf(`if (${not}run(values[at])) sum++`, run[0]!, row, repeats);
}

function issues(peer: Peer, cases: readonly Case[]): Work {
  const run = cases.map(({ definition }) => peer.countIssues!(definition));
  return loopOf(
    "sum += run[at](values[at])",
    run,
    cases.map(({ value }) => value),
  );
}

type Row = (peers: Record<"first" | "all", readonly Peer[]>) => Promise<string[]>;

const rows: Readonly<Record<string, Row>> = {
  ...Object.fromEntries(
    Object.entries({ tiny, small, medium, "medium, one key set": mediumMono, large }).map(
      ([name, message]): [string, Row] => [
        `valid: ${name}`,
        ({ first }) =>
          compareAll(first, inARow(message) * repeats, (peer) => checks(peer, [message], true)),
      ],
    ),
  ),
  [`valid: mixed, ${mixed.length} messages`]: ({ first }) =>
    compareAll(first, mixed.length, (peer) => checks(peer, mixed, true)),
  [`invalid: ${invalid.length} faults, yes or no`]: ({ first }) =>
    compareAll(first, invalid.length, (peer) => checks(peer, invalid, false)),
  [`invalid: ${invalid.length} faults, all issues`]: ({ all }) =>
    compareAll(all, invalid.length, (peer) => issues(peer, invalid)),
  "invalid: 1 of 1,000 variables, all issues": ({ all }) =>
    compareAll(all, 1, (peer) => issues(peer, [largeWithOneFault])),
};

function compareAll(
  peers: readonly Peer[],
  calls: number,
  work: (peer: Peer) => Work,
): Promise<string[]> {
  return compare(peers.map(work), calls);
}

/** Each row runs in its own process, so that it is not affected by the type feedback of others. */
function inOwnProcess(row: string): unknown {
  const path = fileURLToPath(import.meta.url);
  return JSON.parse(execFileSync(process.execPath, [path, row], { encoding: "utf8" }));
}

const only = process.argv[2];
if (only === "parse") {
  process.stdout.write(JSON.stringify(await parseAndCheck()));
} else if (only !== undefined) {
  const compiled = await typia();
  const others = [typebox(), ...(compiled === undefined ? [] : [compiled]), zod(), valibot()];
  const first = [await ajvStandalone(false), ours, ajvAtRunTime(false), ...others];
  const all = [await ajvStandalone(true), ours, ajvAtRunTime(true), ...others];
  const cells = await rows[only]!({ first, all });
  process.stdout.write(JSON.stringify({ cells, names: first.map((peer) => peer.name), wrong }));
} else {
  const table: string[][] = [];
  let names: string[] = [];
  const notes = new Set<string>();
  for (const name of Object.keys(rows)) {
    if (process.env["ONLY"] !== undefined && !name.includes(process.env["ONLY"])) continue;
    const result = inOwnProcess(name) as { cells: string[]; names: string[]; wrong: string[] };
    names = result.names;
    table.push([name, ...result.cells]);
    for (const each of result.wrong) notes.add(each);
  }
  console.log(
    `Node ${process.version}, ${rounds} rounds: times as fast as ajv's standalone code\n`,
  );
  printTable(["work", ...names], table);
  for (const each of notes) console.log(`\nwrong: ${each}`);
  if (process.env["ONLY"] === undefined) {
    await printMany();
    const [time, ratio] = inOwnProcess("parse") as string[];
    console.log(
      `parse and isValid: ${(1 / Number(ratio)).toFixed(3)} times the time of JSON.parse alone (${time} a message)`,
    );
  }
}

async function printMany(): Promise<void> {
  const counted = [await ajvStandalone(true), ours];
  const took = counted.map((peer) => {
    const count = peer.countIssues!(manyFaults.definition);
    const start = performance.now();
    const found = count(manyFaults.value);
    return { ms: performance.now() - start, found };
  });
  const capped = performance.now();
  const result = dapValidators.validateVariablesResponse(manyFaults.value);
  const cappedMs = performance.now() - capped;
  assert.ok(!result.ok && result.issues.length === 100);
  console.log(
    `\n50,000 wrong items: ajv ${took[0]!.ms.toFixed(0)} ms for ${took[0]!.found} issues, ours ${took[1]!.ms.toFixed(1)} ms for ${took[1]!.found}` +
      ` (${(took[0]!.ms / took[1]!.ms).toFixed(0)} times as fast), ${cappedMs.toFixed(2)} ms with the usual 100 at most`,
  );
}

/** The cost of a check relative to parsing: the time of `JSON.parse` per message, and the ratio. */
function parseAndCheck(): Promise<string[]> {
  const texts = mixed.map(({ value }) => JSON.stringify(value));
  const parse = (): number => {
    let parsed = 0;
    for (let at = 0; at < texts.length; at++) if (JSON.parse(texts[at]!) !== null) parsed++;
    return parsed;
  };
  const both = (): number => {
    let valid = 0;
    for (let at = 0; at < texts.length; at++)
      if (dapValidators.isValid(JSON.parse(texts[at]!))) valid++;
    return valid;
  };
  assert.equal(parse(), both());
  return compare([parse, both], texts.length);
}
