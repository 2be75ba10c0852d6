import { deferred, markHandled, onRejection } from "../base/promises.js";
import { textOfThrown } from "../base/thrown.js";
import { setAsyncDispose } from "../base/async-dispose.js";
import { checkOptions } from "../base/check-options.js";
import { abortReason, limitOf, startTimer } from "../base/waiting-limits.js";
import {
  defaultGraceMs,
  customRequestChecks,
  graceOf,
  requestChecks,
  type CloseOptions,
  type ConnectionProtocol,
  type CustomRequestOptions,
  type RequestOptions,
} from "./connection-settings.js";
import { BridgeDirection, type BridgePeer } from "./bridge-direction.js";
import {
  bridgeChecks,
  type AnyBridge,
  type AnyBridgeOptions,
  type BridgeEnd,
  type BridgeHook,
  type BridgeProblem,
} from "./bridge-settings.js";
import { closedError, endOf, unsentError } from "./connection-end.js";
import { failureFields } from "./failure-response.js";
import { MessageBuilder } from "./message-builder.js";
import { isOfArm, type AnyFields } from "../protocol/message-fields.js";
import { nameOf } from "./request-responder.js";
import { settleChecked } from "./valid-result.js";
import { transportOf, type TransportSource } from "./transport.js";

/** Forwards messages between two peers. */
export class MessageBridge implements AnyBridge {
  readonly #protocol: ConnectionProtocol["protocol"];
  readonly #settings: AnyBridgeOptions;
  readonly #build: MessageBuilder;
  readonly #directions: readonly BridgeDirection[];
  #end: BridgeEnd | undefined;
  readonly closed: Promise<BridgeEnd>;

  /**
   * @param sources The transports to the peers, in the order of the protocol's roles.
   * @param hooks For each peer, the name of the hook that receives its messages.
   */
  constructor(
    { protocol, decode }: Pick<ConnectionProtocol, "protocol" | "decode">,
    sources: readonly [TransportSource, TransportSource],
    hooks: readonly [string, string],
    settings: AnyBridgeOptions = {},
  ) {
    const transports = sources.map((source) => transportOf("bridge", source));
    checkOptions("bridge", settings, bridgeChecks(hooks));
    this.#protocol = protocol;
    this.#settings = settings;
    this.#build = new MessageBuilder(protocol.envelope);
    const peers = protocol.roles.map((role, index): BridgePeer => ({
      role,
      transport: transports[index]!,
      hooks: hooksOf(settings.middleware ?? [], hooks[index]!),
    }));
    const [first, second] = peers as [BridgePeer, BridgePeer];
    const parts = {
      protocol,
      decode,
      limits: settings.limits,
      report: (problem: BridgeProblem) => this.#report(problem),
      onEnd: (by: string, error: unknown, detail?: string) => this.#stop(by, error, detail),
      contextOf: (from: string, message: AnyFields, onAnswer: () => void) =>
        this.#contextOf(from, message, onAnswer),
    };
    const there = new BridgeDirection(first, second, parts);
    const back = new BridgeDirection(second, first, parts);
    there.back = back;
    back.back = there;
    this.#directions = [there, back];
    this.closed = Promise.all([there.done, back.done]).then(() => this.#end!);
    setAsyncDispose(this, () => this.close());
    there.start();
    back.start();
  }

  request(
    to: string,
    name: string,
    parameters?: unknown,
    options?: RequestOptions,
  ): Promise<unknown> {
    return this.#request(to, name, parameters, options, false);
  }

  requestCustom(
    to: string,
    name: string,
    parameters?: unknown,
    options?: CustomRequestOptions<unknown>,
  ): Promise<unknown> {
    return this.#request(to, name, parameters, options, true);
  }

  #request(
    to: string,
    name: string,
    parameters: unknown,
    options: CustomRequestOptions<unknown> | undefined,
    isCustom: boolean,
  ): Promise<unknown> {
    const { promise, resolve, reject } = deferred<unknown>();
    try {
      if (isCustom) checkOptions("requestCustom", options, customRequestChecks);
      else checkOptions("request", options, requestChecks);
      const { signal } = options ?? {};
      if (this.#end !== undefined) throw closedError(name, this.#end);
      if (signal?.aborted === true) throw abortReason(signal);
      const timeoutMs = limitOf(options?.timeoutMs);
      const towards = this.#towards(to);
      const [, message] = this.#build.request(name, parameters);
      const number = towards.numbers.own();
      const result = options?.result;
      const settle =
        result === undefined ? resolve : settleChecked(name, result, { resolve, reject });
      const call = { name, promise, resolve: settle, reject };
      const limits = { signal, timeoutMs };
      const bytes = towards.encode({ ...message, [this.#protocol.envelope.id]: number });
      towards.pending.add(number, call, limits, () => false);
      towards.queue.push(bytes);
    } catch (error) {
      reject(error);
    }
    return promise;
  }

  notify(to: string, name: string, body?: unknown): void {
    const towards = this.#towards(to);
    if (this.#end === undefined)
      towards.queue.push(towards.encodeOwn(this.#build.event(name, body)));
  }

  flushed(to: string): Promise<void> {
    const { queue } = this.#towards(to);
    return this.#end === undefined
      ? queue.flushed()
      : markHandled(Promise.reject(unsentError(this.#end)));
  }

  async close(options?: CloseOptions): Promise<BridgeEnd> {
    const graceMs = graceOf(options);
    this.#stop("bridge", undefined, undefined, graceMs);
    return this.closed;
  }

  /** @throws TypeError for a role that does not exist in the protocol. */
  #towards(role: string): BridgeDirection {
    const direction = this.#directions.find(({ to }) => to.role === role);
    if (direction === undefined) throw new TypeError(`Cannot send to "${role}": it is not a peer`);
    return direction;
  }

  #contextOf(from: string, request: AnyFields, onAnswer: () => void): object {
    const { envelope, conversation } = this.#protocol;
    const name = nameOf(request[envelope.request.name]);
    let isAnswered = false;
    const send = (response: () => object): void => {
      if (!isOfArm(envelope.request, request))
        throw new TypeError("Cannot answer a message that is not a request");
      if (isAnswered) throw new Error(`Cannot answer "${name}": it was already answered`);
      const towards = this.#towards(from);
      const bytes = towards.encodeOwn(response());
      isAnswered = true;
      onAnswer();
      towards.queue.push(bytes);
    };
    const { roles } = this.#protocol;
    const role = roles.find((each) => each !== from) ?? from;
    return {
      answer: (result?: unknown) => send(() => this.#build.success(request, name, result)),
      fail: (text: string) => {
        const fields = failureFields(conversation.failures.failed, { name, text, role });
        send(() => this.#build.failure(request, name, fields as AnyFields));
      },
    };
  }

  #report(problem: BridgeProblem): void {
    try {
      onRejection(this.#settings.onProblem?.(problem), () => undefined);
    } catch {
      // An exception thrown by onProblem must not break the bridge.
    }
  }

  /**
   * Called when a peer has ended. Writes the messages that it sent, and closes both transports. A
   * client whose stream ends without an error may still be reading. Its transport therefore stays
   * open until the adapter has ended as well, or until the grace period is over.
   */
  #stop(side: string, cause: unknown, detail?: string, graceMs = defaultGraceMs): void {
    if (this.#end !== undefined) {
      for (const { closing } of this.#directions) closing.closeWithin(graceMs);
      return;
    }
    const error =
      cause === undefined || cause instanceof Error ? cause : new Error(textOfThrown(cause));
    const from = this.#directions.find(({ back }) => back.to.role === side);
    const { message } = endOf(
      error === undefined ? detail : textOfThrown(error),
      error,
      from?.instead,
    );
    this.#end = { side, message, error };
    const [client] = this.#protocol.roles;
    for (const direction of this.#directions) {
      const { closing, done, to } = direction;
      const mayBeAnswered = side === client && to.role === client && error === undefined;
      const close = (): void => closing.closeWithin(graceMs);
      const stopTimer = mayBeAnswered ? startTimer(graceMs, close) : undefined;
      direction.stop();
      direction.pending.rejectAll(this.#end);
      if (!mayBeAnswered) close();
      void done.then(() => {
        stopTimer?.();
        direction.queue.end(() => unsentError(this.#end!));
      });
    }
  }
}

function hooksOf(middleware: readonly object[], name: string): readonly BridgeHook[] {
  return middleware.flatMap((each) => {
    const hook = (each as { readonly [name: string]: BridgeHook | undefined })[name];
    return hook === undefined ? [] : [hook.bind(each) as BridgeHook];
  });
}
