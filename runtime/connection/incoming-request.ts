import type { AbortControllerClass, HostSignal } from "../base/web-standards.js";
import type { RequestContext } from "./connection-settings.js";
import type { AnyFields } from "../protocol/message-fields.js";

declare const AbortController: AbortControllerClass;

/**
 * An incoming request. Its signal is created on demand, because creating one is expensive and most
 * handlers do not need it.
 */
export class IncomingRequest implements RequestContext {
  readonly request: AnyFields;
  readonly name: string;
  readonly id: unknown;
  /** Length of the message's body. */
  readonly bytes: number;
  /**
   * Why the request is to be refused without calling a handler; undefined if it is to be handled.
   */
  readonly refusal: string | undefined;
  readonly connection: unknown;
  isStarted = false;
  isCancelled = false;
  isAnswered = false;
  #controller: InstanceType<AbortControllerClass> | undefined;

  /** Functions to call once the response has been written. */
  callbacks: (() => unknown)[] | undefined;

  constructor(
    request: AnyFields,
    name: string,
    id: unknown,
    bytes: number,
    refusal?: string,
    connection?: unknown,
  ) {
    this.connection = connection;
    this.request = request;
    this.name = name;
    this.id = id;
    this.bytes = bytes;
    this.refusal = refusal;
  }

  /** Use a getter so that handlers can destructure the context. */
  get after(): RequestContext["after"] {
    return (run) => void (this.callbacks ??= []).push(run);
  }

  get signal(): HostSignal {
    this.#controller ??= new AbortController();
    if (this.isCancelled) this.#controller.abort();
    return this.#controller.signal;
  }

  cancel(): void {
    this.isCancelled = true;
    this.#controller?.abort();
  }
}
