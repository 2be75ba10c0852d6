import { rowKinds } from "../page-data.js";
import type { SessionStore } from "./session-store.js";

/** A request that has a response. Times are in milliseconds since the session began. */
interface Answered {
  readonly request: number;
  readonly response: number;
  readonly name: number;
  readonly begin: number;
  readonly latency: number;
  readonly hasFailed: boolean;
}

/** The response times of requests, along with the requests that have no response. */
export interface Timing {
  readonly answered: readonly Answered[];
  /** Requests that have no response, with the time at which each was sent. */
  readonly open: readonly {
    readonly request: number;
    readonly name: number;
    readonly begin: number;
  }[];
  /** Times of the recording's first and last messages. */
  readonly begin: number;
  readonly end: number;
}

interface NameTiming {
  readonly name: string;
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
  const request = rowKinds.indexOf("request");
  const answered: Answered[] = [];
  const open: Timing["open"][number][] = [];
  let begin = Infinity;
  let end = -Infinity;
  for (const columns of store.blocks)
    for (let position = 0; position < columns.kind.length; position++) {
      const time = columns.time[position] ?? undefined;
      if (time === undefined) continue;
      begin = Math.min(begin, time);
      end = Math.max(end, time);
      const row = columns.first + position;
      const latency = columns.latency[position] ?? undefined;
      if (columns.kind[position] === request) {
        if (store.isOpen(row))
          open.push({ request: row, name: columns.name[position]!, begin: time });
      } else if (latency !== undefined && columns.answers[position]! >= 0)
        answered.push({
          request: columns.answers[position]!,
          response: row,
          name: columns.name[position]!,
          begin: time - latency,
          latency,
          hasFailed: columns.failed[position] === 1,
        });
    }
  return { answered, open, begin, end };
}

/** Summarizes response times by request name, slowest first. */
export function timingByName(
  { answered, open }: Timing,
  names: readonly string[],
): readonly NameTiming[] {
  const groups = new Map<number, { latencies: Answered[]; unanswered: number }>();
  const groupOf = (name: number): { latencies: Answered[]; unanswered: number } => {
    let group = groups.get(name);
    if (group === undefined) groups.set(name, (group = { latencies: [], unanswered: 0 }));
    return group;
  };
  for (const response of answered) groupOf(response.name).latencies.push(response);
  for (const { name } of open) groupOf(name).unanswered++;
  return [...groups]
    .map(([name, { latencies, unanswered }]) => {
      const sorted = latencies.sort((a, b) => a.latency - b.latency);
      const last = sorted.at(-1);
      return {
        name: names[name] ?? "",
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
 */
export function inFlight({ answered, open, begin, end }: Timing, count: number): Int32Array {
  const span = Math.max(end - begin, 1e-6);
  const partOf = (time: number): number =>
    Math.min(count - 1, Math.max(0, Math.floor(((time - begin) / span) * count)));
  const changes = new Int32Array(count + 1);
  const add = (from: number, to: number): void => {
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
