import { whenClosed } from "./connection-events.js";
import type { Connection } from "../../../generated/dap/connection.js";
import type { DebugSession, ProgramEnd, ProgramStop } from "./debug-session.js";
import { InvalidMessageError, LatestEntries, type Problem } from "@wirewright/runtime";
import { isExitedEvent } from "../../../generated/dap/guards.js";
import type { ExitedEvent, StoppedEvent } from "../../../generated/dap/types.js";
import type { WaitOptions } from "./wait-options.js";
import { Waits } from "./waits.js";

/**
 * Maximum number of stopped threads to remember. At least the latest half of that number is kept.
 */
const maxThreads = 8_192;

/**
 * Tracks whether a program is running, has stopped or has ended. It listens from the start of the
 * session, so that waits which begin later do not miss anything.
 */
export class ProgramState {
  /** The latest stop in this session or a child session that has not been resumed yet. */
  stop: ProgramStop | undefined;
  /** The latest stop in this session itself, not in a child. */
  ownStop: ProgramStop | undefined;
  end: ProgramEnd | undefined;
  exitCode: number | undefined;
  isInitialized = false;
  /** Whether the client has started to end the session. */
  isEnding = false;
  /** Number of stops so far, including those of child sessions. */
  stops = 0;
  readonly waits: Waits = new Waits();
  readonly #connection: Connection<"client">;
  readonly #session: DebugSession;
  readonly #parent: ProgramState | undefined;
  /** The states of child sessions. */
  readonly #children = new Set<ProgramState>();
  /** Threads that have stopped individually. */
  #threads = new LatestEntries<number, true>(maxThreads);
  #areAllStopped = false;

  /** Called with a problem. If it is an invalid event, whatever waits for a change fails. */
  refuse({ code, subject, issues }: Problem): void {
    if (code !== "ERR_INVALID_MESSAGE" || issues === undefined) return;
    const { type, event } = subject as { readonly type?: unknown; readonly event?: unknown };
    if (type === "event" && awaitedEvents.has(event))
      this.waits.fail(new InvalidMessageError(issues));
  }

  constructor(
    connection: Connection<"client">,
    session: DebugSession,
    parent: ProgramState | undefined,
  ) {
    this.#connection = connection;
    this.#session = session;
    this.#parent = parent;
    if (parent !== undefined) parent.#children.add(this);
    connection.on("initialized", () => {
      this.isInitialized = true;
      this.waits.check();
    });
    connection.on("stopped", (body) => this.#stopped(body));
    connection.on("continued", ({ threadId, allThreadsContinued }) =>
      this.continued(threadId, allThreadsContinued ?? true),
    );
    connection.addMiddleware({
      afterReceive: (message) => {
        if (!isExitedEvent(message)) return;
        // Some adapters send no body. The program has ended even if the event is invalid, in which
        // case no listener gets it.
        const exitCode: unknown = (message.body as Partial<ExitedEvent["body"]> | null | undefined)
          ?.exitCode;
        if (typeof exitCode === "number") this.exitCode = exitCode;
        if (this.end !== undefined) this.end = { ...this.end, exitCode: this.exitCode };
        this.#finish("exited");
      },
    });
    connection.on("terminated", (body) => {
      this.#finish("terminated");
      // Neither null nor false requests a restart.
      const restart: unknown = body?.restart || undefined;
      if (restart !== undefined && this.end !== undefined) this.end = { ...this.end, restart };
    });
    whenClosed(connection, (error) => this.#finish("closed", error));
  }

  /**
   * Returns whether a thread may be stopped. Adapters do not always report which threads have
   * stopped: if one has, any other may have, too.
   */
  hasStopped(threadId?: number): boolean {
    if (this.ownStop !== undefined) return true;
    return threadId !== undefined && (this.#areAllStopped || this.#threads.get(threadId) === true);
  }

  /** Called when the adapter reports that threads are running again. */
  continued(threadId: number, areAll: boolean): void {
    this.#areAllStopped &&= !areAll;
    if (areAll) this.#threads = new LatestEntries(maxThreads);
    else this.#threads.delete(threadId);
    if (areAll || this.ownStop?.threadId === threadId) this.#forget();
  }

  /**
   * Called before a request that resumes the program. Returns a function that undoes the change if
   * the request fails.
   *
   * @param threadId The thread resumed by the request. Default: all threads.
   */
  resume(threadId?: number): () => void {
    const { ownStop, stop, stops } = this;
    const [threads, areAllStopped] = [this.#threads, this.#areAllStopped];
    if (areAllStopped || threadId === undefined) {
      this.#areAllStopped = false;
      this.#threads = new LatestEntries(maxThreads);
    } else threads.delete(threadId);
    this.#forget();
    return () => {
      if (this.stops !== stops || this.end !== undefined) return;
      this.#threads = threads;
      this.#areAllStopped = areAllStopped;
      if (threadId !== undefined) threads.set(threadId, true);
      this.ownStop = ownStop;
      this.stop = stop;
      for (let state = this.#parent; state !== undefined; state = state.#parent)
        state.stop ??= stop;
    };
  }

  /**
   * Called when the program restarts. Returns a function that undoes the change if the restart
   * fails.
   */
  restart(): () => void {
    const { end, exitCode } = this;
    this.end = undefined;
    this.exitCode = undefined;
    const undo = this.resume();
    return () => {
      this.end ??= end;
      this.exitCode ??= exitCode;
      undo();
    };
  }

  /**
   * Waits until `test` returns a result, starting with an immediate test.
   *
   * @param what Describes the awaited condition in the error.
   * @throws Rejects with TimeoutError or the signal's abort reason.
   */
  wait<Result>(
    what: string,
    test: () => Result | undefined,
    { signal, timeoutMs = this.#connection.timeoutMs ?? 0 }: WaitOptions = {},
  ): Promise<Result> {
    return this.waits.wait(
      what,
      test,
      signal === undefined ? { timeoutMs } : { signal, timeoutMs },
    );
  }

  #stopped(body: StoppedEvent["body"]): void {
    // Ignore the stop: a program that has ended cannot be continued.
    if (this.end !== undefined) return;
    // `threadId` may be null, because the wire profile accepts null.
    const threadId = body.threadId ?? undefined;
    if (threadId !== undefined) this.#threads.set(threadId, true);
    // If a stop does not name a thread, all threads have stopped.
    this.#areAllStopped ||= body.allThreadsStopped === true || threadId === undefined;
    const reason = body.reason ?? "unknown";
    this.ownStop = { kind: "stopped", session: this.#session, reason, threadId, body };
    for (let state: ProgramState | undefined = this; state !== undefined; state = state.#parent) {
      state.stop = this.ownStop;
      state.stops++;
      state.waits.check();
    }
  }

  /** Ends this session's current stop. */
  #forget(): void {
    const { ownStop } = this;
    this.ownStop = undefined;
    for (let state: ProgramState | undefined = this; state !== undefined; state = state.#parent)
      if (state.stop === ownStop) state.stop = state.#anyStop();
  }

  #anyStop(): ProgramStop | undefined {
    if (this.ownStop !== undefined) return this.ownStop;
    for (const { stop } of this.#children) if (stop !== undefined) return stop;
    return undefined;
  }

  #finish(reason: ProgramEnd["reason"], error?: Error): void {
    this.end ??= { kind: "ended", reason, exitCode: this.exitCode, error };
    if (reason === "closed" && this.#parent !== undefined) this.#parent.#children.delete(this);
    this.#areAllStopped = false;
    if (this.ownStop !== undefined) this.#forget();
    this.waits.check();
  }
}

/** The events that calls of a session wait for. */
const awaitedEvents: ReadonlySet<unknown> = /* @__PURE__ */ new Set([
  "initialized",
  "stopped",
  "continued",
  "exited",
  "terminated",
]);
