/** A session, whatever its adapter sends or fails to send. */
import assert from "node:assert/strict";
import fc from "fast-check";
import * as dap from "@wirewright/dap";
import * as session from "@wirewright/dap/session";
import * as validate from "@wirewright/dap/validators";
import { collectRejections } from "../support/event-loop.js";
import { mutatedJson } from "../support/mutated-inputs.js";
import { property } from "../support/property.js";
import { Random } from "../support/random.js";
import { fieldsIn, isFields } from "../support/session-play/hostile-adapter.js";
import { SessionPlay, type SessionScript } from "../support/session-play/session-play.js";
import { randomTree } from "../support/variable-tree.js";

const calls =
  "waitForStop waitForEnd waitForOutput continue next stepIn stepOut stepBack reverseContinue goto pause snapshot expand request setBreakpoints setFunctionBreakpoints setExceptionFilters restart terminate disconnect say time abort child".split(
    " ",
  );
const commands =
  "initialize launch attach setBreakpoints setFunctionBreakpoints setExceptionBreakpoints configurationDone threads next continue stackTrace scopes variables restart terminate disconnect pause cancel".split(
    " ",
  );
const child = { request: "launch", configuration: {} };
const variable = { name: "a", value: "1", variablesReference: 1 };

/** The adapter's reactions to a request, or to a step of the script. */
const reactions: readonly object[] = [
  { usual: 1 },
  { answer: {} },
  { answer: null },
  { answer: { supportsConfigurationDoneRequest: false } },
  { answer: { threads: [] } },
  { answer: { variables: [variable, { ...variable, variablesReference: 2 }] } },
  { answer: { stackFrames: [{ id: 1, name: "f", line: 1, column: 1 }], totalFrames: 1e9 } },
  { answer: { scopes: [{ ...variable, expensive: true, namedVariables: 1e9 }] } },
  { answer: { breakpoints: [{ id: 1, verified: true }, null, 5] } },
  { refuse: "no" },
  { exit: 1 },
  { fail: 1 },
  { stuck: 1 },
  { raw: "Content-Length: 5\r\n\r\nhello" },
  { raw: 'Content-Length: 99\r\n\r\n{"a"' },
  { event: "initialized" },
  { event: "stopped", body: { reason: "entry", threadId: 1, allThreadsStopped: true } },
  { event: "stopped", body: { reason: 5 } },
  { event: "continued", body: { threadId: 1 } },
  { event: "exited", body: { exitCode: 3 } },
  { event: "terminated" },
  { event: "output", body: { output: "text\n", category: "stdout" }, times: 20 },
  { event: "breakpoint", body: { reason: "new", breakpoint: { id: 9, verified: true } } },
  { event: "breakpoint", body: { reason: "changed", breakpoint: { id: 0, verified: false } } },
  { ask: "startDebugging", arguments: child },
  { ask: "startDebugging", arguments: { request: "evil", configuration: null } },
  { ask: "runInTerminal", arguments: { args: ["a"], cwd: "" } },
  { ask: "custom" },
  { message: { type: "response", request_seq: 1, success: true, command: "next" } },
];

const start = { start: "launch", tree: 1, options: { children: true, timeoutMs: 50 } };
const scripts: readonly object[] = [
  {
    ...start,
    calls: [{ do: "waitForStop" }, { do: "next" }, { do: "snapshot" }, { do: "expand" }],
  },
  { ...start, calls: [{ do: "terminate" }, { do: "restart" }, { do: "continue" }] },
  ...commands.map((command) => ({
    ...start,
    adapter: { [command]: [] },
    calls: [{ do: "next" }, { do: "snapshot" }, { do: "restart" }, { do: "terminate" }],
  })),
  {
    ...start,
    start: "attach",
    adapter: { configurationDone: [{ usual: 1 }, { ask: "startDebugging", arguments: child }] },
    calls: [
      { do: "waitForStop" },
      { do: "child" },
      { do: "setBreakpoints", with: ["a.c", [1, 2]] },
      { do: "say", with: [{ event: "output", body: { output: "a" } }] },
    ],
  },
  {
    ...start,
    options: { terminal: true, children: true, breakpoints: 2, functions: 1 },
    calls: [
      { do: "waitForOutput", with: "text", later: true },
      { do: "say", with: [{ ask: "runInTerminal", arguments: { args: ["a"], cwd: "" } }] },
      { do: "say", with: [{ event: "output", body: { output: "text" } }, { exit: 1 }] },
    ],
  },
  ...reactions.map((reaction) => ({
    ...start,
    calls: [{ do: "say", with: [reaction] }, { do: "waitForStop" }],
  })),
];

function scriptOf(value: unknown, tree: number): SessionScript | undefined {
  if (!isFields(value)) return undefined;
  const { adapter, calls: given, start: how, options } = value;
  const listed = isFields(adapter) ? Object.entries(adapter) : [];
  return {
    start: how === "attach" ? "attach" : "launch",
    options: isFields(options) ? options : {},
    adapter: {
      reactions: Object.fromEntries(listed.map(([name, list]) => [name, fieldsIn(list, 8)])),
      tree: randomTree(new Random(tree), 60),
    },
    calls: fieldsIn(given, 12),
  };
}

const rejections = collectRejections();

property(
  "calls settle in time, and the state follows from the messages",
  fc.record({
    script: mutatedJson({
      seeds: scripts,
      tokens: [
        ...[...calls, ...commands],
        ..."do with later start attach options adapter children terminal breakpoints functions timeoutMs times tree answer refuse event body ask arguments message raw threadId variablesReference namedVariables indexedVariables items depth bytes".split(
          " ",
        ),
      ],
      values: [
        ...reactions,
        ...reactions.map((reaction) => [reaction]),
        ...calls.map((call) => ({ do: call })),
        ...[0, 3, 40].map((items) => ({ do: "snapshot", with: { items, depth: 3 } })),
        { do: "say", with: reactions.slice(15, 20) },
        ...[1, 60, 5_000].map((milliseconds) => ({ do: "time", with: milliseconds })),
        { do: "next", later: true },
      ],
    }),
    tree: fc.nat(1_000),
  }),
  async ({ script: value, tree }) => {
    const script = scriptOf(value, tree);
    if (script === undefined) return;
    await new SessionPlay({ ...dap, ...session, ...validate }, script).run();
    assert.deepEqual(rejections.splice(0), []);
  },
);
