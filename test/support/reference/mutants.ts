import {
  after,
  drop,
  eachFrame,
  event,
  eventFirst,
  fail,
  inArguments,
  inBody,
  inBreakpoints,
  inFrame,
  nameOf,
  oneMore,
  reason,
  succeed,
  variable,
  type Change,
} from "./message-changes.js";
import type { Mutant } from "./mutated-transport.js";

const sized = (body: Buffer): string => `Content-Length: ${body.length}\r\n\r\n`;

/** Leaves out a program's last events, and continues it after it has ended. */
const continuesAfter =
  (end: string, dropped: readonly string[]): Change =>
  (message, { program }) => {
    if (program !== "io" || message["type"] !== "event") return message;
    if (dropped.includes(nameOf(message))) return [];
    return nameOf(message) === end ? [message, event("continued", { threadId: 1 })] : message;
  };

/** Gives expressions the wrong value in a context. */
const nothingIn = (context: string): Change =>
  inBody("evaluate", (_, { evaluate }) =>
    evaluate.context === context ? { result: "nothing" } : {},
  );

/** Mistakes by the check that must notice them: a change to the adapter's messages, or more. */
const mistakes: Readonly<Record<string, Change | Omit<Mutant, "check">>> = {
  // Mistakes in messages, in their bytes, or in the `initialize` response.
  "base-01": { frame: inFrame("process", (header, body) => [`noise\n${header}`, body]) },
  "base-02": { keepsNumbers: true, send: (message) => ({ ...message, seq: 5 }) },
  "base-03": after("threads", (message) => [{ ...message, request_seq: 9_999 }]),
  "base-04": (message) =>
    message["command"] === "wirewrightUnknown"
      ? { ...message, message: undefined, body: {} }
      : message,
  "base-05": succeed("wirewrightUnknown"),
  "base-06": {
    write: (bytes) => {
      const second = Buffer.from(bytes).indexOf("Content-Length", 10);
      return second === -1 ? bytes : bytes.subarray(0, second);
    },
  },
  "base-07": variable("text", { value: "h?llo" }),
  "base-08": (message) =>
    message["event"] === "thread" ? event("thread", { reason: "started" }) : message,
  "base-09": inBody("process", () => ({ systemProcessId: null })),
  "base-10": {
    frame: inFrame("process", (_, body) => {
      const twice = Buffer.from(body.toString().replace("{", '{"event":"process",'));
      return [sized(twice), twice];
    }),
  },
  "base-11": after("module", () => [{ type: "request", command: "threads" }]),
  "base-12": {
    write: (bytes) => (bytes.length > 200_000 ? new Uint8Array() : bytes),
  },
  "base-13": {
    frame: inFrame("process", (header, body) => [header.replace("-L", "-l"), body]),
  },
  "base-14": {
    frame: inFrame("process", (_, body) => {
      const broken = Buffer.concat([
        body.subarray(0, body.indexOf(".steps")),
        Buffer.of(0xff),
        body.subarray(body.indexOf(".steps")),
      ]);
      return [sized(broken), broken];
    }),
  },
  "base-15": {
    frame: inFrame("process", (header, body) => [
      header.replace("\r\n\r\n", "\r\nContent-Type: application/json\r\n\r\n"),
      body,
    ]),
  },
  "base-16": after("modules", (message) => [message]),
  "base-17": (message) =>
    message["command"] === "modules" ? { ...message, command: "module" } : message,
  // Drops the `continue` response in the case with three breakpoints, where the client does not
  // wait for it.
  "base-18": drop(
    "continue",
    (_, { program, setBreakpoints }) =>
      program === "loop" && setBreakpoints.breakpoints.length === 3,
  ),
  "base-20": after("process", () => [event("wirewright")]),
  "base-21": inBody("process", () => ({ startMethod: undefined, startmethod: "launch" })),
  "init-01": (message) =>
    message["command"] === "initialize"
      ? [event("output", { category: "console", output: "hello\n" }), message]
      : message,
  "init-02": eventFirst("initialize", "initialized"),
  "init-03": succeed("initialize"),
  "init-04": {
    receive: inArguments("initialize", () => ({ linesStartAt1: true })),
  },
  "init-05": { receive: inArguments("initialize", () => ({ pathFormat: "path" })) },
  "init-06": after("process", () => [event("invalidated", { areas: ["variables"] })]),
  "init-07": fail("loadedSources"),
  "init-08": after("process", () => [event("initialized")]),
  "init-09": variable("number", { type: "int" }),
  "init-10": inBody("initialize", ({ exceptionBreakpointFilters: [first] }) => ({
    exceptionBreakpointFilters: [first, { ...first, label: "Again" }],
  })),

  // Mistakes in breakpoints or in stops at breakpoints.
  "bp-01": inBody("setBreakpoints", ({ breakpoints }) =>
    breakpoints.some(({ message }: any) => message === "there is no such line")
      ? { breakpoints: breakpoints.toReversed() }
      : {},
  ),
  "bp-03": inBody("breakpoint", ({ breakpoint }) =>
    breakpoint.line === 4 ? { breakpoint: { ...breakpoint, line: 3 } } : {},
  ),
  "bp-04": drop("breakpoint", ({ body }) => body.breakpoint.line === 2),
  "bp-05": inBody("breakpoint", ({ breakpoint }) => ({
    breakpoint: { ...breakpoint, reason: "pending" },
  })),
  "bp-06": reason("breakpoint", "pause"),
  "bp-08": {
    receive: inBreakpoints(({ condition }) =>
      condition === "i == 5" ? { condition: "i == 6" } : {},
    ),
  },
  "bp-09": {
    receive: inBreakpoints(({ hitCondition }) =>
      hitCondition === "3" ? { hitCondition: undefined } : {},
    ),
  },
  "bp-11": reason("function breakpoint", "breakpoint"),
  "bp-12": reason("exception", "pause"),
  "bp-13": inBody("setExceptionBreakpoints", ({ breakpoints }) => ({
    breakpoints: breakpoints.map(() => ({ verified: true })),
  })),
  "bp-14": reason("data breakpoint", "breakpoint"),
  "bp-15": reason("instruction breakpoint", "breakpoint"),
  "bp-16": inBody("breakpointLocations", () => ({
    breakpoints: [2, 3, 4, 5].map((line) => ({ line })),
  })),
  "bp-17": inBody("setBreakpoints", ({ breakpoints }) => ({
    breakpoints: breakpoints.map((each: any) =>
      each.message === "there is no such line" ? { id: each.id, verified: true } : each,
    ),
  })),
  "bp-19": inBody("stopped", ({ hitBreakpointIds }) =>
    hitBreakpointIds === undefined ? {} : { hitBreakpointIds: [] },
  ),
  "bp-20": {
    receive: inBreakpoints(({ condition }) =>
      condition === "i == 99" ? { condition: "i == 9" } : {},
    ),
  },
  "bp-21": {
    receive: inBreakpoints(({ logMessage }) =>
      logMessage === undefined ? {} : { logMessage: "counted so far" },
    ),
  },
  "bp-22": inBody("setFunctionBreakpoints", ({ breakpoints }) => ({
    breakpoints: breakpoints.map((each: object) => ({ ...each, verified: true })),
  })),
  "bp-23": inBody("setExceptionBreakpoints", ({ breakpoints }, { setExceptionBreakpoints }) =>
    setExceptionBreakpoints.filters.length === 2 ? { breakpoints: breakpoints.slice(1) } : {},
  ),
  "bp-25": after("process", () => [
    event("breakpoint", { reason: "changed", breakpoint: { id: 4_711, verified: true } }),
  ]),
  "bp-26": oneMore("setBreakpoints"),
  "bp-28": inBody("setBreakpoints", ({ breakpoints }) => ({
    breakpoints: breakpoints.map((each: any) =>
      each.message === "this is not a condition" ? { id: each.id, verified: true } : each,
    ),
  })),
  "bp-31": inBody("breakpointLocations", ({ breakpoints }) => ({
    breakpoints: breakpoints.toReversed(),
  })),
  "bp-37": inBody("breakpointLocations", ({ breakpoints }) => ({
    breakpoints: [{ line: breakpoints[0].line - 1 }, ...breakpoints],
  })),
  "bp-32": oneMore("setFunctionBreakpoints"),
  "bp-33": oneMore("setDataBreakpoints"),
  "bp-34": oneMore("setInstructionBreakpoints"),
  "bp-35": inBody("stopped", ({ hitBreakpointIds }) =>
    hitBreakpointIds === undefined ? {} : { hitBreakpointIds: [...hitBreakpointIds, 4_711] },
  ),
  // Reports the logpoint, the first of two breakpoints, as hit.
  "bp-36": inBody("stopped", ({ hitBreakpointIds: hits }, { setBreakpoints }) =>
    setBreakpoints?.breakpoints[0]?.logMessage === undefined || hits === undefined
      ? {}
      : { hitBreakpointIds: [hits[0] - 1] },
  ),
  "exc-01": inBody("exceptionInfo", () => ({ exceptionId: "" })),

  // Mistakes in how a program starts, runs, prints or ends.
  "launch-02": fail("launch", (_, { program }) => program === "io"),
  "launch-03": after("setBreakpoints", (_, { setBreakpoints }) =>
    setBreakpoints.breakpoints[0]?.line === 1
      ? [event("stopped", { reason: "entry", threadId: 1, allThreadsStopped: true })]
      : [],
  ),
  "launch-06": inBody("process", () => ({ name: "" })),
  "launch-07": drop("breakpointLocations", (_, state) => {
    const isFirst = state["seen"] === undefined;
    state["seen"] = true;
    return isFirst;
  }),
  "launch-08": drop("launch", (_, state) => (state["count"] = (state["count"] ?? 0) + 1) > 1),
  "run-01": eventFirst("next", "stopped"),
  "run-02": after("continue", () => [
    event("continued", { threadId: 1, allThreadsContinued: true }),
  ]),
  "run-03": inBody("continue", () => ({ allThreadsContinued: false })),
  "run-05": reason("pause", "signal"),
  "run-07": reason("goto", "pause"),
  "run-08": reason("restart", "pause"),
  "run-12": reason("step", "pause"),
  "run-17": inBody("stopped", (each) =>
    each.reason === "step" ? { threadId: undefined, allThreadsStopped: undefined } : {},
  ),
  "run-18": inBody("continue", () => ({ allThreadsContinued: true })),
  "run-19": eventFirst("pause", "stopped"),
  "run-20": eventFirst("goto", "stopped"),
  "run-21": eventFirst("restartFrame", "stopped"),
  "run-22": inBody("gotoTargets", ({ targets: [first] }) => ({
    targets: [first, { ...first, label: "again" }],
  })),
  "out-01": inBody("output", ({ category }) =>
    category === "stdout" ? { category: "console" } : {},
  ),
  "out-02": inBody("output", ({ category }) =>
    category === "stderr" ? { category: "stdout" } : {},
  ),
  "term-03": (message) =>
    message["command"] === "runInTerminal"
      ? { ...message, arguments: { ...message["arguments"], args: [] } }
      : message,
  "chd-01": {
    receive: (message, state) => {
      if (message["arguments"]?.isChild === true) state["isChild"] = true;
      return state["isChild"] === true && message["command"] === "setBreakpoints"
        ? { ...message, arguments: { ...message["arguments"], breakpoints: [{ line: 2 }] } }
        : message;
    },
  },
  "chd-02": (message) =>
    message["command"] === "startDebugging"
      ? {
          ...message,
          arguments: {
            ...message["arguments"],
            configuration: { ...message["arguments"].configuration, type: "steps" },
          },
        }
      : message,
  "end-01": drop("terminated", (_, { program }) => program === "io"),
  "end-07": { isServer: true },
  "end-08": inBody("exited", () => ({ exitCode: 4 })),
  "end-10": after("terminated", (message) => [message]),
  "end-11": after("exited", (message) => [message]),
  "end-12": after("disconnect", () => [event("output", { category: "console", output: "bye\n" })]),
  "end-16": continuesAfter("terminated", ["exited", "thread"]),
  "end-17": continuesAfter("exited", ["thread"]),

  // Mistakes in messages about a stopped program.
  "thr-01": fail("threads", (_, { program }) => program === "loop"),
  "thr-02": inBody("threads", ({ threads }, { program }) =>
    program === "calls" ? { threads: threads.map((each: object) => ({ ...each, id: 7 })) } : {},
  ),
  "thr-03": fail("threads", (_, { program }) => program === "waits"),
  "thr-04": inBody("threads", ({ threads }) => ({ threads: threads.slice(0, 1) })),
  "thr-05": after("process", () => [event("thread", { reason: "started", threadId: 1 })]),
  "thr-06": inBody("threads", ({ threads }, { program }) =>
    program === "calls" ? { threads: [...threads, ...threads] } : {},
  ),
  "thr-07": inBody("stopped", (each) => (each.reason === "step" ? { threadId: 2 } : {})),
  "stk-01": inBody("stackTrace", ({ stackFrames }, { stackTrace }) =>
    stackTrace.levels === undefined ? { stackFrames: stackFrames.slice(0, 50) } : {},
  ),
  "stk-02": inBody("stackTrace", (_, { stackTrace }) =>
    stackTrace.startFrame > 0 ? { totalFrames: 1 } : {},
  ),
  "stk-03": eachFrame(({ id }, index, _, { program }) => ({
    id: program === "threads" ? index + 1 : id,
  })),
  "stk-04": eachFrame(({ name }) => (name === "start" ? { line: 1 } : {})),
  "stk-05": fail("source"),
  "stk-06": eachFrame(({ name, line }, index, _, { stackTrace: { startFrame = 0 } }) =>
    name === "deep" && index === 0 && startFrame === 0 ? { line: line + 1 } : {},
  ),
  "stk-07": eachFrame(({ name, source }, index, _, { stackTrace: { startFrame = 0 } }) =>
    name === "deep" && index === 0 && startFrame === 0
      ? { source: { ...source, path: "/other.steps" } }
      : {},
  ),
  "stk-08": eachFrame(({ name }, index, { stackFrames }) =>
    name === "deep" && index === 1 ? { id: stackFrames[0].id } : {},
  ),
  "stk-09": inBody("stackTrace", ({ stackFrames }, { stackTrace }) =>
    stackTrace.levels === 20 && stackTrace.startFrame === 0
      ? { stackFrames: [...stackFrames, { id: 900_000, name: "more", line: 0, column: 0 }] }
      : {},
  ),
  "stk-10": eachFrame(({ name, line }) => ({ line: name === "library" ? 0 : line })),
  "stk-11": eachFrame(({ source }) =>
    source?.path === undefined ? {} : { source: { ...source, name: undefined } },
  ),
  "stk-12": eachFrame(({ source, name }) =>
    source?.path === undefined || name !== "deep"
      ? {}
      : { source: { ...source, path: `file://${source.path}` } },
  ),
  "stk-14": eachFrame(({ name }) => (name === "deep" ? { column: 0 } : {})),
  "src-01": inBody("loadedSources", () => ({ sources: [] })),
  "src-02": eachFrame(({ source }) =>
    source?.checksums === undefined
      ? {}
      : { source: { ...source, checksums: [{ algorithm: "MD5", checksum: "not!" }] } },
  ),
  "mod-01": inBody("modules", () => ({ modules: [{ id: 1, name: "" }] })),
  "mod-02": after("module", () => [
    event("module", { reason: "changed", module: { id: 9, name: "unknown" } }),
  ]),
  "mod-03": inBody("modules", (_, { modules: { moduleCount = 0 } }) =>
    moduleCount > 0 ? { modules: [1, 2, 3].map((id) => ({ id, name: `module ${id}` })) } : {},
  ),
  "mod-04": inBody("modules", ({ modules }) => ({
    modules: modules.map((each: object) => ({ ...each, dateTimeStamp: "yesterday" })),
  })),
  "mod-05": inBody("modules", ({ modules }, { modules: { moduleCount = 0 } }) =>
    moduleCount > 0 ? {} : { modules: [...modules, ...modules] },
  ),
  "mod-06": after("module", (message) => [message]),
  "var-01": fail("variables", (_, { variables }) => variables.variablesReference % 1_000 === 6),
  "var-03": inBody("variables", ({ variables }, { variables: { count } }) =>
    count === 10 ? { variables: variables.toReversed() } : {},
  ),
  "var-04": inBody("evaluate", (_, { evaluate: { expression, context, format } }) =>
    expression === "number" && context === "watch" && format === undefined ? { result: "41" } : {},
  ),
  "var-06": variable("number", { name: "other" }),
  "var-07": inBody("variables", (_, { variables: { start = 0 } }) =>
    start >= 10_000 ? { variables: [{ name: "more", value: "0", variablesReference: 0 }] } : {},
  ),
  "var-09": inBody("variables", ({ variables }, { variables: { count = 0, start = 0 } }) =>
    count > 0 && start < 10_000
      ? { variables: [...variables, { name: "more", value: "0", variablesReference: 0 }] }
      : {},
  ),
  "var-10": inBody("variables", (_, { variables: { filter } }) =>
    filter === "named" ? { variables: [{ name: "0", value: "0", variablesReference: 0 }] } : {},
  ),
  "var-11": variable("2", { value: "4" }),
  "var-12": variable("lazy", { variablesReference: 0 }),
  "var-13": variable("number", { value: "42" }),
  "var-14": fail("locations"),
  "evl-01": inBody("evaluate", (_, { evaluate: { expression, context } }) =>
    expression === "i + 1" && context === "watch" ? { result: "7" } : {},
  ),
  "evl-02": inBody("completions", () => ({ targets: [{ label: "total", start: 3, length: 9 }] })),
  "evl-03": (message, state) =>
    state["evaluate"]?.context === "watch"
      ? succeed("evaluate", { result: "", variablesReference: 0 })(message, state)
      : message,
  "evl-04": nothingIn("hover"),
  "evl-07": nothingIn("repl"),
  "evl-08": nothingIn("clipboard"),
  "evl-05": fail("evaluate", (_, { evaluate }) => evaluate.frameId === undefined),
  "evl-10": inBody("evaluate", (_, { evaluate }) =>
    evaluate.format === undefined ? {} : { result: "42" },
  ),
  "mem-01": inBody("readMemory", (_, state) => {
    const isFirst = state["seen"] === undefined;
    state["seen"] = true;
    return isFirst ? { data: "BwgJ" } : {};
  }),
  "mem-02": inBody("disassemble", ({ instructions }, { disassemble: { instructionOffset = 0 } }) =>
    instructionOffset === 0 ? { instructions: instructions.slice(0, -1) } : {},
  ),
  "mem-04": inBody("readMemory", ({ data }, state) => {
    const isFirst = state["seen"] === undefined;
    state["seen"] = true;
    return isFirst ? { data: data.replace(/=+$/, "") } : {};
  }),
  "mem-05": inBody("disassemble", ({ instructions }, { disassemble: { instructionOffset = 0 } }) =>
    instructionOffset < 0 ? { instructions: instructions.slice(4) } : {},
  ),
  "mem-06": inBody("disassemble", ({ instructions }) => ({
    instructions: instructions.map((each: any) => ({ ...each, address: "0x10" })),
  })),
  "mem-07": inBody("readMemory", () => ({ address: "5000h" })),
  "prg-01": after("progressEnd", (message) => [
    event("progressStart", { progressId: "load", title: "Load" }),
    message,
  ]),
  "prg-02": drop("progressEnd"),
  "prg-03": after("progressEnd", () => [event("progressUpdate", { progressId: "load" })]),
  "prg-04": inBody("progressStart", () => ({ requestId: 999 })),
};

/** The checks whose mistakes the reference adapter itself makes. */
const ownMistakes = `
bp-02 bp-07 bp-10 bp-18 bp-27 bp-29 bp-30 bp-38 bp-39 bp-40 bp-41 bp-42 base-19 launch-01
launch-04 launch-05 attach-01 run-04 run-06 run-09 run-10 run-11 run-13 run-14 run-15 run-16 run-23
term-01 term-02 end-02 end-03 end-04 end-05 end-06 end-09 end-13 end-14 end-15 stk-15 var-02 var-05
var-08 evl-06 evl-09 mem-03 mem-08 mem-09 mem-10 mem-11 cxl-01 cxl-02 cxl-03
`;

/** One mutant for each check. */
export const mutants: readonly Mutant[] = [
  ...Object.entries(mistakes).map(([check, mistake]) =>
    typeof mistake === "function" ? { check, send: mistake } : { check, ...mistake },
  ),
  ...ownMistakes
    .trim()
    .split(/\s+/)
    .map((check) => ({ check })),
];
