import type { RequestContext } from "./connection-settings.js";

/** A request that is being answered. Most handlers have no use for a signal, which is costly to make. */
export class AnsweredRequest implements RequestContext {
  readonly request: object;
  isCancelled = false;
  #controller: AbortController | undefined;

  constructor(request: object) {
    this.request = request;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.isCancelled) this.#controller.abort();
    return this.#controller.signal;
  }

  cancel(): void {
    this.isCancelled = true;
    this.#controller?.abort();
  }
}
