import type { ClearTimeout, SetTimeout, Signal } from "./web-standards.js";

declare const setTimeout: SetTimeout;
declare const clearTimeout: ClearTimeout;

/** Maximum delay of `setTimeout`. Longer delays would fire after 1 ms. */
const longestTimerMs = 0x7fff_ffff;

/**
 * Converts a number of milliseconds to a timeout. Returns undefined for 0 and Infinity, both of
 * which mean that there is no timeout.
 */
export function limitOf(timeoutMs: number | undefined): number | undefined {
  return timeoutMs === 0 || timeoutMs === Infinity ? undefined : timeoutMs;
}

/** Calls a function once after a delay of any length. Returns a function that cancels the call. */
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

/** Returns the reason why a call was aborted, as given by its signal. */
export function abortReason({ reason }: Signal): unknown {
  return reason ?? Object.assign(new Error("This operation was aborted"), { name: "AbortError" });
}

interface WatchedSignal {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

const watchedSignals = /* @__PURE__ */ new WeakMap<Signal, WatchedSignal>();

/**
 * Calls a function once when a signal is aborted. Returns a function that unsubscribes.
 *
 * Each signal gets a single listener, because `removeEventListener` takes time linear in the number
 * of listeners.
 */
export function onAbort(signal: Signal, aborted: () => void): () => void {
  const watched = watchedSignals.get(signal) ?? watchSignal(signal);
  // Wrap the callback so that it is called twice if it was added twice.
  const callback = (): void => aborted();
  watched.callbacks.add(callback);
  return () => {
    if (!watched.callbacks.delete(callback) || watched.callbacks.size > 0) return;
    signal.removeEventListener("abort", watched.listener);
    watchedSignals.delete(signal);
  };
}

function watchSignal(signal: Signal): WatchedSignal {
  const callbacks = new Set<() => void>();
  const listener = (): void => {
    for (const callback of callbacks) callback();
  };
  const watched = { callbacks, listener };
  signal.addEventListener("abort", listener);
  watchedSignals.set(signal, watched);
  return watched;
}
