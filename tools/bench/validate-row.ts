/** Measures one row of `tools/bench/validate.ts` in a separate process and prints it. */
import assert from "node:assert/strict";
import * as dap from "@wirewright/dap/validators";
import { measure, processorTime, type Work } from "./measure.js";
import { figureOf, ratioOf } from "./report.js";
import type { Cell } from "./results.js";
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

/**
 * A measured row, along with any wrong results from other libraries that were found by the
 * comparison preceding the measurement.
 */
export interface PrintedRow {
  readonly cells: Readonly<Record<string, Cell>>;
  readonly wrong: readonly string[];
}

/**
 * Measurement options. Mixed values call many functions in turn, so the compiler needs a long
 * warm-up.
 */
const turns = {
  rounds: Number(process.argv[3] ?? 9),
  turnMs: 12,
  warmMs: 500,
  isQuick: process.argv[4] === "quick",
};

const exported = dap as unknown as Readonly<
  Record<string, (value: unknown, options?: object) => unknown>
>;

const ours: Peer = {
  name: "wirewright",
  isValid: (definition) => exported[`isValid${definition}`] as (value: unknown) => boolean,
  countIssues(definition) {
    const validate = exported[`validate${definition}`] as typeof dap.validateSource;
    return (value) => {
      const result = validate(value, unlimited);
      return result.ok ? 0 : result.issues.length;
    };
  },
};
const unlimited = { maxIssues: Infinity };

/**
 * Returns the number of values in a row, small enough for the CPU cache, so that the check itself
 * is measured.
 */
const inARow = ({ value }: Case): number => (JSON.stringify(value).length < 1_000 ? 50 : 5);
/** How many times to repeat a row. */
const repeats = 20;

/**
 * Wrong results from other libraries that were found by the comparison preceding the measurement.
 */
const wrong: string[] = [];

let loops = 0;

/**
 * Creates a loop that is compiled separately for each contestant, as in a program with a single
 * validator. In a shared loop, megamorphic calls would dominate the fastest contestant's time.
 *
 * @param step Processes the value at `at`; can use `run`, `values` and `sum`.
 */
function loopOf<Run>(step: string, run: Run, values: readonly unknown[], turns = 1): Work {
  // Loops with identical source would share type feedback.
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

/**
 * Returns the first contestant's time per value, and every other contestant's speed as a multiple
 * of the first one's.
 */
async function compareAll(
  peers: readonly Peer[],
  calls: number,
  work: (peer: Peer) => Work,
): Promise<Record<string, Cell>> {
  const times = await measure(peers.map(work), turns);
  const [first] = times;
  const cells = peers.map(({ name }, index): [string, Cell] => [
    name,
    index === 0 ? figureOf(first!.map((time) => time / calls)) : ratioOf(first!, times[index]!),
  ]);
  return Object.fromEntries(cells);
}

/**
 * Counts the issues of 50,000 wrong items only once, because other libraries take seconds to do so.
 */
async function countMany(): Promise<Record<string, Cell>> {
  const time = (peer: Peer): number => {
    const count = peer.countIssues!(manyFaults.definition);
    const start = processorTime();
    assert.equal(count(manyFaults.value), 50_000);
    return processorTime() - start;
  };
  const theirs = time(await ajvStandalone(true));
  return { "ajv standalone": figureOf([theirs]), [ours.name]: figureOf([theirs / time(ours)]) };
}

type Peers = Record<"first" | "all", readonly Peer[]>;

const rows: Readonly<Record<string, (peers: Peers) => Promise<Record<string, Cell>>>> = {
  ...Object.fromEntries(
    Object.entries({ tiny, small, medium, "medium, one key set": mediumMono, large }).map(
      ([name, message]) => [
        `valid: ${name}`,
        ({ first }: Peers) =>
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
  "invalid: 50,000 wrong items, all issues": countMany,
};

const name = process.argv[2];
if (name === undefined) {
  process.stdout.write(JSON.stringify(Object.keys(rows)));
} else {
  const compiled = await typia();
  const others = [typebox(), ...(compiled === undefined ? [] : [compiled]), zod(), valibot()];
  const first = [await ajvStandalone(false), ours, ajvAtRunTime(false), ...others];
  const all = [await ajvStandalone(true), ours, ajvAtRunTime(true), ...others];
  const printed: PrintedRow = { cells: await rows[name]!({ first, all }), wrong };
  process.stdout.write(JSON.stringify(printed));
}
