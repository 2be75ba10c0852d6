/** A benchmark's options and its report. */
import { createHash } from "node:crypto";
import type { Cell, Figure, Printed, Row, Table } from "./results.js";
import { median, quartiles } from "../../test/support/table.js";

export interface BenchOptions {
  readonly rounds: number;
  /** Measures only rows whose labels contain one of these strings. */
  readonly only: readonly string[] | undefined;
  /**
   * Whether to use a short warm-up and little input, which is enough to detect a large slowdown.
   */
  readonly isQuick?: boolean;
  /** The benchmark's own command line arguments. */
  readonly args: readonly string[];
}

/** Returns whether the options select a row. */
export function selects({ only }: BenchOptions, labels: readonly string[]): boolean {
  return only === undefined || only.some((text) => labels.join(" ").includes(text));
}

/** A benchmark: the `bench` function of a module listed in `tools/bench/benches.ts`. */
export type Bench = (report: Report, options: BenchOptions) => void | Promise<void>;

/** Computes one contestant's figure: the median and spread of its rounds. */
export function figureOf(values: readonly number[]): Figure {
  const middle = median(values);
  const [low, high] = quartiles(values);
  return [rounded(middle, 3), middle === 0 ? 0 : rounded((high - low) / 2 / middle, 2)];
}

/** Computes the ratio between two contestants from their ratio in each round. */
export function ratioOf(times: readonly number[], base: readonly number[]): Figure {
  return figureOf(times.map((time, round) => time / base[round]!));
}

/** Rounds to three digits, because any further digits would be noise. */
function rounded(value: number, digits: number): number {
  return Number(value.toPrecision(digits));
}

/** Collects a benchmark's output. */
export class Report {
  readonly #tables = new Map<string, Table<Cell> & { readonly rows: Row<Cell>[] }>();
  readonly #outcomes = new Map<string, string>();

  /** Adds a table. `units` gives the unit of each column: "" for counts, undefined for ratios. */
  table(
    name: string,
    labels: readonly string[],
    units: Readonly<Record<string, string>> = {},
  ): ReportTable {
    const rows: Row<Cell>[] = [];
    this.#tables.set(name, { labels, units, rows });
    return {
      row(labels, cells) {
        rows.push({ labels, cells });
        const texts = Object.entries(cells).map(
          ([column, cell]) => `${column} ${typeof cell === "string" ? cell : cell[0]}`,
        );
        console.error(`  ${labels.join(", ")}: ${texts.join(", ")}`);
      },
    };
  }

  /** Records a result of the measured work, which must be the same under every version of Node. */
  outcome(what: string, result: unknown): void {
    const text = JSON.stringify(result);
    this.#outcomes.set(what, createHash("sha256").update(text).digest("hex").slice(0, 16));
  }

  printed(): Printed {
    return {
      node: process.versions.node,
      tables: Object.fromEntries(this.#tables),
      outcomes: Object.fromEntries(this.#outcomes),
    };
  }
}

export interface ReportTable {
  row(labels: readonly string[], cells: Readonly<Record<string, Cell>>): void;
}
