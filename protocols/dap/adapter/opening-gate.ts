import { onAbort, startTimer, type RequestContext } from "../../../generated/dap/runtime/index.js";

/**
 * Delays requests while the `initialize` handler runs, keeping them in the order in which they
 * arrived.
 */
export class OpeningGate {
  #opening: Promise<unknown> | undefined;

  /**
   * Delays later requests until the `initialize` handler has settled and its response has been
   * sent.
   */
  hold(opening: Promise<unknown>): Promise<unknown> {
    this.#opening = opening;
    const release = (): void => (this.#opening = undefined);
    opening.then(release, release);
    return opening;
  }

  /**
   * Calls a handler now, or when the gate opens. If the request is cancelled while it is waiting,
   * the result is undefined.
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
        // Turn an exception thrown by the handler into a rejection.
        resolve(Promise.resolve().then(next));
      };
      const stopTimer = startTimer(mostMs, () => leave(run));
      const stopWatching = onAbort(signal, () => leave(() => undefined));
      // The connection subscribed to the result first, so it has sent the response by now. If that
      // response is a refusal, another `initialize` may delay the requests that follow it.
      const retry = (): void => leave(() => this.enter(run, context, mostMs));
      opening.then(retry, retry);
    });
  }
}
