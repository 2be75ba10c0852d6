import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { Ajv } from "ajv";
import { sessionStats, printRecording } from "../../../../cli/index.js";
import { withFolder, writeFiles } from "../../../support/compile.js";
import { dapEvent, dapRequest, dapResponse } from "../../../support/dap-messages.js";
import { newestDap } from "../../../support/dap-versions.js";
import { root, readJson } from "../../../support/paths.js";
import { runCommand } from "../../../support/run-command.js";

type Line = readonly [time: number, from: "client" | "adapter", message: object];

/** Writes a recording the way `wirewright tap` does, with one line per message. */
function timedRecording(lines: readonly Line[], session = 0): string {
  return printRecording(
    lines.map(([time, from, message]) => ({
      ...(session === 0 ? {} : { session }),
      time,
      from,
      message,
    })),
    { name: "dap", version: "1.71.0", roles: ["client", "adapter"] },
  );
}

const response = (request_seq: number, command: string, success = true, body?: object): object => ({
  ...dapResponse(100 + request_seq, request_seq, command, body),
  success,
});

const recording = timedRecording([
  [1, "client", dapRequest(1, "threads")],
  [3, "adapter", response(1, "threads", true, { threads: [] })],
  [4, "adapter", dapEvent(90, "output", { output: "é" })],
  [5, "client", dapRequest(2, "stackTrace", { threadId: 1 })],
  [6, "client", dapRequest(3, "stackTrace", { threadId: 2 })],
  [9, "adapter", response(3, "stackTrace", false)],
  [2505, "adapter", response(2, "stackTrace", true, { stackFrames: [] })],
  [2506, "client", dapRequest(4, "stackTrace", { threadId: 1 })],
]);

const run = (args: readonly string[], input?: string): ReturnType<typeof runCommand> =>
  runCommand(root, ["stats", ...args], input);

test("messages are counted by request and event", async () => {
  assert.deepEqual(await sessionStats(Buffer.from(recording), { protocol: "dap" }), {
    file: "",
    messages: 8,
    bytes: 634,
    first: 1,
    last: 2506,
    faults: 0,
    names: [
      {
        kind: "request",
        name: "stackTrace",
        from: "client",
        count: 3,
        failures: 1,
        open: 1,
        latency: { median: 3, p95: 2500, max: 2500 },
        bytes: 421,
        first: 5,
        last: 2506,
      },
      {
        kind: "request",
        name: "threads",
        from: "client",
        count: 1,
        failures: 0,
        open: 0,
        latency: { median: 2, p95: 2, max: 2 },
        bytes: 148,
        first: 1,
        last: 1,
      },
      {
        kind: "event",
        name: "output",
        from: "adapter",
        count: 1,
        failures: 0,
        open: 0,
        bytes: 65,
        first: 4,
        last: 4,
      },
    ],
  });
  await assert.rejects(sessionStats(Buffer.from(""), { protocol: "dap" }), { code: "ERR_JSON" });
  await assert.rejects(sessionStats("x", {} as never), TypeError);
});

test("if two requests have the same id, the first stays open", async () => {
  const { names } = await sessionStats(
    Buffer.from(
      timedRecording([
        [0, "client", dapRequest(1, "threads")],
        [1, "client", dapRequest(1, "threads")],
        [2, "adapter", response(1, "threads")],
        [3, "adapter", response(1, "threads")],
      ]),
    ),
    { protocol: "dap" },
  );
  assert.deepEqual(
    names.map(({ count, open, latency }) => [count, open, latency?.max]),
    [[2, 1, 1]],
  );
});

test("percentiles of response times are exact", async () => {
  const exchanges = Array.from({ length: 1_000 }, (_, index) => [
    [0, "client", dapRequest(index + 1, "threads")] as const,
    [1_000 - index, "adapter", response(index + 1, "threads")] as const,
  ]);
  const { names } = await sessionStats(Buffer.from(timedRecording(exchanges.flat())), {
    protocol: "dap",
  });
  assert.deepEqual(names[0]!.latency, { median: 500, p95: 950, max: 1_000 });
});

test("wirewright stats prints a table for one or more recordings", async () => {
  await withFolder((folder) => {
    writeFiles(folder, {
      "a.jsonl": recording,
      "b.jsonl": timedRecording([[7, "client", dapRequest(1, "threads")]]),
    });
    const [a, b] = ["a.jsonl", "b.jsonl"].map((name) => join(folder, name)) as [string, string];
    assert.deepEqual(run([a]), {
      status: 0,
      stdout: `${a}   dap ${newestDap}   8 messages   634 B   0.001 to 2.506 s

kind     name        from     count  failed  open  median    95 %     max  bytes  first   last
request  stackTrace  client       3       1     1  3.0 ms  2.50 s  2.50 s  421 B  0.005  2.506
request  threads     client       1       0     0  2.0 ms  2.0 ms  2.0 ms  148 B  0.001  0.001
event    output      adapter      1                                         65 B  0.004  0.004
`,
      stderr: "",
    });
    const both = run([a, b, "--format", "markdown", "--fail-over", "threads open 0"]);
    assert.equal(both.status, 1);
    assert.deepEqual(both.stdout.split("\n").slice(0, 5), [
      "| kind | name | from | count | failed | open | median | 95 % | max | bytes | first | last | file |",
      "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |",
      `| request | \`stackTrace\` | client | 3 | 1 | 1 | 3.0 ms | 2.50 s | 2.50 s | 421 B | 0.005 | 2.506 | \`${a}\` |`,
      `| request | \`threads\` | client | 1 | 0 | 0 | 2.0 ms | 2.0 ms | 2.0 ms | 148 B | 0.001 | 0.001 | \`${a}\` |`,
      `| request | \`threads\` | client | 1 | 0 | 1 |  |  |  | 46 B | 0.007 | 0.007 | \`${b}\` |`,
    ]);
    assert.match(both.stdout, /b\.jsonl: threads: open is 1, over 0/);
  });
});

test("--fail-over fails if a limit is exceeded and refuses a limit that cannot be evaluated", () => {
  const statusOf = (limit: string): number | null =>
    run(["-", "--fail-over", limit], recording).status;
  assert.deepEqual(
    [
      "stackTrace p95 2499ms",
      "stackTrace p95 2.5s",
      "* failures 0",
      "output count 1",
      "threads max 1999us",
      "* bytes 0.4kB",
      "* bytes 1 MB",
      "evaluate p95 1ms",
    ].map(statusOf),
    [1, 0, 1, 0, 1, 1, 0, 0],
  );
  assert.match(
    run(["-", "--fail-over", "stackTrace p95 200ms"], recording).stdout,
    /\nstackTrace: p95 is 2\.50 s, over 200 ms\n$/,
  );
  const refused = (limit: string, input = recording): string => {
    const { status, stdout, stderr } = run(["-", "--fail-over", limit], input);
    assert.deepEqual([status, stdout], [2, ""], limit);
    return stderr;
  };
  assert.match(refused("stackTrace p95"), /Give a name, one of median, p95/);
  assert.match(refused("stackTrace p95 200"), /Units of p95: µs, us, ms, s/);
  assert.match(refused("stackTrace open 2ms"), /Units of open: none/);
  assert.match(refused("stackTraces p95 2ms"), /Did you mean "stackTrace"\?/);
  const untimed = recording.replaceAll(/"time":\d+,/g, "");
  assert.match(refused("stackTrace p95 2ms", untimed), /the recording has no times for stackTrace/);
  assert.equal(run(["-", "--fail-over", "stackTrace failures 1"], untimed).status, 0);
  assert.equal(run([]).status, 2);
});

test("the output of wirewright stats --format json matches its schema", () => {
  const schema = readJson("schema/formats/stats-report.schema.json") as object;
  const validate = new Ajv({ allErrors: true, strict: true }).compile(schema);
  const { stdout } = run(
    ["-", "--format", "json", "--fail-over", "stackTrace p95 200ms"],
    recording,
  );
  const report = JSON.parse(stdout) as { readonly exceeded: readonly object[] };
  assert.ok(validate(report), JSON.stringify(validate.errors));
  assert.deepEqual(report.exceeded, [
    {
      limit: "stackTrace p95 200ms",
      file: "<stdin>",
      kind: "request",
      name: "stackTrace",
      from: "client",
      value: 2500,
    },
  ]);
  assert.equal(validate({ ...report, other: 1 }), false);
});
