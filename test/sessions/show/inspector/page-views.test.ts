import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { copyJson, copyLines, copyTest } from "../../../../sessions/show/inspector/page/copy.js";
import {
  noFilters,
  readLink,
  rowsThatPass,
  writeLink,
  type Filters,
  type PageLink,
} from "../../../../sessions/show/inspector/page/filters.js";
import { linesOf, opened, openTo } from "../../../../sessions/show/inspector/page/json-nodes.js";
import {
  inFlight,
  timingByName,
  timingOf,
} from "../../../../sessions/show/inspector/page/latencies.js";
import { searchMessages } from "../../../../sessions/show/inspector/page/search-messages.js";
import { SessionStore } from "../../../../sessions/show/inspector/page/session-store.js";
import { waterfallOf } from "../../../../sessions/show/inspector/page/waterfall.js";
import { openProtocol, sessionStats } from "../../../../cli/index.js";
import { openRecordedProtocol } from "../../../../sessions/judge/open-protocol.js";
import { withFolder } from "../../../support/compile.js";
import { pageOf, readPage } from "../../../support/inspector-page.js";
import { fromRoot } from "../../../support/paths.js";
import { dap, session } from "../../../support/page-session.js";
import { dapRequest } from "../../../support/dap-messages.js";

/** Opens a page's session store and reads all messages as one block. */
function storeOf(html: string): {
  store: SessionStore;
  source: { read: () => Promise<readonly string[]> };
} {
  const { data, messages } = readPage(html);
  assert.equal(data.blocks.length, 1);
  return { store: new SessionStore(data), source: { read: async () => messages } };
}

test("filters select the right messages and are part of the link", async () => {
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
      search: "a & b=#",
      side: 1,
      kinds: ["request", "event"],
      name: "näme",
      session: 2,
      severities: ["error"],
      slow: 100,
      isUnanswered: true,
      muted: ["a.b", "c"],
    },
    message: "2.17",
    panel: "findings",
  };
  assert.equal(
    writeLink(link),
    "m=2.17&panel=findings&find=a+%26+b%3D%23&side=1&kind=request,event&name=n%C3%A4me&session=2&severity=error&slow=100&unanswered=1&mute=a.b,c",
  );
  assert.deepEqual(readLink(writeLink(link)), link);
  const none = { filters: noFilters, message: "", panel: "" };
  assert.equal(writeLink(none), "");
  assert.deepEqual(readLink("side=7&kind=x,y&session=-1&slow=1e9&severity=bad"), none);
});

test("a command that is answered by an event is not shown as open", async () => {
  const ruby = await openProtocol("ruby-debug-ide");
  const lines = [
    { kind: "message", time: 1, from: "frontend", message: { command: "info break" } },
    {
      kind: "message",
      time: 2,
      from: "debugger",
      message: { element: "breakpoints", body: { breakpoints: [] } },
    },
  ];
  const { store } = storeOf(await pageOf(lines, ruby));
  assert.equal(store.isOpen(store.row(0)!), false);
  assert.deepEqual(timingOf(store).open, []);
  const kinds = waterfallOf(store).lanes.flatMap(({ bars }) => bars.map(({ kind }) => kind));
  assert.deepEqual(kinds, ["request"]);
});

test("a request that has no response in the protocol is not shown as open", async () => {
  const sqltools = await openProtocol("sqltools");
  const sent = (id: number, method: string): object => ({
    kind: "message",
    time: id,
    from: "client",
    message: { jsonrpc: "2.0", id, method, params: { file: "/a.ps1" } },
  });
  const { store } = storeOf(await pageOf([sent(1, "open"), sent(2, "threads")], sqltools));
  assert.deepEqual(
    [...store.rows].map((row) => store.isOpen(row)),
    [false, true],
  );
});

test("a message can be copied as JSON, as a recording that lint can read, and as a test that runs", async () => {
  const { store, source } = storeOf(await pageOf(session, dap));
  const row = store.row(5)!;
  assert.equal(
    await copyJson(store, source, row),
    JSON.stringify(dapRequest(3, "stepBack", { threadId: 1 }), null, 2),
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
    const index = pathToFileURL(fromRoot("build/cli/index.js")).href;
    const run = (code: string): number | null => {
      const file = join(folder, "copied.test.mjs");
      writeFileSync(file, code.replace('"wirewright"', JSON.stringify(index)));
      // The test runner sets a variable that keeps child processes from running tests, so remove
      // it.
      const { NODE_TEST_CONTEXT: _, ...env } = process.env;
      return spawnSync(process.execPath, [file], { env }).status;
    };
    assert.equal(run(text), 0);
    assert.match(text, /assert\.deepEqual\(found, \["request\.capability \/command"\]\);/);
    assert.equal(run(text.replace("request.capability", "request.other")), 1);
  });
});

test("the message tree expands small values and the locations of findings, and stops at missing parts", () => {
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

test("latencies and open requests are shown by name and over time", async () => {
  const { store } = storeOf(await pageOf(session, dap));
  const timing = timingOf(store);
  assert.deepEqual(timingByName(timing), [
    {
      name: "threads",
      from: 0,
      count: 2,
      unanswered: 1,
      median: 21,
      most: 21,
      longest: 21,
      longestRow: 4,
    },
    {
      name: "initialize",
      from: 0,
      count: 1,
      unanswered: 0,
      median: 1.5,
      most: 1.5,
      longest: 1.5,
      longestRow: 0,
    },
    {
      name: "stepBack",
      from: 0,
      count: 1,
      unanswered: 1,
      median: 0,
      most: 0,
      longest: 0,
      longestRow: -1,
    },
  ]);
  // Messages are 3 ms apart. From 5 ms on, one request stays open. `threads` gets its response at
  // 25 ms.
  assert.deepEqual([...inFlight(timing, 10)], [1, 2, 2, 2, 2, 2, 2, 2, 2, 2]);
});

test("the page and the statistics count the same requests and times", async () => {
  const mcp = await openRecordedProtocol("mcp");
  const ping = (from: string, time: number, id: number): object => ({
    kind: "message",
    time,
    from,
    message: { jsonrpc: "2.0", id, method: "ping" },
  });
  const pong = (from: string, time: number, id: number): object => ({
    kind: "message",
    time,
    from,
    message: { jsonrpc: "2.0", id, result: {} },
  });
  const sqltools = await openProtocol("sqltools");
  const sent = (id: number, method: string): object => ({
    kind: "message",
    time: id,
    from: "client",
    message: { jsonrpc: "2.0", id, method, params: { file: "/a.ps1" } },
  });
  const recordings = [
    // The first request is answered twice, and both sides send the same request.
    {
      protocol: mcp,
      lines: [
        ping("client", 0, 1),
        ping("server", 1, 1),
        pong("server", 10, 1),
        pong("server", 17, 1),
        pong("client", 21, 1),
        ping("client", 22, 2),
      ],
      expected: ["server ping 1: 20 ms, 0 open", "client ping 2: 10 ms, 1 open"],
    },
    // No response to the first request exists in the protocol.
    {
      protocol: sqltools,
      lines: [sent(1, "open"), sent(2, "threads")],
      expected: ["client threads 1: 0 ms, 1 open"],
    },
  ];
  for (const { protocol, lines, expected } of recordings) {
    const { store } = storeOf(await pageOf(lines, protocol));
    const shown = timingByName(timingOf(store)).map(
      ({ name, from, count, longest, unanswered }) =>
        `${store.head.roles[from]!} ${name} ${count}: ${longest} ms, ${unanswered} open`,
    );
    assert.deepEqual(shown, expected);
    const chunks = [Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""))];
    const { names } = await sessionStats({ name: "x.jsonl", chunks }, { protocol });
    const counted = names
      .filter(({ latency, open }) => latency !== undefined || open > 0)
      .map(
        ({ name, from, count, latency, open }) =>
          `${from} ${name} ${count}: ${latency?.max ?? 0} ms, ${open} open`,
      );
    assert.deepEqual(counted.sort(), [...expected].sort());
  }
});
