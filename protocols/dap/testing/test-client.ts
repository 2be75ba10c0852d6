import type { DebugSession, ProgramEnd, ProgramStop } from "../session/debug-session.js";
import { inBackground } from "../session/connection-events.js";
import type { Events, EventNameFrom } from "../../../generated/dap/maps.js";
import type { CustomEvent, KnownEvent } from "../../../generated/dap/messages.js";
import {
  inlineTransports,
  option,
  setAsyncDispose,
  startTimer,
  type HostAsyncDisposable,
  type Transport,
} from "@wirewright/runtime";
import { attach, launch } from "../session/start-session.js";
import { SessionAccount, SessionAssertionError } from "./session-assertion.js";
import type { AdapterAccess, AdapterTarget, StartOptions } from "../session/session-options.js";
import type { Breakpoint } from "../../../generated/dap/types.js";
import { waitChecks, type OutputOptions, type WaitOptions } from "../session/wait-options.js";
import { Waits } from "../session/waits.js";
import {
  type EventOptions,
  type HitOptions,
  type TestBreakpoint,
  type TestClientOptions,
  testClientChecks,
} from "./test-client-options.js";
import { describe, endOf, type ExpectedStop, isAsExpected, stopChecks } from "./expected-stop.js";

/** A number of milliseconds that exceeds the duration of any test. */
const longMs = 2 ** 31 - 1;

/**
 * A client for testing an adapter. With `await using`, the client stops at the end of the block.
 */
export type TestClient = TestClientMembers & HostAsyncDisposable;

/** A test client's methods and properties. */
export class TestClientMembers {
  readonly #target: AdapterTarget;
  readonly #options: TestClientOptions;
  readonly #account = new SessionAccount();
  readonly #waits = new Waits();
  /** The number of the event at which the next wait starts, by event name. */
  readonly #next = new Map<string, number>();
  #session: DebugSession | undefined;

  constructor(target: AdapterTarget, options: TestClientOptions) {
    this.#target = target;
    this.#options = options;
  }

  /** The session. @throws Error until `launch` or `attach` has succeeded. */
  get session(): DebugSession {
    if (this.#session !== undefined) return this.#session;
    throw new Error("No session has started: call launch, attach or hitBreakpoint first");
  }

  /** The last events, the last output, and the adapter's error output, as human-readable text. */
  get account(): string {
    return this.#account.text;
  }

  /** Starts a session with the adapter. @throws Rejects with SessionAssertionError on failure. */
  launch(options: StartOptions<"launch">): Promise<DebugSession> {
    return this.#start("launch", launch, options);
  }

  /** Attaches to a running program. @throws Rejects with SessionAssertionError on failure. */
  attach(options: StartOptions<"attach">): Promise<DebugSession> {
    return this.#start("attach", attach, options);
  }

  /**
   * Launches a program with a breakpoint, and waits until the program stops there.
   *
   * @throws Rejects with SessionAssertionError if the program stops elsewhere or the breakpoint is
   * not verified. If both happen, the message reports both.
   */
  async hitBreakpoint(
    { path, verified = true, ...breakpoint }: TestBreakpoint,
    { expected = {}, ...options }: HitOptions,
  ): Promise<ProgramStop> {
    option.checkOptions("hitBreakpoint: expected", expected, stopChecks());
    const breakpoints = { ...options.breakpoints, [path]: [breakpoint] };
    const { line } = breakpoint;
    const session = await this.launch({ ...options, breakpoints });
    const location = { path, line, reason: "breakpoint", ...expected };
    const checked = (cause?: unknown): SessionAssertionError | undefined => {
      const set: Breakpoint | undefined = session.breakpoints.of(path)[0];
      if ((set?.verified ?? false) === verified) return undefined;
      const why = set?.message === undefined ? "" : `: ${set.message}`;
      const text = `The breakpoint at ${path}:${line} is${verified ? " not" : ""} verified${why}`;
      const before = cause instanceof SessionAssertionError ? `${cause.summary}. ` : "";
      return this.#failure(`${before}${text}`, {
        actual: set,
        expected: { verified, line },
        ...(cause !== undefined && { cause }),
      });
    };
    const stop = await this.assertStoppedAt(location, this.#limits(options)).catch(
      (error: unknown) => {
        throw checked(error) ?? error;
      },
    );
    const failure = checked();
    if (failure !== undefined) throw failure;
    return stop;
  }

  /**
   * Asserts the location of the current stop or, if the program is running, of its next stop.
   *
   * @throws Rejects with SessionAssertionError if the program stops elsewhere or ends.
   */
  async assertStoppedAt(expected: ExpectedStop, options: WaitOptions = {}): Promise<ProgramStop> {
    option.checkOptions("assertStoppedAt", expected, stopChecks());
    option.checkOptions("assertStoppedAt", options, waitChecks());
    const limits = this.#limits(options);
    const what = describe(expected);
    const state = await this.#explained({ waiting: "the program to stop" }, () =>
      this.session.waitForStop(limits),
    );
    if (state.kind === "ended")
      throw this.#failure(`Expected a stop${what}, but the program ended${endOf(state)}`, {
        actual: state.reason,
        expected,
      });
    const { session, reason, threadId = 1 } = state;
    const { stackFrames } = await this.#explained({ failure: "Cannot read the stack" }, () =>
      session.request("stackTrace", { threadId, startFrame: 0, levels: 1 }, limits),
    );
    const [frame] = stackFrames;
    const actual: ExpectedStop = {
      ...(frame?.source?.path === undefined ? {} : { path: frame.source.path }),
      ...(frame === undefined ? {} : { line: frame.line, column: frame.column, name: frame.name }),
      reason,
    };
    const wrong = (Object.keys(expected) as (keyof ExpectedStop)[]).filter(
      (key) => expected[key] !== undefined && !isAsExpected(key, actual[key], expected[key]),
    );
    if (wrong.length === 0) return state;
    // Include only the requested properties, so that test runners show a clear diff.
    const compared = Object.entries(actual).filter(([key]) => key in expected);
    throw this.#failure(`Expected a stop${what}, but the program stopped${describe(actual)}`, {
      actual: Object.fromEntries(compared),
      expected,
    });
  }

  /**
   * Waits until the program has ended.
   *
   * @throws Rejects with SessionAssertionError if the program stops instead, or exits with a
   * different code.
   */
  async assertEnded(exitCode?: number, options: WaitOptions = {}): Promise<ProgramEnd> {
    const state = await this.#explained({ waiting: "the program to end" }, () =>
      this.session.waitForStop(this.#limits(options)),
    );
    if (state.kind === "stopped")
      throw this.#failure(`Expected the program to end, but it stopped (${state.reason})`, {
        actual: state.reason,
        expected: "ended",
      });
    // Some adapters send the exit code after `terminated`.
    if (exitCode !== undefined && this.session.exitCode === undefined)
      await this.waitForEvent("exited", options);
    const { exitCode: actual } = this.session;
    if (exitCode === undefined || actual === exitCode) return { ...state, exitCode: actual };
    throw this.#failure(`Expected exit code ${exitCode}, but got ${actual}`, {
      actual,
      expected: exitCode,
    });
  }

  /**
   * Waits for output that matches the pattern, even if it is split across events. The next call
   * searches only the output after the match.
   *
   * @throws Rejects with SessionAssertionError if the session ends first.
   */
  assertOutput(pattern: string | RegExp, options: OutputOptions = {}): Promise<RegExpExecArray> {
    const limits = this.#limits(options);
    const { category } = options;
    return this.#explained(
      { waiting: `the output ${JSON.stringify(String(pattern))}` },
      () =>
        this.session.waitForOutput(pattern, {
          ...limits,
          ...(category === undefined ? {} : { category }),
        }),
      {
        expected: pattern,
        awaited: `the output ${typeof pattern === "string" ? JSON.stringify(pattern) : pattern}`,
      },
    );
  }

  /**
   * Waits for an event. Events that have arrived since the last call for this name count, including
   * those from child sessions.
   *
   * @param options `where` returns false for events to ignore.
   * @throws Rejects with SessionAssertionError if the session ends first.
   */
  async waitForEvent<Name extends EventNameFrom<"adapter">>(
    name: Name,
    options: EventOptions<Events[Name]["body"]> = {},
  ): Promise<Events[Name]["body"]> {
    const event = await this.#waitForEvent(name, options);
    return event.body as Events[Name]["body"];
  }

  /** Waits for an event that the protocol does not define. */
  async waitForCustomEvent<Body = unknown>(
    name: string,
    options: EventOptions<Body> = {},
  ): Promise<Body> {
    const event = await this.#waitForEvent(name, options);
    return event.body as Body;
  }

  /** Ends the session and the adapter. Never rejects, and may be called more than once. */
  async stop(): Promise<void> {
    const target = this.#target;
    try {
      if (this.#session !== undefined) await this.#session.terminate();
      else if (typeof target !== "function")
        await ("connection" in target ? target.connection : target).close();
    } catch {
      // Ignore failures to close the transport, as nothing can be done about them.
    }
  }

  async #start<Name extends "launch" | "attach">(
    request: Name,
    start: (target: AdapterTarget, options: StartOptions<Name>) => Promise<DebugSession>,
    options: StartOptions<Name>,
  ): Promise<DebugSession> {
    const { onAbort: _, ...common } = this.#options;
    const { onEvent = common.onEvent } = options;
    const target = this.#target;
    const watched = (access: AdapterAccess): AdapterAccess => {
      this.#account.watch(access);
      return access;
    };
    const open =
      typeof target === "function" ? async () => watched(await target()) : watched(target);
    const session = await this.#explained({ failure: `Cannot ${request}` }, () =>
      start(open, {
        ...common,
        ...options,
        ...this.#limits(options),
        onEvent: (event, session) => {
          this.#account.add(event);
          this.#waits.check();
          onEvent?.(event, session);
        },
      }),
    );
    this.#session = session;
    inBackground(session.connection.closed.then(() => this.#waits.check()));
    return session;
  }

  async #waitForEvent(
    name: string,
    { where = () => true, ...options }: EventOptions<never>,
  ): Promise<KnownEvent | CustomEvent> {
    option.checkOptions("waitForEvent", options, waitChecks());
    const { session } = this;
    let next = this.#next.get(name) ?? 0;
    const test = (): KnownEvent | CustomEvent | undefined => {
      for (const { number, event } of this.#account.from(next)) {
        next = number + 1;
        if (event.event === name && where(event.body as never)) return event;
      }
      if (!session.connection.isClosed) return undefined;
      throw new Error(`The session ended before the event "${name}"`);
    };
    const event = await this.#explained({ waiting: `the event "${name}"` }, () =>
      this.#waits.wait(`the event "${name}"`, test, this.#limits(options)),
    );
    this.#next.set(name, next);
    return event;
  }

  #limits({ signal = this.#options.signal, timeoutMs = 0 }: WaitOptions): WaitOptions {
    return { timeoutMs, ...(signal === undefined ? {} : { signal }) };
  }

  /**
   * Runs a step. If it fails, adds an account of the session to the error.
   *
   * @param what Describes the failed call and the awaited condition, for errors that do not.
   */
  async #explained<Result>(
    what: { readonly failure?: string; readonly waiting?: string },
    run: () => Promise<Result>,
    { awaited, ...values }: { readonly expected?: unknown; readonly awaited?: string } = {},
  ): Promise<Result> {
    // Start a timer, because a signal with a timeout does not keep the process alive.
    const release = startTimer(
      this.#options.signal === undefined ? Infinity : longMs,
      () => undefined,
    );
    try {
      return await run();
    } catch (cause) {
      if (cause instanceof SessionAssertionError) throw cause;
      const isAborted = this.#options.signal?.aborted === true;
      const { failure: failed, waiting = awaited } = what;
      const message = cause instanceof Error ? cause.message : String(cause);
      const text =
        isAborted && waiting !== undefined ? `Waiting for ${waiting} was aborted` : message;
      const summary = failed === undefined ? text : `${failed}: ${text}`;
      const failure = this.#failure(summary, { ...values, cause });
      if (isAborted) this.#options.onAbort?.(failure.message);
      throw failure;
    } finally {
      release();
    }
  }

  #failure(
    text: string,
    values: ConstructorParameters<typeof SessionAssertionError>[2],
  ): SessionAssertionError {
    return new SessionAssertionError(text, this.#account.text, values);
  }
}

/**
 * Creates a client for testing an adapter: a session with assertions. The only timeout is the
 * test's.
 *
 * @param target An adapter, as for `launch` in `@wirewright/dap/session`.
 * @throws TypeError for unknown options.
 */
export function testClient(target: AdapterTarget, options: TestClientOptions = {}): TestClient {
  option.checkOptions("testClient", options, testClientChecks());
  const client = new TestClientMembers(target, options);
  setAsyncDispose(client, () => client.stop());
  return client as TestClient;
}

/**
 * Runs an adapter created with `defineAdapter` in this process. Use the result as the target of a
 * session or a test client.
 */
export function inProcess(adapter: (transport: Transport) => unknown): () => Transport {
  return () => {
    const [clientTransport, adapterTransport] = inlineTransports();
    adapter(adapterTransport);
    return clientTransport;
  };
}
