import { TimeoutError, type Connection } from "../../../generated/dap/connection.js";
import type { DebugSession } from "./debug-session.js";
import { deferred, startTimer } from "../../../generated/dap/runtime/index.js";
import { SessionError } from "./session-error.js";
import type { WaitOptions } from "./session-options.js";
import type { StoppedEvent } from "../../../generated/dap/types.js";

/** The program has stopped. */
export interface ProgramStop {
  readonly kind: "stopped";
  /** The session that it belongs to: the one that was waited for, or a child of it. */
  readonly session: DebugSession;
  readonly reason: string;
  readonly threadId: number | undefined;
  /** The body of the event. */
  readonly body: StoppedEvent["body"];
}

/** The program has ended, or can no longer be debugged. */
export interface ProgramEnd {
  readonly kind: "ended";
  /** What was noticed first: the event `exited` or `terminated`, or the end of the connection. */
  readonly reason: "exited" | "terminated" | "closed";
  /** Undefined as long as the adapter has not said it. */
  readonly exitCode: number | undefined;
  /** The error that the connection ended with. */
  readonly error: Error | undefined;
}

/**
 * Whether the program runs, has stopped or has ended. It listens from the start of a session on, so
 * that nothing is missed, whenever somebody begins to wait.
 */
export class ProgramState {
  stop: ProgramStop | undefined;
  end: ProgramEnd | undefined;
  exitCode: number | undefined;
  isInitialized = false;
  /** Whether the session is being ended by its client. */
  isEnding = false;
  /** Number of stops so far, those of child sessions among them. */
  stops = 0;
  readonly #connection: Connection<"client">;
  readonly #session: DebugSession;
  readonly #parent: ProgramState | undefined;
  readonly #checks = new Set<() => void>();

  constructor(
    connection: Connection<"client">,
    session: DebugSession,
    parent: ProgramState | undefined,
  ) {
    this.#connection = connection;
    this.#session = session;
    this.#parent = parent;
    connection.on("initialized", () => {
      this.isInitialized = true;
      this.check();
    });
    connection.on("stopped", (body) => {
      const { reason, threadId } = body;
      this.#enter({ kind: "stopped", session, reason, threadId, body });
    });
    connection.on("continued", ({ threadId, allThreadsContinued = true }) => {
      if (this.stop === undefined || !this.isOwn(this.stop)) return;
      if (allThreadsContinued || this.stop.threadId === threadId) this.resume();
    });
    connection.on("exited", (body) => {
      // Some adapters send no body.
      this.exitCode = (body as { readonly exitCode?: number } | undefined)?.exitCode;
      if (this.end !== undefined) this.end = { ...this.end, exitCode: this.exitCode };
      this.#finish("exited");
    });
    connection.on("terminated", () => this.#finish("terminated"));
    void connection.closed.then((error) => this.#finish("closed", error));
  }

  /** Whether a stop belongs to this session, not to a child of it. */
  isOwn(stop: ProgramStop): boolean {
    return stop.session === this.#session;
  }

  /** Called before a request that resumes the program. Returns a function that undoes it. */
  resume(): () => void {
    const { stop } = this;
    const { stops } = this;
    this.stop = undefined;
    for (let each = this.#parent; each !== undefined; each = each.#parent)
      if (each.stop === stop) each.stop = undefined;
    return () => {
      if (this.stops === stops) this.stop = stop;
    };
  }

  /** The program runs again from its start. */
  restart(): void {
    this.end = undefined;
    this.exitCode = undefined;
    this.resume();
  }

  /**
   * Resolves when a test gives something, which it may do at once.
   *
   * @param what What is waited for, as an error names it.
   * @throws TimeoutError, or the reason of the signal, as a rejection.
   */
  wait<Result>(
    what: string,
    test: () => Result | undefined,
    { signal, timeoutMs = this.#connection.timeoutMs }: WaitOptions = {},
  ): Promise<Result> {
    const { promise, resolve, reject } = deferred<Result>();
    const aborted = (): void => fail(signal?.reason);
    const finish = (): void => {
      stopTimer();
      signal?.removeEventListener("abort", aborted);
      this.#checks.delete(check);
    };
    const fail = (error: unknown): void => {
      finish();
      reject(error);
    };
    const check = (): void => {
      try {
        const result = test();
        if (result === undefined) return;
        resolve(result);
      } catch (error) {
        reject(error);
      }
      finish();
    };
    const limit = timeoutMs === undefined || timeoutMs === 0 ? Infinity : timeoutMs;
    const stopTimer = startTimer(limit, () =>
      fail(new TimeoutError(`Timed out after ${limit} ms waiting for ${what}`)),
    );
    this.#checks.add(check);
    if (signal?.aborted === true) aborted();
    else {
      signal?.addEventListener("abort", aborted);
      check();
    }
    return promise;
  }

  #enter(stop: ProgramStop): void {
    this.stop = stop;
    this.stops++;
    this.check();
    if (this.#parent !== undefined) this.#parent.#enter(stop);
  }

  #finish(reason: ProgramEnd["reason"], error?: Error): void {
    const { stop } = this;
    this.end ??= { kind: "ended", reason, exitCode: this.exitCode, error };
    if (stop !== undefined) this.resume();
    this.check();
  }

  /** Looks again at what is waited for. */
  check(): void {
    for (const check of [...this.#checks]) check();
  }
}

const states = new WeakMap<object, ProgramState>();

/** Keeps the state of a session, for the modules that follow it. */
export function keepState(session: object, state: ProgramState): void {
  states.set(session, state);
}

export function stateOf(session: object): ProgramState {
  return states.get(session)!;
}

/** @param action What was to be done, such as `send "next"`. */
export function endedError(action: string, end: ProgramEnd | undefined): SessionError {
  const { reason = "closed", exitCode, error } = end ?? {};
  const how = exitCode === undefined ? reason : `${reason} with exit code ${exitCode}`;
  const text = `Cannot ${action}: the session has ended (${how})`;
  return new SessionError("ERR_SESSION_ENDED", text, error);
}
