import { nestSessions } from "../../exchanges/session-tree.js";
import type { Row, SessionStore } from "./session-store.js";
import { TimeAxis } from "./time-axis.js";

/**
 * Maximum number of request lanes and of thread lanes per session. Bars that do not fit are added
 * to the last lane.
 */
const maxLanes = 10;
const maxThreads = 8;

/** Maximum number of sessions to draw. */
const maxSessions = 40;

type BarKind = "session" | "stop" | "request" | "reverse" | "failed" | "open";

/**
 * A bar for a session, a stop or a request. Times are in milliseconds since the recording began.
 */
export interface Bar {
  readonly kind: BarKind;
  readonly begin: number;
  end: number;
  /** Row of the message where the bar begins. */
  readonly row: number;
}

/** A line of the waterfall, with its bars in order. They do not overlap. */
interface Lane {
  readonly title: string;
  readonly depth: number;
  readonly bars: Bar[];
}

export interface Waterfall {
  readonly lanes: readonly Lane[];
  readonly axis: TimeAxis;
  /** Number of sessions that are not drawn. */
  readonly leftOut: number;
}

/** The bars collected so far for a session. */
interface SessionBars {
  readonly span: Bar;
  readonly requests: Bar[];
  /**
   * Requests from the other side. They get their own lanes, because the bar of a failed request
   * does not show its direction.
   */
  readonly reverse: Bar[];
  /** Stops, by thread. The key "" stands for all threads. */
  readonly stops: Map<string, Bar[]>;
  readonly stopped: Map<string, Bar>;
}

/**
 * Lays out a recording along a time axis. Each session gets lanes that show when each thread was
 * stopped, and lanes for its requests.
 */
export function waterfallOf(store: SessionStore, only?: number): Waterfall {
  const sessions = collectBars(store, only);
  const bars = [...sessions.values()].flatMap(({ span, requests, reverse, stops }) => [
    span,
    ...requests,
    ...reverse,
    ...[...stops.values()].flat(),
  ]);
  const tree = new Map(store.sessions.map((session) => [session.number, session]));
  const ordered = nestSessions(
    [...sessions.keys()].map((number) => tree.get(number) ?? { number }),
  );
  const shown = ordered.slice(0, maxSessions);
  return {
    lanes: shown.flatMap(({ session: { number }, depth }) =>
      lanesOf(sessions.get(number)!, number, depth, ordered.length > 1),
    ),
    axis: new TimeAxis(bars.flatMap(({ begin, end }) => [begin, end])),
    leftOut: ordered.length - shown.length,
  };
}

function collectBars(store: SessionStore, only: number | undefined): Map<number, SessionBars> {
  const sessions = new Map<number, SessionBars>();
  for (const row of store.rows) {
    const { number, time, session, partner } = row;
    if (time === undefined || (only !== undefined && session !== only)) continue;
    let bars = sessions.get(session);
    if (bars === undefined) {
      const span: Bar = { kind: "session", begin: time, end: time, row: number };
      bars = { span, requests: [], reverse: [], stops: new Map(), stopped: new Map() };
      sessions.set(session, bars);
    }
    bars.span.end = Math.max(bars.span.end, time);
    if (row.kind === "request") {
      const direction = row.from === 0 ? "request" : "reverse";
      const isOpen = store.isOpen(row);
      const kind = isOpen ? "open" : partner?.hasFailed === true ? "failed" : direction;
      const end = isOpen ? Infinity : (partner?.time ?? time);
      const list = direction === "request" ? bars.requests : bars.reverse;
      list.push({ kind, begin: time, end, row: number });
    }
    followMove(bars, row, time, store);
  }
  for (const { span, requests, reverse, stopped } of sessions.values()) {
    for (const bar of [...requests, ...reverse]) if (bar.end === Infinity) bar.end = span.end;
    for (const bar of stopped.values()) bar.end = span.end;
  }
  return sessions;
}

function followMove(
  { stops, stopped }: SessionBars,
  { number, move }: Row,
  time: number,
  store: SessionStore,
): void {
  if (move === undefined) return;
  const { isStop, thread = "", since } = move;
  const id = String(thread);
  const end = isStop ? time : (store.row(since)?.time ?? time);
  for (const [stoppedId, bar] of stopped) {
    if (bar.row >= since && !isStop) continue;
    if (id !== "" && stoppedId !== id) continue;
    bar.end = Math.max(bar.begin, end);
    stopped.delete(stoppedId);
  }
  if (!isStop) return;
  const bar: Bar = { kind: "stop", begin: time, end: time, row: number };
  const bars = stops.get(id) ?? [];
  stops.set(id, bars);
  bars.push(bar);
  stopped.set(id, bar);
}

function lanesOf(
  { span, requests, reverse, stops }: SessionBars,
  number: number,
  depth: number,
  hasSpan: boolean,
): Lane[] {
  const threads = [...stops].sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }));
  const rest = threads.slice(maxThreads - 1).flatMap(([, bars]) => bars);
  const listed =
    threads.length <= maxThreads
      ? threads
      : [...threads.slice(0, maxThreads - 1), ["…", byBegin(rest)] as const];
  return [
    ...(hasSpan ? [{ title: `session ${number}`, depth, bars: [span] }] : []),
    ...listed.map(([thread, bars]) => ({
      title: thread === "" ? "stopped" : thread === "…" ? "others" : `thread ${thread}`,
      depth: depth + (hasSpan ? 1 : 0),
      bars,
    })),
    ...packed("requests", requests, depth + (hasSpan ? 1 : 0)),
    ...packed("reverse", reverse, depth + (hasSpan ? 1 : 0)),
  ];
}

/** Spreads bars over as few lanes as possible. The title goes to the first lane. */
function packed(title: string, bars: readonly Bar[], depth: number): Lane[] {
  const lanes: Bar[][] = [];
  const ends: number[] = [];
  for (const bar of byBegin(bars)) {
    let lane = ends.findIndex((end) => end <= bar.begin);
    if (lane < 0) lane = Math.min(lanes.length, maxLanes - 1);
    (lanes[lane] ??= []).push(bar);
    ends[lane] = Math.max(ends[lane] ?? 0, bar.end);
  }
  return lanes.map((bars, index) => ({ title: index === 0 ? title : "", depth, bars }));
}

function byBegin(bars: readonly Bar[]): Bar[] {
  return [...bars].sort((a, b) => a.begin - b.begin || a.row - b.row);
}
