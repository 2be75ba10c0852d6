import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { readProtocol } from "../../../generator/index.js";
import type { PageData } from "../../../generator/inspector/page-data.js";
import { copyJson, copyLines, copyTest } from "../../../generator/inspector/page/copy.js";
import {
  noFilters,
  readLink,
  rowsThatPass,
  writeLink,
  type Filters,
  type PageLink,
} from "../../../generator/inspector/page/filters.js";
import { linesOf, opened, openTo } from "../../../generator/inspector/page/json-nodes.js";
import { inFlight, timingByName, timingOf } from "../../../generator/inspector/page/latencies.js";
import { searchMessages } from "../../../generator/inspector/page/search-messages.js";
import { SessionStore } from "../../../generator/inspector/page/session-store.js";
import { withFolder } from "../../../tools/shared/compile.js";
import { pageOf, readPage, recorded } from "../../support/inspector-page.js";
import { fromRoot } from "../../../tools/shared/paths.js";

const dap = await readProtocol("dap", { version: "1.71.0" });

const ask = (seq: number, command: string, args?: object): object => ({
  ...{ seq, type: "request", command },
  arguments: args,
});
const answer = (seq: number, request: number, command: string, body?: object): object => ({
  ...{ seq, type: "response", request_seq: request, success: true, command, body },
});
const tell = (seq: number, event: string, body?: object): object => ({
  ...{ seq, type: "event", event, body },
});

const session = [
  recorded("client", 0, ask(1, "initialize", { adapterID: "a" })),
  recorded("adapter", 1.5, answer(1, 1, "initialize", {})),
  { kind: "noise", from: "adapter", time: 2, text: "oops" },
  recorded("adapter", 3, tell(2, "stopped", { reason: "step", threadId: 1 })),
  recorded("client", 4, ask(2, "threads")),
  recorded("client", 5, ask(3, "stepBack", { threadId: 1 })),
  recorded("adapter", 25, answer(3, 2, "threads", { threads: [{ id: 1, name: "main" }] })),
  recorded("client", 30, ask(4, "threads")),
];

/** The store of a page, and its messages in one block. */
function storeOf(html: string): {
  store: SessionStore;
  source: { read: () => Promise<readonly string[]> };
} {
  const { data, messages } = readPage(html);
  assert.equal(data.blocks.length, 1);
  return { store: new SessionStore(data), source: { read: async () => messages } };
}

test("a page has the messages of the recording as columns, and what was found in them", async () => {
  const { data, messages } = readPage(await pageOf(session, dap));
  assert.deepEqual(
    messages.map((text) => JSON.parse(text) as object),
    session.map((line) =>
      "message" in line
        ? (JSON.parse(JSON.stringify(line)) as { message: object }).message
        : { ERR_NOISE: "oops" },
    ),
  );
  const { findings, rules, blocks, head, ...rest } = data;
  assert.deepEqual(head, {
    ...{ form: 1, title: "x.jsonl", protocol: "dap", version: "1.71.0", profile: "wire" },
    ...{ roles: ["client", "adapter"], notes: [], testing: "@wirewright/dap/testing" },
    recordingHead: `{"recording":"wirewright","form":1,"protocol":"dap","version":"1.71.0","roles":["client","adapter"]}`,
  });
  assert.deepEqual(blocks, [
    {
      names: ["initialize", "stopped", "threads", "stepBack"],
      rows: {
        first: 0,
        kind: [0, 1, 4, 2, 0, 0, 1, 0],
        from: [0, 1, 1, 1, 0, 0, 1, 0],
        name: [0, 0, -1, 1, 2, 3, 2, 2],
        session: [0, 0, 0, 0, 0, 0, 0, 0],
        index: [1, 2, 2, 3, 4, 5, 6, 7],
        id: [1, 1, "", "", 2, 3, 2, 4],
        failed: [0, 0, 0, 0, 0, 0, 0, 0],
        time: [0, 1.5, 2, 3, 4, 5, 25, 30],
        latency: [null, 1.5, null, null, null, null, 21, null],
        answers: [-1, 0, -1, -1, -1, -1, 4, -1],
        size: messages.map((text) => Buffer.byteLength(text)),
        line: [1, 2, 3, 4, 5, 6, 7, 8],
        summary: ["adapter a", "", "oops", "step, thread 1", "", "thread 1", "threads 1, main", ""],
        unknown: {},
      },
    },
  ]);
  assert.deepEqual(rest, {
    counts: { error: 2, warning: 2, info: 0 },
    unlisted: {},
    sessions: [{ number: 0 }],
  });
  assert.deepEqual(
    findings.map(({ row, rule, pointer }) => `${row} ${rule} ${pointer}`.trim()),
    [
      "2 stream.noise",
      "5 request.capability /command",
      "5 request.unanswered",
      "3 initialized.missing",
    ],
  );
  assert.deepEqual(Object.keys(rules).sort(), [
    ...["initialized.missing", "request.capability", "request.unanswered", "stream.noise"],
  ]);
});

test("requests whose numbers a log does not tell are paired with the answers of their name", async () => {
  const unnumbered = (time: number, command: string): object => ({
    ...{ kind: "message", time, from: "client", unknown: ["/seq"] },
    message: { type: "request", command },
  });
  const { data } = readPage(
    await pageOf(
      [
        unnumbered(1, "threads"),
        unnumbered(2, "threads"),
        unnumbered(3, "loadedSources"),
        recorded("adapter", 4, answer(0, 9, "loadedSources", { sources: [] })),
        recorded("adapter", 6, answer(0, 7, "threads", { threads: [] })),
        recorded("adapter", 9, answer(0, 8, "threads", { threads: [] })),
        recorded("adapter", 9, answer(0, 8, "threads", { threads: [] })),
      ],
      dap,
    ),
  );
  const [{ rows }] = data.blocks as PageData["blocks"] & [PageData["blocks"][number]];
  assert.deepEqual(rows.answers, [-1, -1, -1, 2, 0, 1, -1]);
  assert.deepEqual(rows.latency, [null, null, null, 1, 5, 7, null]);
  assert.deepEqual(rows.unknown, { 0: ["/seq"], 1: ["/seq"], 2: ["/seq"] });
});

test("a session that another one asked for is its child", async () => {
  const configuration = { type: "node", __id: 7 };
  const open = (number: number, args: object): readonly object[] => [
    recorded("client", 0, ask(1, "initialize", { adapterID: "a" }), number),
    recorded("adapter", 1, answer(1, 1, "initialize"), number),
    recorded("client", 2, ask(2, "attach", args), number),
  ];
  const wanted = (seq: number, id: number): object =>
    ask(seq, "startDebugging", {
      request: "attach",
      configuration: { ...configuration, __id: id },
    });
  const { data } = readPage(
    await pageOf(
      [
        ...open(1, { program: "a" }),
        recorded("adapter", 3, wanted(2, 7), 1),
        recorded("adapter", 3, wanted(3, 8), 1),
        ...open(2, { ...configuration, more: true }),
        recorded("adapter", 4, wanted(2, 9), 2),
        ...open(3, { ...configuration, __id: 9 }),
        ...open(4, { ...configuration, __id: 6 }),
      ],
      dap,
    ),
  );
  assert.deepEqual(
    data.sessions.map(({ number, parent }) => [number, parent]),
    [
      [1, undefined],
      [2, 1],
      [3, 2],
      [4, undefined],
    ],
  );
});

test("of a recording that is too long, the beginning and the end are in the page, and it says so", async () => {
  const lines = Array.from({ length: 40_000 }, (_, at) =>
    recorded("adapter", at, tell(at + 1, at % 4_096 === 5 ? `own${at}` : "mine")),
  );
  const { data, messages } = readPage(
    await pageOf(lines, dap, { limits: { rows: 20_000, bytes: 1e9 } }),
  );
  assert.deepEqual(
    data.blocks.map(({ rows }) => [rows.first, rows.kind.length]),
    [
      [0, 4_096],
      [4_096, 4_096],
      [8_192, 4_096],
      [32_768, 4_096],
      [36_864, 3_136],
    ],
  );
  assert.deepEqual(
    data.head.notes,
    [
      "The recording has the messages of one side only.",
      "20,480 rows in the middle are left out: the page has room for no more.",
    ].slice(1),
  );
  assert.equal(messages.length, 40_000 - 20_480);
  const store = new SessionStore(data);
  assert.equal(store.count, messages.length);
  assert.equal(store.row(36_869)!.name, "own36869");
  assert.equal(store.row(20_000), undefined);
  // Its findings are listed, with a message that the page does not have.
  assert.equal(data.findings.length, 10_000);
  assert.deepEqual(data.unlisted, { "message.custom": 30_000 });
  assert.equal(data.counts.info, 40_000);
});

test("a message that is too large is cut, and says so", async () => {
  const { messages } = readPage(
    await pageOf([recorded("adapter", 1, tell(1, "output", { output: "x".repeat(9e6) }))], dap),
  );
  const [{ begins, ...note }] = messages.map(
    (text) => JSON.parse(text) as Record<string, string>,
  ) as [Record<string, string>];
  assert.equal(begins!.length, 10_000);
  assert.match(Object.values(note).join(), /^The message has 90000\d\d characters/);
});

test("filters pass what they say, and stand in the link", async () => {
  const { store, source } = storeOf(await pageOf(session, dap));
  const passed = (change: Partial<Filters>): number[] => [
    ...rowsThatPass(store, { ...noFilters, ...change }, undefined),
  ];
  assert.deepEqual(passed({}), [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(passed({ side: 0 }), [0, 4, 5, 7]);
  assert.deepEqual(passed({ kinds: ["event", "noise"] }), [2, 3]);
  assert.deepEqual(passed({ name: "threads" }), [4, 6, 7]);
  assert.deepEqual(passed({ name: "never" }), []);
  assert.deepEqual(passed({ session: 3 }), []);
  assert.deepEqual(passed({ severities: ["error"] }), [3, 5]);
  assert.deepEqual(passed({ severities: ["error", "warning"], side: 1 }), [2, 3]);
  assert.deepEqual(passed({ slow: 21 }), [4, 6]);
  assert.deepEqual(passed({ slow: 22 }), []);
  assert.deepEqual(passed({ isUnanswered: true }), [5, 7]);
  const found = async (text: string): Promise<number[]> => {
    let rows: number[] = [];
    const signal = new AbortController().signal;
    await searchMessages(store, source, text, signal, (progress) => {
      rows = [...progress.found];
    });
    return rows;
  };
  assert.deepEqual(await found("MAIN"), [6]);
  assert.deepEqual(await found('"reason":"step"'), [3]);
  assert.deepEqual(await found("oops"), [2]);
  assert.deepEqual(await found("nothing of the kind"), []);
  const link: PageLink = {
    filters: {
      ...{ search: "a & b=#", side: 1, kinds: ["request", "event"], name: "näme", session: 2 },
      ...{ severities: ["error"], slow: 100, isUnanswered: true },
    },
    message: "2.17",
    panel: "findings",
  };
  assert.equal(
    writeLink(link),
    "m=2.17&panel=findings&find=a+%26+b%3D%23&side=1&kind=request,event&name=n%C3%A4me&session=2&severity=error&slow=100&unanswered=1",
  );
  assert.deepEqual(readLink(writeLink(link)), link);
  const none = { filters: noFilters, message: "", panel: "" };
  assert.equal(writeLink(none), "");
  assert.deepEqual(readLink("side=7&kind=x,y&session=-1&slow=1e9&severity=bad"), none);
});

test("what is copied is JSON, a recording that lint reads, and a test that runs", async () => {
  const { store, source } = storeOf(await pageOf(session, dap));
  const row = store.row(5)!;
  assert.equal(
    await copyJson(store, source, row),
    JSON.stringify(ask(3, "stepBack", { threadId: 1 }), null, 2),
  );
  const lines = (await copyLines(store, source, row)).trimEnd().split("\n");
  assert.deepEqual(
    lines.slice(1).map((line) => JSON.parse(line) as object),
    session
      .filter((line) => "message" in line)
      .map((line) => JSON.parse(JSON.stringify(line)) as object),
  );
  const text = await copyTest(store, source, row);
  await withFolder((folder) => {
    const index = pathToFileURL(fromRoot("build/generator/index.js")).href;
    const run = (code: string): number | null => {
      const file = join(folder, "copied.test.mjs");
      writeFileSync(file, code.replace('"wirewright"', JSON.stringify(index)));
      // The test runner tells its children not to run tests of their own.
      const { NODE_TEST_CONTEXT: _, ...env } = process.env;
      return spawnSync(process.execPath, [file], { env }).status;
    };
    assert.equal(run(text), 0);
    assert.match(
      text,
      /assert\.deepEqual\(found, \["request\.capability \/command", "request\.unanswered"\]\);/,
    );
    assert.equal(run(text.replace("request.capability", "request.other")), 1);
  });
});

test("the tree of a message opens what is small and where findings are, and stops at missing parts", () => {
  const text = (value: unknown, open: ReadonlyMap<string, number>): string[] =>
    linesOf(value, open).map(
      ({ depth, key, text, isOpen }) =>
        `${" ".repeat(depth - 1)}${isOpen === undefined ? "" : isOpen ? "- " : "+ "}${key} ${text}`,
    );
  const value = { a: [1, { "x/y": null }], b: {}, "~": "\u202e" };
  assert.deepEqual(text(value, opened(value, [])), [
    "-  { 3 }",
    " - a [ 2 ]",
    "  0 1",
    "  - 1 { 1 }",
    "   x/y null",
    " b {}",
    ' ~ "\u202e"',
  ]);
  const long = { list: Array.from({ length: 250 }, (_, at) => ({ at })) };
  assert.deepEqual(text(long, opened(long, [])), ["-  { 1 }", " + list [ 250 ]"]);
  const open = opened(long, []);
  assert.equal(openTo(open, long, "/list/120/at/none"), "/list/120/at");
  const shown = text(long, open);
  assert.equal(shown.length, 2 + 200 + 1 + 1);
  assert.deepEqual(shown.slice(121, 125), [
    "  + 119 { 1 }",
    "  - 120 { 1 }",
    "   at 120",
    "  + 121 { 1 }",
  ]);
  assert.equal(shown.at(-1), "   50");
  assert.equal(openTo(new Map(), value, "/a/1/x~1y"), "/a/1/x~1y");
  assert.equal(openTo(new Map(), value, "/toString"), "");
});

test("latencies and what was in flight are told by name and over time", async () => {
  const { store } = storeOf(await pageOf(session, dap));
  const timing = timingOf(store);
  assert.deepEqual(timingByName(timing, store.names), [
    {
      ...{ name: "threads", count: 2, unanswered: 1, median: 21, most: 21 },
      ...{ longest: 21, longestRow: 4 },
    },
    {
      ...{ name: "initialize", count: 1, unanswered: 0, median: 1.5, most: 1.5 },
      ...{ longest: 1.5, longestRow: 0 },
    },
    {
      ...{ name: "stepBack", count: 1, unanswered: 1, median: 0, most: 0 },
      ...{ longest: 0, longestRow: -1 },
    },
  ]);
  // 3 milliseconds each: from 5 on one is open, and threads is answered at 25.
  assert.deepEqual([...inFlight(timing, 10)], [1, 2, 2, 2, 2, 2, 2, 2, 2, 2]);
});
