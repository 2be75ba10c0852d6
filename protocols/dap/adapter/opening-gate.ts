import { onAbort, startTimer, type RequestContext } from "../../../generated/dap/runtime/index.js";

/** Makes requests wait while the handler of `initialize` runs, in the order of their arrival. */
export class OpeningGate {
  #opening: Promise<unknown> | undefined;

  /** Holds back the next requests until the handler of `initialize` settles, and is answered. */
  hold(opening: Promise<unknown>): Promise<unknown> {
    this.#opening = opening;
    const release = (): void => (this.#opening = undefined);
    opening.then(release, release);
    return opening;
  }

  /**
   * Calls a handler now, or when the gate opens. A request that is cancelled while it waits
   * resolves to undefined.
   *
   * @param mostMs Maximum milliseconds to wait.
   */
  enter(run: () => unknown, context: Pick<RequestContext, "signal">, mostMs: number): unknown {
    const opening = this.#opening;
    if (opening === undefined) return run();
    const { signal } = context;
    return new Promise<unknown>((resolve) => {
      let isWaiting = true;
      const leave = (next: () => unknown): void => {
        if (!isWaiting) return;
        isWaiting = false;
        stopTimer();
        stopWatching();
        // An exception of the handler becomes a rejection.
        resolve(Promise.resolve().then(next));
      };
      const stopTimer = startTimer(mostMs, () => leave(run));
      const stopWatching = onAbort(signal, () => leave(() => undefined));
      // The connection registered for the result first, so the response is sent by now. If it is a
      // refusal, another `initialize` may hold back the requests after it.
      const retry = (): void => leave(() => this.enter(run, context, mostMs));
      opening.then(retry, retry);
    });
  }
}
