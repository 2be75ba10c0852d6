import assert from "node:assert/strict";
import { test } from "node:test";
import { readProtocol } from "../../../generator/index.js";
import { readSessionRules } from "../../../generator/lint/session-rules.js";
import { judgeRecording, type JudgeOptions } from "../../../generator/lint/judge-recording.js";
import { KeptFindings } from "../../../generator/lint/kept-findings.js";
import { LintSession } from "../../../generator/lint/lint-session.js";
import { openRecording, type RecordedEntry } from "../../../generator/session/recording.js";
import { printGithubReport, printTextReport } from "../../../generator/lint/report.js";
import type { LintFinding } from "../../../generator/lint/rules.js";
import { newestDap } from "../../../tools/shared/dap-versions.js";
import { dap, entry, ask, answer, tell, judged, short } from "../../support/judged-entries.js";

test("a reference expires with a stop after the program ran on, for who uses it", () => {
  const opened = [ask(1, "initialize", { adapterID: "a" }), answer(1, 1, "initialize")];
  let seq = 1;
  const stop = (): RecordedEntry => tell(++seq, "stopped", { reason: "step", threadId: 1 });
  const both = (command: string, args: object, body?: object): readonly RecordedEntry[] => {
    const own = ++seq;
    return [ask(own, command, args), answer(own, own, command, body === undefined ? {} : { body })];
  };
  const given = (id: unknown): readonly RecordedEntry[] =>
    both("stackTrace", { threadId: 1 }, { stackFrames: [{ id, name: "f", line: 1, column: 1 }] });
  const used = (frameId: unknown): readonly RecordedEntry[] =>
    both("scopes", { frameId }, { scopes: [] });
  const next = (): readonly RecordedEntry[] => both("next", { threadId: 1 });
  const found = (entries: readonly RecordedEntry[], remembered = 10): readonly string[] =>
    judged([...opened, ...entries], { remembered })
      .findings.filter(({ rule }) => rule === "reference.expired")
      .map(({ index, pointer, message }) => `#${index} ${pointer} ${message}`);
  const expired = (index: number, id: unknown): string =>
    `#${index} /arguments/frameId ${String(id)} was given before the program ran on`;
  assert.deepEqual(found([stop(), ...given(7), ...used(7), stop(), ...used(7)]), []);
  assert.deepEqual(found([stop(), ...given(7), ...next(), ...used(7), stop(), ...used(7)]), [
    expired(8, 7),
    expired(11, 7),
  ]);
  // Only the first stop after it counts, and one that is given again is new.
  assert.deepEqual(
    found([
      stop(),
      ...next(),
      stop(),
      ...given(7),
      stop(),
      ...used(7),
      ...next(),
      stop(),
      ...given(7),
      ...used(7),
    ]),
    [],
  );
  assert.deepEqual(found([stop(), ...next(), stop(), ...used(7), ...used({})]), []);
  assert.deepEqual(found([stop(), ...given("a"), ...next(), stop(), ...used("a")]), [
    expired(9, "a"),
  ]);
  assert.deepEqual(
    found(
      [stop(), ...given(7), ...[8, 9, 10, 11].flatMap(given), ...next(), stop(), ...used(7)],
      1,
    ),
    [],
  );
});

test("a session in JSON-RPC is judged by the rules of its protocol", async () => {
  const acp = await readProtocol("acp-breakpoints");
  const said = (from: string, fields: object): RecordedEntry =>
    entry(from, { jsonrpc: "2.0", ...fields });
  const findings: string[] = [];
  const labels: string[] = [];
  const session = new LintSession(acp, {
    rules: "none",
    onFinding: (finding) => void findings.push(short(finding)),
    onMessage: ({ label, hasFailed }) => void labels.push(`${label} ${hasFailed}`),
  });
  for (const each of [
    said("client", { id: 0, method: "initialize", params: { protocolVersion: 1 } }),
    said("agent", { id: 0, result: { protocolVersion: 1 } }),
    said("client", { id: "a", method: "session/close", params: { sessionId: "s" } }),
    said("agent", { id: 0, method: "fs/read_text_file", params: { sessionId: "s", path: "/a" } }),
    said("client", { id: 0, error: { code: 1, message: "no" } }),
    said("agent", { id: "a" }),
    said("agent", { method: "session/update", params: { sessionId: 7 } }),
    said("agent", { id: 8, result: {} }),
    said("client", { method: "mine" }),
    said("agent", {}),
  ])
    session.push(each);
  session.end();
  assert.deepEqual(labels, [
    "request 0 initialize false",
    "response 0 initialize false",
    "request a session/close false",
    "request 0 fs/read_text_file false",
    "response 0 fs/read_text_file true",
    "response a session/close false",
    "event session/update false",
    "response 8 false",
    "event mine false",
    "message false",
  ]);
  assert.deepEqual(findings, [
    'schema.deviation #6 /result expected an object, received nothing; readers that tolerate "success-body" continue, others reject the message',
    "schema.issue #7 /params/sessionId expected a string, received 7",
    "schema.issue #7 /params/update expected an object, received nothing",
    "response.unmatched #8 /id Nothing was asked with the number 8",
    "message.custom #9 /method The protocol does not define it",
    "message.kind #10  It is neither request, event nor response",
  ]);
});

test("findings are kept as far as there is room, and counted all", () => {
  const finding = (rule: string, message = ""): LintFinding => ({
    ...{
      rule,
      severity: "error",
      index: 1,
      from: "client",
      label: "12345",
      pointer: "123",
      message,
    },
  });
  const kept = new KeptFindings();
  for (let count = 0; count < 10_000; count++) assert.equal(kept.add(finding("a")), true);
  assert.equal(kept.add(finding("a")), false);
  assert.equal(kept.add(finding("a")), false);
  assert.equal(kept.add({ ...finding("b"), severity: "info" }), true);
  assert.deepEqual(
    [kept.list.length, kept.counts, [...kept.unlisted]],
    [10_001, { error: 10_002, warning: 0, info: 1 }, [["a", 2]]],
  );
  const large = new KeptFindings();
  const room = 16 * 1024 * 1024 - 208;
  assert.equal(large.add(finding("a", "x".repeat(room + 1))), false);
  assert.equal(large.add(finding("a", "x".repeat(room - 208))), true);
  assert.equal(large.add({ ...finding("a"), label: "123456" }), false);
  assert.equal(large.add({ ...finding("a"), pointer: "1234" }), false);
  assert.equal(large.add(finding("a", "1")), false);
  assert.equal(large.add(finding("a")), true);
  assert.equal(large.add({ ...finding("b"), label: "", pointer: "" }), false);
  assert.deepEqual(
    [large.list.length, [...large.unlisted]],
    [
      2,
      [
        ["a", 4],
        ["b", 1],
      ],
    ],
  );
});

async function judgedLines(
  lines: readonly object[],
  options: Partial<JudgeOptions> = {},
): Promise<Awaited<ReturnType<typeof judgeRecording>>> {
  const bytes = Buffer.from(lines.map((each) => `${JSON.stringify(each)}\n`).join(""));
  const recording = await openRecording([{ name: "x", chunks: [bytes] }], dap);
  return judgeRecording(recording, dap, {
    ...{ name: "x", profile: "wire", host: undefined, severities: new Map() },
    ...options,
  });
}

const recorded = (session: number, { from, message }: RecordedEntry): object => ({
  ...{ kind: "message", session, from, message },
});

test("a report counts unlisted findings, and its messages", async () => {
  const progress: (readonly number[])[] = [];
  const noise = { kind: "noise", from: "adapter", text: "oops" };
  const lines = [
    recorded(1, ask(1, "initialize", { adapterID: "a" })),
    noise,
    recorded(1, answer(1, 1, "initialize")),
  ];
  const shown: unknown[] = [];
  const report = await judgedLines(lines, {
    viewer: {
      onEntry: ({ fault }, message) => shown.push(message?.label ?? fault?.message),
      onFinding: ({ rule, severity }) => shown.push([rule, severity]),
    },
    onProgress: (...done) => void progress.push(done),
    severities: new Map([["stream.noise", "info"]]),
  });
  const first: LintFinding = {
    ...{ rule: "stream.noise", severity: "info", index: 0, from: "adapter", label: "bytes" },
    ...{ pointer: "", message: "oops", line: 2 },
  };
  assert.deepEqual(report, {
    ...{ file: "x", protocol: "dap", version: dap.version, profile: "wire", messages: 2 },
    roles: ["client", "adapter"],
    counts: { error: 0, warning: 0, info: 1 },
    findings: [first],
    groups: [{ first, last: first, count: 1, pointer: "", isVaried: false }],
  });
  assert.deepEqual(shown, [
    "request 1 initialize",
    "oops",
    ["stream.noise", "info"],
    "response 1 initialize",
  ]);
  const bytes = Buffer.byteLength(lines.map((each) => `${JSON.stringify(each)}\n`).join(""));
  assert.deepEqual(progress, [[2, bytes]]);
  const off = await judgedLines([...lines, noise], {
    severities: new Map([["stream.noise", "off"]]),
  });
  assert.deepEqual([off.findings, off.counts], [[], { error: 0, warning: 0, info: 0 }]);
  const many = await judgedLines([...lines, ...Array.from({ length: 10_001 }, () => noise)]);
  assert.deepEqual(
    [
      many.findings.length,
      many.counts.warning,
      many.unlisted,
      many.groups.map(({ count }) => count),
    ],
    [10_000, 10_002, { "stream.noise": 2 }, [10_002]],
  );
});

test("findings with the same text are reported as one, whatever they name", async () => {
  const lines = [
    recorded(1, ask(1, "initialize", { adapterID: "a" })),
    recorded(1, answer(1, 1, "initialize")),
    ...[2, 3, 4].map((threadId, at) => recorded(1, ask(at + 2, "pause", { threadId }))),
    recorded(1, ask(5, "stepBack", { threadId: 2 })),
    recorded(1, ask(5, "setVariable", { variablesReference: 1, name: "a", value: "b" })),
    recorded(1, tell(2, "stopped", { reason: "pause", theadId: 1, threadId: 1 })),
    recorded(1, tell(3, "stopped", { reason: "entry", theadId: 1 })),
    recorded(1, tell(4, "stoped", { reason: "step" })),
  ];
  const rules = await readSessionRules("dap");
  const severities = new Map<string, "off">([["request.unanswered", "off"]]);
  const report = await judgedLines(lines, { rules, severities });
  assert.equal(
    printTextReport(report, { paint: (_, text) => text }),
    `x   dap ${newestDap}, wire profile   10 messages   3 errors · 9 warnings · 1 info
error    request.capability    #1.6 client: request 5 stepBack /command
  The adapter has not announced supportsStepBack
error    request.capability    #1.7 client: request 5 setVariable /command
  The adapter has not announced supportsSetVariable
error    initialized.missing   #1.8 adapter: event stopped
  The program runs, and \`initialized\` has never been sent: clients wait for it before they configure.
warning  thread.unknown        4 × #1.3 … #1.6 client: request 2 pause … request 5 stepBack /arguments/threadId
  The adapter has not named the thread 2, and the like
warning  number.order          #1.7 client: request 5 setVariable /seq
  It is 5 again
warning  variables.unknown     #1.7 client: request 5 setVariable /arguments/variablesReference
  The adapter has not given the reference 1
warning  stopped.before-pause  #1.8 adapter: event stopped
  \`stopped\` with the reason \`pause\` comes before the response to \`pause\`.
warning  schema.misspelt       #1.9 adapter: event stopped /body/theadId
  There is no such property: did you mean "threadId"?
warning  stopped.nothing       #1.9 adapter: event stopped /body
  It names no thread, and does not say that all have stopped: no thread can be looked at.
info     message.custom        #1.10 adapter: event stoped /event
  The protocol does not define it: did you mean "stopped"?`,
  );
  assert.equal(
    printGithubReport(report).split("\n")[0],
    "::error file=x,line=6,title=request.capability::message 6, request 5 stepBack /command: The adapter has not announced supportsStepBack (and 1 more of request.capability)",
  );
});

test("without configurationDone, setExceptionBreakpoints ends the configuration: it needs no filters", async () => {
  const rules = await readSessionRules("dap");
  const session = (body: object): readonly object[] => [
    recorded(1, ask(1, "initialize", { adapterID: "a" })),
    recorded(1, answer(1, 1, "initialize", { body })),
    recorded(1, tell(2, "initialized")),
    recorded(1, ask(2, "setExceptionBreakpoints", { filters: [] })),
    recorded(1, answer(3, 2, "setExceptionBreakpoints")),
  ];
  for (const [body, found] of [
    [{}, []],
    [{ supportsConfigurationDoneRequest: false, exceptionBreakpointFilters: [] }, []],
    [{ supportsConfigurationDoneRequest: true }, ["request.capability"]],
  ] as const) {
    const { findings } = await judgedLines(session(body), { rules });
    const all = findings.map(({ rule }) => rule);
    assert.deepEqual(
      all.filter((rule) => rule === "request.capability"),
      found,
    );
  }
});

test("sessions are judged each for itself; of too many the one that was silent for longest ends", async () => {
  const lines = [1, 2].flatMap((session) => [
    recorded(session, ask(1, "initialize", { adapterID: "a" })),
  ]);
  lines.push(recorded(1, answer(1, 1, "initialize")), recorded(2, answer(1, 1, "initialize")));
  assert.deepEqual((await judgedLines(lines)).findings, []);
  // The first session speaks again, so that the second one ends when there are too many.
  const first = recorded(1, ask(1, "initialize", { adapterID: "a" }));
  const others = Array.from({ length: 99 }, (_, at) =>
    recorded(at + 2, ask(1, "initialize", { adapterID: "a" })),
  );
  const sessions = await judgedLines([
    first,
    ...others,
    recorded(1, answer(1, 1, "initialize")),
    recorded(101, ask(1, "initialize", { adapterID: "a" })),
    recorded(3, answer(1, 1, "initialize")),
    recorded(2, answer(1, 1, "initialize")),
  ]);
  assert.deepEqual(sessions.findings, []);
  // The rest of the second session begins with an answer.
  assert.deepEqual(
    sessions.unjudged?.filter(({ rule }) => rule === "response.unmatched"),
    [{ rule: "response.unmatched", gap: "start", count: 1 }],
  );
});
