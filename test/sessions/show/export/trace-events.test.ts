import assert from "node:assert/strict";
import { test } from "node:test";
import { run } from "../../../support/exported-recording.js";

interface TraceEvent {
  readonly ph: string;
  readonly pid: number;
  readonly tid?: number;
  readonly name: string;
  readonly ts: number;
  readonly dur?: number;
  readonly args: Readonly<Record<string, unknown>>;
}

test("trace events have a process for each session, with tracks for its requests and threads", () => {
  const { status, stdout, stderr } = run(["--format", "perfetto"]);
  assert.deepEqual([status, stderr], [0, "<stdin>   13 messages\n"]);
  const { traceEvents, ...more } = JSON.parse(stdout) as { traceEvents: readonly TraceEvent[] };
  assert.deepEqual(more, { displayTimeUnit: "ms", otherData: { protocol: "dap 1.71.0" } });
  const names = new Map(
    traceEvents
      .filter(({ ph, name }) => ph === "M" && name.endsWith("_name"))
      .map(({ pid, tid, args }) => [`${pid} ${tid}`, String(args["name"])]),
  );
  assert.deepEqual(
    [...names.values()],
    [
      "events",
      "findings",
      "requests 1",
      "requests 2",
      "events",
      "findings",
      "requests 1",
      "requests 2",
      "thread 4",
      "requests 3",
      "session 1",
      "session 2 (child of session 1)",
    ],
  );
  const shown = (ph: string): readonly string[] =>
    traceEvents
      .filter((each) => each.ph === ph)
      .map(({ pid, tid, name, ts, dur }) =>
        [pid, names.get(`${pid} ${tid}`), name, ts, ...(dur === undefined ? [] : [dur])].join(" "),
      );
  assert.deepEqual(
    shown("X"),
    [
      "1 requests 1 initialize 0 2500",
      "1 requests 2 threads 5000 1000",
      "2 requests 3 continue 12000 2000",
      "2 thread 4 stopped: pause, thread 4 10000 4000",
      "1 requests 1 launch 3000 17000",
      "1 requests 2 startDebugging 7000 13000",
      "1 events session 1 0 20000",
      "2 requests 1 initialize 8000 6000",
      "2 requests 2 attach 9000 5000",
      "2 events session 2 8000 6000",
    ].map((text) => text),
  );
  assert.deepEqual(
    shown("i").filter((text) => text.includes(" events ")),
    [
      "1 events initialized 4000",
      "2 events stopped 10000",
      "1 events ERR_NOISE 11000",
      "1 events mine 20000",
    ],
  );
  assert.ok(shown("i").some((text) => text === "1 findings stream.noise 11000"));
  const failed = traceEvents.find(({ name, ph }) => name === "threads" && ph === "X");
  assert.deepEqual(failed?.args, {
    message: 5,
    from: "client",
    answer: 6,
    result: "busy",
    failed: true,
  });
  checkTracks(traceEvents);
});

/**
 * Checks that the slices on each track are sequential or nested. Perfetto cannot draw slices that
 * overlap in any other way.
 */
function checkTracks(events: readonly TraceEvent[]): void {
  const tracks = groups(events);
  for (const slices of tracks.values()) {
    const ends: number[] = [];
    for (const { ts, dur = 0 } of slices.sort((a, b) => a.ts - b.ts || b.dur! - a.dur!)) {
      assert.ok(Number.isSafeInteger(ts) && Number.isSafeInteger(dur) && ts >= 0 && dur >= 0);
      while (ends.length > 0 && ends.at(-1)! <= ts) ends.pop();
      assert.ok(ends.length === 0 || ts + dur <= ends.at(-1)!, "slices overlap");
      ends.push(ts + dur);
    }
  }
}

function groups(events: readonly TraceEvent[]): ReadonlyMap<string, TraceEvent[]> {
  const tracks = new Map<string, TraceEvent[]>();
  for (const event of events) {
    if (event.ph !== "X") continue;
    const key = `${event.pid} ${event.tid}`;
    tracks.set(key, [...(tracks.get(key) ?? []), event]);
  }
  return tracks;
}
