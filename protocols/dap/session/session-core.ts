import {
  functionBreakpoint,
  keyOf,
  sourceBreakpoint,
  type BreakpointPlan,
  KeptBreakpoints,
} from "./kept-breakpoints.js";
import { inBackground, whenClosed } from "./connection-events.js";
import type { Connection, RequestParameters } from "../../../generated/dap/connection.js";
import type { DebugSession, ProgramEnd, ProgramStop, SessionMembers } from "./debug-session.js";
import { KeptOutput } from "./kept-output.js";
import type { ResultOf, RequestNameFrom } from "../../../generated/dap/maps.js";
import { ProgramState } from "./program-state.js";
import { endedError, ProgramSteps, threadOf } from "./program-steps.js";
import { protocol } from "../../../generated/dap/protocol.js";
import { option, setAsyncDispose, type HostAsyncDisposable } from "@wirewright/runtime";
import { SessionError } from "./session-error.js";
import { readSnapshot } from "./snapshot-reader.js";
import { snapshotChecks, type SnapshotOptions, type StopSnapshot } from "./stop-snapshot.js";
import type {
  Breakpoint,
  Capabilities,
  FunctionBreakpoint,
  Source,
  SourceBreakpoint,
} from "../../../generated/dap/types.js";
import {
  endChecks,
  endWithin,
  outputChecks,
  requestOptions,
  restartChecks,
  sharedLimits,
  waitChecks,
  type DisconnectOptions,
  type EndOptions,
  type OutputOptions,
  type RestartOptions,
  type StepInOptions,
  type StepOptions,
  type WaitOptions,
  defaultEndMs,
} from "./wait-options.js";

/** Data from the earlier session that is included in the request for a new one. */
export type RestartData = { readonly __restart?: unknown };

/** How a session was started. */
interface SessionStart {
  readonly connection: Connection<"client">;
  readonly plan: BreakpointPlan;
  readonly request: "launch" | "attach";
  readonly parameters: object;
  readonly parent: SessionCore | undefined;
  /** Restarts the session over a new connection. */
  readonly startAgain:
    ((parameters: object, data: RestartData) => Promise<DebugSession>) | undefined;
}

/** Implements a session. Programs only get to see its `session` property. */
export class SessionCore implements SessionMembers {
  readonly session: DebugSession;
  readonly connection: Connection<"client">;
  readonly breakpoints: KeptBreakpoints;
  readonly output: KeptOutput;
  readonly state: ProgramState;
  readonly #start: SessionStart;
  readonly #steps: ProgramSteps;
  readonly #children = new Set<SessionCore>();
  #ending: Promise<ProgramEnd> | undefined;
  #restarting: Promise<DebugSession> | undefined;

  constructor(start: SessionStart) {
    const { connection, parent, plan } = start;
    this.#start = start;
    this.connection = connection;
    setAsyncDispose(this, () => this.disconnect());
    this.session = this as this & HostAsyncDisposable;
    this.state = new ProgramState(connection, this.session, parent?.state);
    this.#steps = new ProgramSteps(connection, this.state);
    this.breakpoints = new KeptBreakpoints(connection, plan);
    this.output = new KeptOutput(connection, this.state, parent?.output);
    if (parent !== undefined) parent.#children.add(this);
    whenClosed(connection, () => inBackground(this.#end({})));
  }

  get parent(): DebugSession | undefined {
    return this.#start.parent?.session;
  }

  get capabilities(): Capabilities {
    return this.connection.capabilities ?? {};
  }

  get children(): readonly DebugSession[] {
    return [...this.#children].map(({ session }) => session);
  }

  get stop(): ProgramStop | undefined {
    return this.state.stop;
  }

  get exitCode(): number | undefined {
    return this.state.exitCode;
  }

  async request<Name extends RequestNameFrom<"client">>(
    name: Name,
    ...parameters: RequestParameters<Name>
  ): Promise<ResultOf<Name>> {
    const { resumes } = protocol.conversation;
    const undo = resumes?.includes(name) === true ? this.state.resume() : undefined;
    try {
      return await this.connection.request(name, ...parameters);
    } catch (error) {
      undo?.();
      throw error;
    }
  }

  async waitForStop(options?: WaitOptions): Promise<ProgramStop | ProgramEnd> {
    option.checkOptions("waitForStop", options, waitChecks());
    const { state } = this;
    return state.wait("the program to stop", () => state.stop ?? state.end, options);
  }

  async waitForEnd(options?: WaitOptions): Promise<ProgramEnd> {
    option.checkOptions("waitForEnd", options, waitChecks());
    return this.state.wait("the program to end", () => this.state.end, options);
  }

  async waitForOutput(pattern: string | RegExp, options?: OutputOptions): Promise<RegExpExecArray> {
    option.checkOptions("waitForOutput", options, outputChecks());
    return this.output.wait(pattern, options);
  }

  continue(options?: StepOptions): Promise<ProgramStop | ProgramEnd> {
    return this.#steps.resume("continue", options);
  }

  next(options?: StepOptions): Promise<ProgramStop | ProgramEnd> {
    return this.#steps.resume("next", options);
  }

  stepIn(options?: StepInOptions): Promise<ProgramStop | ProgramEnd> {
    return this.#steps.resume("stepIn", options);
  }

  stepOut(options?: StepOptions): Promise<ProgramStop | ProgramEnd> {
    return this.#steps.resume("stepOut", options);
  }

  stepBack(options?: StepOptions): Promise<ProgramStop | ProgramEnd> {
    return this.#steps.resume("stepBack", options);
  }

  reverseContinue(options?: StepOptions): Promise<ProgramStop | ProgramEnd> {
    return this.#steps.resume("reverseContinue", options);
  }

  goto(targetId: number, options?: StepOptions): Promise<ProgramStop | ProgramEnd> {
    return this.#steps.resume("goto", options, { targetId });
  }

  pause(options?: StepOptions): Promise<ProgramStop | ProgramEnd> {
    return this.#steps.pause(options);
  }

  async snapshot(options: SnapshotOptions = {}): Promise<StopSnapshot> {
    option.checkOptions("snapshot", options, snapshotChecks());
    this.#steps.checkOpen("read a snapshot");
    const { stop } = this.state;
    const connection = stop?.session.connection ?? this.connection;
    const limits = sharedLimits(options, connection.timeoutMs);
    const threadId = options.threadId ?? (await threadOf(connection, stop, limits));
    return readSnapshot(connection, threadId, options, limits);
  }

  async setBreakpoints(
    source: string | Source,
    breakpoints: readonly (number | SourceBreakpoint)[],
    options?: WaitOptions,
  ): Promise<readonly Breakpoint[]> {
    this.#checkOpen();
    const key = keyOf(source);
    this.#start.plan.sources.set(key, {
      source: typeof source === "string" ? { path: source } : source,
      breakpoints: breakpoints.map(sourceBreakpoint),
    });
    const [set] = await this.#inTree(({ breakpoints }) => breakpoints.sendSource(key, options));
    return set!;
  }

  async setFunctionBreakpoints(
    breakpoints: readonly (string | FunctionBreakpoint)[],
    options?: WaitOptions,
  ): Promise<readonly Breakpoint[]> {
    this.#checkOpen();
    this.#start.plan.functions = breakpoints.map(functionBreakpoint);
    const [set] = await this.#inTree(({ breakpoints }) => breakpoints.sendFunctions(options));
    return set!;
  }

  async setExceptionFilters(filters: readonly string[], options?: WaitOptions): Promise<void> {
    this.#checkOpen();
    this.#start.plan.filters = filters;
    await this.#inTree(({ breakpoints }) => breakpoints.sendFilters(options));
  }

  async restart(options: RestartOptions = {}): Promise<DebugSession> {
    option.checkOptions("restart", options, restartChecks());
    if (this.#restarting !== undefined)
      throw new SessionError("ERR_SESSION_RESTART", "Cannot restart: the session is restarting");
    this.#restarting = this.#restartNow(options);
    try {
      return await this.#restarting;
    } finally {
      this.#restarting = undefined;
    }
  }

  async #restartNow(options: RestartOptions): Promise<DebugSession> {
    const { startAgain } = this.#start;
    const { arguments: parameters = this.#start.parameters } = options;
    const hasEnded = this.state.end !== undefined || this.connection.isClosed;
    const ending = endWithin(options, this.connection.timeoutMs);
    if (!hasEnded && capabilitiesOf(this.connection)["supportsRestartRequest"] === true) {
      await Promise.all(this.children.map((child) => child.disconnect(ending)));
      const undo = this.state.restart();
      try {
        const limits = requestOptions(options);
        await this.connection.requestCustom("restart", { arguments: parameters }, limits);
      } catch (error) {
        undo();
        throw error;
      }
      return this.session;
    }
    if (startAgain === undefined) {
      const why = hasEnded ? "the session has ended" : "the adapter does not support it";
      const text = `Cannot restart: ${why}. Pass launch a function that opens the adapter`;
      throw new SessionError("ERR_SESSION_RESTART", text);
    }
    const { restart } = await this.disconnect(ending);
    return startAgain(parameters, restart === undefined ? {} : { __restart: restart });
  }

  async terminate(options: EndOptions = {}): Promise<ProgramEnd> {
    const { terminateDebuggee: _, suspendDebuggee: __, ...checks } = endChecks();
    option.checkOptions("terminate", options, checks);
    if (this.state.end === undefined) await terminate(this.connection, this.state, options);
    return this.disconnect({ ...options, terminateDebuggee: true });
  }

  async disconnect(options: DisconnectOptions = {}): Promise<ProgramEnd> {
    option.checkOptions("disconnect", options, endChecks());
    this.state.isEnding = true;
    return this.#end(options);
  }

  #end(options: DisconnectOptions): Promise<ProgramEnd> {
    return (this.#ending ??= this.#endNow(options));
  }

  async #endNow(options: DisconnectOptions): Promise<ProgramEnd> {
    const { connection, parent, request } = this.#start;
    await Promise.all([...this.#children].map((child) => child.disconnect(options)));
    await disconnect(connection, request, options);
    if (parent !== undefined) parent.#children.delete(this);
    return this.waitForEnd({ timeoutMs: 0 });
  }

  /** @throws SessionError if the connection has been closed. */
  #checkOpen(): void {
    if (this.connection.isClosed) throw endedError("set breakpoints", this.state.end);
  }

  /**
   * Calls a function for this session and its descendants. Ignores failures of children that end in
   * the meantime.
   */
  #inTree<Result>(
    run: (session: SessionCore) => Promise<Result>,
  ): Promise<readonly (Result | undefined)[]> {
    const tree: SessionCore[] = [this];
    for (const session of tree) tree.push(...session.#children);
    return Promise.all(
      tree.map(async (session) => {
        try {
          return await run(session);
        } catch (error) {
          if (session === this || !session.connection.isClosed) throw error;
          return undefined;
        }
      }),
    );
  }
}

/**
 * Asks a program to end, if the adapter supports that, and waits until the program has ended. Never
 * rejects.
 */
async function terminate(
  connection: Connection<"client">,
  state: ProgramState,
  { terminateMs = defaultEndMs.terminate }: EndOptions,
): Promise<void> {
  if (capabilitiesOf(connection)["supportsTerminateRequest"] !== true) return;
  const limits = { timeoutMs: terminateMs };
  const response = connection.requestCustom("terminate", {}, limits);
  const ended = state.wait("the program to end", () => state.end, limits);
  await Promise.all([response, ended]).catch(() => undefined);
}

/** Disconnects and closes the connection. Never rejects. */
async function disconnect(
  connection: Connection<"client">,
  request: "launch" | "attach",
  options: DisconnectOptions,
): Promise<void> {
  const { disconnectMs = defaultEndMs.disconnect, closeMs = defaultEndMs.close } = options;
  const { suspendDebuggee } = options;
  const { terminateDebuggee = request === "launch" } = options;
  const flags = capabilitiesOf(connection);
  const parameters = {
    ...(flags["supportTerminateDebuggee"] === true ? { terminateDebuggee } : {}),
    ...(suspendDebuggee !== undefined && flags["supportSuspendDebuggee"] === true
      ? { suspendDebuggee }
      : {}),
  };
  if (!connection.isClosed)
    // Ignore failures: some adapters close without responding, and some never respond.
    await connection
      .requestCustom("disconnect", parameters, { timeoutMs: disconnectMs })
      .catch(() => undefined);
  await connection.close({ graceMs: closeMs });
}

/**
 * Returns an adapter's capabilities, including any that this version of the protocol does not
 * define.
 */
function capabilitiesOf({ capabilities = {} }: Connection<"client">): {
  readonly [name: string]: unknown;
} {
  return capabilities as { readonly [name: string]: unknown };
}
