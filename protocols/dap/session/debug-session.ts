import type { Connection, RequestParameters } from "../../../generated/dap/connection.js";
import type { ResultOf, RequestNameFrom } from "../../../generated/dap/maps.js";
import type { HostAsyncDisposable } from "../../../generated/dap/runtime/index.js";
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
  /**
   * The session that stopped: either the session that was waited for, or one of its child sessions.
   */
  readonly session: DebugSession;
  readonly reason: string;
  readonly threadId: number | undefined;
  /** The body of the `stopped` event. */
  readonly body: StoppedEvent["body"];
}

/** The end of a program: it has ended, or can no longer be debugged. */
export interface ProgramEnd {
  readonly kind: "ended";
  /** The first event: `exited`, `terminated`, or the end of the connection. */
  readonly reason: "exited" | "terminated" | "closed";
  /**
   * The exit code of the program. Undefined if the adapter has not reported it: not every adapter
   * sends `exited`.
   */
  readonly exitCode: number | undefined;
  /** The error that ended the connection; undefined if there was none. */
  readonly error: Error | undefined;
  /**
   * Value of `restart` in the `terminated` event, with which the adapter requests a new session. It
   * is either true, or data that the method `restart` passes to the new session as `__restart`.
   */
  readonly restart?: unknown;
}

/** The breakpoints of a session, as the adapter has set them. */
export interface SessionBreakpoints {
  /** All breakpoints. */
  readonly all: readonly Breakpoint[];
  readonly functions: readonly Breakpoint[];
  /** The exception filters to set. Default: the filters that the adapter marks as defaults. */
  readonly filters: readonly string[];
  /** The breakpoints of a source, in the order in which they were set. */
  of(source: string | Source): readonly Breakpoint[];
  /**
   * The breakpoints as plain data: breakpoints by source, and arrays of all other kinds that are
   * set.
   */
  toJSON(): { readonly [source: string]: readonly Breakpoint[] };
}

/**
 * The output of a program and its child sessions since the start of the session. Keeps the latest 4
 * Mi characters, in at most 65,536 events.
 */
export interface ProgramOutput {
  /** The kept output as one string. */
  text(category?: string): string;
  /**
   * Iterates over the kept output, and then over each output as it arrives, until the connection
   * ends.
   */
  [Symbol.asyncIterator](): AsyncGenerator<OutputEvent["body"], void, undefined>;
}

/** Methods and properties of a session. */
export interface SessionMembers {
  readonly connection: Connection<"client">;
  /** The session that started this one as a child; undefined for the first session. */
  readonly parent: DebugSession | undefined;
  /** The breakpoints as the adapter has set them. */
  readonly breakpoints: SessionBreakpoints;
  /** Everything that the program and the adapter print. */
  readonly output: ProgramOutput;
  /** The capabilities of the adapter. */
  readonly capabilities: Capabilities;
  /** The child sessions that have not ended. */
  readonly children: readonly DebugSession[];
  /** The current stop of the program or of a child session; undefined while they run. */
  readonly stop: ProgramStop | undefined;
  /**
   * The exit code of the program. Undefined until the program has ended and the adapter has
   * reported it.
   */
  readonly exitCode: number | undefined;

  /**
   * Sends a request. Resolves to its result. A request that resumes the program ends the current
   * stop.
   *
   * @throws RequestError or EncodeError, as a rejection.
   */
  request<Name extends RequestNameFrom<"client">>(
    name: Name,
    ...parameters: RequestParameters<Name>
  ): Promise<ResultOf<Name>>;

  /**
   * Resolves to the current stop. If the program is running, resolves to its next stop or its end.
   * Stops of child sessions count, too.
   *
   * @throws TimeoutError, or the reason of the signal, as a rejection.
   */
  waitForStop(options?: WaitOptions): Promise<ProgramStop | ProgramEnd>;

  /** Resolves when the program has ended or can no longer be debugged. */
  waitForEnd(options?: WaitOptions): Promise<ProgramEnd>;

  /**
   * Waits for output that matches the pattern, even if it is split across events. The next call
   * searches only the output after the match.
   *
   * @throws TimeoutError, or the reason of the signal, as a rejection. SessionError, if the session
   * ends first.
   */
  waitForOutput(pattern: string | RegExp, options?: OutputOptions): Promise<RegExpExecArray>;

  /**
   * `continue` and the other steps resume the program. They resolve to its next stop or its end.
   *
   * @throws As a rejection: RequestError if the adapter refuses; SessionError if the program is
   * running or has ended, or if a child session has stopped instead.
   */
  continue(options?: StepOptions): Promise<ProgramStop | ProgramEnd>;
  next(options?: StepOptions): Promise<ProgramStop | ProgramEnd>;
  stepIn(options?: StepInOptions): Promise<ProgramStop | ProgramEnd>;
  stepOut(options?: StepOptions): Promise<ProgramStop | ProgramEnd>;
  stepBack(options?: StepOptions): Promise<ProgramStop | ProgramEnd>;
  reverseContinue(options?: StepOptions): Promise<ProgramStop | ProgramEnd>;
  /** Continues at a target that `gotoTargets` has returned. */
  goto(targetId: number, options?: StepOptions): Promise<ProgramStop | ProgramEnd>;

  /** Pauses the program. Resolves immediately if it has already stopped. */
  pause(options?: StepOptions): Promise<ProgramStop | ProgramEnd>;

  /**
   * Reads the frames, scopes and variables of a stop, within a budget.
   *
   * @throws As a rejection: RequestError if the adapter refuses to return the frames; SessionError
   * if the session has ended.
   */
  snapshot(options?: SnapshotOptions): Promise<StopSnapshot>;

  /**
   * Replaces the breakpoints of a source, in this session and its children.
   *
   * @throws SessionError, as a rejection, if the session has ended.
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

  /** Sets the exception filters, which select the exceptions to stop at. */
  setExceptionFilters(filters: readonly string[], options?: WaitOptions): Promise<void>;

  /**
   * Restarts the program. Resolves to the session to continue with. That is this session or, if the
   * program has ended or the adapter cannot restart, a new session with the same breakpoints. The
   * new session receives the data of `terminated` as `__restart`.
   *
   * @throws SessionError, as a rejection, if neither is possible.
   */
  restart(options?: RestartOptions): Promise<DebugSession>;

  /**
   * Ends the program. Asks the program to end, if the adapter supports that, and disconnects when
   * it has ended or the time limit expires. Does not reject, except for invalid options.
   */
  terminate(options?: EndOptions): Promise<ProgramEnd>;

  /**
   * Ends the session and its children. Disconnects, and closes the connection, which ends a spawned
   * adapter. May be called again. Does not reject, except for invalid options.
   */
  disconnect(options?: DisconnectOptions): Promise<ProgramEnd>;
}

/**
 * A program that is being debugged. With `await using`, the session disconnects at the end of the
 * block.
 */
export type DebugSession = SessionMembers & HostAsyncDisposable;
