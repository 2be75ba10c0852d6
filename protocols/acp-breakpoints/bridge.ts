import type {
  AgentBreakpoint,
  AgentFunctionBreakpoint,
  BreakpointState,
  SetBreakpointsParams,
  SetBreakpointsResult,
  SetExceptionBreakpointsParams,
  SetExceptionBreakpointsResult,
  SetFunctionBreakpointsParams,
  SetFunctionBreakpointsResult,
} from "../../generated/acp-breakpoints/types.js";
import {
  type BreakpointEvent,
  BridgeError,
  type BridgeOptions,
  type DebugSession,
  bridgeChecks,
  checkPath,
} from "./bridge-options.js";
import { option } from "@wirewright/runtime";
import {
  type Kept,
  sessionState,
  stateOf,
  setExceptionBreakpoints,
  setFunctionBreakpoints,
  setSourceBreakpoints,
} from "./session-breakpoints.js";

export { BridgeError } from "./bridge-options.js";
export type {
  AdapterBreakpoint,
  BreakpointEvent,
  BridgeOptions,
  DebugCapabilities,
  DebugSession,
} from "./bridge-options.js";

/**
 * Keeps an agent's breakpoints, and sets them in all debug sessions.
 *
 * The bridge assigns ids, which stay the same for as long as a breakpoint exists. If a session does
 * not support a breakpoint's condition or log message, the bridge does not set the breakpoint in
 * that session, and reports why. A log point without its message, for example, would stop the
 * program.
 */
export class BreakpointBridge {
  readonly #options: BridgeOptions;
  readonly #files = new Map<string, Kept<AgentBreakpoint>[]>();
  #functions: Kept<AgentFunctionBreakpoint>[] = [];
  #exceptions: SetExceptionBreakpointsParams | undefined;
  readonly #sessions = new Set<DebugSession>();
  /**
   * The pending requests for each session. Requests are sent one after another, so that the last
   * one takes effect.
   */
  readonly #queues = new Map<DebugSession, Promise<unknown>>();
  #lastId = 0;

  constructor(options: BridgeOptions) {
    option.checkOptions("bridgeBreakpoints", options, bridgeChecks());
    this.#options = options;
  }

  /**
   * Sets the agent's breakpoints in a file. Resolves to their states.
   *
   * @throws Rejects with BridgeError if the bridge refuses the request.
   */
  async setBreakpoints({
    source,
    breakpoints,
  }: SetBreakpointsParams): Promise<SetBreakpointsResult> {
    const { path } = source;
    checkPath(path, this.#options);
    for (const { line, column = 1 } of breakpoints)
      if (!isPosition(line) || !isPosition(column))
        throw new BridgeError(-32602, `Lines and columns start at 1, received ${line}:${column}`);
    const before = this.#files.get(path) ?? [];
    const kept = this.#keep(
      before,
      breakpoints,
      (a, b) => a.line === b.line && a.column === b.column,
    );
    this.#files.set(path, kept);
    await Promise.all([...this.#sessions].map((session) => this.#sendFile(session, path)));
    if (kept.length === 0 && this.#files.get(path) === kept) this.#files.delete(path);
    return { breakpoints: kept.map((breakpoint) => this.#recordState(breakpoint)) };
  }

  /**
   * Sets the agent's function breakpoints. Resolves to their states.
   *
   * @throws Rejects with BridgeError if the bridge refuses the request.
   */
  async setFunctionBreakpoints({
    breakpoints,
  }: SetFunctionBreakpointsParams): Promise<SetFunctionBreakpointsResult> {
    if (this.#options.functionBreakpoints === false)
      throw new BridgeError(-32601, "Function breakpoints are not supported");
    const kept = this.#keep(this.#functions, breakpoints, (a, b) => a.name === b.name);
    this.#functions = kept;
    await Promise.all([...this.#sessions].map((session) => this.#sendFunctions(session)));
    return { breakpoints: kept.map((breakpoint) => this.#recordState(breakpoint)) };
  }

  /**
   * Sets the agent's exception breakpoints.
   *
   * @throws Rejects with BridgeError if the bridge refuses the request.
   */
  async setExceptionBreakpoints(
    params: SetExceptionBreakpointsParams,
  ): Promise<SetExceptionBreakpointsResult> {
    const { exceptionFilters } = this.#options;
    if (exceptionFilters === undefined)
      throw new BridgeError(-32601, "Exception breakpoints are not supported");
    const offered = new Map(exceptionFilters.map((offer) => [offer.filter, offer]));
    const choices = params.filterOptions ?? [];
    for (const id of [...params.filters, ...choices.map(({ filterId }) => filterId)])
      if (!offered.has(id)) throw new BridgeError(-32602, `Unknown exception filter "${id}"`);
    for (const { filterId, condition } of choices) {
      const takes = offered.get(filterId)!.supportsCondition === true;
      const able = [...this.#sessions].every(
        ({ capabilities }) => capabilities.supportsExceptionFilterOptions === true,
      );
      if (condition !== undefined && !(takes && able))
        throw new BridgeError(
          -32602,
          `The exception filter "${filterId}" does not support conditions`,
        );
    }
    const before = this.#exceptions;
    this.#exceptions = params;
    const refusals = await Promise.all(
      [...this.#sessions].map((session) => this.#sendExceptions(session)),
    );
    const [refusal] = refusals;
    if (refusal === undefined || refusals.includes(undefined)) return {};
    if (this.#exceptions === params) this.#exceptions = before;
    throw new BridgeError(-32000, refusal);
  }

  /**
   * Sets all breakpoints in a session that is ready for them (after `initialized`), and reports the
   * results to the agent.
   */
  async attach(session: DebugSession): Promise<void> {
    this.#sessions.add(session);
    await Promise.all([
      ...[...this.#files.keys()].map((path) => this.#sendFile(session, path)),
      ...(this.#functions.length === 0 ? [] : [this.#sendFunctions(session)]),
      ...(this.#exceptions === undefined ? [] : [this.#sendExceptions(session)]),
    ]);
    this.#sendChanges();
  }

  /** Removes a session that has ended. */
  detach(session: DebugSession): void {
    this.#sessions.delete(session);
    this.#queues.delete(session);
    for (const { states } of this.#all()) states.delete(session);
    this.#sendChanges();
  }

  /**
   * Handles a `breakpoint` event from a session once pending requests are done, because the event
   * may arrive directly after the response that assigns the ids.
   */
  handleBreakpointEvent(session: DebugSession, event: BreakpointEvent): Promise<void> {
    if (!this.#sessions.has(session)) return Promise.resolve();
    return this.#enqueue(session, () => this.#handleEvent(session, event));
  }

  #handleEvent(session: DebugSession, { reason, breakpoint }: BreakpointEvent): void {
    const kept = this.#all().find(
      ({ states }) =>
        breakpoint.id !== undefined && states.get(session)?.adapterId === breakpoint.id,
    );
    if (kept === undefined) {
      if (reason !== "new") return;
      const id = ++this.#lastId;
      this.#options.onChanged({ reason, breakpoint: stateOf(id, [sessionState(breakpoint)]) });
      return;
    }
    if (reason === "removed")
      kept.states.set(session, {
        verified: false,
        message: "The debugger removed the breakpoint",
      });
    else {
      const { adapterId, line } = kept.states.get(session)!;
      // Drop the earlier state's message, which no longer applies.
      kept.states.set(session, {
        ...(adapterId === undefined ? {} : { adapterId }),
        ...(line === undefined ? {} : { line }),
        ...sessionState(breakpoint),
      });
    }
    // The response that first reports the breakpoint to the agent will include this state.
    if (kept.lastSent === "") return;
    this.#options.onChanged({ reason, breakpoint: this.#recordState(kept) });
  }

  /**
   * Returns the list of breakpoints that replaces `before`. Breakpoints that were already in the
   * list keep their ids.
   */
  #keep<Requested>(
    before: readonly Kept<Requested>[],
    wanted: readonly Requested[],
    isSame: (a: Requested, b: Requested) => boolean,
  ): Kept<Requested>[] {
    const unmatched = [...before];
    return wanted.map((requested): Kept<Requested> => {
      const index = unmatched.findIndex((kept) => isSame(kept.requested, requested));
      const [kept] = index < 0 ? [] : unmatched.splice(index, 1);
      if (kept === undefined)
        return { id: ++this.#lastId, requested, states: new Map(), lastSent: "" };
      kept.requested = requested;
      return kept;
    });
  }

  #all(): (Kept<AgentBreakpoint> | Kept<AgentFunctionBreakpoint>)[] {
    return [...[...this.#files.values()].flat(), ...this.#functions];
  }

  #sendFile(session: DebugSession, path: string): Promise<void> {
    return this.#enqueue(session, () =>
      setSourceBreakpoints(
        session,
        path,
        this.#files.get(path) ?? [],
        this.#options.userBreakpoints?.(path) ?? [],
      ),
    );
  }

  #sendFunctions(session: DebugSession): Promise<void> {
    return this.#enqueue(session, () => setFunctionBreakpoints(session, this.#functions));
  }

  /**
   * Sends the exception breakpoints to a session. Resolves to the reason why the session refuses
   * all of them, or undefined if it accepts any.
   */
  #sendExceptions(session: DebugSession): Promise<string | undefined> {
    return this.#enqueue(session, () =>
      this.#exceptions === undefined
        ? undefined
        : setExceptionBreakpoints(session, this.#exceptions),
    );
  }

  #enqueue<Result>(session: DebugSession, work: () => Promise<Result> | Result): Promise<Result> {
    const done = (this.#queues.get(session) ?? Promise.resolve()).then(work);
    this.#queues.set(session, done);
    return done;
  }

  #recordState(kept: Kept<AgentBreakpoint> | Kept<AgentFunctionBreakpoint>): BreakpointState {
    const { requested } = kept;
    const state =
      "line" in requested && requested.enabled === false
        ? { id: kept.id, verified: false, message: "The breakpoint is kept but disabled" }
        : stateOf(kept.id, [...kept.states.values()]);
    const sent =
      state.line === undefined && "line" in requested ? { ...state, line: requested.line } : state;
    kept.lastSent = JSON.stringify(sent);
    return sent;
  }

  /** Sends the agent all breakpoints whose state has changed. */
  #sendChanges(): void {
    for (const kept of this.#all()) {
      const before = kept.lastSent;
      const breakpoint = this.#recordState(kept);
      if (kept.lastSent !== before) this.#options.onChanged({ reason: "changed", breakpoint });
    }
  }
}

/** Creates a bridge between an agent's breakpoints and debug sessions. */
export function bridgeBreakpoints(options: BridgeOptions): BreakpointBridge {
  return new BreakpointBridge(options);
}

function isPosition(value: number): boolean {
  return Number.isInteger(value) && value >= 1;
}
