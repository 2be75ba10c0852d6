import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import * as acpPackage from "../../../generated/acp-breakpoints/validate.js";
import * as dapPackage from "../../../generated/dap/validate.js";
import * as sqltoolsPackage from "../../../generated/sqltools/validate.js";
import { readProtocol } from "../../../generator/index.js";
import { readSessionRules } from "../../../generator/lint/session-rules.js";
import type { InputError } from "../../../generator/base/input-error.js";
import { readHost, type HostRule, type HostTable } from "../../../generator/lint/host-table.js";
import { judgeRecording, type JudgeOptions } from "../../../generator/lint/judge-recording.js";
import { KeptFindings } from "../../../generator/lint/kept-findings.js";
import {
  LintSession,
  type LintOptions,
  type LintedMessage,
} from "../../../generator/lint/lint-session.js";
import { messageRuleOf } from "../../../generator/model/validation-rules.js";
import { openRecording, type RecordedEntry } from "../../../generator/session/recording.js";
import { printGithubReport, printTextReport } from "../../../generator/lint/report.js";
import { lintRules, type LintFinding } from "../../../generator/lint/rules.js";
import { PartsWalk } from "../../../generator/lint/state/parts-walk.js";
import { walkTyped } from "../../../generator/session/typed-walk.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import type { Property, Type } from "../../../generator/model/types.js";
import { createValidator } from "../../../runtime/index.js";
import { withFolder, writeFiles } from "../../../tools/shared/compile.js";
import { newestDap } from "../../../tools/shared/dap-versions.js";
import { plantFaults, Sampler } from "../../../tools/shared/sample-values.js";

const dap = await readProtocol("dap");

for (const [name, { validate }] of [
  ["acp-breakpoints", acpPackage],
  ["sqltools", sqltoolsPackage],
  ["dap", dapPackage],
] as const)
  test(`messages of ${name} are judged as the generated package judges them`, async () => {
    const protocol = await readProtocol(name);
    const judge = createValidator(messageRuleOf(protocol));
    const sampler = new Sampler(protocol, 5);
    let count = 0;
    for (const message of protocol.messages)
      for (const definition of [
        message.definition,
        ...(message.kind === "request" && message.responseDefinition !== undefined
          ? [message.responseDefinition]
          : []),
      ]) {
        const sample = sampler.sample(definition, "some");
        const faults = plantFaults(sampler, definition, sample).map(({ value }) => value);
        for (const value of [sample, ...faults].slice(0, 30)) {
          count++;
          for (const profile of ["strict", "wire"] as const)
            assert.deepEqual(judge(value, { profile }), validate(value, { profile }), definition);
        }
      }
    for (const value of [null, 7, [], {}, { jsonrpc: "2.0" }, { jsonrpc: "2.0", id: 1 }])
      assert.deepEqual(judge(value), validate(value));
    assert.ok(count > 100, String(count));
  });

/** Judges what stands at a place of a message whose type is this. */
function judgeOf(type: Type): (data: unknown) => readonly string[] {
  const [message] = dap.definitions;
  const protocol: Protocol = {
    ...dap,
    definitions: [
      ...dap.definitions.map((each) => ({ ...each, type: typed(each.type) })),
      { ...message!, name: "Value", type },
    ],
  };
  function typed(own: Type): Type {
    if (own.kind !== "object") return own;
    return { ...own, properties: own.properties.map(valued) };
  }
  function valued(property: Property): Property {
    return property.name === "data"
      ? { ...property, type: { kind: "reference", name: "Value" } }
      : { ...property, type: typed(property.type) };
  }
  const judge = createValidator(messageRuleOf(protocol));
  return (data) => {
    const body = { output: "x", data };
    const result = judge({ seq: 1, type: "event", event: "output", body });
    return result.ok ? [] : result.issues.map(({ path }) => path.replace("/body/data", "."));
  };
}

test("a definition may contain itself without being an object", () => {
  const judge = judgeOf({
    kind: "union",
    members: [{ kind: "string" }, { kind: "array", items: { kind: "reference", name: "Value" } }],
  });
  assert.deepEqual(["a", [], [["a"], "b", [[["c"]]]], 7, [7], [[], ["a", [7]]]].map(judge), [
    [],
    [],
    [],
    ["."],
    ["./0"],
    ["./1/1/0"],
  ]);
});

test("a definition may contain itself within an object that has no name", () => {
  const property = (name: string, required: boolean, type: Type): Property => ({
    ...{ name, required, type },
    at: "",
  });
  const object = (property: Property): Type => ({
    ...{ kind: "object", extras: "open", bases: [] },
    properties: [property],
  });
  const judge = judgeOf(
    object(property("x", true, object(property("y", false, { kind: "reference", name: "Value" })))),
  );
  assert.deepEqual([{ x: {} }, { x: { y: { x: {} } } }, { x: { y: { x: { y: 7 } } } }].map(judge), [
    [],
    [],
    ["./x/y/x/y"],
  ]);
});

const values = (...list: readonly (string | number)[]): never =>
  list.map((value) => ({ value })) as never;
/** Types, values that are of them, and values that are not. */
const types: readonly (readonly [Type, good: readonly unknown[], bad: readonly unknown[]])[] = [
  [{ kind: "any" }, [null, 7, "a", {}], []],
  [{ kind: "null" }, [null], [0, "", {}]],
  [{ kind: "boolean" }, [true, false], [0, null]],
  [{ kind: "string" }, ["", "a"], [7, null]],
  [{ kind: "string", minLength: 1 }, ["a", "abc"], [""]],
  [{ kind: "string", maxLength: 2 }, ["", "ab"], ["abc"]],
  [{ kind: "string", minLength: 1, maxLength: 2 }, ["a", "ab"], ["", "abc", 7]],
  [{ kind: "integer" }, [0, -7], [0.5, "0"]],
  [{ kind: "integer", minimum: 1 }, [1, 9], [0]],
  [{ kind: "integer", maximum: 2 }, [-1, 2], [3]],
  [{ kind: "number", minimum: 0.5, maximum: 1 }, [0.5, 1], [0.4, 1.1, "1"]],
  [{ kind: "literal", value: "a" }, ["a"], ["b", null]],
  [{ kind: "enum", open: false, values: values("a", 1) }, ["a", 1], ["b", 2, null]],
  [{ kind: "enum", open: true, values: values("a", 1) }, ["b", 2], [true, null]],
  [{ kind: "enum", open: true, values: values("a", "b") }, ["c"], [1]],
  [{ kind: "enum", open: true, values: values(1, 2) }, [3], ["a"]],
  [{ kind: "array", items: { kind: "string" } }, [[], ["a"]], [[1], {}, "a"]],
  [{ kind: "array", items: { kind: "any" }, minItems: 1 }, [[1], [1, 2, 3]], [[]]],
  [{ kind: "array", items: { kind: "any" }, maxItems: 1 }, [[], [1]], [[1, 2]]],
  [{ kind: "map", values: { kind: "number" } }, [{}, { a: 1 }], [{ a: "b" }, [], 7]],
];
test("values of every kind of type are judged", () => {
  for (const [type, good, bad] of types) {
    const judge = judgeOf(type);
    const isBad = (value: unknown): boolean => judge(value).length > 0;
    assert.deepEqual([good.filter(isBad), bad.filter(isBad)], [[], bad], JSON.stringify(type));
  }
});

const entry = (from: string, message: object, more: object = {}): RecordedEntry => ({
  ...{ from, message },
  ...more,
});
const ask = (seq: number, command: string, args?: object, more: object = {}): RecordedEntry =>
  entry(
    "client",
    { seq, type: "request", command, ...(args === undefined ? {} : { arguments: args }) },
    more,
  );
const answer = (
  seq: number,
  request_seq: number,
  command: string,
  fields: object = {},
  more: object = {},
): RecordedEntry =>
  entry("adapter", { seq, type: "response", request_seq, success: true, command, ...fields }, more);
const tell = (seq: number, event: string, body?: object, more: object = {}): RecordedEntry =>
  entry("adapter", { seq, type: "event", event, ...(body === undefined ? {} : { body }) }, more);

function judged(
  entries: readonly RecordedEntry[],
  options: Partial<LintOptions> = {},
  protocol: Protocol = dap,
): { readonly findings: readonly LintFinding[]; readonly messages: readonly LintedMessage[] } {
  const findings: LintFinding[] = [];
  const messages: LintedMessage[] = [];
  // Of a protocol that nobody has asked for yet, nothing is known yet.
  const session = new LintSession(
    { ...protocol },
    {
      onFinding: (finding) => findings.push(finding),
      onMessage: (message) => messages.push(message),
      ...options,
    },
  );
  for (const each of entries) session.push(each);
  assert.equal(session.messages, entries.filter(({ message }) => message !== undefined).length);
  session.end();
  return { findings, messages };
}
const short = ({ rule, index, pointer, text }: LintFinding): string =>
  `${rule} #${index} ${pointer} ${text}`;

test("findings and messages say all that is known of them", () => {
  const { findings, messages } = judged([
    ask(1, "initialize", { adapterID: "a" }, { time: 0, offset: 0, line: 2, session: 1 }),
    answer(1, 1, "initialize", {}, { time: 12_000, offset: 9, line: 3, session: 1 }),
    { fault: { code: "ERR_NOISE", text: "printed" }, from: "adapter", offset: 99 },
    { fault: { code: "ERR_JSON", text: "broken\u001b" } },
    entry("adapter", { type: "odd" }, { time: 13_000 }),
    ask(2, "pause", { threadId: 1 }, { time: 1, offset: 20, line: 7, session: 1 }),
    tell(2, "terminated", undefined, { time: 14_000 }),
    answer(3, 9, "threads", { success: false }),
    ask(3, "threads"),
    { message: { seq: 4, type: "event", event: "x".repeat(300) } },
  ]);
  assert.deepEqual(messages, [
    {
      ...{ index: 1, from: "client", kind: "request", label: "request 1 initialize" },
      name: "initialize",
      ...{ hasFailed: false, session: 1, time: 0 },
    },
    {
      ...{ index: 2, from: "adapter", kind: "response", label: "response 1 initialize" },
      ...{ name: "initialize", answers: 1 },
      ...{ hasFailed: false, session: 1, time: 12_000, latency: 12_000 },
    },
    {
      ...{ index: 3, from: "adapter", kind: "none", label: "message", hasFailed: false },
      ...{ time: 13_000 },
    },
    {
      ...{ index: 4, from: "client", kind: "request", label: "request 2 pause" },
      ...{ name: "pause", hasFailed: false, session: 1, time: 1 },
    },
    {
      ...{ index: 5, from: "adapter", kind: "event", label: "event terminated" },
      ...{ name: "terminated", hasFailed: false, time: 14_000 },
    },
    {
      ...{ index: 6, from: "adapter", kind: "response", label: "response 9 threads" },
      ...{ name: "threads", hasFailed: true },
    },
    {
      ...{ index: 7, from: "client", kind: "request", label: "request 3 threads" },
      ...{ name: "threads", hasFailed: false },
    },
    {
      ...{ index: 8, from: "client", kind: "event", hasFailed: false },
      label: `event ${"x".repeat(93)}…`,
      name: "x".repeat(300),
    },
  ]);
  const severityOf = (rule: string): string => lintRules.get(rule)!.severity;
  const finding = (
    rule: string,
    index: number,
    label: string,
    text: string,
    more: object,
  ): object => ({
    ...{ rule, severity: severityOf(rule), index, label, pointer: "", text, ...more },
  });
  assert.deepEqual(
    findings.filter(({ rule }) => !rule.startsWith("schema")),
    [
      finding("response.late", 2, "response 1 initialize", "It took 12.0 seconds", {
        ...{ from: "adapter", offset: 9, time: 12_000, line: 3, session: 1 },
      }),
      finding("stream.noise", 2, "bytes", "printed", { from: "adapter", offset: 99 }),
      finding("stream.fault", 2, "bytes", "broken\\u001b", { from: "client" }),
      finding("message.kind", 3, "message", "It is neither request, event nor response", {
        ...{ from: "adapter", time: 13_000 },
      }),
      finding(
        "response.unmatched",
        6,
        "response 9 threads",
        "Nothing was asked with the number 9",
        {
          ...{ from: "adapter", pointer: "/request_seq" },
        },
      ),
      finding("message.custom", 8, `event ${"x".repeat(93)}…`, "The protocol does not define it", {
        ...{ from: "client", pointer: "/event" },
      }),
      finding("request.unanswered", 4, "request 2 pause", "No response has come", {
        ...{ from: "client", time: 1, offset: 20, line: 7, session: 1 },
      }),
    ],
  );
});

test("a response that is late took more than ten seconds", () => {
  for (const [time, found] of [
    [10_000, []],
    [10_001, ["response.late #2  It took 10.0 seconds"]],
  ] as const)
    assert.deepEqual(
      judged([
        ask(1, "initialize", { adapterID: "a" }, { time: 0 }),
        answer(1, 1, "initialize", {}, { time }),
      ]).findings.map(short),
      found,
    );
});

test("what tolerant readers go on with is an error to the letter", () => {
  const entries = [
    ask(1, "initialize", { adapterID: "a" }),
    answer(0, 1, "initialize"),
    tell(1, "output", { output: 7 }),
  ];
  const expected = "expected an integer from 1 to 2^31-1, received 0";
  const text = "schema.issue #3 /body/output expected a string, received 7";
  const found = (options: Partial<LintOptions>): readonly string[] =>
    judged(entries, options).findings.map(short);
  const tolerated = `schema.deviation #2 /seq ${expected}; readers that tolerate "id-unset" go on, others reject the message`;
  assert.deepEqual(found({}), [tolerated, text]);
  assert.deepEqual(found({ profile: "wire" }), [tolerated, text]);
  assert.deepEqual(found({ profile: "strict" }), [`schema.issue #2 /seq ${expected}`, text]);
});

test("numbers of a side increase; what is none, or unset, has no order", () => {
  const numbers = [5, 0, -1, "4", "3", {}, undefined, 6, 6, 7];
  const { findings } = judged(
    numbers.map((seq) => entry("adapter", { seq, type: "event", event: "terminated" })),
    { isOneSided: true },
  );
  assert.deepEqual(findings.filter(({ rule }) => rule === "number.order").map(short), [
    "number.order #9 /seq It is 6 again",
  ]);
  const sides = [1, 1].map((seq, at) =>
    entry(dap.roles[at]!, { seq, type: "event", event: "mine" }),
  );
  assert.deepEqual(
    judged(sides).findings.filter(({ rule }) => rule === "number.order"),
    [],
  );
});

test("what should not be used any more is told with what is said of it", () => {
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
    ...[ask(1, "threads"), ask(2, "pause", { threadId: 1 }), ask(3, "next", { threadId: 1 })],
    ...[tell(1, "exited", { exitCode: 1 }), tell(2, "output", { output: "x", group: "end" })],
  ];
  assert.deepEqual(judged(entries, { isOneSided: true }, protocol).findings.map(short), [
    "message.deprecated #1 /command It is deprecated",
    "message.deprecated #2 /command Use another.",
    "field.deprecated #4 /body/exitCode It is deprecated",
    "field.deprecated #5 /body/group Use another.",
  ]);
});

test("of one side what takes both is not judged", () => {
  const adapter = [
    tell(1, "output", { output: "x" }),
    answer(2, 7, "threads", { body: { threads: [] } }),
    answer(2, 8, "x"),
  ];
  const alone = { isOneSided: true };
  assert.deepEqual(judged(adapter, alone).findings.map(short), [
    "number.order #3 /seq It is 2 again",
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
  assert.deepEqual(judged(heard, alone).findings.map(short), [
    "request.capability #3 /command The adapter has not announced supportsStepBack",
  ]);
});

test("names and values are shown in short, and names are compared in short", () => {
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
    `response.name #8 /command It says "${shortened}" and answers "threads"`,
    'response.name #10 /command It says an object and answers "threads"',
    'response.name #12 /command It says nothing and answers "threads"',
    `response.unmatched #13 /request_seq Nothing was asked with the number ${"r".repeat(199)}…`,
  ]);
});

test("capabilities are announced by requests, by responses and by events", () => {
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
        ...[...opened({}, {}), ask(2, "threads")],
        ...[answer(2, 2, "threads", { body: { threads: [], ...on } }), tell(3, "stopped", on)],
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
      .map(({ index, pointer, text }) => `#${index} ${pointer} ${text}`);
  const expired = (index: number, id: unknown): string =>
    `#${index} /arguments/frameId ${String(id)} was given before the program ran on`;
  assert.deepEqual(found([stop(), ...given(7), ...used(7), stop(), ...used(7)]), []);
  assert.deepEqual(found([stop(), ...given(7), ...next(), ...used(7), stop(), ...used(7)]), [
    expired(8, 7),
    expired(11, 7),
  ]);
  // Only the first stop behind it counts, and one that is given again is new.
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

test("a session in JSON-RPC is judged by what its protocol says", async () => {
  const acp = await readProtocol("acp-breakpoints");
  const said = (from: string, fields: object): RecordedEntry =>
    entry(from, { jsonrpc: "2.0", ...fields });
  const findings: string[] = [];
  const labels: string[] = [];
  const session = new LintSession(acp, {
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
    'schema.deviation #6 /result expected any value, received nothing; readers that tolerate "success-body" go on, others reject the message',
    "schema.issue #7 /params/sessionId expected a string, received 7",
    "schema.issue #7 /params/update expected an object, received nothing",
    "response.unmatched #8 /id Nothing was asked with the number 8",
    "message.custom #9 /method The protocol does not define it",
    "message.kind #10  It is neither request, event nor response",
  ]);
});

test("findings are kept as far as there is room, and counted all", () => {
  const finding = (rule: string, text = ""): LintFinding => ({
    ...{ rule, severity: "error", index: 1, from: "client", label: "12345", pointer: "123", text },
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

test("a report counts what it does not list, and its messages", async () => {
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
      onEntry: ({ fault }, message) => shown.push(message?.label ?? fault?.text),
      onFinding: ({ rule, severity }) => shown.push([rule, severity]),
    },
    onProgress: (...done) => void progress.push(done),
    severities: new Map([["stream.noise", "info"]]),
  });
  const first: LintFinding = {
    ...{ rule: "stream.noise", severity: "info", index: 0, from: "adapter", label: "bytes" },
    ...{ pointer: "", text: "oops", line: 2 },
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

test("findings that say the same are told as one, whatever they name", async () => {
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
  assert.deepEqual(
    sessions.findings.map(({ rule, session }) => `${rule} ${session}`),
    ["response.unmatched 2"],
  );
});

test("every plain value is visited with its type", () => {
  const definitions = new Map(
    Object.entries({
      Leaf: { kind: "string" },
      Base: {
        kind: "object",
        bases: [],
        extras: "open",
        properties: [property("b", { kind: "boolean" })],
      },
      Tree: {
        kind: "object",
        bases: ["Base"],
        extras: "open",
        properties: [
          property("a/b", { kind: "reference", name: "Leaf" }),
          property("list", { kind: "array", items: { kind: "reference", name: "Tree" } }),
          property("map", { kind: "map", values: { kind: "number" } }),
          property("maybe", {
            kind: "union",
            members: [{ kind: "null" }, { kind: "reference", name: "Tree" }],
          }),
          property("either", { kind: "union", members: [{ kind: "string" }, { kind: "number" }] }),
        ],
      },
    }).map(([name, type]) => [name, { name, type } as never]),
  );
  function property(name: string, type: object): object {
    return { name, type, required: false };
  }
  const visits = (value: unknown, start = "Tree"): readonly string[] => {
    const log: string[] = [];
    walkTyped(
      definitions as never,
      { kind: "reference", name: start } as Type,
      value,
      ({ kind }, each, place) => void log.push(`${kind} ${JSON.stringify(each)} ${place}`),
    );
    return log;
  };
  assert.deepEqual(
    visits({
      ...{ "a/b": "x", b: true, map: { k: 1, "~": 2 }, either: 3, other: 4 },
      list: [{ "a/b": "y" }, 7],
      maybe: { either: null },
    }).toSorted(),
    [
      'string "x" /a~1b',
      "boolean true /b",
      "number 1 /map/k",
      "number 2 /map/~0",
      "union 3 /either",
      'string "y" /list/0/a~1b',
      "union null /maybe/either",
    ].toSorted(),
  );
  for (const value of [null, 7, "x", []]) assert.deepEqual(visits(value), []);
  assert.deepEqual(visits({ list: {}, map: [], maybe: null, b: undefined }), []);
  assert.deepEqual(visits("x", "Leaf"), ['string "x" ']);
  assert.deepEqual(visits(Object.create({ b: true })), []);
  const nested = (levels: number): object => {
    let deep: object = { b: true };
    for (let level = 0; level < levels; level++) deep = { maybe: deep };
    return deep;
  };
  assert.equal(visits(nested(63)).length, 1);
  assert.equal(visits(nested(64)).length, 0);
});

test("properties that are deprecated or need a capability are found wherever they are", () => {
  const gate = { role: "adapter", flag: "f" };
  const of = (...properties: object[]): object => ({
    ...{ kind: "object", bases: [], extras: "open" },
    properties,
  });
  const property = (name: string, type: object, more: object = {}): object => ({
    ...{ name, type, required: false },
    ...more,
  });
  const tree = { kind: "reference", name: "Tree" };
  const nothing = { kind: "null" };
  const definitions = new Map(
    Object.entries({
      Base: of(property("old", { kind: "string" }, { deprecated: "" })),
      Plain: of(property("a", { kind: "string" })),
      Tree: {
        ...of(
          property("a/b", { kind: "string" }, { gate }),
          property("list", { kind: "array", items: tree }),
          property("map", { kind: "map", values: tree }, { gate }),
          property("maybe", { kind: "union", members: [nothing, tree] }),
          property("either", { kind: "union", members: [tree, { kind: "string" }] }),
          property("plain", { kind: "reference", name: "Plain" }),
          property("inline", of(property("old", tree, { deprecated: "Use new" }))),
        ),
        bases: ["Base"],
      },
    }).map(([name, type]) => [name, { kind: "definition", name, type } as never]),
  );
  const noted = new PartsWalk(definitions, {
    isProperty: ({ deprecated, gate }) => deprecated !== undefined || gate !== undefined,
  });
  const found = (value: Readonly<Record<string, unknown>>, definition = "Tree"): string[] => {
    const log: string[] = [];
    noted.visit(definition, value, {
      property: ({ name }, place) => void log.push(`${name} ${place}`),
    });
    return log.sort();
  };
  assert.deepEqual(
    found({
      list: [{ "a/b": 1 }, 7, { old: 1 }],
      map: { "~": { "a/b": 2 }, b: { map: [] } },
      maybe: { old: null },
      either: { old: 1 },
      plain: { a: 1, old: 1 },
      inline: { old: { old: undefined, "a/b": false } },
    }),
    [
      "a/b /inline/old/a~1b",
      "a/b /list/0/a~1b",
      "a/b /map/~0/a~1b",
      "map /map",
      "map /map/b/map",
      "old /inline/old",
      "old /list/2/old",
      "old /maybe/old",
    ],
  );
  const wrong = { list: {}, map: 1, maybe: [], inline: null, either: { old: 1 } };
  assert.deepEqual(found(wrong), ["map /map"]);
  assert.deepEqual(found({ a: 1, old: 1 }, "Plain"), []);
  assert.deepEqual(found(Object.create({ old: 1 }) as Record<string, unknown>), []);
  let deep: object = {};
  for (let level = 0; level < 100; level++) deep = { maybe: deep, old: 1 };
  assert.equal(found(deep as Record<string, unknown>).length, 65);
});

/** A host with one rule, and what it finds. */
function hosted(
  rule: Partial<HostRule>,
  entries: readonly RecordedEntry[],
  entities: HostTable["entities"] = {},
): readonly string[] {
  const table: HostTable = {
    ...{ name: "mine", title: "Mine", entities },
    outcomes: { dies: { severity: "info", docs: "It dies." } },
    rules: [{ id: "MY-A1", outcome: "dies", docs: "A rule.", ...rule }],
  };
  return judged(entries, { host: table })
    .findings.filter(({ outcome }) => outcome !== undefined)
    .map(
      ({ index, severity, outcome, pointer, text }) =>
        `#${index} ${severity} ${outcome} ${pointer} ${text}`,
    );
}

const output = (fields: object): RecordedEntry => tell(1, "output", fields);
const hostCases: readonly (readonly [
  what: string,
  rule: Partial<HostRule>,
  entries: readonly RecordedEntry[],
  found: readonly string[],
])[] = [
  ["any message", {}, [output({}), ask(1, "threads")], ["#1 ", "#2 "]],
  ["from a role", { from: "client" }, [output({}), ask(1, "threads")], ["#2 "]],
  [
    "of a kind",
    { message: "event *" },
    [output({}), ask(1, "threads"), tell(2, "mine")],
    ["#1 ", "#3 "],
  ],
  ["of a name", { message: "event output" }, [output({}), tell(2, "mine")], ["#1 "]],
  ["custom", { custom: true }, [output({}), tell(2, "mine"), ask(2, "mine")], ["#2 ", "#3 "]],
  [
    "after another",
    { after: "event output", message: "event *" },
    [tell(1, "mine"), output({}), tell(2, "mine"), output({}), ask(3, "threads")],
    ["#3 ", "#4 "],
  ],
  [
    "stray",
    { stray: true },
    [
      ...[ask(1, "threads"), answer(1, 1, "threads"), answer(1, 1, "threads")],
      ...[answer(1, 7, "threads"), ask(2, "threads"), answer(2, 2, "pause")],
    ],
    ["#3 ", "#4 ", "#6 "],
  ],
  [
    "late",
    { laterThan: 10 },
    [
      ...[ask(1, "threads", {}, { time: 0 }), answer(1, 1, "threads", {}, { time: 10 })],
      ...[ask(2, "threads", {}, { time: 0 }), answer(2, 2, "threads", {}, { time: 11 })],
      ...[ask(3, "threads", {}, { time: 0 }), answer(3, 3, "threads")],
    ],
    ["#4 "],
  ],
  [
    "by its envelope",
    { envelope: { success: { is: [false] }, message: { present: false } } },
    [
      ...[answer(1, 1, "a", { success: false }), answer(2, 2, "b")],
      ...[answer(3, 3, "c", { success: false, message: "x" })],
    ],
    ["#1 "],
  ],
  [
    "by its numbers",
    { numbers: { least: -1, greatest: 5 } },
    [
      tell(1, "exited", { exitCode: 6 }),
      tell(2, "exited", { exitCode: 5 }),
      tell(3, "exited", { exitCode: -1 }),
      tell(4, "exited", { exitCode: -2 }),
      tell(5, "exited", { exitCode: "9" }),
      tell(5, "mine", { exitCode: 9 }),
    ],
    ["#1 /body/exitCode", "#4 /body/exitCode", "#5 /seq", "#6"].slice(0, 2),
  ],
  [
    "by its enumerations",
    { unlisted: { except: ["/body/group"] } },
    [
      output({ output: "x", category: "mine" }),
      output({ output: "x", group: "mine", category: "stdout" }),
      output({ output: "x", category: 7 }),
    ],
    ["#1 /body/category"],
  ],
  [
    "by its enumerations, all of them",
    { unlisted: {} },
    [output({ output: "x", group: "mine", category: "stdout" })],
    ["#1 /body/group"],
  ],
  [
    "by its fields",
    { message: "event output", test: { output: { is: ["x"] }, "data/a": { present: true } } },
    [
      output({ output: "x", data: { a: 1 } }),
      output({ output: "y", data: { a: 1 } }),
      output({ output: "x", data: {} }),
      tell(3, "mine", { output: "x", data: { a: 1 } }),
      tell(3, "output"),
    ],
    ["#1 /body/data/a"],
  ],
  [
    "by what is absent or none of some values",
    { test: { output: { isNot: ["x"], orAbsent: true }, source: { present: false } } },
    [
      output({ output: "x" }),
      output({ output: "y" }),
      output({}),
      output({ output: "y", source: 1 }),
    ],
    ["#2 /body", "#3 /body"],
  ],
  [
    "by what a text is like",
    { test: { output: { unlike: "^[a-z]+$" } } },
    [output({ output: "abc" }), output({ output: "a1" }), output({ output: 7 }), output({})],
    ["#2 /body/output"],
  ],
  [
    "not by a failure",
    { message: "response threads", test: { threads: { present: false } } },
    [answer(1, 1, "threads", { success: false }), answer(2, 2, "threads", { body: 7 })],
    ["#2 /body"],
  ],
  [
    "by each of several tests",
    { anyOf: [{ output: { present: false } }, { category: { is: ["x"] } }] },
    [output({ category: "x" }), output({ output: "", category: "y" })],
    ["#1 /body A rule: output. It dies.", "#1 /body/category"],
  ],
  [
    "by objects of a definition",
    { definition: "Source", test: { name: { is: ["x"] } } },
    [
      output({ output: "", source: { name: "x" } }),
      output({ output: "", source: { name: "y" } }),
      tell(3, "loadedSource", { reason: "new", source: { name: "x" } }),
      tell(4, "mine", { source: { name: "x" } }),
    ],
    ["#1 /body/source/name", "#3 /body/source/name"],
  ],
  [
    "by objects of a definition within some messages",
    { definition: "Source", within: ["event loadedSource"], test: { name: { is: ["x"] } } },
    [
      output({ output: "", source: { name: "x" } }),
      tell(3, "loadedSource", { reason: "new", source: { name: "x" } }),
    ],
    ["#2 /body/source/name"],
  ],
];
for (const [what, rule, entries, want] of hostCases)
  test(`a host judges messages: ${what}`, () => {
    assert.deepEqual(
      hosted(rule, entries),
      want.map((each) => {
        const [, index, place, text] = /^(#\d+) (\S*) ?(.*)$/.exec(each)!;
        return `${index} info dies ${place} ${text || "A rule. It dies."}`;
      }),
    );
  });

test("a host knows what has come and gone", () => {
  const entities: HostTable["entities"] = {
    thread: {
      begins: [
        { message: "event thread", if: { reason: { is: ["started"] } }, id: "threadId" },
        { message: "response threads", each: "threads", id: "id" },
      ],
      ends: [{ message: "event thread", if: { reason: { is: ["exited"] } }, id: "threadId" }],
    },
    eternal: { begins: [{ message: "event module", id: "module/id" }] },
  };
  const thread = (reason: string, threadId: unknown): RecordedEntry =>
    tell(1, "thread", { reason, threadId });
  const use = (threadId: unknown): RecordedEntry => tell(1, "continued", { threadId });
  const entries = [
    ...[use(1), thread("started", 1), use(1), use(2), use(undefined), use({})],
    ...[thread("exited", 1), use(1), thread("odd", 5), use(5)],
    ...[
      ask(1, "threads"),
      answer(1, 1, "threads", { body: { threads: [{ id: 3 }, {}, { id: 4 }] } }),
    ],
    ...[use(3), use(4), answer(2, 2, "threads", { body: { threads: {} } }), tell(1, "thread")],
  ];
  const found = (test: object): readonly string[] =>
    hosted({ message: "event continued", test: { threadId: test } }, entries, entities).map(
      (each) => each.split(" ")[0]!,
    );
  assert.deepEqual(found({ known: "thread" }), ["#3", "#13", "#14"]);
  assert.deepEqual(found({ unknown: "thread" }), ["#1", "#4", "#6", "#8", "#10"]);
  assert.deepEqual(found({ unknown: "thread", orAbsent: true }), [
    "#1",
    "#4",
    "#5",
    "#6",
    "#8",
    "#10",
  ]);
  assert.deepEqual(found({ known: "nothing" }), []);
  assert.deepEqual(
    hosted(
      { message: "event module", test: { "module/id": { known: "eternal" } } },
      [1, 2, 1].map((id) => tell(id, "module", { reason: "new", module: { id, name: "m" } })),
      entities,
    ),
    ["#3 info dies /body/module/id A rule. It dies."],
  );
});

test("a host is one that is known, or a file that says what it makes of messages", async () => {
  const refusal = async (host: string, protocol: string): Promise<readonly unknown[]> => {
    try {
      return [await readHost(host, protocol)];
    } catch (error) {
      const { code, message, hint, place } = error as InputError;
      return [code, message, hint, place.pointer];
    }
  };
  assert.deepEqual(await refusal("emacs", "dap"), [
    "ERR_ARGUMENT",
    'Cannot find the host "emacs"',
    "Known: visual-studio; or give the path of a file",
    undefined,
  ]);
  assert.deepEqual(await refusal("visual-studoi", "dap"), [
    "ERR_ARGUMENT",
    'Cannot find the host "visual-studoi"',
    'Did you mean "visual-studio"?',
    undefined,
  ]);
  assert.deepEqual(await refusal("emacs", "sqltools"), [
    "ERR_ARGUMENT",
    'Cannot find the host "emacs"',
    "Known: none; or give the path of a file",
    undefined,
  ]);
  await withFolder(async (folder) => {
    writeFiles(folder, {
      "protocol.json": "{}",
      "hosts/emacs.json": "{}",
      "hosts/visual-studio.json": "{}",
    });
    assert.deepEqual(await refusal("nothing", join(folder, "protocol.json")), [
      "ERR_ARGUMENT",
      'Cannot find the host "nothing"',
      "Known: emacs, visual-studio; or give the path of a file",
      undefined,
    ]);
    const table = {
      ...{ name: "mine", title: "Mine" },
      outcomes: {
        dies: { severity: "error", docs: "It dies." },
        lives: { severity: "info", docs: "It lives." },
      },
      rules: [
        { id: "MY-A1", outcome: "dies", docs: "x." },
        { id: "MY-A2", outcome: "toString", docs: "x." },
      ],
    };
    const good = { ...table, rules: table.rules.slice(0, 1) };
    writeFiles(folder, {
      "wrong.json": JSON.stringify(table),
      "good.json": JSON.stringify(good),
      "odd.json": JSON.stringify({ ...good, rules: 7 }),
    });
    assert.deepEqual(await refusal(join(folder, "wrong.json"), "dap"), [
      "ERR_DESCRIPTION",
      'Cannot find the outcome "toString" of MY-A2',
      "Known: dies, lives",
      "/rules/1/outcome",
    ]);
    assert.deepEqual(await refusal(join(folder, "good.json"), "dap"), [good]);
    assert.equal((await refusal(join(folder, "odd.json"), "dap"))[0], "ERR_DESCRIPTION");
  });
});
