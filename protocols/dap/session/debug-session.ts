import type { Connection, RequestParameters } from "../../../generated/dap/connection.js";
import type { ResultOf, RequestNameFrom } from "../../../generated/dap/maps.js";
import type { HostAsyncDisposable } from "@wirewright/runtime";
import type { SnapshotOptions, StopSnapshot } from "./stop-snapshot.js";
import type {
  Breakpoint,
  Capabilities,
  FunctionBreakpoint,
  OutputEvent,
  Source,
  SourceBreakpoint,
  StoppedEvent,
} from "../../../generated/dap/types.js";
import type {
  DisconnectOptions,
  EndOptions,
  OutputOptions,
  RestartOptions,
  StepInOptions,
  StepOptions,
  WaitOptions,
} from "./wait-options.js";

/** A stop of the program. */
export interface ProgramStop {
  readonly kind: "stopped";
  /** The session that stopped: either the awaited session or one of its child sessions. */
  readonly session: DebugSession;
  readonly reason: string;
  readonly threadId: number | undefined;
  /** The body of the `stopped` event. */
  readonly body: StoppedEvent["body"];
}

/** A program's end: the program has either ended or can no longer be debugged. */
export interface ProgramEnd {
  readonly kind: "ended";
  /** The first sign of the end: `exited`, `terminated`, or the end of the connection. */
  readonly reason: "exited" | "terminated" | "closed";
  /**
   * The program's exit code. Undefined if the adapter has not reported it: not every adapter sends
   * `exited`.
   */
  readonly exitCode: number | undefined;
  /** The error that ended the connection; undefined if there was none. */
  readonly error: Error | undefined;
  /**
   * The value of `restart` in the `terminated` event, with which the adapter requests a new
   * session. It is either true, or data that the `restart` method passes to the new session as
   * `__restart`.
   */
  readonly restart?: unknown;
}

/** A session's breakpoints, as set by the adapter. */
export interface SessionBreakpoints {
  /** All breakpoints. */
  readonly all: readonly Breakpoint[];
  readonly functions: readonly Breakpoint[];
  /** The exception filters to set. Default: the filters that the adapter enables by default. */
  readonly filters: readonly string[];
  /** Returns the breakpoints in a source, in the order in which they were set. */
  of(source: string | Source): readonly Breakpoint[];
  /**
   * Returns the breakpoints as plain data: the breakpoints by source, and an array for every other
   * kind that is set.
   */
  toJSON(): { readonly [source: string]: readonly Breakpoint[] };
}

/**
 * The output of a program and its child sessions since the start of the session. Keeps the latest 4
 * Mi characters, in at most 65,536 events.
 */
export interface ProgramOutput {
  /** Returns the output kept so far as a single string. */
  text(category?: string): string;
  /**
   * Iterates over the output kept so far, and then over new output as it arrives, until the
   * connection ends.
   */
  [Symbol.asyncIterator](): AsyncGenerator<OutputEvent["body"], void, undefined>;
}

/** A session's methods and properties. */
export interface SessionMembers {
  readonly connection: Connection<"client">;
  /** The session that started this one as a child; undefined for the first session. */
  readonly parent: DebugSession | undefined;
  /** The breakpoints, as set by the adapter. */
  readonly breakpoints: SessionBreakpoints;
  /** Everything printed by the program and the adapter. */
  readonly output: ProgramOutput;
  /** The adapter's capabilities. */
  readonly capabilities: Capabilities;
  /** The child sessions that have not ended yet. */
  readonly children: readonly DebugSession[];
  /** The current stop in the session or one of its children; undefined while they are running. */
  readonly stop: ProgramStop | undefined;
  /**
   * The program's exit code. Undefined until the program has ended and the adapter has reported it.
   */
  readonly exitCode: number | undefined;

  /**
   * Sends a request and resolves to its result. A request that resumes the program ends the current
   * stop.
   *
   * @throws Rejects with RequestError or EncodeError.
   */
  request<Name extends RequestNameFrom<"client">>(
    name: Name,
    ...parameters: RequestParameters<Name>
  ): Promise<ResultOf<Name>>;

  /**
   * Resolves to the current stop or, if the program is running, to its next stop or its end. Stops
   * in child sessions count, too.
   *
   * @throws Rejects with TimeoutError or the signal's abort reason.
   */
  waitForStop(options?: WaitOptions): Promise<ProgramStop | ProgramEnd>;

  /** Resolves once the program has ended or can no longer be debugged. */
  waitForEnd(options?: WaitOptions): Promise<ProgramEnd>;

  /**
   * Waits for output that matches the pattern, even if it is split across events. The next call
   * searches only the output after the match.
   *
   * @throws Rejects with TimeoutError, with the signal's abort reason, or with SessionError if the
   * session ends first.
   */
  waitForOutput(pattern: string | RegExp, options?: OutputOptions): Promise<RegExpExecArray>;

  /**
   * Resumes the program, as do the other steps. They all resolve to its next stop or its end.
   *
   * @throws Rejects with RequestError if the adapter refuses, or with SessionError if the program
   * is running or has ended, or if a child session is the one that has stopped.
   */
  continue(options?: StepOptions): Promise<ProgramStop | ProgramEnd>;
  next(options?: StepOptions): Promise<ProgramStop | ProgramEnd>;
  stepIn(options?: StepInOptions): Promise<ProgramStop | ProgramEnd>;
  stepOut(options?: StepOptions): Promise<ProgramStop | ProgramEnd>;
  stepBack(options?: StepOptions): Promise<ProgramStop | ProgramEnd>;
  reverseContinue(options?: StepOptions): Promise<ProgramStop | ProgramEnd>;
  /** Continues at a target returned by `gotoTargets`. */
  goto(targetId: number, options?: StepOptions): Promise<ProgramStop | ProgramEnd>;

  /** Pauses the program. Resolves immediately if it has already stopped. */
  pause(options?: StepOptions): Promise<ProgramStop | ProgramEnd>;

  /**
   * Reads the stack frames, scopes and variables at a stop, within a budget.
   *
   * @throws Rejects with RequestError if the adapter refuses to return the frames, or with
   * SessionError if the session has ended.
   */
  snapshot(options?: SnapshotOptions): Promise<StopSnapshot>;

  /**
   * Replaces the breakpoints in a source, both in this session and in its children.
   *
   * @throws Rejects with SessionError if the session has ended.
   */
  setBreakpoints(
    source: string | Source,
    breakpoints: readonly (number | SourceBreakpoint)[],
    options?: WaitOptions,
  ): Promise<readonly Breakpoint[]>;

  setFunctionBreakpoints(
    breakpoints: readonly (string | FunctionBreakpoint)[],
    options?: WaitOptions,
  ): Promise<readonly Breakpoint[]>;

  /** Sets the exception filters, which determine the exceptions to stop at. */
  setExceptionFilters(filters: readonly string[], options?: WaitOptions): Promise<void>;

  /**
   * Restarts the program. Resolves to the session to continue with. That is this session or, if the
   * program has ended or the adapter cannot restart it, a new session with the same breakpoints.
   * The new session receives the data from `terminated` as `__restart`.
   *
   * @throws Rejects with SessionError if neither is possible, or while another restart is going on.
   */
  restart(options?: RestartOptions): Promise<DebugSession>;

  /**
   * Ends the program. Asks it to terminate, if the adapter supports that, and disconnects once it
   * has ended or the timeout expires. Does not reject, except for invalid options.
   */
  terminate(options?: EndOptions): Promise<ProgramEnd>;

  /**
   * Ends the session and its children. Disconnects, and closes the connection, which ends a spawned
   * adapter. May be called more than once. Does not reject, except for invalid options.
   */
  disconnect(options?: DisconnectOptions): Promise<ProgramEnd>;
}

/**
 * A program being debugged. With `await using`, the session disconnects at the end of the block.
 */
export type DebugSession = SessionMembers & HostAsyncDisposable;
