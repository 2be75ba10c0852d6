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
  readonly latencies: number[];
}

/** Counts the messages in a recording. */
class StatsCollector {
  readonly #protocol: Protocol;
  readonly #tracker: MessageTracker;
  readonly #rows = new Map<string, Row>();
  messages = 0;
  #bytes = 0;
  #faults = 0;
  #first: number | undefined;
  #last: number | undefined;

  constructor(protocol: Protocol) {
    this.#protocol = protocol;
    this.#tracker = new MessageTracker(protocol, maxRemembered);
  }

  push(entry: RecordedEntry): void {
    if (entry.fault !== undefined) this.#faults++;
    if (entry.message === undefined) return;
    const { time } = entry;
    const bytes = Buffer.byteLength(JSON.stringify(entry.message));
    this.messages++;
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
      messages: this.messages,
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
    if (latency !== undefined) row.latencies.push(latency);
  }

  #rowOf({ kind, from }: TrackedMessage, fullName: string): Row {
    const rowKind = kind === "event" ? "event" : "request";
    const sender = kind === "response" ? this.#protocol.roles.find((role) => role !== from)! : from;
    const name = shortName(fullName);
    const key = `${rowKind} ${sender} ${name}`;
    const existing = this.#rows.get(key);
    if (existing !== undefined) return existing;
    const row: Row = {
      kind: rowKind,
      name,
      from: sender,
      count: 0,
      failures: 0,
      answered: 0,
      bytes: 0,
      first: undefined,
      last: undefined,
      latencies: [],
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
  const { kind, name, from, count, failures, answered, bytes, first, last } = row;
  const latencies = row.latencies.sort((a, b) => a - b);
  return {
    kind,
    name,
    from,
    count,
    failures,
    open: kind === "request" && isAnswered(protocol, name) ? Math.max(0, count - answered) : 0,
    ...(latencies.length === 0
      ? {}
      : {
          latency: {
            median: atShare(latencies, 0.5),
            p95: atShare(latencies, 0.95),
            max: atShare(latencies, 1),
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
 * Returns a percentile of times in ascending order: the lowest time that is not exceeded by the
 * given share of them, from 0 to 1.
 */
function atShare(times: readonly number[], share: number): number {
  return rounded(times[Math.max(1, Math.ceil(share * times.length)) - 1]!);
}
