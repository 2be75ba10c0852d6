import type { Protocol } from "../../../generator/model/protocol.js";
import { isUnanswered, requestsOf } from "../../../generator/model/queries.js";
import * as option from "../../../runtime/base/check-options.js";
import { openProtocol, type OpenProtocol } from "../../judge/open-protocol.js";
import { openRecordingFiles, type RecordingInputFile } from "../../read/recording-files.js";
import type { OpenRecording, RecordedEntry } from "../../read/recording.js";
import { maxRemembered, shortName } from "../../read/remembered.js";
import { MessageTracker, type TrackedMessage } from "../exchanges/message-tracker.js";

/** Options for `stats`. */
export interface StatsOptions {
  /**
   * Name of a bundled protocol, such as `dap` or `dap@1.68.0`, path to a description, or the result
   * of `openProtocol`.
   */
  readonly protocol: string | OpenProtocol;
  readonly signal?: AbortSignal;
}

const checks: option.OptionChecks<StatsOptions> = {
  protocol: option.either(option.text, option.object),
  signal: option.signal,
};

/**
 * Counts the messages in a recording by request and event, with failures, response times and bytes.
 * Memory use is bounded.
 *
 * @throws TypeError for unknown options. InputError if the recording cannot be read. The reason of
 * `signal` if it is aborted.
 */
export async function sessionStats(
  file: RecordingInputFile,
  options: StatsOptions,
): Promise<RecordingStats> {
  option.checkOptions("sessionStats", options, checks);
  if (options?.protocol === undefined)
    throw new TypeError('sessionStats: the option "protocol" is missing (for example "dap")');
  const { signal } = options;
  const protocol =
    typeof options.protocol === "string" ? await openProtocol(options.protocol) : options.protocol;
  const recording = await openRecordingFiles([file], protocol, { signal });
  return collectStats(recording, protocol, typeof file === "string" ? file : "", () =>
    signal?.throwIfAborted(),
  );
}

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
    const names = [...this.#rows.values()].map((row) => statsOf(row, this.#protocol));
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

  #rowOf({ kind, from }: TrackedMessage, fullName: string): Row {
    const rowKind = kind === "event" ? "event" : "request";
    const sender = kind === "response" ? this.#protocol.roles.find((role) => role !== from)! : from;
    const name = shortName(fullName);
    return (
      this.#rows.get(`${rowKind} ${sender} ${name}`) ??
      this.#add(rowKind, sender, this.#rows.size < maxNames ? name : "…")
    );
  }

  #add(kind: Row["kind"], from: string, name: string): Row {
    const key = `${kind} ${from} ${name}`;
    const existing = this.#rows.get(key);
    if (existing !== undefined) return existing;
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
 * @param onProgress Called with the number of messages and bytes read so far.
 */
export async function collectStats(
  recording: OpenRecording,
  protocol: Protocol,
  file: string,
  onProgress?: (messages: number, bytes: number) => void,
): Promise<RecordingStats> {
  const collector = new StatsCollector(protocol);
  let bytes = 0;
  for await (const batch of recording.batches()) {
    for (const entry of batch.entries) collector.push(entry);
    bytes += batch.bytes;
    onProgress?.(collector.messages, bytes);
  }
  return collector.end(file);
}

function statsOf(row: Row, protocol: Protocol): NameStats {
  const { kind, name, from, count, failures, answered, bytes, first, last, latencies } = row;
  return {
    kind,
    name,
    from,
    count,
    failures,
    open: kind === "request" && isAnswered(protocol, name) ? Math.max(0, count - answered) : 0,
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

/** Returns whether a request gets a response. In some protocols, requests are answered by events. */
function isAnswered(protocol: Protocol, name: string): boolean {
  const request = requestsOf(protocol).find((each) => each.name === name);
  return (
    protocol.envelope.response?.result !== undefined &&
    (request === undefined || !isUnanswered(request))
  );
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

/**
 * Maximum number of response times to store exactly. Beyond that, all times are merely counted in
 * classes of similar times.
 */
const maxExact = 10_000;

/**
 * Width of a class of similar times, on a logarithmic scale. The longest and shortest times in a
 * class differ by 0.1 %.
 */
const width = Math.log(1.001);

/** The shortest time that is not treated as zero: a microsecond, in milliseconds. */
const shortest = 0.001;

/**
 * The distribution of response times, kept in bounded memory. It is exact for up to 10,000 times
 * and accurate to 0.1 % beyond that.
 */
export class Latencies {
  #exact: number[] = [];
  readonly #classes = new Map<number, number>();
  #count = 0;
  #max = 0;

  get count(): number {
    return this.#count;
  }

  get max(): number {
    return this.#max;
  }

  /**
   * Adds a response time.
   *
   * @param time Time in milliseconds.
   */
  add(time: number): void {
    this.#count++;
    this.#max = Math.max(this.#max, time);
    if (this.#count <= maxExact) {
      this.#exact.push(time);
      return;
    }
    for (const exact of this.#exact) this.#classify(exact);
    this.#exact = [];
    this.#classify(time);
  }

  /**
   * Returns a percentile: the lowest time that is not exceeded by the given share (from 0 to 1) of
   * all times. Returns zero if there are no times.
   */
  atShare(share: number): number {
    const rank = Math.max(1, Math.ceil(share * this.#count));
    if (this.#classes.size === 0) return this.#exact.sort((a, b) => a - b)[rank - 1] ?? 0;
    let seen = 0;
    for (const [index, count] of [...this.#classes].sort(([a], [b]) => a - b)) {
      seen += count;
      if (seen >= rank)
        return index < 0 ? 0 : Math.min(this.#max, shortest * Math.exp((index + 0.5) * width));
    }
    return this.#max;
  }

  #classify(time: number): void {
    const index = time < shortest ? -1 : Math.floor(Math.log(time / shortest) / width);
    this.#classes.set(index, (this.#classes.get(index) ?? 0) + 1);
  }
}
