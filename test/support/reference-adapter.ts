import { basename } from "node:path";
import { readFileSync } from "node:fs";
import type { Transport } from "../../generated/dap/connection.js";
import { createDecoder } from "../../generated/dap/codec.js";
import { frameOf } from "../../conformance/session/wire.js";
import { scriptAdapter, type ScriptedAdapter } from "../../generated/dap/testing.js";

type Message = { readonly [field: string]: any };

/** A moment of a program: a marked line, the functions on the stack, and the variables on top. */
interface Moment {
  readonly at: string;
  readonly stack: readonly string[];
  readonly variables: Record<string, string>;
  readonly reason?: string;
}

const moment = (
  at: string,
  stack: readonly string[] = ["main"],
  variables: object = {},
): Moment => ({
  at,
  stack,
  variables: Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, String(value)]),
  ),
});

const numbers = Array.from({ length: 10 }, (_, index) => index);

/** What the programs do, moment by moment. */
const runs: Readonly<Record<string, () => readonly Moment[]>> = {
  loop: () => [
    moment("first", ["main"], { total: 0, i: 0 }),
    ...numbers.flatMap((i) => [
      moment("loop", ["main"], { total: (i * (i - 1)) / 2, i }),
      moment("next", ["main"], { total: (i * (i + 1)) / 2, i }),
    ]),
    moment("end", ["main"], { total: 45, i: 9 }),
  ],
  calls: () => [
    moment("call"),
    moment("outer", ["outer", "main"]),
    moment("inner", ["inner", "outer", "main"]),
    moment("outer-next", ["outer", "main"]),
    moment("inner", ["inner", "outer", "main"]),
    moment("outer-next", ["outer", "main"]),
    moment("deep", [...Array.from({ length: 61 }, () => "deep"), "main"]),
    moment("end"),
  ],
  data: () => {
    const text = "héllo 世界 🎉";
    return [
      moment("data", ["main"], { number: 42, text }),
      moment("written", ["main"], { number: 43, text }),
    ];
  },
  io: () => [moment("print")],
  threads: () => [moment("worker", ["work"]), moment("end")],
  throws: () => [{ ...moment("uncaught"), reason: "exception" }],
  waits: () => [moment("ready"), ...Array.from({ length: 1_000 }, () => moment("tick"))],
};

export const capabilities = {
  supportsConfigurationDoneRequest: true,
  supportsConditionalBreakpoints: true,
  supportsHitConditionalBreakpoints: true,
  supportsLogPoints: true,
  supportsFunctionBreakpoints: true,
  supportsDelayedStackTraceLoading: true,
  supportsEvaluateForHovers: true,
  supportsExceptionInfoRequest: true,
  supportsSetVariable: true,
  supportsSetExpression: true,
  supportsStepBack: true,
  supportsTerminateRequest: true,
  supportsLoadedSourcesRequest: true,
  supportsModulesRequest: true,
  supportsCompletionsRequest: true,
  exceptionBreakpointFilters: [{ filter: "all", label: "All" }],
};

/** An adapter that does everything as the protocol says, for programs of moments. */
export function referenceAdapter(): Transport {
  let args: Message = {};
  let program = "loop";
  let lines: string[] = [];
  let source: Message = {};
  let moments: readonly Moment[] = [];
  let [at, shift, isRunning, isOver, launchedBy] = [
    -1,
    0,
    false,
    false,
    undefined as Message | undefined,
  ];
  let [breakpoints, functions, filters] = [[] as Message[], [] as Message[], [] as string[]];
  const lineOf = (name: string): number =>
    lines.findIndex((line) => line.endsWith(` ${name}`)) + 1 - shift;
  const known = (name: string): string => (name === "blank" ? "next" : name);
  const initialized = new Set<object>();

  const end = (adapter: ScriptedAdapter): void => {
    if (isOver) return;
    [isOver, isRunning] = [true, false];
    adapter.event("exited", { exitCode: program === "io" ? 3 : 0 });
    adapter.event("terminated");
  };
  const stopAt = (
    adapter: ScriptedAdapter,
    reason: string,
    hitBreakpointIds?: readonly number[],
  ): void => {
    isRunning = false;
    adapter.event("stopped", {
      reason,
      threadId: 1,
      allThreadsStopped: true,
      ...(hitBreakpointIds === undefined ? {} : { hitBreakpointIds }),
    });
  };
  const holds = (condition: string, { variables }: Moment): boolean => {
    const [name, value] = condition.split(" == ");
    return variables[name!] === value;
  };
  const hits = (each: Message, here: Moment, adapter: ScriptedAdapter): boolean => {
    if (each["line"] !== lineOf(here.at)) return false;
    if (each["condition"] !== undefined && !holds(each["condition"], here)) return false;
    (each as { hits: number }).hits++;
    if (each["hitCondition"] !== undefined && each["hits"] !== Number(each["hitCondition"]))
      return false;
    if (each["logMessage"] === undefined) return true;
    const output = String(each["logMessage"]).replace(
      /\{(\w+)\}/g,
      (_, name) => here.variables[name]!,
    );
    adapter.event("output", { category: "console", output: `${output}\n` });
    return false;
  };
  const run = (adapter: ScriptedAdapter, direction = 1): void => {
    isRunning = true;
    while (isRunning && at + direction >= 0) {
      const before = moments[at];
      at += direction;
      const here = moments[at];
      if (here === undefined) return end(adapter);
      const hit = breakpoints.find((each) => hits(each, here, adapter));
      const isEntered = here.stack.length > (before?.stack.length ?? 0);
      if (hit !== undefined) return stopAt(adapter, "breakpoint", [hit["id"]]);
      if (isEntered && functions.some(({ name }) => name === here.stack[0]))
        return stopAt(adapter, "function breakpoint");
      if (here.reason === "exception" && filters.includes("all"))
        return stopAt(adapter, "exception");
      if (here.at === "tick") return;
    }
  };
  const step =
    (fits: (depth: number) => boolean, direction = 1) =>
    (request: Message, adapter: ScriptedAdapter) => {
      adapter.answer(request, {});
      do at += direction;
      while (moments[at] !== undefined && !fits(moments[at]!.stack.length));
      if (moments[at] === undefined) end(adapter);
      else stopAt(adapter, "step");
    };
  const depth = (): number => moments[at]?.stack.length ?? 1;
  const refuse = (request: Message, adapter: ScriptedAdapter, text: string): undefined =>
    void adapter.refuse(request, text, { error: { id: 1, format: text } });
  const variables = (): Message[] =>
    Object.entries(moments[at]?.variables ?? {}).map(([name, value]) => ({
      name,
      value,
      evaluateName: name,
      variablesReference: 0,
    }));
  const value = (expression: string): string | undefined => {
    const [name, more] = expression.split(" + ");
    const found = moments[at]?.variables[name!];
    return found === undefined || more === undefined ? found : String(Number(found) + Number(more));
  };

  const adapter = scriptAdapter({
    initialize(request, self) {
      if (initialized.size > 0) return refuse(request, self, "initialize was sent before");
      initialized.add(request);
      args = request["arguments"] as Message;
      shift = args["linesStartAt1"] === false ? 1 : 0;
      self.answer(request, capabilities);
      self.event("initialized");
      return undefined;
    },
    launch(request, self) {
      const { program: path, noDebug } = request["arguments"] as Message;
      program = basename(path, ".steps");
      if (runs[program] === undefined) return refuse(request, self, `there is no ${path}`);
      lines = readFileSync(path, "utf8").trimEnd().split("\n");
      source = {
        name: basename(path),
        path: args["pathFormat"] === "uri" ? `file://${path}` : path,
      };
      moments = runs[program]!();
      if (noDebug === true) [breakpoints, functions] = [[], []];
      launchedBy = request;
      return undefined;
    },
    configurationDone(request, self) {
      self.answer(request, {});
      self.answer(launchedBy!, {});
      const name = `${program}.steps`;
      self.event("process", { name, startMethod: "launch" });
      self.event("thread", { reason: "started", threadId: 1 });
      if ((launchedBy!["arguments"] as Message)["noDebug"] === true) return end(self);
      if (program === "io") {
        self.event("output", { category: "stdout", output: "out: héllo 世界 🎉\n" });
        self.event("output", { category: "stderr", output: "err: warning\n" });
      }
      run(self);
      return undefined;
    },
    setBreakpoints(request, self) {
      const asked = (request["arguments"] as Message)["breakpoints"] as Message[];
      const rows = asked.map((each, index) => {
        const name = lines[Number(each["line"]) - 1 + shift]?.split(" ").at(-1);
        return name === undefined
          ? { id: index + 1, verified: false, message: "there is no such line" }
          : { id: index + 1, verified: true, line: lineOf(known(name)), source };
      });
      breakpoints = rows.flatMap((row, index) =>
        row.verified ? [{ ...asked[index], ...row, hits: 0 }] : [],
      );
      self.answer(request, { breakpoints: rows });
      const ticks = breakpoints.find(({ line }) => line === lineOf("tick"));
      if (isRunning && ticks !== undefined) stopAt(self, "breakpoint", [ticks["id"]]);
      return undefined;
    },
    setFunctionBreakpoints(request) {
      functions = (request["arguments"] as Message)["breakpoints"];
      const verified = (name: string): boolean => ["inner", "outer", "deep"].includes(name);
      return {
        breakpoints: functions.map(({ name }, index) => ({
          id: index + 100,
          verified: verified(name),
        })),
      };
    },
    setExceptionBreakpoints(request) {
      filters = (request["arguments"] as Message)["filters"];
      return { breakpoints: filters.map((each) => ({ verified: each === "all" })) };
    },
    threads: () => ({
      threads: [1, ...(program === "threads" ? [2] : [])].map((id) => ({
        id,
        name: `thread ${id}`,
      })),
    }),
    stackTrace(request) {
      const { threadId, startFrame = 0, levels = 0 } = request["arguments"] as Message;
      const { at: name, stack } = moments[at]!;
      const all = (threadId === 1 ? stack : []).map((each, index) => ({
        id: at * 1_000 + index + 1,
        name: each,
        line: lineOf(name),
        column: 1 - shift,
        source,
      }));
      const stop = levels === 0 ? all.length : startFrame + levels;
      return { stackFrames: all.slice(startFrame, stop), totalFrames: all.length };
    },
    scopes: () => ({ scopes: [{ name: "Locals", variablesReference: at + 1, expensive: false }] }),
    variables(request, self) {
      const { variablesReference } = request["arguments"] as Message;
      return variablesReference === at + 1
        ? { variables: variables() }
        : refuse(request, self, "the reference has expired");
    },
    setVariable(request) {
      const { name, value: given } = request["arguments"] as Message;
      moments[at]!.variables[name] = given;
      return { value: given };
    },
    setExpression(request) {
      const { expression, value: given } = request["arguments"] as Message;
      moments[at]!.variables[expression] = given;
      return { value: given };
    },
    evaluate(request, self) {
      const result = value((request["arguments"] as Message)["expression"]);
      return result === undefined
        ? refuse(request, self, "this is not an expression")
        : { result, variablesReference: 0 };
    },
    completions: () => ({ targets: [{ label: "total", start: 1, length: 4 }] }),
    loadedSources: () => ({ sources: [source] }),
    modules: () => ({ modules: [{ id: 1, name: "main" }], totalModules: 1 }),
    exceptionInfo: () => ({ exceptionId: "Uncaught", breakMode: "always" }),
    continue(request, self) {
      self.answer(request, { allThreadsContinued: true });
      run(self);
      return undefined;
    },
    reverseContinue(request, self) {
      self.answer(request, {});
      run(self, -1);
      return undefined;
    },
    next: (request, self) => {
      const here = depth();
      return step((each) => each <= here)(request, self);
    },
    stepIn: step(() => true),
    stepOut: (request, self) => {
      const here = depth();
      return step((each) => each < here)(request, self);
    },
    stepBack: step(() => true, -1),
    pause(request, self) {
      self.answer(request, {});
      stopAt(self, "pause");
      return undefined;
    },
    terminate(request, self) {
      self.answer(request, {});
      end(self);
      return undefined;
    },
    disconnect(request, self) {
      self.answer(request, {});
      return undefined;
    },
    wirewrightUnknown: (request, self) => refuse(request, self, "unknown request"),
  });
  // Messages may arrive in parts; the script takes whole frames.
  const decoder = createDecoder({
    onMessage: (found) => {
      if (found.status !== "malformed") void adapter.write(frameOf(found.message));
    },
  });
  return { ...adapter, write: (bytes) => decoder.push(bytes) };
}
