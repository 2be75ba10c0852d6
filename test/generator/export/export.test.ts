import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { readExamples } from "../../support/guide-queries.js";
import { withFolder, writeFiles } from "../../../tools/shared/compile.js";
import { fromRoot, root } from "../../../tools/shared/paths.js";
import { dapEvent, dapRequest, dapResponse } from "../../support/dap-messages.js";
import { recorded } from "../../support/inspector-page.js";
import { inPeers, skipWithoutPeer } from "../../../tools/shared/peers.js";
import { runCommand, type Outcome } from "../../support/run-command.js";

const began = "2026-01-31T12:00:00.000Z";
const head = {
  ...{ recording: "wirewright", form: 1, protocol: "dap", version: "1.71.0", began },
  roles: ["client", "adapter"],
};

/** Two sessions, the second of which is a child of the first one. */
const lines = [
  recorded("client", 0, dapRequest(1, "initialize", { adapterID: "a" }), 1),
  recorded("adapter", 2.5, dapResponse(1, 1, "initialize", {}), 1),
  recorded("client", 3, dapRequest(2, "launch", { program: "a.out" }), 1),
  recorded("adapter", 4, dapEvent(2, "initialized"), 1),
  recorded("client", 5, dapRequest(3, "threads"), 1),
  recorded("adapter", 6, { ...dapResponse(3, 3, "threads"), success: false, message: "busy" }, 1),
  recorded(
    "adapter",
    7,
    dapRequest(4, "startDebugging", { request: "attach", configuration: { id: 7 } }),
    1,
  ),
  recorded("client", 8, dapRequest(1, "initialize", { adapterID: "a" }), 2),
  recorded("client", 9, dapRequest(2, "attach", { id: 7 }), 2),
  recorded("adapter", 10, dapEvent(1, "stopped", { reason: "pause", threadId: 4 }), 2),
  { kind: "noise", session: 1, time: 11, from: "adapter", text: "oops" },
  recorded("client", 12, dapRequest(3, "continue", { threadId: 4 }), 2),
  recorded("adapter", 14, dapResponse(2, 3, "continue"), 2),
  recorded("adapter", 20, dapEvent(5, "mine", { at: "<&>" }), 1),
];
const recording = [head, ...lines].map((each) => `${JSON.stringify(each)}\n`).join("");

const run = (args: readonly string[], input = recording): Outcome =>
  runCommand(root, ["export", "-", ...args], input);

interface TraceEvent {
  readonly ph: string;
  readonly pid: number;
  readonly tid?: number;
  readonly name: string;
  readonly ts: number;
  readonly dur?: number;
  readonly args: Readonly<Record<string, unknown>>;
}

test("trace events have a process for each session, and tracks of its requests and threads", () => {
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
      ...["events", "findings", "requests 1", "requests 2"],
      ...["events", "findings", "requests 1", "requests 2", "thread 4", "requests 3"],
      ...["session 1", "session 2 (child of session 1)"],
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
    ...{ message: 5, from: "client", answer: 6, result: "busy", failed: true },
  });
  checkTracks(traceEvents);
});

/** Slices of a track begin one after the other, or one in another: Perfetto cannot draw anything else. */
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

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly events?: readonly { readonly name: string; readonly timeUnixNano: string }[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status?: object;
}

const spansOf = (text: string): readonly Span[] =>
  text
    .trimEnd()
    .split("\n")
    .flatMap((line) => {
      const { resourceSpans } = JSON.parse(line) as {
        resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
      };
      return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
    });

test("traces have a span for each request, with findings as events, and children are linked", () => {
  const { status, stdout } = run(["--format", "otlp"]);
  assert.equal(status, 0);
  assert.equal(run(["--format", "otlp"]).stdout, stdout);
  const spans = spansOf(stdout);
  const start = BigInt(Date.parse(began)) * 1_000_000n;
  const shown = spans.map(
    ({ name, startTimeUnixNano, endTimeUnixNano }) =>
      `${name} ${(BigInt(startTimeUnixNano) - start) / 1_000n} ${(BigInt(endTimeUnixNano) - start) / 1_000n}`,
  );
  assert.deepEqual(shown, [
    "initialize 0 2500",
    "threads 5000 6000",
    "continue 12000 14000",
    "launch 3000 20000",
    "startDebugging 7000 20000",
    "events 4000 20000",
    "dap session 0 20000",
    "initialize 8000 14000",
    "attach 9000 14000",
    "events 10000 14000",
    "dap session 8000 14000",
  ]);
  const roots = spans.filter(({ parentSpanId }) => parentSpanId === undefined);
  assert.deepEqual(
    roots.map(({ name }) => name),
    ["dap session", "dap session"],
  );
  for (const { traceId, parentSpanId } of spans.filter((each) => each.parentSpanId !== undefined))
    assert.equal(roots.find((root) => root.traceId === traceId)?.spanId, parentSpanId);
  const asking = spans.find(({ name }) => name === "startDebugging")!;
  assert.deepEqual(roots[1]!.links, [{ traceId: asking.traceId, spanId: asking.spanId }]);
  assert.deepEqual(spans[1]!.status, { code: 2, message: "busy" });
  assert.equal(new Set(spans.map(({ spanId }) => spanId)).size, spans.length);
  assert.deepEqual(
    spans[5]!.events!.map(({ name }) => name),
    ["initialized", "ERR_NOISE", "finding", "mine", "finding"],
  );
});

interface ProtoType {
  verify(value: object): string | null;
  fromObject(value: object): object;
  encode(value: object): { finish(): Uint8Array };
  decode(bytes: Uint8Array): object;
  toObject(value: object, options: object): object;
}

test(
  "each line of OTLP is a request to export by the official definitions, and has no field beside them",
  { skip: skipWithoutPeer("@opentelemetry/otlp-transformer") },
  () => {
    const generated = createRequire(import.meta.url)(
      inPeers("@opentelemetry/otlp-transformer/build/src/generated/root.js"),
    ) as {
      opentelemetry: {
        proto: { collector: { trace: { v1: { ExportTraceServiceRequest: ProtoType } } } };
      };
    };
    const type = generated.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
    const many = Array.from({ length: 1_200 }, (_, at) => [
      recorded("client", 100 + at, dapRequest(10 + at, "threads"), 1),
      recorded("adapter", 100.5 + at, dapResponse(10 + at, 10 + at, "threads", { threads: 7 }), 1),
      recorded("adapter", 100.7 + at, dapEvent(10 + at, "output", { output: 8 }), 1),
    ]).flat();
    const text = [head, ...lines, ...many].map((each) => `${JSON.stringify(each)}\n`).join("");
    const { stdout } = run(["--format", "otlp"], text);
    const sent = stdout.trimEnd().split("\n");
    assert.ok(sent.length > 2);
    for (const line of sent) {
      // The JSON of OTLP has ids in hexadecimal digits; that of Protobuf has all bytes in base64.
      const value = JSON.parse(line, (key, each: unknown) =>
        ["traceId", "spanId", "parentSpanId"].includes(key)
          ? Buffer.from(String(each), "hex").toString("base64")
          : each,
      ) as object;
      const message = type.fromObject(value);
      assert.equal(type.verify(message), null);
      const back = type.toObject(type.decode(type.encode(message).finish()), {
        ...{ longs: String, bytes: String, enums: Number },
      });
      assert.deepEqual(JSON.parse(JSON.stringify(back)), value);
    }
    const spans = spansOf(stdout);
    assert.ok(spans.every(({ events = [] }) => events.length <= 128));
    assert.equal(spans.filter(({ name }) => name === "threads").length, 1_201);
    const outputs = spans
      .flatMap(({ events = [] }) => events)
      .filter(({ name }) => name === "output");
    assert.equal(outputs.length, 1_200);
    for (const { traceId, spanId } of spans) {
      assert.match(traceId, /^[0-9a-f]{32}$/);
      assert.match(spanId, /^[0-9a-f]{16}$/);
    }
  },
);

const node = inPeers("node/bin/node");

/** The rows of queries, by a Node that has SQLite. */
function query(file: string, queries: readonly string[]): readonly (readonly object[])[] {
  const code = `const { DatabaseSync } = require("node:sqlite");
const database = new DatabaseSync(${JSON.stringify(file)}, { readOnly: true });
console.log(JSON.stringify(${JSON.stringify(queries)}.map((each) => database.prepare(each).all())));`;
  return JSON.parse(
    execFileSync(node, ["--no-warnings", "-e", code], { encoding: "utf8" }),
  ) as object[][];
}

test(
  "a database has sessions, messages, requests and findings, and answers the queries of the guide",
  { skip: skipWithoutPeer("node/bin/node") },
  async () => {
    await withFolder((folder) => {
      writeFiles(folder, { "a.jsonl": recording });
      const call = (out: string): ReturnType<typeof spawnSync> =>
        spawnSync(
          node,
          [
            ...["--no-warnings", fromRoot("build/generator/cli.js"), "export", "a.jsonl"],
            ...["--format", "sqlite", "--out", out],
          ],
          { cwd: folder, encoding: "utf8" },
        );
      const { status, stderr } = call("a.db");
      assert.deepEqual([status, stderr], [0, "a.jsonl   13 messages\n"]);
      const file = join(folder, "a.db");
      const queries = readExamples();
      assert.equal(queries.length, 3);
      const [sessions, requests, message, other, ...answers] = query(file, [
        "SELECT * FROM sessions",
        "SELECT * FROM requests WHERE session = 1",
        "SELECT * FROM messages WHERE session = 2 AND number = 3",
        "SELECT kind, number, name, summary FROM messages WHERE kind IN ('fault', 'other')",
        "SELECT count(*) AS count FROM findings WHERE rule = 'message.custom' AND session = 1 AND number = 8",
        ...queries,
      ]);
      assert.deepEqual(sessions, [
        { session: 1, parent: null, summary: null, first_time: 0, last_time: 20, messages: 8 },
        { session: 2, parent: 1, summary: "id 7", first_time: 8, last_time: 14, messages: 5 },
      ]);
      const open = { answered: null, duration: null, answer: null, failed: null };
      assert.deepEqual(requests, [
        {
          ...{ session: 1, number: 1, name: "initialize", sender: "client", sent: 0 },
          ...{ answered: 2.5, duration: 2.5, answer: 2, failed: 0 },
        },
        { session: 1, number: 3, name: "launch", sender: "client", sent: 3, ...open },
        {
          ...{ session: 1, number: 5, name: "threads", sender: "client", sent: 5 },
          ...{ answered: 6, duration: 1, answer: 6, failed: 1 },
        },
        { session: 1, number: 7, name: "startDebugging", sender: "adapter", sent: 7, ...open },
      ]);
      const stopped = dapEvent(1, "stopped", { reason: "pause", threadId: 4 });
      assert.deepEqual(message, [
        {
          ...{ id: 10, session: 2, number: 3, time: 10, sender: "adapter", kind: "event" },
          ...{ name: "stopped", failed: 0, line: 11, size: JSON.stringify(stopped).length },
          ...{ summary: "pause, thread 4", json: JSON.stringify(stopped) },
        },
      ]);
      assert.deepEqual(other, [
        { kind: "fault", number: null, name: "ERR_NOISE", summary: "oops" },
      ]);
      const [count, ...found] = answers;
      assert.deepEqual(count, [{ count: 1 }]);
      assert.ok(found.every((rows) => rows.length > 0));
      // What is there is replaced when it is complete, and nothing else is left.
      assert.equal(call("a.db").status, 0);
      assert.deepEqual(readdirSync(folder).sort(), ["a.db", "a.jsonl"]);
      const wrong = call("missing/a.db");
      assert.equal(wrong.status, 2);
      assert.match(String(wrong.stderr), /^missing\/a\.db: Cannot write the output: /);
    });
  },
);

test("calls that cannot be meant are refused, and leave nothing", async () => {
  const refused = (args: readonly string[], input?: string): string => {
    const { status, stdout, stderr } = run(args, input);
    assert.deepEqual([status, stdout], [2, ""], args.join(" "));
    return stderr.split("\n")[0]!;
  };
  assert.match(refused([]), /^Cannot tell what to write: give --format/);
  assert.match(refused(["--format", "csv"]), /csv/);
  assert.match(refused(["--format", "sqlite"]), /^Cannot write a database to standard output/);
  assert.match(refused(["--format", "otlp", "--began", "noon"]), /^Cannot use --began "noon"/);
  await withFolder((folder) => {
    const out = join(folder, "x");
    assert.match(refused(["--format", "otlp", "--out", out], "nothing"), /Cannot find any message/);
    // A line that names no side, after 5 MB that could be read.
    const long = recorded("client", 1, dapRequest(9, "evaluate", { expression: "x".repeat(1e6) }));
    const late = [head, ...Array.from({ length: 5 }, () => long), { ...lines[0], from: "nobody" }];
    const text = late.map((each) => `${JSON.stringify(each)}\n`).join("");
    assert.match(refused(["--format", "perfetto", "--out", out], text), /nobody/);
    assert.deepEqual(readdirSync(folder), []);
  });
});
