import { option, type PerformanceClock, type RequestOptions } from "@wirewright/runtime";

declare const performance: PerformanceClock;

/** How long to wait. */
export interface WaitOptions {
  /** Aborting this signal ends the wait, which then rejects with the abort reason. */
  readonly signal?: NonNullable<RequestOptions["signal"]>;
  /**
   * Milliseconds until the whole call fails with a `TimeoutError`. 0 and Infinity disable the
   * timeout. Default: the connection's `timeoutMs`.
   */
  readonly timeoutMs?: number;
}

/** Determines which output to search. */
export interface OutputOptions extends WaitOptions {
  /** The only category of output to search. Default: all categories except `telemetry`. */
  readonly category?: string;
}

/** Options for a step, such as the thread to step. */
export interface StepOptions extends WaitOptions {
  /** The thread to step. Default: the thread that has stopped. */
  readonly threadId?: number;
  /** Size of the step. Default: chosen by the adapter, usually `statement`. */
  readonly granularity?: "statement" | "line" | "instruction";
  /** Whether the other threads remain stopped. Default: false. */
  readonly singleThread?: boolean;
}

/** Options for `stepIn`. */
export interface StepInOptions extends StepOptions {
  /** A target returned by `stepInTargets`. By default, the adapter chooses the call. */
  readonly targetId?: number;
}

/**
 * Options for `restart`. `timeoutMs` limits the `restart` request and the end of the old session. A
 * new session starts with the limits given to `launch`.
 */
export interface RestartOptions extends WaitOptions {
  /**
   * Arguments for `launch` or `attach` in the restarted session. Default: those of the first
   * session.
   */
  readonly arguments?: object;
}

/**
 * Maximum time, in milliseconds, for each step of ending a session. The next step follows once a
 * step is complete or its time is up.
 */
export interface EndOptions {
  /** Milliseconds to wait for the program to end after `terminate`. Default: 5,000. */
  readonly terminateMs?: number;
  /** Milliseconds to wait for the response to `disconnect`. Default: 2,000. */
  readonly disconnectMs?: number;
  /** Milliseconds to wait for the connection to close and the adapter to exit. Default: 5,000. */
  readonly closeMs?: number;
}

export const defaultEndMs = { terminate: 5_000, disconnect: 2_000, close: 5_000 } as const;

/** Options for `disconnect`. */
export interface DisconnectOptions extends EndOptions {
  /** Whether to end the program. Default: true if the adapter launched it. */
  readonly terminateDebuggee?: boolean;
  /** Whether to leave the program suspended. Default: false. */
  readonly suspendDebuggee?: boolean;
}

export const waitChecks = (): option.OptionChecks<WaitOptions> => ({
  signal: option.signal,
  timeoutMs: option.milliseconds,
});

export const outputChecks = (): option.OptionChecks<OutputOptions> => ({
  ...waitChecks(),
  category: option.text,
});

export const stepChecks = (): option.OptionChecks<StepInOptions> => ({
  ...waitChecks(),
  threadId: option.integer,
  granularity: option.oneOf("statement", "line", "instruction"),
  singleThread: option.flag,
  targetId: option.integer,
});

export const restartChecks = (): option.OptionChecks<RestartOptions> => ({
  ...waitChecks(),
  arguments: option.object,
});

export const endChecks = (): option.OptionChecks<DisconnectOptions> => ({
  terminateMs: option.milliseconds,
  disconnectMs: option.milliseconds,
  closeMs: option.milliseconds,
  terminateDebuggee: option.flag,
  suspendDebuggee: option.flag,
});

/**
 * Returns options for the steps of a call, whose `timeoutMs` is the remaining time of that call.
 *
 * @param defaultMs The `timeoutMs` to use if the options do not contain one.
 */
export function sharedLimits(options: WaitOptions, defaultMs: number | undefined): WaitOptions {
  const { signal, timeoutMs = defaultMs } = options;
  const signalOption = signal === undefined ? {} : { signal };
  if (timeoutMs === undefined || timeoutMs === 0 || timeoutMs === Infinity)
    return { ...signalOption, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
  const end = performance.now() + timeoutMs;
  return {
    ...signalOption,
    get timeoutMs() {
      // Return at least 1, because 0 would disable the timeout.
      return Math.max(1, Math.ceil(end - performance.now()));
    },
  };
}

/** Returns the maximum time for each step of ending a session within a call. */
export function endWithin(options: WaitOptions, defaultMs: number | undefined): EndOptions {
  const { timeoutMs } = sharedLimits(options, defaultMs);
  if (timeoutMs === undefined || timeoutMs === 0 || timeoutMs === Infinity) return {};
  const disconnectMs = Math.min(defaultEndMs.disconnect, Math.ceil(timeoutMs / 2));
  const closeMs = Math.min(defaultEndMs.close, Math.max(1, timeoutMs - disconnectMs));
  return { disconnectMs, closeMs };
}

/** Returns the options that apply to a request. */
export function requestOptions({ signal, timeoutMs }: WaitOptions = {}): RequestOptions {
  return {
    ...(signal === undefined ? {} : { signal }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
}
