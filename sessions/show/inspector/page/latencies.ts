import type { SessionStore } from "./session-store.js";
import type { TimeAxis } from "./time-axis.js";

/** A request, and the time at which it was sent, in milliseconds since the session began. */
interface TimedRequest {
  readonly request: number;
  readonly name: string;
  /** Role that sent the request. */
  readonly from: number;
  readonly begin: number;
}

interface Answered extends TimedRequest {
  readonly latency: number;
  readonly hasFailed: boolean;
}

/** The response times of requests, along with the requests that have no response. */
export interface Timing {
  readonly answered: readonly Answered[];
  /** Requests that have no response. */
  readonly open: readonly TimedRequest[];
  /** Times of the recording's first and last messages. */
  readonly begin: number;
  readonly end: number;
}

interface NameTiming {
  readonly name: string;
  /** Role that sends the requests. */
  readonly from: number;
  readonly count: number;
  readonly unanswered: number;
  readonly median: number;
  /** The 95th percentile: 95 % of requests take no longer than this. */
  readonly most: number;
  readonly longest: number;
  /** Row of the slowest request. */
  readonly longestRow: number;
}

export function timingOf(store: SessionStore): Timing {
  const answered: Answered[] = [];
  const open: TimedRequest[] = [];
  let begin = Infinity;
  let end = -Infinity;
  for (const row of store.rows) {
    const { number, name, from = 0, time, latency, partner } = row;
    if (time === undefined) continue;
    begin = Math.min(begin, time);
    end = Math.max(end, time);
    if (row.kind !== "request") continue;
    const request = { request: number, name, from, begin: time };
    if (store.isOpen(row)) open.push(request);
    else if (partner !== undefined && latency !== undefined)
      answered.push({ ...request, latency, hasFailed: partner.hasFailed });
  }
  return { answered, open, begin, end };
}

/** Summarizes response times by request name and sender, slowest first. */
export function timingByName({ answered, open }: Timing): readonly NameTiming[] {
  const groups = new Map<
    string,
    { name: string; from: number; sorted: Answered[]; open: number }
  >();
  const groupOf = ({ name, from }: TimedRequest) => {
    const key = `${name} ${from}`;
    const group = groups.get(key) ?? { name, from, sorted: [], open: 0 };
    groups.set(key, group);
    return group;
  };
  for (const request of answered) groupOf(request).sorted.push(request);
  for (const request of open) groupOf(request).open++;
  return [...groups.values()]
    .map(({ name, from, sorted, open: unanswered }) => {
      sorted.sort((a, b) => a.latency - b.latency);
      const last = sorted.at(-1);
      return {
        name,
        from,
        count: sorted.length + unanswered,
        unanswered,
        median: atShare(sorted, 0.5),
        most: atShare(sorted, 0.95),
        longest: last?.latency ?? 0,
        longestRow: last?.request ?? -1,
      };
    })
    .sort((a, b) => b.longest - a.longest);
}

/**
 * Divides the recording into `count` equal parts and returns the maximum number of requests in
 * flight during each.
 *
 * @param axis The axis whose parts are equal. Default: the time from the first to the last message.
 */
export function inFlight(
  { answered, open, begin, end }: Timing,
  count: number,
  axis?: TimeAxis,
): Int32Array {
  const whole = axis?.whole ?? { begin, end: Math.max(end, begin + 1e-6) };
  const shareOf = (time: number): number =>
    axis?.shareOf(time, whole) ?? (time - begin) / (whole.end - begin);
  const partOf = (time: number): number =>
    Math.min(count - 1, Math.max(0, Math.floor(shareOf(time) * count)));
  const changes = new Int32Array(count + 1);
  const add = (from: number, to: number): void => {
    if (to < whole.begin || from > whole.end) return;
    changes[partOf(from)]!++;
    changes[partOf(to) + 1]!--;
  };
  for (const { begin: from, latency } of answered) add(from, from + latency);
  for (const { begin: from } of open) add(from, end);
  const most = new Int32Array(count);
  let now = 0;
  for (let part = 0; part < count; part++) most[part] = now += changes[part]!;
  return most;
}

function atShare(sorted: readonly Answered[], share: number): number {
  if (sorted.length === 0) return 0;
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)]!.latency;
}
