import assert from "node:assert/strict";
import { test } from "node:test";
import type { LintOptions } from "../../../sessions/judge/lint-options.js";
import type { RecordedEntry } from "../../../sessions/read/recording.js";
import { lintRules } from "../../../sessions/judge/rules.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import type { Type } from "../../../generator/model/types.js";
import { dap, entry, ask, answer, tell, judged, short } from "../../support/judged-entries.js";

test("findings and messages include all known facts", () => {
  const { findings, messages } = judged([
    ask(1, "initialize", { adapterID: "a" }, { time: 0, offset: 0, line: 2, session: 1 }),
    answer(1, 1, "initialize", {}, { time: 12_000, offset: 9, line: 3, session: 1 }),
    { fault: { code: "ERR_NOISE", message: "printed" }, from: "adapter", offset: 99 },
    { fault: { code: "ERR_JSON", message: "broken\u001b" } },
    entry("adapter", { type: "odd" }, { time: 13_000 }),
    ask(2, "pause", { threadId: 1 }, { time: 1, offset: 20, line: 7, session: 1 }),
    tell(2, "terminated", undefined, { time: 14_000 }),
    answer(3, 9, "threads", { success: false }),
    ask(3, "threads"),
    { message: { seq: 4, type: "event", event: "x".repeat(300) } },
  ]);
  const message = (
    index: number,
    from: string,
    kind: string,
    name: string | undefined,
    label: string,
    more = {},
  ): object => ({
    index,
    from,
    kind,
    ...(name === undefined ? {} : { name }),
    label,
    hasFailed: false,
    ...more,
  });
  const x = "x".repeat(300);
  assert.deepEqual(messages, [
    message(1, "client", "request", "initialize", "request 1 initialize", { session: 1, time: 0 }),
    message(2, "adapter", "response", "initialize", "response 1 initialize", {
      answers: 1,
      session: 1,
      time: 12_000,
      latency: 12_000,
    }),
    message(3, "adapter", "none", undefined, "message", { time: 13_000 }),
    message(4, "client", "request", "pause", "request 2 pause", { session: 1, time: 1 }),
    message(5, "adapter", "event", "terminated", "event terminated", { time: 14_000 }),
    message(6, "adapter", "response", "threads", "response 9 threads", { hasFailed: true }),
    message(7, "client", "request", "threads", "request 3 threads"),
    message(8, "client", "event", x, `event ${x.slice(0, 93)}…`),
  ]);
  const finding = (
    rule: string,
    index: number,
    label: string,
    text: string,
    more: object,
  ): object => ({
    rule,
    severity: lintRules.get(rule)!.severity,
    index,
    label,
    pointer: "",
    message: text,
    ...more,
  });
  // The unreadable bytes may have contained a request or a response, so lint does not report one as
  // missing.
  assert.deepEqual(
    findings.filter(({ rule }) => !rule.startsWith("schema")),
    [
      finding("response.late", 2, "response 1 initialize", "The response took 12.0 seconds", {
        from: "adapter",
        offset: 9,
        time: 12_000,
        line: 3,
        session: 1,
      }),
      finding("stream.noise", 2, "bytes", "printed", { from: "adapter", offset: 99 }),
      finding("stream.fault", 2, "bytes", "broken\\u001b", {}),
      finding(
        "message.kind",
        3,
        "message",
        'The message is not a request, an event or a response: expected one of "request", "event", "response", received "odd"',
        {
          pointer: "/type",
          from: "adapter",
          time: 13_000,
        },
      ),
      finding(
        "message.custom",
        8,
        `event ${x.slice(0, 93)}…`,
        "The protocol does not define this message",
        {
          pointer: "/event",
        },
      ),
    ],
  );
});

test("a response that takes more than ten seconds is late", () => {
  for (const [time, found] of [
    [10_000, []],
    [10_001, ["response.late #2  The response took 10.0 seconds"]],
  ] as const)
    assert.deepEqual(
      judged([
        ask(1, "initialize", { adapterID: "a" }, { time: 0 }),
        answer(1, 1, "initialize", {}, { time }),
      ]).findings.map(short),
      found,
    );
});

test("deviations that tolerant readers accept are errors in the strict profile", () => {
  const entries = [
    ask(1, "initialize", { adapterID: "a" }),
    answer(0, 1, "initialize"),
    tell(1, "output", { output: 7 }),
  ];
  const expected = "expected an integer from 1 to 2^31-1, received 0";
  const text = "schema.issue #3 /body/output expected a string, received 7";
  const found = (options: Partial<LintOptions>): readonly string[] =>
    judged(entries, options).findings.map(short);
  const tolerated = `schema.deviation #2 /seq ${expected}; readers that tolerate "id-unset" accept the message, but other readers reject it`;
  assert.deepEqual(found({}), [tolerated, text]);
  assert.deepEqual(found({ profile: "wire" }), [tolerated, text]);
  assert.deepEqual(found({ profile: "strict" }), [`schema.issue #2 /seq ${expected}`, text]);
});

test("one side's ids must increase, and invalid or missing ids are not compared", () => {
  const numbers = [5, 0, -1, "4", "3", {}, undefined, 6, 6, 7];
  const { findings } = judged(
    numbers.map((seq) => entry("adapter", { seq, type: "event", event: "terminated" })),
    { isOneSided: true },
  );
  assert.deepEqual(findings.filter(({ rule }) => rule === "number.order").map(short), [
    "number.order #9 /seq 6 is repeated",
  ]);
  const sides = [1, 1].map((seq, at) =>
    entry(dap.roles[at]!, { seq, type: "event", event: "mine" }),
  );
  assert.deepEqual(
    judged(sides).findings.filter(({ rule }) => rule === "number.order"),
    [],
  );
});

test("deprecated parts are reported with their deprecation text", () => {
  const deprecate = <Each extends { readonly name: string }>(each: Each): Each =>
    each.name === "threads" || each.name === "exitCode"
      ? { ...each, deprecated: "" }
      : each.name === "pause" || each.name === "group"
        ? { ...each, deprecated: "Use another." }
        : each;
  const protocol: Protocol = {
    ...dap,
    messages: dap.messages.map(deprecate),
    definitions: dap.definitions.map((each) => ({ ...each, type: below(each.type) })),
  };
  function below(type: Type): Type {
    return type.kind === "object"
      ? {
          ...type,
          properties: type.properties.map((each) => deprecate({ ...each, type: below(each.type) })),
        }
      : type;
  }
  const entries = [
    ask(1, "threads"),
    ask(2, "pause", { threadId: 1 }),
    ask(3, "next", { threadId: 1 }),
    tell(1, "exited", { exitCode: 1 }),
    tell(2, "output", { output: "x", group: "end" }),
  ];
  assert.deepEqual(judged(entries, { isOneSided: true }, protocol).findings.map(short), [
    "message.deprecated #1 /command The message is deprecated",
    "message.deprecated #2 /command Use another.",
    "field.deprecated #4 /body/exitCode The property is deprecated",
    "field.deprecated #5 /body/group Use another.",
  ]);
});

test("rules that need both sides do not judge a one-sided recording", () => {
  const adapter = [
    tell(1, "output", { output: "x" }),
    answer(2, 7, "threads", { body: { threads: [] } }),
    answer(2, 8, "x"),
  ];
  const alone = { isOneSided: true };
  assert.deepEqual(judged(adapter, alone).findings.map(short), [
    "number.order #3 /seq 2 is repeated",
  ]);
  assert.deepEqual(
    judged([ask(1, "threads"), ask(2, "stepBack", { threadId: 1 })], alone).findings,
    [],
  );
  const heard = [
    ask(1, "initialize", { adapterID: "a" }),
    entry("adapter", { seq: 1, type: "event", event: "capabilities", body: { capabilities: {} } }),
    ask(2, "stepBack", { threadId: 1 }),
  ];
  assert.deepEqual(judged(heard, alone).findings.map(short), []);
});

test("long names and values are truncated", () => {
  const long = "n".repeat(300);
  const shortened = `${"n".repeat(199)}…`;
  const opened = [ask(1, "initialize", { adapterID: "a" }), answer(1, 1, "initialize")];
  const { findings } = judged([
    ...opened,
    ask(2, long),
    answer(2, 2, long),
    ask(3, long),
    answer(3, 3, `${long}!`),
    ask(4, "threads"),
    answer(4, 4, long, { body: { threads: [] } }),
    ask(5, "threads"),
    answer(5, 5, "threads", { command: { a: 1 }, body: { threads: [] } }),
    ask(6, "threads"),
    answer(6, 6, "threads", { command: undefined, body: { threads: [] } }),
    answer(7, 6, "threads", { request_seq: "r".repeat(300) }),
  ]);
  assert.deepEqual(findings.filter(({ rule }) => rule.startsWith("response")).map(short), [
    `response.name #8 /command The request is "threads", but the response names "${shortened}"`,
    'response.name #10 /command The request is "threads", but the response names an object',
    'response.name #12 /command The request is "threads", but the response names no request',
    `response.unmatched #13 /request_seq There is no request with the number "${"r".repeat(199)}…"`,
  ]);
});

test("capabilities may be announced by requests, responses and events", () => {
  const opened = (client: object, adapter: unknown): readonly RecordedEntry[] => [
    ask(1, "initialize", { adapterID: "a", ...client }),
    answer(1, 1, "initialize", adapter === undefined ? {} : { body: adapter }),
  ];
  const stepBack = ask(2, "stepBack", { threadId: 1 });
  const update = (capabilities: unknown): RecordedEntry =>
    tell(2, "capabilities", { capabilities });
  const missing = "request.capability #3 /command The adapter has not announced supportsStepBack";
  const later = missing.replace("#3", "#4");
  const on = { supportsStepBack: true };
  const cases: readonly (readonly [readonly RecordedEntry[], readonly string[]])[] = [
    [[...opened({}, on), stepBack], []],
    [[...opened({}, { supportsStepBack: false }), stepBack], [missing]],
    [[...opened({}, undefined), stepBack], [missing]],
    [[...opened(on, {}), stepBack], [missing]],
    [[...opened({}, {}), update(on), stepBack], []],
    [[...opened({}, on), update({ supportsStepBack: false }), stepBack], [later]],
    [[...opened({}, on), update({ other: false }), stepBack], []],
    [
      [
        ...opened({}, {}),
        ask(2, "threads"),
        answer(2, 2, "threads", { body: { threads: [], ...on } }),
        tell(3, "stopped", on),
        stepBack,
      ],
      [missing.replace("#3", "#6")],
    ],
    [[...opened({}, on), entry("client", { ...update(on).message! }), stepBack], []],
  ];
  for (const [entries, found] of cases)
    assert.deepEqual(
      judged([...entries, ask(9, "disconnect")])
        .findings.filter(({ rule }) => rule === "request.capability")
        .map(short),
      found,
    );
});
