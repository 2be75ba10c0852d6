import type { LintFinding } from "../../judge/rules.js";
import type { TreeSession } from "../exchanges/session-tree.js";
import type { ReadEntry } from "../exchanges/entry-reader.js";
import type { Exporter, TextOutput } from "./exporter.js";

/**
 * Track numbers within a session. `requests` and `threads` are the numbers of the first track of
 * each kind.
 */
const tracks = { session: 1, findings: 2, requests: 100, threads: 10_000 } as const;

/** Maximum number of request tracks per session, pending requests to remember, and threads. */
const maxLanes = 100;
const maxOpen = 10_000;
const maxThreads = 10_000;

interface OpenSlice {
  readonly name: string;
  readonly track: number;
  readonly begin: number;
  readonly args: Readonly<Record<string, unknown>>;
}

interface OpenRequest extends OpenSlice {
  readonly lane: number;
}

interface SessionTracks {
  readonly number: number;
  begin: number;
  last: number;
  /** Pending requests, by message number. */
  readonly open: Map<number, OpenRequest>;
  /** Whether each request track is in use. */
  readonly lanes: boolean[];
  /** Stops, by thread. The key "" stands for all threads. */
  readonly stops: Map<string, OpenSlice & { readonly since: number }>;
  readonly threads: Map<string, number>;
}

/**
 * Writes trace events as JSON that Perfetto can open. Each session is a process, with one track for
 * events, one for findings, several for requests, and one per thread that shows when it was
 * stopped. Times are in microseconds.
 */
export class PerfettoExporter implements Exporter {
  readonly #output: TextOutput;
  readonly #sessions = new Map<number, SessionTracks>();
  #isFirst = true;

  /** @param protocol The protocol's name, which is also used to name sessions. */
  constructor(output: TextOutput, protocol: string) {
    this.#output = output;
    output.add(
      `{"displayTimeUnit":"ms","otherData":${JSON.stringify({ protocol })},"traceEvents":[`,
    );
  }

  push({ entry, session: number, message, summary, move }: ReadEntry): void {
    const session = this.#sessionOf(number, entry.time);
    const time = entry.time ?? session.last;
    session.last = Math.max(session.last, time);
    const args = {
      summary: summary === "" ? undefined : summary,
      message: message?.index,
      from: entry.from,
    };
    const {
      kind = "none",
      name = "message",
      index = 0,
      answers = 0,
      hasFailed = false,
    } = message ?? {};
    if (kind === "request") this.#begin(session, index, { name, time, args });
    else if (kind === "response") this.#answer(session, answers, { time, args, hasFailed });
    else {
      const title = message === undefined ? titleOf(entry) : kind === "event" ? name : "message";
      this.#instant(session, tracks.session, title, time, args);
    }
    if (move?.isStop === true) this.#stop(session, move.thread, { time, since: index, args });
    else if (move !== undefined) this.#resume(session, move.thread, { time, since: move.since });
  }

  find({ rule, severity, message, pointer, index, time }: LintFinding, number: number): void {
    const session = this.#sessionOf(number, time);
    const args = {
      severity,
      text: message,
      message: index,
      pointer: pointer === "" ? undefined : pointer,
    };
    this.#instant(session, tracks.findings, rule, time ?? session.last, args);
  }

  flush(): Promise<void> {
    return this.#output.flush();
  }

  async end(sessions: readonly TreeSession[]): Promise<void> {
    const tree = new Map(sessions.map((session) => [session.number, session]));
    for (const session of this.#sessions.values()) {
      for (const slice of session.open.values())
        this.#slice(session, { ...slice, args: { ...slice.args, answered: false } }, session.last);
      for (const slice of session.stops.values()) this.#slice(session, slice, session.last);
      const { parent } = tree.get(session.number) ?? {};
      const child = parent === undefined ? "" : ` (child of session ${parent})`;
      this.#name(session.number, undefined, `session ${session.number}${child}`);
      const name = `session ${session.number}`;
      const slice = { name, track: tracks.session, begin: session.begin, args: {} };
      this.#slice(session, slice, session.last);
    }
    this.#output.add("\n]}\n");
    await this.#output.finish();
  }

  drop(): Promise<void> {
    return this.#output.drop();
  }

  #sessionOf(number: number, time = 0): SessionTracks {
    let session = this.#sessions.get(number);
    if (session === undefined) {
      session = {
        number,
        begin: time,
        last: time,
        lanes: [],
        open: new Map(),
        stops: new Map(),
        threads: new Map(),
      };
      this.#sessions.set(number, session);
      this.#name(number, tracks.session, "events");
      this.#name(number, tracks.findings, "findings");
    }
    return session;
  }

  #begin(
    session: SessionTracks,
    index: number,
    { name, time, args }: { name: string; time: number; args: OpenSlice["args"] },
  ): void {
    if (session.open.size === maxOpen) {
      const [first, slice] = session.open.entries().next().value!;
      session.open.delete(first);
      session.lanes[slice.lane] = false;
      this.#slice(session, slice, time);
    }
    let lane = session.lanes.findIndex((isTaken) => !isTaken);
    if (lane < 0) lane = Math.min(session.lanes.length, maxLanes - 1);
    const track = tracks.requests + lane;
    if (lane === session.lanes.length) this.#name(session.number, track, `requests ${lane + 1}`);
    session.lanes[lane] = true;
    session.open.set(index, { name, track, lane, begin: time, args });
    this.#count(session, time);
  }

  #answer(
    session: SessionTracks,
    answers: number,
    { time, args, hasFailed }: { time: number; args: OpenSlice["args"]; hasFailed: boolean },
  ): void {
    const slice = session.open.get(answers);
    if (slice === undefined) return this.#instant(session, tracks.session, "response", time, args);
    session.open.delete(answers);
    session.lanes[slice.lane] = false;
    const { summary, message } = args;
    const answered = {
      ...slice.args,
      answer: message,
      result: summary,
      failed: hasFailed || undefined,
    };
    this.#slice(session, { ...slice, args: answered }, time);
    this.#count(session, time);
  }

  #stop(
    session: SessionTracks,
    thread: number | string | undefined,
    { time, since, args }: { time: number; since: number; args: OpenSlice["args"] },
  ): void {
    // If an earlier stop of the thread is still open, end that stop, even though no message
    // reported that the thread resumed.
    this.#resume(session, thread, { time, since });
    const key = thread === undefined ? "" : String(thread);
    const track = this.#threadOf(session, key);
    const name = typeof args["summary"] === "string" ? `stopped: ${args["summary"]}` : "stopped";
    session.stops.set(key, { name, track, begin: time, args, since });
  }

  #resume(
    session: SessionTracks,
    thread: number | string | undefined,
    { time, since }: { time: number; since: number },
  ): void {
    for (const [key, slice] of session.stops) {
      if ((thread !== undefined && key !== String(thread)) || slice.since > since) continue;
      session.stops.delete(key);
      this.#slice(session, slice, time);
    }
  }

  #threadOf(session: SessionTracks, thread: string): number {
    const existing = session.threads.get(thread);
    if (existing !== undefined) return existing;
    if (session.threads.size === maxThreads) return tracks.threads;
    const track = tracks.threads + session.threads.size + 1;
    session.threads.set(thread, track);
    this.#name(session.number, track, thread === "" ? "all threads" : `thread ${thread}`);
    return track;
  }

  #slice(session: SessionTracks, { name, track, begin, args }: OpenSlice, end: number): void {
    const [ts, until] = [micro(begin), micro(end)];
    this.#event({
      ph: "X",
      pid: session.number,
      tid: track,
      name,
      ts,
      dur: Math.max(0, until - ts),
      args,
    });
  }

  #instant(
    session: SessionTracks,
    track: number,
    name: string,
    time: number,
    args: OpenSlice["args"],
  ): void {
    this.#event({ ph: "i", s: "t", pid: session.number, tid: track, name, ts: micro(time), args });
  }

  #count(session: SessionTracks, time: number): void {
    const args = { requests: session.open.size };
    this.#event({ ph: "C", pid: session.number, name: "in flight", ts: micro(time), args });
  }

  /** Writes the name of a track or of the session. */
  #name(session: number, track: number | undefined, name: string): void {
    const kind = track === undefined ? "process_name" : "thread_name";
    this.#event({ ph: "M", pid: session, tid: track ?? 0, name: kind, args: { name } });
    if (track !== undefined)
      this.#event({
        ph: "M",
        pid: session,
        tid: track,
        name: "thread_sort_index",
        args: { sort_index: track },
      });
  }

  #event(event: object): void {
    this.#output.add(`${this.#isFirst ? "" : ","}\n${JSON.stringify(event)}`);
    this.#isFirst = false;
  }
}

function titleOf({ printed, ended, fault }: ReadEntry["entry"]): string {
  if (printed !== undefined) return "printed";
  return ended !== undefined ? "ended" : (fault?.code ?? "noise");
}

/** Converts a time to whole microseconds. */
function micro(time: number): number {
  return Math.round(time * 1_000);
}
