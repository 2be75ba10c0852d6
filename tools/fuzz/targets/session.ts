import { randomTree } from "../../../test/support/variable-tree.js";
import { parseJson } from "../mutate-json.js";
import { Random } from "../random.js";
import { OracleFailure, type Target } from "../target.js";
import { fieldsIn, isFields, type Fields, type Reaction } from "./hostile-adapter.js";
import { SessionPlay, type Dap, type SessionScript } from "./session-play.js";

const calls = [
  "waitForStop",
  "waitForEnd",
  "waitForOutput",
  "continue",
  "next",
  "stepIn",
  "stepOut",
  "stepBack",
  "reverseContinue",
  "goto",
  "pause",
  "snapshot",
  "expand",
  "request",
  "setBreakpoints",
  "setFunctionBreakpoints",
  "setExceptionFilters",
  "restart",
  "terminate",
  "disconnect",
  "say",
  "time",
  "abort",
  "child",
];
const commands = [
  "initialize",
  "launch",
  "attach",
  "setBreakpoints",
  "setFunctionBreakpoints",
  "setExceptionBreakpoints",
  "configurationDone",
  "threads",
  "next",
  "continue",
  "stackTrace",
  "scopes",
  "variables",
  "restart",
  "terminate",
  "disconnect",
  "pause",
  "cancel",
];
const child = { request: "launch", configuration: {} };
const variable = { name: "a", value: "1", variablesReference: 1 };

/** Values for mutations to insert: single reactions and arrays of reactions. */
const reactions: readonly Reaction[] = [
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
const plays: readonly Fields[] = [
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
];

/** Runs a session against a hostile adapter. */
export const session: Target = {
  name: "session",
  about: "sessions, whatever their adapter sends or fails to send",
  format: "json",
  mostMs: 3_000,
  maxLength: 3_000,
  work: { base: 20_000_000, perByte: 200_000 },
  tokens: [
    ...calls,
    ...commands,
    "do",
    "with",
    "later",
    "start",
    "attach",
    "options",
    "adapter",
    "children",
    "terminal",
    "breakpoints",
    "functions",
    "timeoutMs",
    "times",
    "tree",
    "answer",
    "refuse",
    "event",
    "body",
    "ask",
    "arguments",
    "message",
    "raw",
    "threadId",
    "variablesReference",
    "namedVariables",
    "indexedVariables",
    "items",
    "depth",
    "bytes",
  ],
  values: [
    ...reactions,
    ...reactions.map((each) => [each]),
    ...calls.map((each) => ({ do: each })),
    ...[0, 3, 40].map((items) => ({ do: "snapshot", with: { items, depth: 3 } })),
    { do: "say", with: reactions.slice(15, 20) },
    ...[1, 60, 5_000].map((milliseconds) => ({ do: "time", with: milliseconds })),
    { do: "next", later: true },
  ],
  seeds: () => [
    ...plays.map((each) => JSON.stringify(each)),
    ...reactions.map((each) =>
      JSON.stringify({ ...start, calls: [{ do: "say", with: [each] }, { do: "waitForStop" }] }),
    ),
  ],
  async open(modules) {
    const dap = {
      ...(await modules<Dap>("generated/dap/index.js")),
      ...(await modules<Dap>("protocols/dap/session/index.js")),
      ...(await modules<Dap>("generated/dap/validators.js")),
    };
    let rejected: unknown[] = [];
    process.on("unhandledRejection", (reason) => rejected.push(reason));
    const watched = async (play: () => Promise<void>): Promise<void> => {
      rejected = [];
      await play();
      if (rejected.length === 0) return;
      const [reason] = rejected;
      const shown = reason instanceof Error ? reason.stack : String(reason);
      throw new OracleFailure("handled", `nobody handles ${shown}`, "unhandled");
    };
    return {
      async check(input) {
        const script = scriptOf(parseJson(input));
        if (script !== undefined) await watched(() => new SessionPlay(dap, script).run());
      },
      async soak(input) {
        const script = scriptOf(parseJson(input));
        if (script === undefined) return;
        const events = script.calls
          .flatMap(({ do: what, with: message }) => (what === "say" ? fieldsIn(message, 8) : []))
          .filter(({ event }) => typeof event === "string");
        if (events.length > 0)
          await watched(() => new SessionPlay(dap, { ...script, calls: [] }).flood(events));
      },
    };
  },
};

function scriptOf(value: unknown): SessionScript | undefined {
  if (!isFields(value)) return undefined;
  const { adapter, calls: given, tree, start: how, options } = value;
  const reactions = isFields(adapter) ? Object.entries(adapter) : [];
  const listed = reactions.map(([name, list]) => [name, fieldsIn(list, 8)] as const);
  const seed = Number.isSafeInteger(tree) ? Number(tree) : 1;
  return {
    start: how === "attach" ? "attach" : "launch",
    options: isFields(options) ? options : {},
    adapter: { reactions: Object.fromEntries(listed), tree: randomTree(new Random(seed), 60) },
    calls: fieldsIn(given, 12),
  };
}
