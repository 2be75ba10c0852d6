import type { SetTimeout } from "./web-standards.js";

declare const setTimeout: SetTimeout;

/** Functions provided by the host, any of which may be missing. */
interface Host {
  readonly process?: {
    readonly versions?: { readonly node?: string };
    readonly nextTick?: (callback: () => void) => void;
  };
  readonly setImmediate?: (callback: () => void) => void;
  readonly MessageChannel?: new () => {
    readonly port1: object;
    readonly port2: { postMessage(message: null): void };
  };
}

/**
 * Returns a function that schedules a call to `callback`. The call takes place once all pending
 * promise callbacks have run, including any that they add.
 *
 * @param callback Must not throw.
 * @param host The global object, or a substitute.
 */
export function afterMicrotasks(callback: () => void, host: Host = globalThis as Host): () => void {
  const { process, setImmediate, MessageChannel } = host;
  const nextTick = process?.nextTick;
  // Node runs all pending promise callbacks before it continues with the `nextTick` queue, within
  // the same turn of the event loop. Browser substitutes for `process` have no version.
  if (nextTick !== undefined && process?.versions?.node !== undefined) {
    const settled = Promise.resolve();
    const scheduleTick = (): void => nextTick(callback);
    return () => void settled.then(scheduleTick);
  }
  if (setImmediate !== undefined) return () => setImmediate(callback);
  if (MessageChannel === undefined) return () => setTimeout(callback);
  // Background tabs delay timers, but not messages sent through a port.
  const { port1, port2 } = new MessageChannel();
  Object.assign(port1, { onmessage: callback });
  return () => port2.postMessage(null);
}
