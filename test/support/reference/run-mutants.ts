import {
  after,
  drop,
  event,
  eventFirst,
  fail,
  inBody,
  nameOf,
  reason,
  remember,
} from "./message-changes.js";
import type { Mutant } from "./mutated-transport.js";

/** Mutants with mistakes in how a program starts, runs, prints or ends. */
export const runMutants: readonly Mutant[] = [
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
  ...["run-13", "run-14", "run-15", "run-16", "run-23"].map((check) => ({ check })),
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
