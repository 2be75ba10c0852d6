import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { MessageSource } from "../../../../sessions/show/inspector/page/page-messages.js";
import { SessionStore } from "../../../../sessions/show/inspector/page/session-store.js";
import { stateAt as readState } from "../../../../sessions/show/inspector/page/state-reader.js";
import { TimeAxis, type TimeRange } from "../../../../sessions/show/inspector/page/time-axis.js";
import { waterfallOf, type Waterfall } from "../../../../sessions/show/inspector/page/waterfall.js";
import { testCases } from "../../../support/case-list.js";
import { dapEvent, dapRequest, dapResponse } from "../../../support/dap-messages.js";
import { pageOf, readPage, recorded } from "../../../support/inspector-page.js";
import { dap } from "../../../support/page-session.js";
import { fromRoot } from "../../../support/paths.js";

type Line = readonly [from: "client" | "adapter", message: object, session?: number];

interface OpenPage {
  readonly store: SessionStore;
  readonly source: MessageSource;
}

/** Opens a page with messages that are 10 ms apart. */
async function open(lines: readonly Line[]): Promise<OpenPage> {
  const html = await pageOf(
    lines.map(([from, message, session], at) => recorded(from, 10 * at, message, session)),
    dap,
  );
  const { data, messages } = readPage(html);
  const store = new SessionStore(data);
  const blocks = data.blocks.map((rows) => messages.slice(rows[0]!.number).slice(0, rows.length));
  return { store, source: { read: async (block) => blocks[block]! } };
}

const never = new AbortController().signal;

/** Describes the session state after a given row of the page. */
async function stateAt({ store, source }: OpenPage, row: number): Promise<Record<string, unknown>> {
  const state = (await readState(store, source, row, never))!;
  const { stops, runs, ranAt } = state.program;
  const groups = state.groups.map(({ title }, at) => [
    title,
    [...state.items[at]!.values()].map(({ id, of, texts, row: given }) =>
      [`#${given}`, id, ...(of === "" ? [] : [`of ${of}`]), ...texts.values()].join(" "),
    ),
  ]);
  return {
    stops: Object.fromEntries(stops),
    runs: Object.fromEntries(runs),
    ranAt,
    announced: Object.fromEntries(
      [...state.announced].map(([role, flags]) => [role, Object.fromEntries(flags)]),
    ),
    ...Object.fromEntries(groups.filter(([, items]) => items!.length > 0)),
  };
}

const frames = (first: number, count: number): object => ({
  stackFrames: Array.from({ length: count }, (_, at) => ({
    id: first + at,
    name: `f${at}`,
    line: at + 1,
    column: 1,
    ...(at === 0 ? { source: { path: "/a.c" } } : {}),
  })),
});

const session = readFileSync(fromRoot("test/fixtures/recordings/shown-state.jsonl"), "utf8")
  .trimEnd()
  .split("\n")
  .map((line): Line => {
    const { from, message } = JSON.parse(line) as { from: "client" | "adapter"; message: object };
    return [from, message];
  });

testCases("test/cases/shown-state.md", "facts are shown", async (row) =>
  Object.entries(await stateAt(await open(session), Number(row))).map(
    ([name, value]) => `${name}: ${JSON.stringify(value)}`,
  ),
);

test("a thread that stops or runs separately does not change the state of other threads", async () => {
  const page = await open([
    ["adapter", dapEvent(1, "stopped", { reason: "step", threadId: 1 })],
    ["adapter", dapEvent(2, "stopped", { reason: "step", threadId: 2 })],
    ["client", dapRequest(1, "stackTrace", { threadId: 1 })],
    ["adapter", dapResponse(3, 1, "stackTrace", frames(10, 1))],
    ["client", dapRequest(2, "stackTrace", { threadId: 2 })],
    ["adapter", dapResponse(4, 2, "stackTrace", frames(20, 1))],
    ["client", dapRequest(3, "continue", { threadId: 1, singleThread: true })],
    ["adapter", dapResponse(5, 3, "continue", { allThreadsContinued: false })],
    // A stop may arrive before the response to the request that caused it.
    ["client", dapRequest(4, "next", { threadId: 2, singleThread: true })],
    ["adapter", dapEvent(6, "stopped", { reason: "step", threadId: 2 })],
    ["adapter", dapResponse(7, 4, "next")],
    ["client", dapRequest(5, "continue", { threadId: 2 })],
    ["adapter", { ...dapResponse(8, 5, "continue"), success: false }],
    ["adapter", dapEvent(9, "continued", { threadId: 2 })],
  ]);
  const at = async (row: number): Promise<unknown> => {
    const { stops, runs, Frames } = await stateAt(page, row);
    return { stops, runs, Frames };
  };
  assert.deepEqual(await at(7), {
    stops: { 2: 1 },
    runs: { 1: 6 },
    Frames: ["#5 20 of 2 f0 /a.c line 1"],
  });
  assert.deepEqual(await at(10), {
    stops: { 2: 9 },
    runs: { 1: 6, 2: 8 },
    Frames: undefined,
  });
  assert.deepEqual(await at(12), await at(10));
  assert.deepEqual(await at(13), { stops: {}, runs: { 1: 6, 2: 8 }, Frames: undefined });
  assert.deepEqual(barsOf(waterfallOf(page.store)), [
    "thread 1: stop 0-60",
    "thread 2: stop 10-90, stop 90-130",
    "requests: request 20-30, request 40-50, request 60-70, request 80-100, failed 110-120",
  ]);
});

function barsOf({ lanes }: Waterfall): readonly string[] {
  return lanes.map(
    ({ title, bars }) =>
      `${title}: ${bars.map(({ kind, begin, end }) => `${kind} ${begin}-${end}`).join(", ")}`,
  );
}

test("the waterfall has bars for sessions, stops and requests, and shows a child below its parent", async () => {
  const { store } = await open([
    ["client", dapRequest(1, "launch", { program: "a" }), 1],
    ["client", dapRequest(1, "attach", { program: "b" }), 3],
    [
      "adapter",
      dapRequest(1, "startDebugging", { request: "attach", configuration: { id: 7 } }),
      1,
    ],
    ["client", dapRequest(2, "threads"), 1],
    ["client", dapRequest(1, "attach", { id: 7 }), 2],
    ["adapter", dapResponse(2, 1, "launch"), 1],
    ["adapter", dapEvent(2, "stopped", { reason: "pause", allThreadsStopped: true }), 2],
  ]);
  assert.deepEqual(barsOf(waterfallOf(store)), [
    "session 1: session 0-50",
    "requests: request 0-50",
    ": open 30-50",
    "reverse: open 20-50",
    "session 2: session 40-60",
    "stopped: stop 60-60",
    "requests: open 40-60",
    "session 3: session 10-10",
    "requests: open 10-10",
  ]);
  const only = waterfallOf(store, 2);
  assert.deepEqual(only.axis.whole, { begin: 40, end: 60 });
  assert.deepEqual(barsOf(only), ["stopped: stop 60-60", "requests: open 40-60"]);
});

test("a long wait takes less of the time axis than its share of the time", () => {
  // 1.4 s pass before the first of ten messages that are 10 ms apart.
  const times = [0, ...Array.from({ length: 10 }, (_, index) => 1_400 + 10 * index)];
  const axis = new TimeAxis(times.reverse());
  const { whole } = axis;
  assert.deepEqual(whole, { begin: 0, end: 1_490 });
  const shares = [0, 700, 1_400, 1_445, 1_490].map((time) => axis.shareOf(time, whole));
  assert.deepEqual(
    shares.map((share) => Math.round(100 * share)),
    [0, 22, 44, 72, 100],
  );
  for (const [index, time] of [0, 700, 1_400, 1_445, 1_490].entries())
    assert.ok(Math.abs(axis.timeAt(shares[index]!, whole) - time) < 1e-6);
  // Equal gaps are equally wide, and times outside the axis are at its ends.
  assert.equal(axis.shareOf(-5, whole), 0);
  assert.equal(axis.shareOf(9_999, whole), 1);
  assert.deepEqual(axis.marksOf(whole, 4), [500, 1_000, 1_420, 1_460]);
});

test("zooming keeps the time under the pointer in place, and stays within the recording", () => {
  const axis = new TimeAxis([100, 350, 600, 850, 1_100]);
  const { whole } = axis;
  const rounded = ({ begin, end }: TimeRange): readonly number[] => [
    Math.round(begin),
    Math.round(end),
  ];
  assert.deepEqual(rounded(axis.zoomed(whole, 0.5)), [350, 850]);
  assert.deepEqual(rounded(axis.zoomed(whole, 0.5, 300)), [200, 700]);
  assert.deepEqual(axis.zoomed({ begin: 100, end: 600 }, 4), whole);
  assert.deepEqual(rounded(axis.moved({ begin: 200, end: 400 }, -2)), [100, 300]);
  assert.deepEqual(rounded(axis.moved({ begin: 900, end: 1_000 }, 9)), [1_000, 1_100]);
  assert.ok(axis.zoomed({ begin: 5_000, end: 6_000 }, 1).end <= 1_100);
  // A recording may contain a single time, or none.
  for (const times of [[], [7]]) {
    const single = new TimeAxis(times);
    assert.deepEqual(single.zoomed(single.whole, 2), single.whole);
    assert.equal(single.shareOf(single.whole.begin, single.whole), 0);
  }
});
