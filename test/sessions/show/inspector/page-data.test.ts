import assert from "node:assert/strict";
import { test } from "node:test";
import type { PageRow } from "../../../../sessions/show/inspector/page-data.js";
import { SessionStore } from "../../../../sessions/show/inspector/page/session-store.js";
import { pageOf, readPage, recorded } from "../../../support/inspector-page.js";
import { dap, session } from "../../../support/page-session.js";
import { dapRequest, dapResponse, dapEvent } from "../../../support/dap-messages.js";

test("a page contains the recording's messages as columns, along with their findings", async () => {
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
  const { state, ...shown } = head;
  assert.deepEqual(state.payloads, { request: "arguments", response: "body", event: "body" });
  assert.deepEqual(state.capabilities, [
    {
      role: "adapter",
      message: "success initialize",
      update: { message: "event capabilities", field: "capabilities" },
    },
    { role: "client", message: "request initialize" },
  ]);
  assert.deepEqual(state.groups, dap.sessionRules?.state?.groups);
  assert.deepEqual(shown, {
    form: 1,
    title: "x.jsonl",
    protocol: "dap",
    version: "1.71.0",
    profile: "wire",
    roles: ["client", "adapter"],
    notes: [],
    recordingHead: `{"recording":"wirewright","form":1,"protocol":"dap","version":"1.71.0","roles":["client","adapter"]}`,
  });
  const rows: readonly Partial<PageRow>[] = [
    { kind: "request", name: "initialize", index: 1, id: 1, time: 0, summary: "adapter a" },
    { kind: "response", name: "initialize", index: 2, id: 1, time: 1.5, latency: 1.5, answers: 0 },
    { kind: "noise", from: 1, index: 2, time: 2, summary: "oops" },
    { kind: "event", name: "stopped", index: 3, time: 3, summary: "step, thread 1" },
    { kind: "request", name: "threads", index: 4, id: 2, time: 4 },
    { kind: "request", name: "stepBack", index: 5, id: 3, time: 5, summary: "thread 1" },
    { kind: "response", name: "threads", index: 6, id: 2, time: 25, latency: 21, answers: 4 },
    { kind: "request", name: "threads", index: 7, id: 4, time: 30 },
  ];
  assert.deepEqual(blocks, [
    rows.map((row, number) => ({
      number,
      from: row.kind === "request" ? 0 : 1,
      name: "",
      session: 0,
      id: "",
      hasFailed: false,
      size: Buffer.byteLength(messages[number]!),
      line: number + 1,
      summary: number === 6 ? "threads 1, main" : "",
      ...(number === 3 ? { move: { isStop: true, thread: 1, since: 3 } } : {}),
      ...row,
    })),
  ]);
  assert.deepEqual(rest, { found: 3, sessions: [{ number: 0 }] });
  assert.deepEqual(
    findings.map(({ row, rule, pointer }) => `${row} ${rule} ${pointer}`.trim()),
    ["2 stream.noise", "5 request.capability /command", "3 initialized.missing"],
  );
  assert.deepEqual(Object.keys(rules).sort(), [
    "initialized.missing",
    "request.capability",
    "stream.noise",
  ]);
});

test("requests in a log without ids are paired with responses by name", async () => {
  const unnumbered = (time: number, command: string): object => ({
    kind: "message",
    time,
    from: "client",
    unknown: ["/seq"],
    message: { type: "request", command },
  });
  const { data } = readPage(
    await pageOf(
      [
        unnumbered(1, "threads"),
        unnumbered(2, "threads"),
        unnumbered(3, "loadedSources"),
        recorded("adapter", 4, dapResponse(0, 9, "loadedSources", { sources: [] })),
        recorded("adapter", 6, dapResponse(0, 7, "threads", { threads: [] })),
        recorded("adapter", 9, dapResponse(0, 8, "threads", { threads: [] })),
        recorded("adapter", 9, dapResponse(0, 8, "threads", { threads: [] })),
      ],
      dap,
    ),
  );
  assert.deepEqual(
    data.blocks[0]!.map(({ answers, latency, unknown }) => [answers, latency, unknown]),
    [
      ...Array.from({ length: 3 }, () => [undefined, undefined, ["/seq"]]),
      [2, 1, undefined],
      [0, 5, undefined],
      [1, 7, undefined],
      [undefined, undefined, undefined],
    ],
  );
});

test("a session requested by another session is shown as its child", async () => {
  const configuration = { type: "node", __id: 7 };
  const open = (number: number, args: object): readonly object[] => [
    recorded("client", 0, dapRequest(1, "initialize", { adapterID: "a" }), number),
    recorded("adapter", 1, dapResponse(1, 1, "initialize"), number),
    recorded("client", 2, dapRequest(2, "attach", args), number),
  ];
  const wanted = (seq: number, id: number): object =>
    dapRequest(seq, "startDebugging", {
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

test("a damaged line from an unknown sender belongs to neither side", async () => {
  const lines = [
    recorded("client", 0, dapRequest(1, "initialize", { adapterID: "a" })),
    recorded("adapter", 1, dapResponse(1, 1, "initialize")),
    '{"kind":"mess',
  ];
  const { data } = readPage(await pageOf(lines, dap));
  assert.deepEqual(
    data.blocks[0]!.map(({ from }) => from),
    [0, 1, undefined],
  );
});

test("the page for a recording that is too long contains its beginning and end, and says what is left out", async () => {
  const lines = Array.from({ length: 40_000 }, (_, at) =>
    recorded("adapter", at, dapEvent(at + 1, at % 4_096 === 5 ? `own${at}` : "mine")),
  );
  const { data, messages } = readPage(
    await pageOf(lines, dap, { limits: { rows: 20_000, bytes: 1e9 } }),
  );
  assert.deepEqual(
    data.blocks.map((rows) => [rows[0]!.number, rows.length]),
    [
      [0, 4_096],
      [4_096, 4_096],
      [8_192, 4_096],
      [32_768, 4_096],
      [36_864, 3_136],
    ],
  );
  assert.deepEqual(data.head.notes, [
    "The recording contains messages from only one side.",
    "20,480 rows in the middle were omitted, because the page is full.",
  ]);
  assert.equal(messages.length, 40_000 - 20_480);
  const store = new SessionStore(data);
  assert.equal(store.count, messages.length);
  assert.equal(store.row(36_869)!.name, "own36869");
  assert.equal(store.row(20_000), undefined);
  // All findings are counted, and those about messages on the page are listed.
  assert.deepEqual([store.found, store.listed], [40_000, store.count]);
  assert.equal(store.worstOf(store.row(36_870)!), "info");
  store.mute(["message.custom"]);
  assert.equal(store.worstOf(store.row(36_870)!), undefined);
  assert.deepEqual(store.findings, []);
});

test("a message that is too large is truncated and marked", async () => {
  const { messages } = readPage(
    await pageOf([recorded("adapter", 1, dapEvent(1, "output", { output: "x".repeat(9e6) }))], dap),
  );
  const [{ begins, ...note }] = messages.map(
    (text) => JSON.parse(text) as Record<string, string>,
  ) as [Record<string, string>];
  assert.equal(begins!.length, 10_000);
  assert.match(Object.values(note).join(), /^The message has 90000\d\d characters/);
});
