/** Compares competitors in turn, prints the figures and saves them for the benchmarks page. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { measure } from "mitata";
import { format } from "prettier";
import { fromRoot } from "../../test/support/paths.js";
import { median, printTable, quartiles } from "../../test/support/table.js";

/** A row of figures by column: the competitors of a comparison, or what was counted. */
export interface Row {
  readonly work: string;
  /** Nanoseconds for one unit of the work; other figures are in the unit of their column's name. */
  readonly figures: Readonly<Record<string, number>>;
  /** Each competitor's time divided by that of the first one. Absent if nothing was timed. */
  readonly ratios?: Readonly<Record<string, number>>;
  /**
   * How much the ratios vary, or the times of a single competitor: the largest interquartile range in
   * percent of its median.
   */
  readonly spread?: number;
}

/** Tables of one run, by caption. */
export type Tables = Readonly<Record<string, readonly Row[]>>;

/** What `tools/bench/results/NAME.json` holds: the last run with each version of Node. */
export type Results = Readonly<Record<string, Tables>>;

/** Does the same work as its competitors and returns the same result. */
export type Competitor = () => unknown;

export interface Comparison {
  readonly work: string;
  /** How many messages, values or requests one run handles: figures are for one of them. */
  readonly count?: number;
  /** The result of each competitor, checked before any of them is timed. */
  readonly expected: unknown;
  /** Ours comes first. */
  readonly competitors: Readonly<Record<string, Competitor>>;
  /** Rounds, each of which measures all competitors. */
  readonly rounds?: number;
}

/** A row whose ratios vary more than this, in percent, is measured again. */
const maxSpread = 15;
/** How often a row is measured at most. The run with the smallest spread counts. */
const maxRuns = 3;

/** A quick run checks all competitors, measures the first row once, and saves nothing. */
export const isQuick: boolean = process.argv.includes("--quick");

export class Bench {
  readonly name: string;
  readonly #tables: Record<string, Row[]> = {};

  constructor(name: string) {
    this.name = name;
  }

  /** Measures a row: the median of the rounds for each competitor. */
  async compare(
    caption: string,
    { work, count = 1, expected, competitors, rounds = 11 }: Comparison,
  ): Promise<void> {
    for (const [name, competitor] of Object.entries(competitors))
      assert.deepEqual(await competitor(), expected, `${name} is wrong: ${work}`);
    // Once is enough to show that measuring works.
    if (isQuick && Object.keys(this.#tables).length > 0) return;
    let best: Row | undefined;
    for (let run = 0; run < maxRuns && (best?.spread ?? Infinity) > maxSpread; run++) {
      const row = { work, ...(await measureRounds(competitors, count, isQuick ? 1 : rounds)) };
      if (best === undefined || row.spread < best.spread!) best = row;
    }
    this.add(caption, best!);
  }

  /** Adds a row of figures that were counted. */
  add(caption: string, row: Row): void {
    (this.#tables[caption] ??= []).push(row);
    console.error(`${caption}: ${row.work}`);
  }

  /** Prints the tables and saves them in place of those that this major version of Node had. */
  async finish(): Promise<void> {
    for (const [caption, rows] of Object.entries(this.#tables)) {
      console.log(`\n${this.name}: ${caption}, Node ${process.versions.node}\n`);
      const versions = rows.map((row) => [row]);
      printTable(...shown(versions));
      console.log(`\n${spreadText(versions)}`);
    }
    if (isQuick) return;
    const path = fromRoot(`tools/bench/results/${this.name}.json`);
    const saved = existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Results) : {};
    const major = (version: string): number => Number.parseInt(version);
    const kept = Object.entries(saved).filter(
      ([version]) => major(version) !== major(process.versions.node),
    );
    const results = [...kept, [process.versions.node, this.#tables] as const].sort(
      ([one], [other]) => major(one) - major(other),
    );
    writeFileSync(
      path,
      await format(JSON.stringify(Object.fromEntries(results)), {
        parser: "json",
        printWidth: 100,
      }),
    );
  }
}

/** Measures competitors in turn, and returns the medians of the rounds. */
async function measureRounds(
  competitors: Readonly<Record<string, Competitor>>,
  count: number,
  rounds: number,
): Promise<Required<Omit<Row, "work">>> {
  const names = Object.keys(competitors);
  const times: Record<string, number>[] = [];
  for (let round = isQuick ? 1 : 0; round <= rounds; round++) {
    const measured: Record<string, number> = {};
    // Every other round goes backwards, so that nobody always pays for the same neighbour's garbage.
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const { p50 } = await measure(competitors[name]!, {
        gc: false as never,
        min_samples: 1,
        warmup_samples: 1,
        min_cpu_time: isQuick ? 1e6 : 5e7,
      });
      measured[name] = p50 / count;
    }
    // The first round warms up.
    if (round > 0) times.push(measured);
  }
  const columns = (figure: (round: Readonly<Record<string, number>>, name: string) => number) =>
    names.map((name) => [name, times.map((round) => figure(round, name))] as const);
  const medians = (values: ReturnType<typeof columns>) =>
    Object.fromEntries(values.map(([name, each]) => [name, rounded(median(each))]));
  const figures = columns((round, name) => round[name]!);
  const ratios = columns((round, name) => round[name]! / round[names[0]!]!);
  const varying = names.length > 1 ? ratios : figures;
  return {
    figures: medians(figures),
    ratios: medians(ratios),
    spread: Math.round(Math.max(...varying.map(([, each]) => spreadOf(each)))),
  };
}

/** Returns the interquartile range in percent of the median. */
function spreadOf(values: readonly number[]): number {
  const [low, high] = quartiles(values);
  return (100 * (high - low)) / median(values);
}

/** Three digits, because any further ones would be noise. */
function rounded(value: number): number {
  return Number(value.toPrecision(3));
}

const units = [
  [1e9, "s"],
  [1e6, "ms"],
  [1e3, "µs"],
  [1, "ns"],
] as const;

/** Writes figures in the unit of the largest: `1.08 / 0.95 µs`. */
export function formatTimes(times: readonly number[]): string {
  const [size, unit] = units.find(([size]) => Math.max(...times) >= size) ?? [1, "ns"];
  return `${formatNumbers(times.map((time) => time / size))} ${unit}`;
}

export function formatNumbers(values: readonly number[]): string {
  const texts = values.map((value) =>
    value >= 100 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(3))),
  );
  return (new Set(texts).size === 1 ? texts.slice(0, 1) : texts).join(" / ");
}

/** A table's rows, each once for each version of Node. */
export type Versions = readonly (readonly Row[])[];

/**
 * Returns a table's head and its lines of text. A comparison shows the first competitor's time, and
 * the others' as multiples of it; a comparison of one work has a line for each competitor.
 */
export function shown(
  rows: Versions,
): [head: readonly string[], lines: readonly (readonly string[])[]] {
  const columns = columnsOf(rows);
  const isCompared = rows[0]![0]!.ratios !== undefined;
  const times = (row: readonly Row[], column: string): string =>
    formatTimes(row.flatMap(({ figures }) => figures[column] ?? []));
  const ratios = (row: readonly Row[], column: string): string => {
    const values = row.flatMap(({ ratios }) => ratios?.[column] ?? []);
    return values.length === 0 ? "–" : `${formatNumbers(values)} ×`;
  };
  if (rows.length === 1 && isCompared)
    return [
      [rows[0]![0]!.work, "time", "ratio"],
      columns.map((column) => [column, times(rows[0]!, column), ratios(rows[0]!, column)]),
    ];
  return [
    ["", ...columns],
    rows.map((row) => [
      row[0]!.work,
      ...columns.map((column, index) => {
        if (!isCompared) return formatNumbers(row.flatMap(({ figures }) => figures[column] ?? []));
        return index === 0 ? times(row, column) : ratios(row, column);
      }),
    ]),
  ];
}

/** Says how much the figures of a table vary. Returns an empty text if nothing was timed. */
export function spreadText(rows: Versions): string {
  const spreads = rows.flat().flatMap(({ spread }) => spread ?? []);
  if (spreads.length === 0) return "";
  const what = columnsOf(rows).length > 1 ? "ratios'" : "times'";
  return `The ${what} quartiles are ${Math.min(...spreads)} to ${Math.max(...spreads)} % apart.`;
}

/** Returns the columns of a table: the competitors, ours first. */
export function columnsOf(rows: Versions): readonly string[] {
  return [...new Set(rows.flatMap(([row]) => Object.keys(row!.figures)))];
}
