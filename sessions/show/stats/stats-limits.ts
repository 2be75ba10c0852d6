import { InputError, nearest } from "../../../generator/base/input-error.js";
import { durationText, sizeText } from "../../../generator/print/amount-text.js";
import type { NameStats, RecordingStats } from "./session-stats.js";

const metrics = ["median", "p95", "max", "count", "failures", "open", "bytes"] as const;
type Metric = (typeof metrics)[number];

/**
 * Number of milliseconds in each unit of time. `sizes` has the number of bytes in each unit of
 * size.
 */
const times: Readonly<Record<string, number>> = { µs: 0.001, us: 0.001, ms: 1, s: 1_000 };
const sizes: Readonly<Record<string, number>> = { B: 1, kB: 1_000, MB: 1e6, GB: 1e9 };

/** A limit that must not be exceeded. */
interface StatsLimit {
  /** Name of a request or event. `*` means every request and event. */
  readonly name: string;
  readonly metric: Metric;
  /**
   * Maximum value: in milliseconds for a time, in bytes for a size, and without a unit for a count.
   */
  readonly most: number;
  /** The limit as the user wrote it, such as `stackTrace p95 200ms`. */
  readonly text: string;
}

/** A limit that was exceeded, along with the actual value. */
export interface ExceededLimit {
  readonly limit: string;
  readonly file: string;
  readonly kind: NameStats["kind"];
  readonly name: string;
  readonly from: string;
  /**
   * Actual value: in milliseconds for a time, in bytes for a size, and without a unit for a count.
   */
  readonly value: number;
}

/**
 * Parses a limit such as `stackTrace p95 200ms`.
 *
 * @throws InputError `ERR_ARGUMENT`
 */
export function readLimit(text: string): StatsLimit {
  const parts = /^(\S+) +(\w+) +(\d+(?:\.\d+)?) ?([a-zA-Zµ]*)$/.exec(text.trim());
  const [, name = "", metricName = "", amount = "", unit = ""] = parts ?? [];
  const metric = metrics.find((candidate) => candidate === metricName);
  const units = metric === undefined ? {} : unitsOf(metric);
  if (metric === undefined || !Object.hasOwn(units, unit))
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot use --fail-over "${text}"`,
      {},
      metric === undefined
        ? `Give a name, one of ${metrics.join(", ")}, and a limit, such as "stackTrace p95 200ms"`
        : `Units of ${metric}: ${Object.keys(units).join(", ") || "none"}`,
    );
  return { name, metric, most: Number(amount) * units[unit]!, text };
}

function unitsOf(metric: Metric): Readonly<Record<string, number>> {
  if (metric === "bytes") return { "": 1, ...sizes };
  return isTime(metric) ? times : { "": 1 };
}

function isTime(metric: Metric): metric is "median" | "p95" | "max" {
  return metric === "median" || metric === "p95" || metric === "max";
}

/**
 * Returns the limits that a recording exceeds.
 * @param protocolNames Names that the protocol defines.
 * @throws InputError `ERR_ARGUMENT` for a name that is neither defined by the protocol nor found in
 * the recording, or for a time limit if the recording has no times.
 */
export function exceededLimits(
  { file, names }: RecordingStats,
  limits: readonly StatsLimit[],
  protocolNames: ReadonlySet<string>,
): readonly ExceededLimit[] {
  return limits.flatMap(({ name, metric, most, text }) => {
    const rows = names.filter((row) => name === "*" || row.name === name);
    if (rows.length === 0 && name !== "*" && !protocolNames.has(name))
      throw unknownName(name, protocolNames);
    return rows.flatMap((row) => {
      const value = isTime(metric) ? timeOf(row, metric, { file, text }) : row[metric];
      if (value === undefined || value <= most) return [];
      return [{ limit: text, file, kind: row.kind, name: row.name, from: row.from, value }];
    });
  });
}

/**
 * Returns the median, 95th percentile or maximum of the response times, or undefined if there are
 * no responses.
 */
function timeOf(
  { kind, count, open, latency, first, name }: NameStats,
  metric: "median" | "p95" | "max",
  { file, text }: { readonly file: string; readonly text: string },
): number | undefined {
  if (kind === "event" || latency !== undefined || (count === open && first !== undefined))
    return latency?.[metric];
  throw new InputError(
    "ERR_ARGUMENT",
    `Cannot check --fail-over "${text}": the recording has no times for ${name}`,
    { file },
    "Record with wirewright tap --out",
  );
}

function unknownName(name: string, protocolNames: ReadonlySet<string>): InputError {
  const guess = nearest(name, protocolNames);
  return new InputError(
    "ERR_ARGUMENT",
    `Cannot find the request or event "${name}"`,
    {},
    guess === undefined ? 'Use "*" for all' : `Did you mean "${guess}"?`,
  );
}

/** Returns a sentence that reports an exceeded limit. */
export function exceededText({ limit, name, value }: ExceededLimit): string {
  const { metric, most } = readLimit(limit);
  const amount = isTime(metric) ? durationText : metric === "bytes" ? sizeText : String;
  return `${name}: ${metric} is ${amount(value)}, over ${amount(most)}`;
}
