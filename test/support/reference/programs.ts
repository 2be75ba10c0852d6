/**
 * A moment in a program: a marked line, the functions on the stack, and the variables in the
 * topmost function.
 */
export interface Moment {
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
const text = "héllo 世界 🎉";

/** The moments of each program, in order. */
export const runs: Readonly<Record<string, () => readonly Moment[]>> = {
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
  data: () => [
    moment("data", ["main"], { number: 42, text }),
    moment("written", ["main"], { number: 43, text }),
  ],
  io: () => [moment("print")],
  threads: () => [moment("worker", ["work"]), moment("end")],
  throws: () => [{ ...moment("uncaught"), reason: "exception" }],
  waits: () => [moment("ready"), ...Array.from({ length: 1_000 }, () => moment("tick"))],
  child: () => [moment("parent")],
  grandchild: () => [moment("child")],
};

export const capabilities = {
  supportsConfigurationDoneRequest: true,
  supportsConditionalBreakpoints: true,
  supportsHitConditionalBreakpoints: true,
  supportsLogPoints: true,
  supportsFunctionBreakpoints: true,
  supportsDataBreakpoints: true,
  supportsInstructionBreakpoints: true,
  supportsBreakpointLocationsRequest: true,
  supportsDelayedStackTraceLoading: true,
  supportsEvaluateForHovers: true,
  supportsClipboardContext: true,
  supportsExceptionInfoRequest: true,
  supportsExceptionFilterOptions: true,
  supportsValueFormattingOptions: true,
  supportsSetVariable: true,
  supportsSetExpression: true,
  supportsStepBack: true,
  supportsRestartFrame: true,
  supportsGotoTargetsRequest: true,
  supportsStepInTargetsRequest: true,
  supportsSteppingGranularity: true,
  supportsSingleThreadExecutionRequests: true,
  supportsTerminateRequest: true,
  supportTerminateDebuggee: true,
  supportsRestartRequest: true,
  supportsCancelRequest: true,
  supportsReadMemoryRequest: true,
  supportsWriteMemoryRequest: true,
  supportsDisassembleRequest: true,
  supportsLoadedSourcesRequest: true,
  supportsModulesRequest: true,
  supportsCompletionsRequest: true,
  exceptionBreakpointFilters: [
    { filter: "all", label: "All", supportsCondition: true },
    { filter: "uncaught", label: "Uncaught" },
  ],
};
