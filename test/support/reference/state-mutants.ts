import * as change from "./message-changes.js";
import type { Mutant } from "./mutated-transport.js";

const { after, drop, eachFrame, event, fail, inBody, remember, succeed, variable } = change;

/** Mutants with mistakes in messages about a stopped program. */
export const stateMutants: readonly Mutant[] = [
  {
    check: "thr-01",
    receive: remember,
    send: fail("threads", (_, { program }) => program === "loop"),
  },
  {
    check: "thr-02",
    receive: remember,
    send: inBody("threads", ({ threads }, { program }) =>
      program === "calls" ? { threads: threads.map((each: object) => ({ ...each, id: 7 })) } : {},
    ),
  },
  {
    check: "thr-03",
    receive: remember,
    send: fail("threads", (_, { program }) => program === "waits"),
  },
  { check: "thr-04", send: inBody("threads", ({ threads }) => ({ threads: threads.slice(0, 1) })) },
  {
    check: "thr-05",
    send: after("process", () => [event("thread", { reason: "started", threadId: 1 })]),
  },
  {
    check: "thr-06",
    receive: remember,
    send: inBody("threads", ({ threads }, { program }) =>
      program === "calls" ? { threads: [...threads, ...threads] } : {},
    ),
  },
  {
    check: "thr-07",
    send: inBody("stopped", (each) => (each.reason === "step" ? { threadId: 2 } : {})),
  },
  {
    check: "stk-01",
    receive: remember,
    send: inBody("stackTrace", ({ stackFrames }, { stackTrace }) =>
      stackTrace.levels === undefined ? { stackFrames: stackFrames.slice(0, 50) } : {},
    ),
  },
  {
    check: "stk-02",
    receive: remember,
    send: inBody("stackTrace", (_, { stackTrace }) =>
      stackTrace.startFrame > 0 ? { totalFrames: 1 } : {},
    ),
  },
  {
    check: "stk-03",
    receive: remember,
    send: eachFrame(({ id }, index, _, { program }) => ({
      id: program === "threads" ? index + 1 : id,
    })),
  },
  { check: "stk-04", send: eachFrame(({ name }) => (name === "start" ? { line: 1 } : {})) },
  { check: "stk-05", send: fail("source") },
  {
    check: "stk-06",
    receive: remember,
    send: eachFrame(({ name, line }, index, _, { stackTrace: { startFrame = 0 } }) =>
      name === "deep" && index === 0 && startFrame === 0 ? { line: line + 1 } : {},
    ),
  },
  {
    check: "stk-07",
    receive: remember,
    send: eachFrame(({ name, source }, index, _, { stackTrace: { startFrame = 0 } }) =>
      name === "deep" && index === 0 && startFrame === 0
        ? { source: { ...source, path: "/other.steps" } }
        : {},
    ),
  },
  {
    check: "stk-08",
    send: eachFrame(({ name }, index, { stackFrames }) =>
      name === "deep" && index === 1 ? { id: stackFrames[0].id } : {},
    ),
  },
  {
    check: "stk-09",
    receive: remember,
    send: inBody("stackTrace", ({ stackFrames }, { stackTrace }) =>
      stackTrace.levels === 20 && stackTrace.startFrame === 0
        ? { stackFrames: [...stackFrames, { id: 900_000, name: "more", line: 0, column: 0 }] }
        : {},
    ),
  },
  {
    check: "stk-10",
    send: eachFrame(({ name, line }) => ({ line: name === "library" ? 0 : line })),
  },
  {
    check: "stk-11",
    send: eachFrame(({ source }) =>
      source?.path === undefined ? {} : { source: { ...source, name: undefined } },
    ),
  },
  {
    check: "stk-12",
    send: eachFrame(({ source, name }) =>
      source?.path === undefined || name !== "deep"
        ? {}
        : { source: { ...source, path: `file://${source.path}` } },
    ),
  },
  { check: "stk-14", send: eachFrame(({ name }) => (name === "deep" ? { column: 0 } : {})) },
  { check: "stk-15" },
  { check: "src-01", send: inBody("loadedSources", () => ({ sources: [] })) },
  {
    check: "src-02",
    send: eachFrame(({ source }) =>
      source?.checksums === undefined
        ? {}
        : { source: { ...source, checksums: [{ algorithm: "MD5", checksum: "not!" }] } },
    ),
  },
  { check: "mod-01", send: inBody("modules", () => ({ modules: [{ id: 1, name: "" }] })) },
  {
    check: "mod-02",
    send: after("module", () => [
      event("module", { reason: "changed", module: { id: 9, name: "unknown" } }),
    ]),
  },
  {
    check: "mod-03",
    receive: remember,
    send: inBody("modules", (_, { modules: { moduleCount = 0 } }) =>
      moduleCount > 0 ? { modules: [1, 2, 3].map((id) => ({ id, name: `module ${id}` })) } : {},
    ),
  },
  {
    check: "mod-04",
    send: inBody("modules", ({ modules }) => ({
      modules: modules.map((each: object) => ({ ...each, dateTimeStamp: "yesterday" })),
    })),
  },
  {
    check: "mod-05",
    receive: remember,
    send: inBody("modules", ({ modules }, { modules: { moduleCount = 0 } }) =>
      moduleCount > 0 ? {} : { modules: [...modules, ...modules] },
    ),
  },
  { check: "mod-06", send: after("module", (message) => [message]) },
  {
    check: "var-01",
    receive: remember,
    send: fail("variables", (_, { variables }) => variables.variablesReference % 1_000 === 6),
  },
  { check: "var-02" },
  {
    check: "var-03",
    receive: remember,
    send: inBody("variables", ({ variables }, { variables: { count } }) =>
      count === 10 ? { variables: variables.toReversed() } : {},
    ),
  },
  {
    check: "var-04",
    receive: remember,
    send: inBody("evaluate", (_, { evaluate: { expression, context, format } }) =>
      expression === "number" && context === "watch" && format === undefined
        ? { result: "41" }
        : {},
    ),
  },
  { check: "var-05" },
  { check: "var-06", send: variable("number", { name: "other" }) },
  {
    check: "var-07",
    receive: remember,
    send: inBody("variables", (_, { variables: { start = 0 } }) =>
      start >= 10_000 ? { variables: [{ name: "more", value: "0", variablesReference: 0 }] } : {},
    ),
  },
  { check: "var-08" },
  {
    check: "var-09",
    receive: remember,
    send: inBody("variables", ({ variables }, { variables: { count = 0, start = 0 } }) =>
      count > 0 && start < 10_000
        ? { variables: [...variables, { name: "more", value: "0", variablesReference: 0 }] }
        : {},
    ),
  },
  {
    check: "var-10",
    receive: remember,
    send: inBody("variables", (_, { variables: { filter } }) =>
      filter === "named" ? { variables: [{ name: "0", value: "0", variablesReference: 0 }] } : {},
    ),
  },
  { check: "var-11", send: variable("2", { value: "4" }) },
  { check: "var-12", send: variable("lazy", { variablesReference: 0 }) },
  { check: "var-13", send: variable("number", { value: "42" }) },
  { check: "var-14", send: fail("locations") },
  {
    check: "evl-01",
    receive: remember,
    send: inBody("evaluate", (_, { evaluate: { expression, context } }) =>
      expression === "i + 1" && context === "watch" ? { result: "7" } : {},
    ),
  },
  {
    check: "evl-02",
    send: inBody("completions", () => ({ targets: [{ label: "total", start: 3, length: 9 }] })),
  },
  {
    check: "evl-03",
    receive: remember,
    send: (message, state) =>
      state["evaluate"]?.context === "watch"
        ? succeed("evaluate", { result: "", variablesReference: 0 })(message, state)
        : message,
  },
  ...[
    ["evl-04", "hover"],
    ["evl-07", "repl"],
    ["evl-08", "clipboard"],
  ].map(([check, context]): Mutant => ({
    check: check!,
    receive: remember,
    send: inBody("evaluate", (_, { evaluate }) =>
      evaluate.context === context ? { result: "nothing" } : {},
    ),
  })),
  {
    check: "evl-05",
    receive: remember,
    send: fail("evaluate", (_, { evaluate }) => evaluate.frameId === undefined),
  },
  { check: "evl-06" },
  { check: "evl-09" },
  {
    check: "evl-10",
    receive: remember,
    send: inBody("evaluate", (_, { evaluate }) =>
      evaluate.format === undefined ? {} : { result: "42" },
    ),
  },
  {
    check: "mem-01",
    send: inBody("readMemory", (_, state) => {
      const isFirst = state["seen"] === undefined;
      state["seen"] = true;
      return isFirst ? { data: "BwgJ" } : {};
    }),
  },
  {
    check: "mem-02",
    receive: remember,
    send: inBody("disassemble", ({ instructions }, { disassemble: { instructionOffset = 0 } }) =>
      instructionOffset === 0 ? { instructions: instructions.slice(0, -1) } : {},
    ),
  },
  { check: "mem-03" },
  {
    check: "mem-04",
    send: inBody("readMemory", ({ data }, state) => {
      const isFirst = state["seen"] === undefined;
      state["seen"] = true;
      return isFirst ? { data: data.replace(/=+$/, "") } : {};
    }),
  },
  {
    check: "mem-05",
    receive: remember,
    send: inBody("disassemble", ({ instructions }, { disassemble: { instructionOffset = 0 } }) =>
      instructionOffset < 0 ? { instructions: instructions.slice(4) } : {},
    ),
  },
  {
    check: "mem-06",
    receive: remember,
    send: inBody("disassemble", ({ instructions }) => ({
      instructions: instructions.map((each: any) => ({ ...each, address: "0x10" })),
    })),
  },
  { check: "mem-07", send: inBody("readMemory", () => ({ address: "5000h" })) },
  ...["mem-08", "mem-09", "mem-10", "mem-11"].map((check) => ({ check })),
  { check: "cxl-01" },
  { check: "cxl-02" },
  { check: "cxl-03" },
  {
    check: "prg-01",
    send: after("progressEnd", (message) => [
      event("progressStart", { progressId: "load", title: "Load" }),
      message,
    ]),
  },
  { check: "prg-02", send: drop("progressEnd") },
  {
    check: "prg-03",
    send: after("progressEnd", () => [event("progressUpdate", { progressId: "load" })]),
  },
  {
    check: "prg-04",
    send: inBody("progressStart", () => ({ requestId: 999 })),
  },
];
