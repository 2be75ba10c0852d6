import type { RequestContext } from "./connection-settings.js";
import type { AnyFields } from "../protocol/message-fields.js";

/** A request that is being answered. Most handlers have no use for a signal, which is costly to make. */
export class IncomingRequest implements RequestContext {
  readonly request: AnyFields;
  readonly name: string;
  readonly id: unknown;
  /** Length of its body. */
  readonly bytes: number;
  /** Why it is refused without being handed to a handler. */
  readonly refusal: string | undefined;
  isStarted = false;
  isCancelled = false;
  isAnswered = false;
  #controller: AbortController | undefined;

  constructor(request: AnyFields, name: string, id: unknown, bytes: number, refusal?: string) {
    this.request = request;
    this.name = name;
    this.id = id;
    this.bytes = bytes;
    this.refusal = refusal;
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
