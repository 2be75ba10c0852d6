import { type CaseSession, type Reply, failure } from "./case-session.js";
import type { Language, Mark } from "./programs.js";
import { StepError, type AnyMessage, type TraceEntry, type Wire } from "./wire.js";

/**
 * A breakpoint in a case: either the name of a marked line, or an object that contains this name
 * along with other properties.
 */
export type CaseBreakpoint = Mark | ({ readonly mark: Mark } & Record<string, unknown>);

export interface StartOptions {
  /** Additional arguments for `initialize`. */
  readonly initialize?: object;
  /** Additional arguments for `launch` or `attach`. */
  readonly launch?: object;
  readonly breakpoints?: readonly CaseBreakpoint[];
  readonly functions?: readonly object[];
  readonly filters?: readonly string[];
  /** Called after `initialized`, before `configurationDone`. */
  readonly configure?: () => Promise<void>;
  /** Whether to wait for `initialized` before sending `launch`. Default: false. */
  readonly waits?: boolean;
  /** The request that starts the program. Default: the suite's request. */
  readonly request?: "launch" | "attach";
}

export interface Started {
  /** The breakpoints in the response to `setBreakpoints`. */
  readonly breakpoints: readonly AnyMessage[];
  readonly launched: Reply;
}

/** Sends `initialize`, after opening a connection unless one is already open. */
export async function initialize(s: CaseSession, more: object = {}): Promise<Reply> {
  if (s.wires.length === 0) await s.connect();
  const reply = await s.request("initialize", {
    clientID: "wirewright",
    clientName: "wirewright conformance",
    adapterID: s.settings.adapterId,
    locale: "en-US",
    linesStartAt1: true,
    columnsStartAt1: true,
    pathFormat: "path",
    ...(s.settings.isInChild ? { supportsStartDebuggingRequest: true } : {}),
    ...more,
  });
  if (!reply.success) throw failure("initialize", reply);
  s.capabilities = reply.body;
  return reply;
}

/**
 * Waits for the adapter's first request with the given name, and sends a successful response.
 * Resolves to the request's arguments.
 */
export function receiveRequest(wire: Wire, command: string): Promise<AnyMessage> {
  return new Promise((resolve) => {
    wire.reverse.set(command, (request) => {
      resolve(request["arguments"]);
      return {};
    });
  });
}

/** Returns the arguments for setting breakpoints on marked lines of the program. */
export function breakpointsOf(s: CaseSession, breakpoints: readonly CaseBreakpoint[]) {
  const { source } = s.program;
  const list = breakpoints.map((breakpoint) => {
    const { mark, ...rest } = typeof breakpoint === "string" ? { mark: breakpoint } : breakpoint;
    return { line: s.line(mark), ...rest };
  });
  return {
    source: { name: source.replace(/^.*\//, ""), path: source },
    breakpoints: list,
    lines: list.map(({ line }) => line),
  };
}

/** Removes the program's breakpoints. Resolves to the response's body. */
export const clearBreakpoints = (s: CaseSession): Promise<AnyMessage> =>
  s.ask("setBreakpoints", breakpointsOf(s, []));

/** Sets breakpoints in a running program, and waits for up to a second until they are verified. */
export async function setBreakpoints(
  s: CaseSession,
  breakpoints: readonly CaseBreakpoint[],
): Promise<readonly AnyMessage[]> {
  const since = s.position;
  const { breakpoints: set = [] } = await s.ask("setBreakpoints", breakpointsOf(s, breakpoints));
  return Promise.all(
    (set as AnyMessage[]).map(async (first) => {
      if (first["verified"] === true || first["id"] === undefined) return first;
      const isVerified = ({ breakpoint }: AnyMessage): boolean =>
        breakpoint?.id === first["id"] && breakpoint.verified === true;
      const later = await s
        .event("breakpoint", { since, where: isVerified, timeoutMs: 1_000 })
        .catch(() => undefined);
      return later?.body["breakpoint"] ?? first;
    }),
  );
}

/** Starts the program with breakpoints, the way clients do. Resolves once `launch` is answered. */
export async function start(s: CaseSession, options: StartOptions = {}): Promise<Started> {
  if (!s.settings.isInChild) return startOne(s, options, s.settings.launch);
  const childRequest = receiveRequest(s.wires[0] ?? (await s.connect()), "startDebugging");
  const launched = await startOne(
    s,
    { initialize: options.initialize, launch: options.launch },
    s.settings.launch,
  );
  if (!launched.launched.success) return launched;
  const timer = s.event("never", { timeoutMs: s.deadlineMs }).catch(() => undefined);
  const child = await Promise.race([childRequest, timer]);
  if (child === undefined) throw new StepError("no startDebugging request");
  return startChild(s, options, child);
}

/** Starts the child session described by a `startDebugging` request, on a separate connection. */
export async function startChild(
  s: CaseSession,
  options: StartOptions,
  childRequest: AnyMessage,
): Promise<Started> {
  const { configuration, request } = childRequest as {
    configuration: Record<string, unknown>;
    request: "launch" | "attach";
  };
  await s.connect(configuration["connect"] as { host: string; port: number } | undefined);
  return startOne(s, { ...options, launch: {}, request }, configuration);
}

/**
 * Starts a session on the current connection, using `launch`, `attach` or the request named in the
 * options.
 */
export async function startOne(
  s: CaseSession,
  options: StartOptions,
  launch: object,
): Promise<Started> {
  if (s.wires.length === 0) await s.connect();
  const since = s.position;
  const { breakpoints = [], functions, filters = [], configure } = options;
  await initialize(s, options.initialize);
  const { request = s.settings.request } = options;
  if (options.waits === true) await s.event("initialized", { since });
  const seq = s.wire.send(request, { ...launch, ...options.launch });
  await s.wire.until(
    ({ from, message }) =>
      from === "adapter" &&
      (message["event"] === "initialized" ||
        message["event"] === "terminated" ||
        (message["type"] === "response" &&
          message["request_seq"] === seq &&
          message["success"] === false)),
    { since, what: "initialized event", follows: "launch-01" },
  );
  if (s.events("initialized", since).length === 0)
    return { breakpoints: [], launched: await s.reply(seq, request) };
  let set: readonly AnyMessage[] = [];
  try {
    if (breakpoints.length > 0)
      ({ breakpoints: set = [] } = await s.ask("setBreakpoints", breakpointsOf(s, breakpoints)));
    if (functions !== undefined)
      await s.request("setFunctionBreakpoints", { breakpoints: functions });
    await configure?.();
    await endConfiguration(s, filters);
  } catch (error) {
    // If the program cannot be started, its configuration may fail first.
    const launched = await s.reply(seq, request).catch(() => undefined);
    if (launched?.success === false) return { breakpoints: set, launched };
    throw error;
  }
  return { breakpoints: set, launched: await s.reply(seq, request, { follows: "launch-02" }) };
}

/** Returns the ids of the exception filters that the adapter announces. */
export function filtersOf({ capabilities }: CaseSession): readonly string[] {
  return (capabilities.exceptionBreakpointFilters ?? []).map(({ filter }) => filter);
}

/** Sends the requests that end the configuration, as far as the adapter announces them. */
export async function endConfiguration(
  s: CaseSession,
  filters: readonly string[] = [],
): Promise<void> {
  const hasDone = s.capabilities.supportsConfigurationDoneRequest === true;
  if (filtersOf(s).length > 0 || !hasDone) await s.request("setExceptionBreakpoints", { filters });
  if (hasDone) await s.ask("configurationDone", {});
}

/** A program stop, along with its stack frames. */
export interface Stop {
  readonly entry: TraceEntry;
  readonly reason: string;
  readonly threadId: number;
  readonly body: AnyMessage;
}

/**
 * Waits for the next stop after the given position in the trace.
 *
 * @throws StepError if there is none, or if the program ends first.
 */
export async function stop(s: CaseSession, since = 0): Promise<Stop> {
  const entry = await s.wire.until(
    ({ from, message }) =>
      from === "adapter" &&
      ["stopped", "terminated", "exited"].includes(message["event"] as string),
    { since, what: "stopped event", follows: "bp-06" },
  );
  const { message } = entry;
  if (message["event"] !== "stopped") {
    const printed = s.events("output").filter(({ body }) => body["category"] === "stderr");
    const last = String(printed.at(-1)?.body["output"] ?? "").trim();
    throw new StepError(
      `no stopped event: the program has ended${last === "" ? "" : `, after ${JSON.stringify(last.slice(-200))}`}`,
      // A program that runs before it is configured misses its breakpoints.
      { messageNumber: entry.index + 1, follows: "launch-03" },
    );
  }
  const body = message["body"] ?? {};
  const threadId = body.threadId ?? (await firstThread(s));
  return { entry, reason: String(body.reason), threadId, body };
}

async function firstThread(s: CaseSession): Promise<number> {
  const { threads = [] } = await s.ask("threads");
  return threads[0]?.id ?? 1;
}

/** Starts the program and waits for its first stop. */
export async function startToStop(s: CaseSession, options: StartOptions): Promise<Stop & Started> {
  const started = await start(s, options);
  if (!started.launched.success) throw failure(s.settings.request, started.launched);
  const first = await stop(s);
  const isEntry =
    s.settings.stopsFirst ||
    first.reason === "entry" ||
    (s.settings.request === "attach" && first.reason === "pause");
  if (!isEntry) return { ...started, ...first };
  return { ...started, ...(await resume(s, "continue", first.threadId)) };
}

/** A stop, along with the top frame of its thread. */
export type StopAtFrame = Stop & { readonly frame: AnyMessage };

/** Starts the program, and reads the top frame at its first stop. */
export async function startToFrame(
  s: CaseSession,
  options: StartOptions,
): Promise<StopAtFrame & Started> {
  const first = await startToStop(s, options);
  return { ...first, frame: await topFrame(s, first.threadId) };
}

/** Resumes the program with a request, and reads the top frame at the next stop. */
export async function resumeToFrame(
  s: CaseSession,
  command: string,
  threadId: number,
  more: object = {},
): Promise<StopAtFrame> {
  const next = await resume(s, command, threadId, more);
  return { ...next, frame: await topFrame(s, next.threadId) };
}

/** Verifies the reason for a stop. */
export function verifyReason(
  s: CaseSession,
  check: string,
  { reason, body, entry }: Stop,
  expected: string,
): void {
  s.verify(check, reason === expected, {
    expected: `reason ${expected}`,
    actual: body,
    messageNumber: entry.index + 1,
  });
}

/** Verifies that a frame is at a marked line. `why` continues the expectation. */
export function verifyLine(
  s: CaseSession,
  check: string,
  frame: AnyMessage,
  mark: Mark,
  why = "",
): boolean {
  return s.verify(check, frame["line"] === s.line(mark), {
    expected: `line ${s.line(mark)}${why}`,
    actual: `line ${frame["line"]} of ${frame["name"]}`,
  });
}

/**
 * Starts the program, stops at a marked line, and then lets the program continue without breakpoints.
 * Resolves to the thread id.
 */
export async function startToRun(s: CaseSession, mark: Mark): Promise<number> {
  const { threadId } = await startToStop(s, { breakpoints: [mark] });
  await clearBreakpoints(s);
  await s.ask("continue", { threadId });
  await s.runs();
  return threadId;
}

/**
 * Verifies the value of an expression evaluated in a context whose support is announced by a
 * capability.
 */
export async function verifyEvaluation(
  s: CaseSession,
  check: string,
  flag: Parameters<CaseSession["announced"]>[0],
  evaluation: { readonly expression: string; readonly frameId: number; readonly context: string },
  value: number,
): Promise<void> {
  const body = await s.announced(flag, "evaluate", evaluation);
  s.verify(check, new RegExp(`\\b${value}\\b`).test(String(body["result"])), {
    expected: `${evaluation.expression} is ${value} in the ${evaluation.context} context`,
    actual: body,
  });
}

/** Resumes the program with a request, and waits for the next stop. */
export async function resume(
  s: CaseSession,
  command: string,
  threadId: number,
  more: object = {},
): Promise<Stop & { readonly reply: Reply }> {
  const since = s.position;
  const seq = s.wire.send(command, { threadId, ...more });
  const reply = await s.reply(seq, command);
  if (!reply.success) throw failure(command, reply);
  return { reply, ...(await stop(s, since)) };
}

export async function framesOf(
  s: CaseSession,
  threadId: number,
  more: object = {},
): Promise<readonly AnyMessage[]> {
  const { stackFrames = [] } = await s.ask("stackTrace", { threadId, ...more });
  return stackFrames;
}

/** @throws StepError if the thread has no frames. */
export async function topFrame(s: CaseSession, threadId: number): Promise<AnyMessage> {
  const [frame] = await framesOf(s, threadId);
  if (frame === undefined) throw new StepError("the stack of the stopped thread has no frames");
  return frame;
}

/**
 * Returns the variable of a frame that the language gives a purpose, such as `total`. Reads no
 * more scopes than necessary, because some are large.
 */
export async function localOf(
  s: CaseSession,
  frame: AnyMessage,
  purpose: keyof Language["text"],
): Promise<AnyMessage | undefined> {
  const name = s.language.text[purpose];
  for await (const variables of localsByScope(s, frame["id"])) {
    const local = variables.find((each) => each["name"] === name);
    if (local !== undefined) return local;
  }
  return undefined;
}

/** Returns the value of `i` in the program `loop`. */
export const valueOfI = async (s: CaseSession, frame: AnyMessage): Promise<number> =>
  Number((await localOf(s, frame, "i"))?.["value"]);

/** Returns the value of `i`, or undefined if the frame is not at the line `loop`. */
export const iAtLoop = async (s: CaseSession, frame: AnyMessage): Promise<number | undefined> =>
  frame["line"] === s.line("loop") ? valueOfI(s, frame) : undefined;

/** Returns up to about 5,000 variables, from the scopes that are not marked as expensive. */
export async function localsOf(s: CaseSession, frameId: number): Promise<readonly AnyMessage[]> {
  const locals: AnyMessage[] = [];
  for await (const variables of localsByScope(s, frameId)) {
    locals.push(...variables);
    if (locals.length > 5_000) break;
  }
  return locals;
}

async function* localsByScope(
  s: CaseSession,
  frameId: number,
): AsyncGenerator<readonly AnyMessage[]> {
  const { scopes = [] } = await s.ask("scopes", { frameId });
  for (const { expensive, variablesReference } of scopes as AnyMessage[]) {
    if (expensive === true || !(variablesReference > 0)) continue;
    const { variables = [] } = await s.ask("variables", { variablesReference });
    yield (variables as AnyMessage[]).map((each) => ({ ...each, within: variablesReference }));
  }
}

/**
 * Continues until the program ends. Resolves to the `terminated` event, or to the last message if
 * programs in the language do not end.
 */
export async function finish(s: CaseSession, threadId: number): Promise<TraceEntry> {
  const since = s.position;
  s.wire.send("continue", { threadId });
  if (s.language.isEndless !== true) return runToEnd(s.wire, since);
  await s.runs();
  return s.trace.at(-1)!;
}

/** Continues the program whenever it stops. Resolves to the `terminated` event. */
export async function runToEnd(wire: Wire, from = 0): Promise<TraceEntry> {
  for (let [since, stops] = [from, 0]; stops < 100; stops++) {
    const entry = await wire.until(
      ({ from, message }) =>
        from === "adapter" && ["stopped", "terminated"].includes(message["event"] as string),
      { since, what: "terminated event", follows: "end-01" },
    );
    if (entry.message["event"] === "terminated") return entry;
    since = wire.trace.length;
    wire.send("continue", { threadId: entry.message["body"]?.threadId ?? 1 });
  }
  throw new StepError("no terminated event: the program keeps stopping");
}

/**
 * Returns the last part of a path. Complete paths cannot be compared, because adapters may resolve
 * links and change case.
 */
export function nameOfSource(frame: AnyMessage | undefined): string {
  const path = String(frame?.["source"]?.path ?? frame?.["source"]?.name ?? "");
  return decodeURIComponent(path.replace(/^.*[\\/]/, ""));
}
