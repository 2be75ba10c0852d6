import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createEncoder } from "../../../generated/dap/index.js";
import { validate } from "../../../generated/dap/validate.js";
import { readProtocol } from "../../../generator/index.js";
import { LintSession } from "../../../generator/lint/lint-session.js";
import { messageRuleOf } from "../../../generator/model/validation-rules.js";
import { readLuaLog } from "../../../generator/session/logs/lua-text.js";
import { readRecording, type RecordedEntry } from "../../../generator/session/recording.js";
import type { LintFinding } from "../../../generator/lint/rules.js";
import type { LintProfile } from "../../../generator/lint/state/session-state.js";
import { createValidator } from "../../../runtime/index.js";
import { withFolder, writeFiles } from "../../../tools/shared/compile.js";
import { newestDap } from "../../../tools/shared/dap-versions.js";
import { fromRoot } from "../../../tools/shared/paths.js";
import { runCommand, type Outcome } from "../../support/run-command.js";
import { recordedSessions } from "../../support/recorded-sessions.js";
import { plantFaults, Sampler } from "../../../tools/shared/sample-values.js";

const dap = await readProtocol("dap");

test("messages are judged as the generated package judges them", () => {
  const judge = createValidator(messageRuleOf(dap));
  const sampler = new Sampler(dap, 21);
  let faults = 0;
  for (const message of dap.messages) {
    for (const definition of [
      message.definition,
      ...(message.kind === "request" ? [message.responseDefinition!] : []),
    ]) {
      const sample = sampler.sample(definition, "some");
      for (const value of [
        sample,
        ...plantFaults(sampler, definition, sample).map((each) => each.value),
      ]) {
        faults++;
        assert.deepEqual(judge(value), validate(value), definition);
        assert.deepEqual(
          judge(value, { profile: "wire" }),
          validate(value, { profile: "wire" }),
          definition,
        );
      }
    }
  }
  assert.ok(faults > 1_500, String(faults));
});

interface RecordedFrame {
  readonly dir: "in" | "out";
  readonly off: number;
  readonly valid?: boolean;
  readonly trailing?: number;
}

function lint(entries: readonly RecordedEntry[], profile: LintProfile): readonly LintFinding[] {
  const findings: LintFinding[] = [];
  const session = new LintSession(dap, {
    profile,
    onFinding: (finding) => findings.push(finding),
  });
  for (const entry of entries) session.push(entry);
  session.end();
  return findings;
}

for (const { name, folder } of recordedSessions) {
  test(`the recording of ${name}: the strict profile finds what the schema does, the wire profile no error`, () => {
    const files = ["out.bin", "in.bin"].map((name) => ({
      name,
      bytes: readFileSync(join(folder, name)),
    }));
    const entries = readRecording(files, dap);
    const frames = readFileSync(join(folder, "frames.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as RecordedFrame);
    const invalid = frames
      .filter(({ valid }) => valid === false)
      .map(({ dir, off }) => `${dir} ${off}`)
      .sort();
    const found = new Set(
      lint(entries, "strict")
        .filter(({ rule }) => rule === "schema.issue")
        .map(({ from, offset }) => `${from === "adapter" ? "in" : "out"} ${offset}`),
    );
    assert.deepEqual([...found].sort(), invalid);
    const wire = lint(entries, "wire");
    assert.deepEqual(
      wire.filter(({ severity, rule }) => severity === "error" && rule !== "stream.fault"),
      [],
    );
    const isCut = frames.some(({ trailing }) => trailing !== undefined);
    assert.equal(wire.filter(({ rule }) => rule === "stream.fault").length, isCut ? 1 : 0);
  });
}

type Fields = Readonly<Record<string, unknown>>;
let number = 0;
const asks = (seq: number, command: string, args?: object, from = "client"): RecordedEntry => ({
  from,
  message: { seq, type: "request", command, ...(args === undefined ? {} : { arguments: args }) },
});
const answers = (
  request_seq: number,
  command: string,
  more: Fields = {},
  from = "adapter",
): RecordedEntry => ({
  from,
  message: { seq: ++number, type: "response", request_seq, command, success: true, ...more },
});
const tells = (event: string, body?: object): RecordedEntry => ({
  from: "adapter",
  message: { seq: ++number, type: "event", event, ...(body === undefined ? {} : { body }) },
});
const opened = (capabilities: object = {}, client: object = {}): readonly RecordedEntry[] => [
  asks(1, "initialize", { adapterID: "a", ...client }),
  answers(1, "initialize", { body: capabilities }),
];
const stop = (): RecordedEntry => tells("stopped", { reason: "step", threadId: 1 });

/** Sessions with one thing wrong, and what is said of it: rule, place and sentence. */
const cases: readonly (readonly [
  what: string,
  entries: () => readonly RecordedEntry[],
  found: readonly string[],
])[] = [
  [
    "nothing wrong",
    () => [...opened(), asks(2, "threads"), answers(2, "threads", { body: { threads: [] } })],
    [],
  ],
  [
    "a response to nothing",
    () => [...opened(), answers(9, "threads", { body: { threads: [] } })],
    ["response.unmatched #3 /request_seq Nothing was asked with the number 9"],
  ],
  [
    "two responses",
    () => [
      ...opened(),
      asks(2, "pause", { threadId: 1 }),
      answers(2, "pause"),
      answers(2, "pause"),
    ],
    ["response.double #5 /request_seq The request 2 was answered before"],
  ],
  [
    "a request that is not answered, and one that ends the session",
    () => [...opened(), asks(2, "pause", { threadId: 1 }), asks(3, "disconnect")],
    ["request.unanswered #3  No response has come"],
  ],
  [
    "another command in the response",
    () => [...opened(), asks(2, "pause", { threadId: 1 }), answers(2, "")],
    ['response.name #4 /command It says "" and answers "pause"'],
  ],
  [
    "a response that comes late",
    () => [
      ...opened(),
      { ...asks(2, "pause", { threadId: 1 }), time: 5 },
      { ...answers(2, "pause"), time: 12_505 },
    ],
    ["response.late #4  It took 12.5 seconds"],
  ],
  [
    "numbers that do not increase",
    () => [...opened(), asks(1, "pause", { threadId: 1 }), answers(1, "pause")],
    ["number.order #3 /seq It is 1 again"],
  ],
  [
    "a message before the opening",
    () => [tells("output", { output: "x" }), ...opened()],
    ['opening.early #1  It comes before the response to "initialize"'],
  ],
  [
    "a request that was not announced, and one that was later",
    () => [
      ...opened({ supportsStepBack: true }),
      ...[asks(2, "stepBack", { threadId: 1 }), answers(2, "stepBack")],
      ...[asks(3, "goto", { threadId: 1, targetId: 1 }), answers(3, "goto")],
      tells("capabilities", { capabilities: { supportsGotoTargetsRequest: true } }),
      ...[asks(4, "goto", { threadId: 1, targetId: 1 }), answers(4, "goto")],
    ],
    ["request.capability #5 /command The adapter has not announced supportsGotoTargetsRequest"],
  ],
  [
    "a reverse request without the client's flag",
    () => [
      ...opened(),
      asks(1_900, "runInTerminal", { args: [], cwd: "/" }, "adapter"),
      answers(1_900, "runInTerminal", { body: {} }, "client"),
    ],
    ["request.capability #3 /command The client has not announced supportsRunInTerminalRequest"],
  ],
  [
    "the same with it",
    () => [
      ...opened({}, { supportsRunInTerminalRequest: true }),
      asks(1_900, "runInTerminal", { args: [], cwd: "/" }, "adapter"),
      answers(1_900, "runInTerminal", { body: {} }, "client"),
    ],
    [],
  ],
  [
    "a property that was not announced",
    () => [
      ...opened({ supportsConditionalBreakpoints: true }),
      asks(2, "setBreakpoints", {
        source: { path: "/a" },
        breakpoints: [{ line: 1, condition: "a", logMessage: "b" }],
      }),
      answers(2, "setBreakpoints", { body: { breakpoints: [{ verified: true }] } }),
    ],
    [
      "field.capability #3 /arguments/breakpoints/0/logMessage The adapter has not announced supportsLogPoints",
    ],
  ],
  [
    "a deprecated property",
    () => [
      ...opened(),
      asks(2, "setBreakpoints", { source: { path: "/a" }, lines: [1] }),
      answers(2, "setBreakpoints", { body: { breakpoints: [{ verified: true }] } }),
    ],
    [
      "field.deprecated #3 /arguments/lines The lines of the breakpoints wanted; use `breakpoints`.",
    ],
  ],
  [
    "a message that the other side sends",
    () => [
      ...opened(),
      { from: "client", message: { seq: 5, type: "event", event: "initialized" } },
    ],
    ["message.sender #3 /event The adapter sends it, not the client"],
  ],
  [
    "a message that nobody defined",
    () => [...opened(), tells("vendor/heat", {})],
    ["message.custom #3 /event The protocol does not define it"],
  ],
  [
    "no message at all",
    () => [...opened(), { from: "adapter", message: { type: "x" } }],
    ["message.kind #3  It is neither request, event nor response"],
  ],
  [
    "a frame of an earlier stop, after one of this stop",
    () => {
      const stack = (seq: number, id: number): readonly RecordedEntry[] => [
        asks(seq, "stackTrace", { threadId: 1 }),
        answers(seq, "stackTrace", {
          body: { stackFrames: [{ id, name: "f", line: 1, column: 1 }] },
        }),
      ];
      const scopes = (seq: number, frameId: number): readonly RecordedEntry[] => [
        asks(seq, "scopes", { frameId }),
        answers(seq, "scopes", { body: { scopes: [] } }),
      ];
      return [
        ...[...opened(), stop(), ...stack(2, 7), ...scopes(3, 7)],
        ...[asks(4, "next", { threadId: 1 }), answers(4, "next"), stop(), ...stack(5, 8)],
        ...[...scopes(6, 8), ...scopes(7, 7)],
      ];
    },
    ["reference.expired #15 /arguments/frameId 7 was given before the program ran on"],
  ],
  [
    "what no reader can use, and what tolerant ones can",
    () => [
      ...opened(),
      asks(2, "evaluate", { expression: "a" }),
      answers(2, "evaluate", { seq: 0, body: { result: null, variablesReference: "1" } }),
    ],
    ['schema.issue #4 /body/variablesReference expected an integer from 0 to 2^31-1, received "1"'],
  ],
  [
    "only what tolerant readers can",
    () => [...opened(), asks(2, "pause", { threadId: 1 }), answers(2, "pause", { seq: 0 })],
    [
      'schema.deviation #4 /seq expected an integer from 1 to 2^31-1, received 0; readers that tolerate "id-unset" go on, others reject the message',
    ],
  ],
];
for (const [what, entries, want] of cases) {
  test(`judges ${what}`, () => {
    number = 1_000;
    const found = lint(entries(), "wire").map(
      ({ rule, index, pointer, text }) => `${rule} #${index} ${pointer} ${text}`,
    );
    assert.deepEqual(found, want);
  });
}

/** One session, in every form that a recording can have. */
const session: readonly (readonly ["client" | "adapter", object])[] = [
  ["client", { seq: 1, type: "request", command: "initialize", arguments: { adapterID: "é" } }],
  [
    "adapter",
    { seq: 1, type: "response", request_seq: 1, command: "initialize", success: true, body: {} },
  ],
  ["client", { seq: 2, type: "request", command: "terminate", arguments: {} }],
  ["adapter", { seq: 2, type: "response", request_seq: 2, command: "terminate", success: true }],
];
const framed = (from?: string): Uint8Array =>
  createEncoder().encodeInto(
    session
      .filter(([side]) => from === undefined || side === from)
      .map(([, message]) => message as never),
  );
const head = {
  recording: "wirewright",
  form: 1,
  protocol: "dap",
  version: newestDap,
  roles: ["client", "adapter"],
  began: "2026-01-01T00:00:00.000Z",
};
const lines = (values: readonly object[]): Uint8Array =>
  Buffer.from(values.map((each) => JSON.stringify(each)).join("\n"));
/** As Lua programs print tables for people. */
function inspect(value: unknown, indent = ""): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const fields = Object.entries(value).map(
    ([key, each]) => `${inner}${/^\w+$/.test(key) ? key : `["${key}"]`} = ${inspect(each, inner)}`,
  );
  if (Array.isArray(value)) return `{ ${value.map((each) => inspect(each, inner)).join(", ")} }`;
  return fields.length === 0 ? "vim.empty_dict()" : `{\n${fields.join(",\n")}\n${indent}}`;
}
const forms: readonly (readonly [form: string, files: readonly Uint8Array[]])[] = [
  ["framed bytes of both directions", [framed()]],
  ["framed bytes, a file for each direction", [framed("adapter"), framed("client")]],
  ["a message on each line", [lines(session.map(([, message]) => message))]],
  [
    "a message in something else on each line",
    [lines(session.map(([, message]) => ({ ts: 1, message })))],
  ],
  [
    "a recording of ours",
    [
      lines([
        head,
        ...session.map(([from, message], index) => ({
          kind: "message",
          time: index,
          from,
          offset: 0,
          length: 1,
          message,
        })),
        { kind: "end", time: 9, from: "adapter", how: "exited with 0" },
      ]),
    ],
  ],
  [
    "a log of nvim-dap",
    [
      Buffer.from(
        session
          .map(
            ([, message], index) =>
              `[DEBUG] 2026-01-01 10:00:0${index} dap/session.lua:1057\t1\t${inspect(message)}\n[ INFO ] 2026-01-01T10:00:00Z+0100 ] .../dap/session.lua:9 ]\t"not { this"\t{ 1, 2 }`,
          )
          .join("\n"),
      ),
    ],
  ],
  [
    "a log of the official library",
    [
      Buffer.from(
        session
          .map(
            ([from, message]) =>
              `${from === "client" ? "From" : "To"} client: ${JSON.stringify(message)}`,
          )
          .join("\n"),
      ),
    ],
  ],
];
for (const [form, files] of forms) {
  test(`lint reads ${form}`, () => {
    const entries = readRecording(
      files.map((bytes) => ({ name: "x", bytes })),
      dap,
    );
    assert.deepEqual(
      entries.map(({ from, message }) => [from, message]),
      session,
    );
    assert.deepEqual(
      lint(entries, "wire").map(({ rule, index }) => `${rule} #${index}`),
      ["request.capability #3"],
    );
  });
}

test("of one direction alone, only what it says itself is judged", () => {
  assert.deepEqual(run(["-", "--fail-on", "info"], framed("adapter")).status, 0);
  assert.deepEqual(run(["-", "--fail-on", "info"], framed("client")).status, 0);
  const request = { jsonrpc: "2.0", id: 1, method: "initialize", params: { processId: null } };
  const response = { jsonrpc: "2.0", id: "s-1", result: null };
  const bytes = Buffer.concat(
    [request, response].map((each) => {
      const body = JSON.stringify(each);
      return Buffer.from(`Content-Length: ${body.length}\r\n\r\n${body}`);
    }),
  );
  const sqltools = ["-", "--protocol", "sqltools", "--format", "json"];
  const { findings } = JSON.parse(run(sqltools, bytes).stdout) as { findings: LintFinding[] };
  assert.deepEqual(
    findings.filter(({ rule }) => !rule.startsWith("schema.")),
    [],
  );
});

test("tables of Lua logs are read as what they are in JSON", () => {
  const cases: readonly (readonly [text: string, values: readonly unknown[]])[] = [
    ["{}", [[]]],
    ["{ 1, -2.5, 1e+20, true, vim.NIL, nil }", [[1, -2.5, 1e20, true, null, null]]],
    ["{ a = vim.empty_dict(), b = {} } {\n  c = false\n}", [{ a: {}, b: [] }, { c: false }]],
    [
      `{ ["a b"] = 'say "x"', [2] = "\\"\\\\\\n\\t\\0271\\27" }`,
      [{ "a b": 'say "x"', 2: '"\\\n\t\u001b1\u001b' }],
    ],
    [
      "{ a = <1>{ 1 }, b = <table 1>, c = <function 2>, <metatable> = <2>{ d = 1 } }",
      [{ a: [1], "<metatable>": { d: 1 } }],
    ],
    ['{ ["__proto__"] = { polluted = true } }', [JSON.parse('{"__proto__":{"polluted":true}}')]],
    ['"{ a = 1 }" "\\"{ 2 }" { 3 }', [[3]]],
    ...["{ a = ", '{ "x', "{ a b }", "{ [1 = 2 }", "{".repeat(100_000), "{ a = os.exit }"].map(
      (text) => [text, []] as const,
    ),
  ];
  for (const [text, values] of cases)
    assert.deepEqual(
      readLuaLog(`[DEBUG] x\n[DEBUG] y ${text}`),
      values.map((value) => ({ line: 2, value })),
      text.slice(0, 80),
    );
  assert.equal(({} as { polluted?: true }).polluted, undefined);
});

/** Runs `wirewright lint`. */
const run = (args: readonly string[], input: Uint8Array = new Uint8Array()): Outcome =>
  runCommand(fromRoot("."), ["lint", ...args], input);

test("the command prints reports, and its status says what was found", async () => {
  await withFolder((folder) => {
    const file = join(folder, "a,b.jsonl");
    writeFiles(folder, {
      "a,b.jsonl": Buffer.from(lines(session.map(([, message]) => message))).toString(),
    });
    const sentence = "The adapter has not announced supportsTerminateRequest";
    assert.deepEqual(run([file]), {
      status: 1,
      stdout: `${file}   dap ${newestDap}, wire profile   4 messages   1 error\nerror    request.capability  #3 client: request 2 terminate /command\n  ${sentence}\n`,
      stderr: "",
    });
    const finding = {
      rule: "request.capability",
      severity: "error",
      index: 3,
      from: "client",
      label: "request 2 terminate",
      pointer: "/command",
      text: sentence,
      line: 3,
    };
    assert.deepEqual(
      JSON.parse(
        run(["-", "--format", "json"], lines(session.map(([, message]) => message))).stdout,
      ),
      {
        report: "lint",
        reportVersion: 1,
        file: "<stdin>",
        protocol: "dap",
        version: newestDap,
        profile: "wire",
        roles: ["client", "adapter"],
        messages: 4,
        counts: { error: 1, warning: 0, info: 0 },
        findings: [finding],
      },
    );
    assert.equal(
      run([file, "--format", "github"]).stdout,
      `::error file=${file.replace(",", "%2C")},line=3,title=request.capability::message 3, request 2 terminate /command: ${sentence}\n`,
    );
    assert.equal(run([file, "--fail-on", "never"]).status, 0);
    assert.deepEqual(
      ["warning", "info", "off"].map(
        (severity) => run([file, "--severity", `request.capability=${severity}`]).status,
      ),
      [0, 0, 0],
    );
    assert.equal(
      run([file, "--severity", "request.capability=warning", "--fail-on", "warning"]).status,
      1,
    );
    assert.match(
      run(["rules"]).stdout,
      /^RULE +SEVERITY {2}WHAT IT FINDS\nstream\.noise +warning +Bytes that belong to no message[^]+\nframe\.unknown +warning +A stack frame that the adapter has not given\./,
    );
  });
});

test("a rule is explained with the places that state it", () => {
  assert.deepEqual(run(["--explain", "frame.unknown"]), {
    status: 0,
    stdout: `frame.unknown (warning)

A stack frame that the adapter has not given.

Stated by the specification at:
  ScopesArguments/frameId
  StackFrame/id

Give it another severity with --severity frame.unknown=info, or turn it off with --severity frame.unknown=off.
`,
    stderr: "",
  });
  assert.match(
    run(["--explain", "VS-G3", "--host", "visual-studio"]).stdout,
    /^VS-G3 \(error\)\n\nA request that fails/,
  );
  assert.match(run(["--explain", "frame.unknwon"]).stderr, /Did you mean "frame\.unknown"\?/);
});

test("calls and recordings that are wrong end with 2, a sentence and the hint", async () => {
  await withFolder((folder) => {
    writeFiles(folder, { "empty.jsonl": "", "text.txt": "nothing here\n" });
    const wrong: readonly (readonly [readonly string[], RegExp])[] = [
      [
        [],
        /^Cannot tell what to judge: give one recording, or one for each direction \[ERR_ARGUMENT\]/,
      ],
      [
        [join(folder, "none")],
        /none: Cannot read the recording: there is no such file \[ERR_READ\]/,
      ],
      [
        [join(folder, "empty.jsonl")],
        /Cannot find any message in the recording \[ERR_JSON\]\n {2}Give a recording of wirewright tap/,
      ],
      [[join(folder, "text.txt")], /Cannot find any message in the recording/],
      [["x", "--severity", "response.dubble=off"], /Did you mean "response\.double"\?/],
      [["x", "--profile", "loose"], /Cannot use --profile "loose"/],
      [["x", "--protocol", "ruby-debug-ide"], /its messages are not JSON/],
    ];
    for (const [args, message] of wrong) {
      const { status, stderr } = run(args);
      assert.equal(status, 2, stderr);
      assert.match(stderr, message);
    }
  });
});

test("whatever a recording holds, judging it ends", () => {
  const odd: readonly unknown[] = [
    { type: "request", command: {}, seq: [] },
    { type: "response", request_seq: {}, command: 5, success: "x" },
    { type: "event", event: "__proto__", body: { __proto__: null } },
    JSON.parse(`{"type":"event","event":"output","body":${"[".repeat(3_000)}${"]".repeat(3_000)}}`),
    JSON.parse('{"__proto__":{"type":"event"},"type":"request","seq":1,"command":"constructor"}'),
  ];
  const findings = lint(
    odd.map((message) => ({ message: message as object })),
    "wire",
  );
  assert.ok(findings.length >= odd.length);
});
