import * as change from "./message-changes.js";
import type { Mutant } from "./mutated-transport.js";
import { stateMutants } from "./state-mutants.js";

const { after, drop, event, eventFirst, fail, inArguments, inBody, inBreakpoints, inFrame } =
  change;
const { nameOf, oneMore, reason, remember, succeed } = change;

const sized = (body: Buffer): string => `Content-Length: ${body.length}\r\n\r\n`;

const messageMutants: readonly Mutant[] = [
  { check: "base-01", frame: inFrame("process", (header, body) => [`noise\n${header}`, body]) },
  { check: "base-02", keepsNumbers: true, send: (message) => ({ ...message, seq: 5 }) },
  {
    check: "base-03",
    send: after("threads", (message) => [{ ...message, request_seq: 9_999 }]),
  },
  {
    check: "base-04",
    send: (message) =>
      message["command"] === "wirewrightUnknown"
        ? { ...message, message: undefined, body: {} }
        : message,
  },
  { check: "base-05", send: succeed("wirewrightUnknown") },
  {
    check: "base-06",
    write: (bytes) => {
      const second = Buffer.from(bytes).indexOf("Content-Length", 10);
      return second === -1 ? bytes : bytes.subarray(0, second);
    },
  },
  { check: "base-07", send: change.variable("text", { value: "h?llo" }) },
  {
    check: "base-08",
    send: (message) =>
      message["event"] === "thread" ? event("thread", { reason: "started" }) : message,
  },
  { check: "base-09", send: inBody("process", () => ({ systemProcessId: null })) },
  {
    check: "base-10",
    frame: inFrame("process", (_, body) => {
      const twice = Buffer.from(body.toString().replace("{", '{"event":"process",'));
      return [sized(twice), twice];
    }),
  },
  {
    check: "base-11",
    send: after("module", () => [{ type: "request", command: "threads" }]),
  },
  {
    check: "base-12",
    write: (bytes) => (bytes.length > 200_000 ? new Uint8Array() : bytes),
  },
  {
    check: "base-13",
    frame: inFrame("process", (header, body) => [header.replace("-L", "-l"), body]),
  },
  {
    check: "base-14",
    frame: inFrame("process", (_, body) => {
      const broken = Buffer.concat([
        body.subarray(0, body.indexOf(".steps")),
        Buffer.of(0xff),
        body.subarray(body.indexOf(".steps")),
      ]);
      return [sized(broken), broken];
    }),
  },
  {
    check: "base-15",
    frame: inFrame("process", (header, body) => [
      header.replace("\r\n\r\n", "\r\nContent-Type: application/json\r\n\r\n"),
      body,
    ]),
  },
  { check: "base-16", send: after("modules", (message) => [message]) },
  {
    check: "base-17",
    send: (message) =>
      message["command"] === "modules" ? { ...message, command: "module" } : message,
  },
  {
    // In the case with three breakpoints, nobody waits for the responses to continue.
    check: "base-18",
    receive: remember,
    send: drop(
      "continue",
      (_, { program, setBreakpoints }) =>
        program === "loop" && setBreakpoints.breakpoints.length === 3,
    ),
  },
  { check: "base-19" },
  { check: "base-20", send: after("process", () => [event("wirewright")]) },
  {
    check: "base-21",
    send: inBody("process", () => ({ startMethod: undefined, startmethod: "launch" })),
  },
  {
    check: "init-01",
    send: (message) =>
      message["command"] === "initialize"
        ? [event("output", { category: "console", output: "hello\n" }), message]
        : message,
  },
  { check: "init-02", send: eventFirst("initialize", "initialized") },
  { check: "init-03", send: succeed("initialize") },
  {
    check: "init-04",
    receive: inArguments("initialize", () => ({ linesStartAt1: true })),
  },
  { check: "init-05", receive: inArguments("initialize", () => ({ pathFormat: "path" })) },
  {
    check: "init-06",
    send: after("process", () => [event("invalidated", { areas: ["variables"] })]),
  },
  { check: "init-07", send: fail("loadedSources") },
  { check: "init-08", send: after("process", () => [event("initialized")]) },
  { check: "init-09", send: change.variable("number", { type: "int" }) },
  {
    check: "init-10",
    send: inBody("initialize", ({ exceptionBreakpointFilters: [first] }) => ({
      exceptionBreakpointFilters: [first, { ...first, label: "Again" }],
    })),
  },
  { check: "launch-01" },
  {
    check: "launch-02",
    receive: remember,
    send: fail("launch", (_, { program }) => program === "io"),
  },
  {
    check: "launch-03",
    receive: remember,
    send: after("setBreakpoints", (_, { setBreakpoints, isEarly }) =>
      setBreakpoints.breakpoints[0]?.line === 1 && isEarly !== true
        ? [event("stopped", { reason: "entry", threadId: 1, allThreadsStopped: true })]
        : [],
    ),
  },
  { check: "launch-04" },
  { check: "launch-05" },
  { check: "launch-06", send: inBody("process", () => ({ name: "" })) },
  {
    check: "launch-07",
    send: drop("breakpointLocations", (_, state) => {
      const isFirst = state["seen"] === undefined;
      state["seen"] = true;
      return isFirst;
    }),
  },
  {
    check: "launch-08",
    send: drop("launch", (_, state) => (state["count"] = (state["count"] ?? 0) + 1) > 1),
  },
  { check: "attach-01" },
  {
    check: "bp-01",
    send: inBody("setBreakpoints", ({ breakpoints }) =>
      breakpoints.some(({ message }: any) => message === "there is no such line")
        ? { breakpoints: breakpoints.toReversed() }
        : {},
    ),
  },
  { check: "bp-02" },
  {
    check: "bp-03",
    send: inBody("breakpoint", ({ breakpoint }) =>
      breakpoint.line === 4 ? { breakpoint: { ...breakpoint, line: 3 } } : {},
    ),
  },
  { check: "bp-04", send: drop("breakpoint", ({ body }) => body.breakpoint.line === 2) },
  {
    check: "bp-05",
    send: inBody("breakpoint", ({ breakpoint }) => ({
      breakpoint: { ...breakpoint, reason: "pending" },
    })),
  },
  { check: "bp-06", send: reason("breakpoint", "pause") },
  { check: "bp-07" },
  {
    check: "bp-08",
    receive: inBreakpoints(({ condition }) =>
      condition === "i == 5" ? { condition: "i == 6" } : {},
    ),
  },
  {
    check: "bp-09",
    receive: inBreakpoints(({ hitCondition }) =>
      hitCondition === "3" ? { hitCondition: undefined } : {},
    ),
  },
  { check: "bp-10" },
  { check: "bp-11", send: reason("function breakpoint", "breakpoint") },
  { check: "bp-12", send: reason("exception", "pause") },
  {
    check: "bp-13",
    receive: remember,
    send: inBody("setExceptionBreakpoints", ({ breakpoints }) => ({
      breakpoints: breakpoints.map(() => ({ verified: true })),
    })),
  },
  { check: "bp-14", send: reason("data breakpoint", "breakpoint") },
  { check: "bp-15", send: reason("instruction breakpoint", "breakpoint") },
  {
    check: "bp-16",
    send: inBody("breakpointLocations", () => ({
      breakpoints: [2, 3, 4, 5].map((line) => ({ line })),
    })),
  },
  {
    check: "bp-17",
    send: inBody("setBreakpoints", ({ breakpoints }) => ({
      breakpoints: breakpoints.map((each: any) =>
        each.message === "there is no such line" ? { id: each.id, verified: true } : each,
      ),
    })),
  },
  { check: "bp-18" },
  {
    check: "bp-19",
    send: inBody("stopped", ({ hitBreakpointIds }) =>
      hitBreakpointIds === undefined ? {} : { hitBreakpointIds: [] },
    ),
  },
  {
    check: "bp-20",
    receive: inBreakpoints(({ condition }) =>
      condition === "i == 99" ? { condition: "i == 9" } : {},
    ),
  },
  {
    check: "bp-21",
    receive: inBreakpoints(({ logMessage }) =>
      logMessage === undefined ? {} : { logMessage: "counted so far" },
    ),
  },
  {
    check: "bp-22",
    send: inBody("setFunctionBreakpoints", ({ breakpoints }) => ({
      breakpoints: breakpoints.map((each: object) => ({ ...each, verified: true })),
    })),
  },
  {
    check: "bp-23",
    receive: remember,
    send: inBody("setExceptionBreakpoints", ({ breakpoints }, { setExceptionBreakpoints }) =>
      setExceptionBreakpoints.filters.length === 2 ? { breakpoints: breakpoints.slice(1) } : {},
    ),
  },
  {
    check: "bp-25",
    send: after("process", () => [
      event("breakpoint", { reason: "changed", breakpoint: { id: 4_711, verified: true } }),
    ]),
  },
  {
    check: "bp-26",
    send: oneMore("setBreakpoints"),
  },
  { check: "bp-27" },
  {
    check: "bp-28",
    send: inBody("setBreakpoints", ({ breakpoints }) => ({
      breakpoints: breakpoints.map((each: any) =>
        each.message === "this is not a condition" ? { id: each.id, verified: true } : each,
      ),
    })),
  },
  { check: "bp-29" },
  { check: "bp-30" },
  {
    check: "bp-31",
    send: inBody("breakpointLocations", ({ breakpoints }) => ({
      breakpoints: breakpoints.toReversed(),
    })),
  },
  { check: "bp-32", send: oneMore("setFunctionBreakpoints") },
  { check: "bp-33", send: oneMore("setDataBreakpoints") },
  { check: "bp-34", send: oneMore("setInstructionBreakpoints") },
  {
    check: "bp-35",
    send: inBody("stopped", ({ hitBreakpointIds }) =>
      hitBreakpointIds === undefined ? {} : { hitBreakpointIds: [...hitBreakpointIds, 4_711] },
    ),
  },
  {
    // The logpoint is the first of two breakpoints.
    check: "bp-36",
    receive: remember,
    send: inBody("stopped", ({ hitBreakpointIds: hits }, { setBreakpoints }) =>
      setBreakpoints?.breakpoints[0]?.logMessage === undefined || hits === undefined
        ? {}
        : { hitBreakpointIds: [hits[0] - 1] },
    ),
  },
  { check: "exc-01", send: inBody("exceptionInfo", () => ({ exceptionId: "" })) },
  { check: "run-01", send: eventFirst("next", "stopped") },
  {
    check: "run-02",
    send: after("continue", () => [event("continued", { threadId: 1, allThreadsContinued: true })]),
  },
  { check: "run-03", send: inBody("continue", () => ({ allThreadsContinued: false })) },
  ...["run-04", "run-06"].map((check) => ({ check })),
  { check: "run-05", send: reason("pause", "signal") },
  { check: "run-07", send: reason("goto", "pause") },
  { check: "run-08", send: reason("restart", "pause") },
  ...["run-09", "run-10", "run-11"].map((check) => ({ check })),
  { check: "run-12", send: reason("step", "pause") },
  ...["run-13", "run-14", "run-15", "run-16"].map((check) => ({ check })),
  {
    check: "run-17",
    send: inBody("stopped", (each) =>
      each.reason === "step" ? { threadId: undefined, allThreadsStopped: undefined } : {},
    ),
  },
  { check: "run-18", send: inBody("continue", () => ({ allThreadsContinued: true })) },
  { check: "run-19", send: eventFirst("pause", "stopped") },
  { check: "run-20", send: eventFirst("goto", "stopped") },
  { check: "run-21", send: eventFirst("restartFrame", "stopped") },
  {
    check: "run-22",
    send: inBody("gotoTargets", ({ targets: [first] }) => ({
      targets: [first, { ...first, label: "again" }],
    })),
  },
  {
    check: "out-01",
    send: inBody("output", ({ category }) =>
      category === "stdout" ? { category: "console" } : {},
    ),
  },
  {
    check: "out-02",
    send: inBody("output", ({ category }) => (category === "stderr" ? { category: "stdout" } : {})),
  },
  {
    check: "term-03",
    send: (message) =>
      message["command"] === "runInTerminal"
        ? { ...message, arguments: { ...message["arguments"], args: [] } }
        : message,
  },
  ...["term-01", "term-02"].map((check) => ({ check })),
  {
    check: "chd-01",
    receive: (message, state) => {
      if (message["arguments"]?.isChild === true) state["isChild"] = true;
      return state["isChild"] === true && message["command"] === "setBreakpoints"
        ? { ...message, arguments: { ...message["arguments"], breakpoints: [{ line: 2 }] } }
        : message;
    },
  },
  {
    check: "chd-02",
    send: (message) =>
      message["command"] === "startDebugging"
        ? {
            ...message,
            arguments: {
              ...message["arguments"],
              configuration: { ...message["arguments"].configuration, type: "steps" },
            },
          }
        : message,
  },
  {
    check: "end-01",
    receive: remember,
    send: drop("terminated", (_, { program }) => program === "io"),
  },
  ...["end-02", "end-03", "end-04", "end-05", "end-06"].map((check) => ({ check })),
  { check: "end-07", isServer: true },
  { check: "end-08", send: inBody("exited", () => ({ exitCode: 4 })) },
  { check: "end-09" },
  { check: "end-10", send: after("terminated", (message) => [message]) },
  { check: "end-11", send: after("exited", (message) => [message]) },
  {
    check: "end-12",
    send: after("disconnect", () => [event("output", { category: "console", output: "bye\n" })]),
  },
  ...["end-13", "end-14", "end-15"].map((check) => ({ check })),
  {
    check: "end-16",
    receive: remember,
    send: (message, { program }) => {
      if (program !== "io" || message["type"] !== "event") return message;
      if (nameOf(message) === "exited" || nameOf(message) === "thread") return [];
      return nameOf(message) === "terminated"
        ? [message, event("continued", { threadId: 1 })]
        : message;
    },
  },
  {
    check: "end-17",
    receive: remember,
    send: (message, { program }) => {
      if (program !== "io" || message["type"] !== "event") return message;
      if (nameOf(message) === "thread") return [];
      return nameOf(message) === "exited"
        ? [message, event("continued", { threadId: 1 })]
        : message;
    },
  },
];

/** A mutant for each check. */
export const mutants: readonly Mutant[] = [...messageMutants, ...stateMutants];
