import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { validate } from "@wirewright/dap/validators";
import { validationRulesOf } from "../../../generator/model/validation-rules.js";
import { readRecording, type RecordedEntry } from "../../../sessions/read/recording.js";
import { createValidator } from "../../../runtime/index.js";
import { recordedSessions } from "../../support/recorded-sessions.js";
import { plantFaults, Sampler } from "../../support/sample-values.js";
import { dap, lint } from "../../support/linted-session.js";

test("lint judges messages as the generated package does", () => {
  const judge = createValidator(validationRulesOf(dap).message);
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

for (const { name, folder } of recordedSessions) {
  test(`on the recording of ${name}, the strict profile finds the same errors as the schema, and the wire profile finds none`, () => {
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

const eventOf = (event: string, body?: object): RecordedEntry => ({
  from: "adapter",
  message: { seq: ++number, type: "event", event, ...(body === undefined ? {} : { body }) },
});

const opened = (capabilities: object = {}, client: object = {}): readonly RecordedEntry[] => [
  asks(1, "initialize", { adapterID: "a", ...client }),
  answers(1, "initialize", { body: capabilities }),
];

const stop = (): RecordedEntry => eventOf("stopped", { reason: "step", threadId: 1 });

/**
 * Sessions with one mistake each, along with the finding it should cause: rule, location and
 * message.
 */
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
    "a response without a request",
    () => [...opened(), answers(9, "threads", { body: { threads: [] } })],
    ["response.unmatched #3 /request_seq There is no request with the number 9"],
  ],
  [
    "two responses",
    () => [
      ...opened(),
      asks(2, "pause", { threadId: 1 }),
      answers(2, "pause"),
      answers(2, "pause"),
    ],
    ["response.double #5 /request_seq Request 2 was already answered"],
  ],
  [
    "an unanswered request, and one that ends the session",
    () => [...opened(), asks(2, "pause", { threadId: 1 }), asks(3, "disconnect")],
    ["request.unanswered #3  The request was never answered"],
  ],
  [
    "a response with a different command",
    () => [...opened(), asks(2, "pause", { threadId: 1 }), answers(2, "")],
    ['response.name #4 /command The request is "pause", but the response names ""'],
  ],
  [
    "a late response",
    () => [
      ...opened(),
      { ...asks(2, "pause", { threadId: 1 }), time: 5 },
      { ...answers(2, "pause"), time: 12_505 },
    ],
    ["response.late #4  The response took 12.5 seconds"],
  ],
  [
    "ids that do not increase",
    () => [...opened(), asks(1, "pause", { threadId: 1 }), answers(1, "pause")],
    ["number.order #3 /seq 1 is repeated"],
  ],
  [
    "a message before the opening request",
    () => [eventOf("output", { output: "x" }), ...opened()],
    ['opening.early #1  The message is sent before the response to "initialize"'],
  ],
  [
    "a request whose capability was not announced, and one whose capability was announced later",
    () => [
      ...opened({ supportsStepBack: true }),
      asks(2, "stepBack", { threadId: 1 }),
      answers(2, "stepBack"),
      asks(3, "goto", { threadId: 1, targetId: 1 }),
      answers(3, "goto"),
      eventOf("capabilities", { capabilities: { supportsGotoTargetsRequest: true } }),
      asks(4, "goto", { threadId: 1, targetId: 1 }),
      answers(4, "goto"),
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
    "a reverse request with the client's flag",
    () => [
      ...opened({}, { supportsRunInTerminalRequest: true }),
      asks(1_900, "runInTerminal", { args: [], cwd: "/" }, "adapter"),
      answers(1_900, "runInTerminal", { body: {} }, "client"),
    ],
    [],
  ],
  [
    "a property whose capability was not announced",
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
    ["field.deprecated #3 /arguments/lines The lines to set breakpoints on. Use `breakpoints`."],
  ],
  [
    "a message that only the other side may send",
    () => [
      ...opened(),
      { from: "client", message: { seq: 5, type: "event", event: "initialized" } },
    ],
    ["message.sender #3 /event Only the adapter may send this message, not the client"],
  ],
  [
    "a message that the protocol does not define",
    () => [...opened(), eventOf("vendor/heat", {})],
    ["message.custom #3 /event The protocol does not define this message"],
  ],
  [
    "a value that is not a message",
    () => [...opened(), { from: "adapter", message: { type: "x" } }],
    [
      'message.kind #3 /type The message is not a request, an event or a response: expected one of "request", "event", "response", received "x"',
    ],
  ],
  [
    "a frame from an earlier stop, after one from this stop",
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
        ...opened(),
        stop(),
        ...stack(2, 7),
        ...scopes(3, 7),
        asks(4, "next", { threadId: 1 }),
        answers(4, "next"),
        stop(),
        ...stack(5, 8),
        ...scopes(6, 8),
        ...scopes(7, 7),
      ];
    },
    [
      "reference.expired #15 /arguments/frameId The adapter returned 7 before the program continued",
    ],
  ],
  [
    "values that no reader can use, and values that tolerant readers can use",
    () => [
      ...opened(),
      asks(2, "evaluate", { expression: "a" }),
      answers(2, "evaluate", { seq: 0, body: { result: null, variablesReference: "1" } }),
    ],
    ['schema.issue #4 /body/variablesReference expected an integer from 0 to 2^31-1, received "1"'],
  ],
  [
    "values that only tolerant readers can use",
    () => [...opened(), asks(2, "pause", { threadId: 1 }), answers(2, "pause", { seq: 0 })],
    [
      'schema.deviation #4 /seq expected an integer from 1 to 2^31-1, received 0; readers that tolerate "id-unset" accept the message, but other readers reject it',
    ],
  ],
];

for (const [what, entries, want] of cases) {
  test(`lint judges a recording: ${what}`, () => {
    number = 1_000;
    const found = lint(entries(), "wire").map(
      ({ rule, index, pointer, message }) => `${rule} #${index} ${pointer} ${message}`,
    );
    assert.deepEqual(found, want);
  });
}

test("lint completes for every recording", () => {
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
