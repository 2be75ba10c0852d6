import { MessageTracker, type TrackedMessage } from "../exchanges/message-tracker.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import type { OpenRecording, RecordedEntry } from "../../read/recording.js";
import { maxRemembered, shortName } from "../../read/remembered.js";
import { Latencies } from "./latencies.js";

/**
 * Maximum number of distinct names. Once it is reached, messages with new names are counted
 * together as `…`.
 */
const maxNames = 10_000;

/** The counts and times for one request or event in a recording. */
export interface NameStats {
  readonly kind: "request" | "event";
  readonly name: string;
  /** The role that sends the message. */
  readonly from: string;
  /** Number of requests or events. */
  readonly count: number;
  /** Number of requests that failed. */
  readonly failures: number;
  /** Number of requests that have no response. */
  readonly open: number;
  /** Milliseconds from request to response. Absent if no response times are known. */
  readonly latency?: { readonly median: number; readonly p95: number; readonly max: number };
  /** Total size of the messages and their responses as JSON, in bytes. */
  readonly bytes: number;
  /**
   * Time of the first message, in milliseconds since the session began, if known. `last` is the
   * time of the last message.
   */
  readonly first?: number;
  readonly last?: number;
}

/** The counts and times for a recording, by request and event. */
export interface RecordingStats {
  readonly file: string;
  readonly messages: number;
  readonly bytes: number;
  readonly first?: number;
  readonly last?: number;
  /** Number of places where the recording contains bytes that are not a message. */
  readonly faults: number;
  /**
   * The statistics for each request and event. Requests come before events, and the most frequent
   * names come first.
   */
  readonly names: readonly NameStats[];
}

interface Row {
  readonly kind: NameStats["kind"];
  readonly name: string;
  readonly from: string;
  count: number;
  failures: number;
  answered: number;
  bytes: number;
  first: number | undefined;
  last: number | undefined;
  readonly latencies: Latencies;
}

/** Counts the messages in a recording. Memory use is bounded. */
class StatsCollector {
  readonly #protocol: Protocol;
  readonly #tracker: MessageTracker;
  readonly #rows = new Map<string, Row>();
  #messages = 0;
  #bytes = 0;
  #faults = 0;
  #first: number | undefined;
  #last: number | undefined;

  constructor(protocol: Protocol) {
    this.#protocol = protocol;
    this.#tracker = new MessageTracker(protocol, maxRemembered);
  }

  get messages(): number {
    return this.#messages;
  }

  push(entry: RecordedEntry): void {
    if (entry.fault !== undefined) this.#faults++;
    if (entry.message === undefined) return;
    const { time } = entry;
    const bytes = Buffer.byteLength(JSON.stringify(entry.message));
    this.#messages++;
    this.#bytes += bytes;
    this.#first = earlier(this.#first, time);
    this.#last = later(this.#last, time);
    const message = this.#tracker.read(entry);
    const { kind, name = "" } = message;
    if (kind === "none") return;
    const row = this.#rowOf(message, name);
    row.bytes += bytes;
    if (kind === "response") this.#answer(row, message);
    else {
      row.count++;
      row.first = earlier(row.first, time);
      row.last = later(row.last, time);
    }
  }

  /**
   * Returns the statistics for the recording.
   *
   * @param file The recording's name.
   */
  end(file: string): RecordingStats {
    const names = [...this.#rows.values()].map(statsOf);
    return {
      file,
      messages: this.#messages,
      bytes: this.#bytes,
      ...timesOf(this.#first, this.#last),
      faults: this.#faults,
      names: names.sort(
        (a, b) =>
          Number(a.kind === "event") - Number(b.kind === "event") ||
          b.count - a.count ||
          compare(a.name, b.name) ||
          compare(a.from, b.from),
      ),
    };
  }

  #answer(row: Row, { hasFailed, answers, latency }: TrackedMessage): void {
    if (hasFailed) row.failures++;
    if (answers !== undefined) row.answered++;
    if (latency !== undefined) row.latencies.add(latency);
  }

  #rowOf({ kind, from }: TrackedMessage, whole: string): Row {
    const own = kind === "event" ? "event" : "request";
    const asking = kind === "response" ? this.#protocol.roles.find((role) => role !== from)! : from;
    const name = shortName(whole);
    return (
      this.#rows.get(`${own} ${asking} ${name}`) ??
      this.#add(own, asking, this.#rows.size < maxNames ? name : "…")
    );
  }

  #add(kind: Row["kind"], from: string, name: string): Row {
    const key = `${kind} ${from} ${name}`;
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    const row = {
      kind,
      name,
      from,
      count: 0,
      failures: 0,
      answered: 0,
      bytes: 0,
      first: undefined,
      last: undefined,
      latencies: new Latencies(),
    };
    this.#rows.set(key, row);
    return row;
  }
}

/**
 * Counts the messages in a recording.
 *
 * @param onProgress Called with the number of bytes and messages read so far.
 */
export async function collectStats(
  recording: OpenRecording,
  protocol: Protocol,
  file: string,
  onProgress?: (bytes: number, messages: number) => void,
): Promise<RecordingStats> {
  const collector = new StatsCollector(protocol);
  let bytes = 0;
  for await (const batch of recording.batches()) {
    for (const entry of batch.entries) collector.push(entry);
    bytes += batch.bytes;
    onProgress?.(bytes, collector.messages);
  }
  return collector.end(file);
}

function statsOf(row: Row): NameStats {
  const { kind, name, from, count, failures, answered, bytes, first, last, latencies } = row;
  return {
    kind,
    name,
    from,
    count,
    failures,
    open: kind === "request" ? Math.max(0, count - answered) : 0,
    ...(latencies.count === 0
      ? {}
      : {
          latency: {
            median: rounded(latencies.atShare(0.5)),
            p95: rounded(latencies.atShare(0.95)),
            max: rounded(latencies.max),
          },
        }),
    bytes,
    ...timesOf(first, last),
  };
}

/** Rounds a time to microseconds. More digits would serve no purpose. */
function rounded(time: number): number {
  return Math.round(time * 1_000) / 1_000;
}

function timesOf(
  first: number | undefined,
  last: number | undefined,
): Pick<NameStats, "first" | "last"> {
  return first === undefined || last === undefined ? {} : { first, last };
}

function earlier(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

function later(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
