import { callQuietly, nothing } from "./promises.js";
import { abortReason, onAbort } from "./waiting-limits.js";
import type { Signal } from "./web-standards.js";

/**
 * Yields a source's values until a signal is aborted. Then closes the source without waiting for
 * it, because a silent source would not close until its next value arrived.
 *
 * @throws The signal's abort reason.
 */
export async function* untilAborted<Value>(
  source: AsyncIterable<Value> | Iterable<Value>,
  signal: Signal,
): AsyncGenerator<Value, void, void> {
  let abort: (reason: unknown) => void = nothing;
  const stopWatching = onAbort(signal, () => abort(abortReason(signal)));
  const values = iteratorOf(source);
  let isOpen = false;
  try {
    for (;;) {
      if (signal.aborted) throw abortReason(signal);
      isOpen = false;
      // Do not use `Promise.race`: a promise that outlives the chunks would accumulate a reaction
      // for each of them.
      const next = await new Promise<IteratorResult<Value>>((resolve, reject) => {
        abort = reject;
        Promise.resolve(values.next()).then(resolve, reject);
      });
      if (next.done === true) return;
      isOpen = true;
      yield next.value;
    }
  } finally {
    stopWatching();
    if (signal.aborted) callQuietly(() => values.return?.());
    else if (isOpen) await values.return?.();
  }
}

function iteratorOf<Value>(
  source: AsyncIterable<Value> | Iterable<Value>,
): AsyncIterator<Value> | Iterator<Value> {
  return Symbol.asyncIterator in source
    ? source[Symbol.asyncIterator]()
    : source[Symbol.iterator]();
}
