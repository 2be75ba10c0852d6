/** The longest delay of `setTimeout`: it takes anything beyond for 1 ms. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * Milliseconds to wait, or undefined for no limit: 0 and Infinity mean none.
 *
 * @throws RangeError for anything that is not a number from 0.
 */
export function readTimeout(timeoutMs: number | undefined): number | undefined {
  if (timeoutMs === undefined) return undefined;
  const milliseconds = readMilliseconds("timeoutMs", timeoutMs);
  return milliseconds === 0 || milliseconds === Infinity ? undefined : milliseconds;
}

/** Checks a number of milliseconds. @throws RangeError for anything that is not a number from 0. */
export function readMilliseconds(option: string, value: number): number {
  if (typeof value === "number" && value >= 0) return value;
  throw outOfRange(option, value, "a number of milliseconds from 0");
}

/** Checks a limit. @throws RangeError for anything that is neither a whole number from 1 nor Infinity. */
export function readLimit(option: string, value: number): number {
  if (value === Infinity || (Number.isSafeInteger(value) && value >= 1)) return value;
  throw outOfRange(option, value, "a whole number from 1, or Infinity");
}

function outOfRange(option: string, value: unknown, expected: string): RangeError {
  const text = `Cannot use ${option} ${String(value)}: expected ${expected}`;
  return Object.assign(new RangeError(text), { code: "ERR_OUT_OF_RANGE" });
}

/** Calls back once after a time of any length; returns a function that cancels it. */
export function startTimer(milliseconds: number, elapsed: () => void): () => void {
  if (milliseconds === Infinity) return () => undefined;
  let rest = milliseconds;
  const next = (): void => {
    rest -= longestTimerMs;
    if (rest <= 0) elapsed();
    else timer = setTimeout(next, Math.min(rest, longestTimerMs));
  };
  let timer = setTimeout(next, Math.min(rest, longestTimerMs));
  return () => clearTimeout(timer);
}

interface WatchedSignal {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

const watchedSignals = /* @__PURE__ */ new WeakMap<AbortSignal, WatchedSignal>();

/**
 * Calls back once when a signal is aborted; returns a function that stops watching.
 *
 * A signal has one listener however many callbacks there are: to remove one of many listeners takes a walk
 * through all of them.
 */
export function onAbort(signal: AbortSignal, aborted: () => void): () => void {
  const watched = watchedSignals.get(signal) ?? watchSignal(signal);
  // A callback given twice is called twice.
  const own = (): void => aborted();
  watched.callbacks.add(own);
  return () => {
    if (!watched.callbacks.delete(own) || watched.callbacks.size > 0) return;
    signal.removeEventListener("abort", watched.listener);
    watchedSignals.delete(signal);
  };
}

function watchSignal(signal: AbortSignal): WatchedSignal {
  const callbacks = new Set<() => void>();
  const listener = (): void => {
    for (const callback of callbacks) callback();
  };
  const watched = { callbacks, listener };
  signal.addEventListener("abort", listener);
  watchedSignals.set(signal, watched);
  return watched;
}
