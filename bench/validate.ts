/** Validators beside ajv, TypeBox, zod, valibot and, where it is installed, typia: ratios to ajv's standalone code. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import * as dap from "../generated/dap/index.js";
import { median, printTable } from "./table.js";
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
/** Nanoseconds that one turn of one contestant takes, about. */
const turn = Number(process.env["TURN_MS"] ?? 12) * 1e6;

const warmUp = Number(process.env["WARM_MS"] ?? 1000);

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

/** Values of one case in a row, so that what is timed is the check. */
const inARow = 50;

type Work = () => number;

/** Medians of the per-round ratios: how many times as fast as the first contestant each one is. */
function compare(contestants: readonly (readonly [string, Work])[], calls: number): string[] {
  const repeats = contestants.map(([, work]) => {
    // Until the compiler has nothing left to do: many functions take turns in a mixture.
    for (const start = performance.now(); performance.now() - start < warmUp;) work();
    let count = 1;
    for (;;) {
      const start = process.hrtime.bigint();
      for (let index = 0; index < count; index++) work();
      const took = Number(process.hrtime.bigint() - start);
      if (took > turn / 2) return Math.max(1, Math.round((count * turn) / took));
      count *= 2;
    }
  });
  const ratios = contestants.map((): number[] => []);
  const first: number[] = [];
  for (let round = -3; round < rounds; round++) {
    const took = contestants.map(() => 0);
    for (let place = 0; place < contestants.length; place++) {
      const index = (place + round + contestants.length * 4) % contestants.length;
      const [, work] = contestants[index]!;
      const start = process.hrtime.bigint();
      for (let repeat = 0; repeat < repeats[index]!; repeat++) work();
      took[index] = Number(process.hrtime.bigint() - start) / repeats[index]! / calls;
    }
    if (round < 0) continue;
    first.push(took[0]!);
    took.forEach((each, index) => ratios[index]!.push(took[0]! / each));
  }
  const figure = (value: number): string =>
    value >= 10 ? value.toFixed(0) : value >= 0.1 ? value.toFixed(2) : value.toFixed(3);
  return [`${median(first).toFixed(1)} ns`, ...ratios.slice(1).map((each) => figure(median(each)))];
}

/** Wrong verdicts of others; what is timed is compared before. */
const wrong: string[] = [];

let loops = 0;

/**
 * A loop over values that is compiled for one contestant alone, as where a program calls its validator. In a
 * loop that all of them share the calls themselves would be most of the time of the fastest.
 */
function loopOf(check: (value: unknown) => boolean, values: readonly unknown[]): Work {
  // Loops of the same text would share what the compiler learns.
  const make = new Function(
    "check",
    "values",
    `/* ${++loops} */ return () => { let valid = 0; for (const value of values) if (check(value)) valid++; return valid; };`,
  ) as (check: (value: unknown) => boolean, values: readonly unknown[]) => Work;
  return make(check, values);
}

function checks(peer: Peer, cases: readonly Case[], expected: boolean): Work {
  const bound = cases.map(({ definition, value }) => ({ check: peer.isValid(definition), value }));
  for (const [index, { check, value }] of bound.entries()) {
    if (check(value) === expected) continue;
    const what = `${peer.name} calls ${JSON.stringify(cases[index]).slice(0, 200)} ${expected ? "in" : ""}valid`;
    assert.ok(peer !== ours, what);
    wrong.push(what);
  }
  if (bound.length === 1) {
    const [{ check, value }] = bound as [(typeof bound)[0]];
    const text = JSON.stringify(value);
    return loopOf(
      check,
      Array.from({ length: inARow }, () => JSON.parse(text) as unknown),
    );
  }
  return () => {
    let valid = 0;
    for (const { check, value } of bound) if (check(value)) valid++;
    return valid;
  };
}

function issues(peer: Peer, cases: readonly Case[]): Work {
  const bound = cases.map(({ definition, value }) => ({
    count: peer.countIssues!(definition),
    value,
  }));
  return () => {
    let found = 0;
    for (const { count, value } of bound) found += count(value);
    return found;
  };
}

type Row = (peers: Record<"first" | "all", readonly Peer[]>) => string[];

const rows: Readonly<Record<string, Row>> = {
  ...Object.fromEntries(
    Object.entries({ tiny, small, medium, "medium, one key set": mediumMono, large }).map(
      ([name, one]): [string, Row] => [
        `valid: ${name}`,
        ({ first }) => compareAll(first, inARow, (peer) => checks(peer, [one], true)),
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

function compareAll(peers: readonly Peer[], calls: number, work: (peer: Peer) => Work): string[] {
  return compare(
    peers.map((peer) => [peer.name, work(peer)] as const),
    calls,
  );
}

const only = process.argv[2];
if (only !== undefined) {
  // Each row has a process of its own, so that none runs on what another one has taught the compiler.
  const compiled = await typia();
  const others = [typebox(), ...(compiled === undefined ? [] : [compiled]), zod(), valibot()];
  const first = [await ajvStandalone(false), ours, ajvAtRunTime(false), ...others];
  const all = [await ajvStandalone(true), ours, ajvAtRunTime(true), ...others];
  const cells = rows[only]!({ first, all });
  process.stdout.write(JSON.stringify({ cells, names: first.map((peer) => peer.name), wrong }));
} else {
  const table: string[][] = [];
  let names: string[] = [];
  const notes = new Set<string>();
  for (const name of Object.keys(rows)) {
    if (process.env["ONLY"] !== undefined && !name.includes(process.env["ONLY"])) continue;
    const text = execFileSync(process.execPath, [fileURLToPath(import.meta.url), name], {
      encoding: "utf8",
    });
    const result = JSON.parse(text) as { cells: string[]; names: string[]; wrong: string[] };
    names = result.names;
    table.push([name, ...result.cells]);
    for (const each of result.wrong) notes.add(each);
  }
  console.log(
    `Node ${process.version}, ${rounds} rounds: times as fast as ajv's standalone code\n`,
  );
  printTable(["work", ...names], table);
  for (const each of notes) console.log(`\nwrong: ${each}`);
  if (process.env["ONLY"] === undefined) await printMany();
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
  const result = dap.validateVariablesResponse(manyFaults.value);
  const cappedMs = performance.now() - capped;
  assert.ok(!result.ok && result.issues.length === 100);
  console.log(
    `\n50,000 wrong items: ajv ${took[0]!.ms.toFixed(0)} ms for ${took[0]!.found} issues, ours ${took[1]!.ms.toFixed(1)} ms for ${took[1]!.found}` +
      ` (${(took[0]!.ms / took[1]!.ms).toFixed(0)} times as fast), ${cappedMs.toFixed(2)} ms with the usual 100 at most`,
  );

  const texts = mixed.map(({ value }) => JSON.stringify(value));
  const [base, both] = [
    () => texts.reduce((sum, text) => sum + (JSON.parse(text) === null ? 0 : 1), 0),
    () => texts.reduce((sum, text) => sum + (dap.isValid(JSON.parse(text)) ? 1 : 0), 0),
  ];
  assert.equal(base(), both());
  const [time, ratio] = compare(
    [
      ["JSON.parse", base],
      ["JSON.parse and isValid", both],
    ],
    texts.length,
  );
  console.log(
    `parse and isValid: ${(1 / Number(ratio)).toFixed(3)} times the time of JSON.parse alone (${time} a message)`,
  );
}
