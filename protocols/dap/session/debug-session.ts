import {
  functionBreakpoint,
  keyOf,
  sourceBreakpoint,
  type BreakpointPlan,
} from "./breakpoint-plan.js";
import type { Connection, RequestParameters } from "../../../generated/dap/connection.js";
import type { KeptBreakpoints } from "./kept-breakpoints.js";
import type { BodyOf, RequestNameFrom } from "../../../generated/dap/maps.js";
import { ProgramOutput, type OutputOptions } from "./program-output.js";
import {
  endedError,
  keepState,
  ProgramState,
  type ProgramEnd,
  type ProgramStop,
} from "./program-state.js";
import { disconnect, terminate } from "./program-ending.js";
import { ProgramSteps } from "./program-steps.js";
import { protocol } from "../../../generated/dap/protocol.js";
import type { HostAsyncDisposable } from "../../../generated/dap/runtime/index.js";
import { SessionError } from "./session-error.js";
import type { DisconnectOptions, EndOptions, StepOptions, WaitOptions } from "./session-options.js";
import { readSnapshot, type SnapshotBudget, type StopSnapshot } from "./stop-snapshot.js";
import { waitOptions } from "./wait-options.js";
import type {
  Breakpoint,
  Capabilities,
  FunctionBreakpoint,
  Source,
  SourceBreakpoint,
} from "../../../generated/dap/types.js";

/** What a session needs of the one who starts it. */
export interface SessionParts {
  readonly connection: Connection<"client">;
  readonly plan: BreakpointPlan;
  readonly breakpoints: KeptBreakpoints;
  readonly request: "launch" | "attach";
  readonly parent: SessionMembers | undefined;
  /** Starts the session anew over a new connection. */
  readonly startAgain: (() => Promise<DebugSession>) | undefined;
}

const resumes: ReadonlySet<string> = new Set(protocol.conversation.resumes);

/** A program that is being debugged. `launch` and `attach` start it. */
export class SessionMembers {
  readonly connection: Connection<"client">;
  /** The session that this one is a child of. */
  readonly parent: DebugSession | undefined;
  /** Breakpoints as the adapter has set them. */
  readonly breakpoints: Pick<KeptBreakpoints, "all" | "of" | "functions" | "filters" | "toJSON">;
  /** What the program and the adapter print. */
  readonly output: ProgramOutput;
  readonly #parts: SessionParts;
  readonly #state: ProgramState;
  readonly #steps: ProgramSteps;
  readonly #children = new Set<DebugSession>();
  #ending: Promise<ProgramEnd> | undefined;

  constructor(parts: SessionParts) {
    const { connection, parent, breakpoints } = parts;
    this.#parts = parts;
    this.connection = connection;
    this.parent = parent as DebugSession | undefined;
    this.#state = new ProgramState(
      connection,
      this as never,
      parent === undefined ? undefined : parent.#state,
    );
    keepState(this, this.#state);
    this.#steps = new ProgramSteps(connection, this.#state);
    this.breakpoints = breakpoints;
    this.output = new ProgramOutput(connection, this.#state);
    if (parent !== undefined) parent.#children.add(this as never);
    void connection.closed.then(() => this.#end({}));
  }

  /** What the adapter can do. */
  get capabilities(): Capabilities {
    return this.connection.capabilities ?? {};
  }

  /** The sessions that the adapter has asked for and that have not ended. */
  get children(): readonly DebugSession[] {
    return [...this.#children];
  }

  /** The present stop, undefined while the program runs. */
  get stop(): ProgramStop | undefined {
    return this.#state.stop;
  }

  /** Undefined until the program has ended and the adapter has said its exit code. */
  get exitCode(): number | undefined {
    return this.#state.exitCode;
  }

  /**
   * Sends a request; resolves to its result. A request that resumes the program ends the present
   * stop.
   *
   * @throws RequestError or EncodeError, as a rejection.
   */
  async request<Name extends RequestNameFrom<"client">>(
    name: Name,
    ...parameters: RequestParameters<Name>
  ): Promise<BodyOf<Name>> {
    const undo = resumes.has(name) ? this.#state.resume() : undefined;
    try {
      return await this.connection.request(name, ...parameters);
    } catch (error) {
      undo?.();
      throw error;
    }
  }

  /**
   * Resolves to the present stop, to the next one if the program runs, or to its end. Stops of child
   * sessions count.
   *
   * @throws RequestError, as a rejection, after the timeout.
   */
  waitForStop(options?: WaitOptions): Promise<ProgramStop | ProgramEnd> {
    const state = this.#state;
    return state.wait("the program to stop", () => state.stop ?? state.end, options);
  }

  /** Resolves when the program has ended or can no longer be debugged. */
  waitForEnd(options?: WaitOptions): Promise<ProgramEnd> {
    return this.#state.wait("the program to end", () => this.#state.end, options);
  }

  /**
   * Resolves when a text has been printed since the last call, which may be spread over events.
   *
   * @throws RequestError, as a rejection, after the timeout. SessionError, if the session ends
   *   before.
   */
  waitForOutput(pattern: string | RegExp, options?: OutputOptions): Promise<RegExpExecArray> {
    return this.output.wait(pattern, options);
  }

  /**
   * Resumes the program; resolves to its next stop or its end. So do the following methods.
   *
   * @throws RequestError, as a rejection, if the adapter refuses. SessionError, if the session has
   *   ended.
   */
  continue(options?: StepOptions): Promise<ProgramStop | ProgramEnd> {
    return this.#steps.resume("continue", {}, options);
  }

  next(options?: StepOptions): Promise<ProgramStop | ProgramEnd> {
    return this.#steps.resume("next", {}, options);
  }

  stepIn(
    options?: StepOptions & { readonly targetId?: number },
  ): Promise<ProgramStop | ProgramEnd> {
    const { targetId } = options ?? {};
    return this.#steps.resume("stepIn", { targetId }, options);
  }

  stepOut(options?: StepOptions): Promise<ProgramStop | ProgramEnd> {
    return this.#steps.resume("stepOut", {}, options);
  }

  stepBack(options?: StepOptions): Promise<ProgramStop | ProgramEnd> {
    return this.#steps.resume("stepBack", {}, options);
  }

  reverseContinue(options?: StepOptions): Promise<ProgramStop | ProgramEnd> {
    return this.#steps.resume("reverseContinue", {}, options);
  }

  /** Goes to a target that `gotoTargets` has given. */
  goto(targetId: number, options?: StepOptions): Promise<ProgramStop | ProgramEnd> {
    return this.#steps.resume("goto", { targetId }, options);
  }

  /** Stops the program; resolves at once if it has stopped. */
  pause(options?: StepOptions): Promise<ProgramStop | ProgramEnd> {
    return this.#steps.pause(options);
  }

  /**
   * The frames, scopes and variables of a stop, within a budget.
   *
   * @throws RequestError, as a rejection, if the adapter does not give the frames. SessionError, if
   *   the session has ended.
   */
  async snapshot(
    budget: SnapshotBudget & { readonly threadId?: number } = {},
  ): Promise<StopSnapshot> {
    this.#steps.check("read a snapshot");
    const session = this.#state.stop?.session ?? this;
    const threadId = budget.threadId ?? (await session.#steps.threadId(budget));
    return readSnapshot(session.connection, threadId, budget);
  }

  /**
   * Sets the breakpoints of a source, in place of those that it had, in this session and its
   * children.
   *
   * @throws SessionError, as a rejection, if the session has ended.
   */
  async setBreakpoints(
    source: string | Source,
    breakpoints: readonly (number | SourceBreakpoint)[],
    options?: WaitOptions,
  ): Promise<readonly Breakpoint[]> {
    this.#checkOpen();
    const key = keyOf(source);
    this.#parts.plan.sources.set(key, {
      source: typeof source === "string" ? { path: source } : source,
      breakpoints: breakpoints.map(sourceBreakpoint),
    });
    const [own] = await this.#inTree((each) => each.#parts.breakpoints.sendSource(key, options));
    return own!;
  }

  async setFunctionBreakpoints(
    breakpoints: readonly (string | FunctionBreakpoint)[],
    options?: WaitOptions,
  ): Promise<readonly Breakpoint[]> {
    this.#checkOpen();
    this.#parts.plan.functions = breakpoints.map(functionBreakpoint);
    const [own] = await this.#inTree((each) => each.#parts.breakpoints.sendFunctions(options));
    return own!;
  }

  /** Sets the exceptions to stop at. */
  async setExceptionFilters(filters: readonly string[], options?: WaitOptions): Promise<void> {
    this.#checkOpen();
    this.#parts.plan.filters = filters;
    await this.#inTree((each) => each.#parts.breakpoints.sendFilters(options));
  }

  /**
   * Runs the program from its start. Resolves to the session to go on with: this one, or, where the
   * adapter cannot restart, a new one with the same breakpoints.
   *
   * @throws SessionError, as a rejection, if neither is possible.
   */
  async restart(parameters?: object, options?: WaitOptions): Promise<DebugSession> {
    const flags = this.capabilities as { readonly supportsRestartRequest?: boolean };
    if (flags.supportsRestartRequest === true && !this.connection.isClosed) {
      await Promise.all(this.children.map((each) => each.disconnect()));
      this.#state.restart();
      await this.connection.requestCustom("restart", parameters, waitOptions(options));
      return this as unknown as DebugSession;
    }
    const { startAgain } = this.#parts;
    if (startAgain === undefined)
      throw new SessionError(
        "ERR_SESSION_RESTART",
        "Cannot restart: the adapter does not support it. Give launch a function that opens the adapter",
      );
    await this.disconnect();
    return startAgain();
  }

  /**
   * Ends the program: asks it to end if the adapter supports that, and disconnects after a deadline.
   * Never rejects.
   */
  async terminate(options: EndOptions = {}): Promise<ProgramEnd> {
    if (this.#state.end === undefined) await terminate(this.connection, this.#state, options);
    return this.disconnect({ ...options, terminateDebuggee: true });
  }

  /**
   * Ends the session and those of its children: disconnects, and closes the connection, which ends
   * an adapter that was started for it. Never rejects, and may be called again.
   */
  disconnect(options: DisconnectOptions = {}): Promise<ProgramEnd> {
    this.#state.isEnding = true;
    return this.#end(options);
  }

  #end(options: DisconnectOptions): Promise<ProgramEnd> {
    return (this.#ending ??= this.#endNow(options));
  }

  async #endNow(options: DisconnectOptions): Promise<ProgramEnd> {
    const { connection, parent, request } = this.#parts;
    await Promise.all(this.children.map((each) => each.disconnect(options)));
    await disconnect(connection, request, options);
    if (parent !== undefined) parent.#children.delete(this as never);
    return this.waitForEnd({ timeoutMs: 0 });
  }

  /** @throws SessionError if nothing can be sent any more. */
  #checkOpen(): void {
    if (this.connection.isClosed) throw endedError("set breakpoints", this.#state.end);
  }

  #inTree<Result>(run: (session: SessionMembers) => Promise<Result>): Promise<Result[]> {
    const all: SessionMembers[] = [this];
    for (const each of all) all.push(...each.children);
    return Promise.all(all.map(run));
  }
}

/** A program that is being debugged. With `await using`, it is disconnected at the end of a block. */
export type DebugSession = SessionMembers & HostAsyncDisposable;
