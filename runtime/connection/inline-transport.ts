import { Fifo } from "../base/fifo.js";
import { deferred } from "../base/promises.js";
import { plainTransport, readIterable, type FullTransport, type MessageLink } from "./transport.js";

/** Number of unread characters at which the sender is paused. */
const inlineHighWater = 0x10_0000;

/**
 * Creates a pair of connected transports, for two connections in the same program. They pass
 * messages as JSON text, without framing or bytes. As with any other transport, each message is a
 * copy that is limited to JSON values: undefined properties are omitted, `NaN` becomes null, and a
 * BigInt or a cycle makes the sender throw an `EncodeError`. A message is never delivered before
 * the code that sends it has continued.
 */
export function inlineTransports(): readonly [FullTransport, FullTransport] {
  const first = new InlineEnd();
  const second = new InlineEnd();
  first.peer = second;
  second.peer = first;
  return [plainTransport(first), plainTransport(second)];
}

class InlineEnd implements FullTransport {
  peer!: InlineEnd;
  readonly #arrived = new Fifo<string>();
  #unread = 0;
  #isOver = false;
  #wakeReader: () => void = () => undefined;
  #waitingWrites: ReturnType<typeof deferred<void>>[] = [];
  readonly messages: MessageLink = {
    read: (onText, onEnd) => readIterable(this.#texts())(onText, onEnd),
    write: (text) => this.#write(text),
  };

  read(): void {
    throw bytesError();
  }

  write(): void {
    throw bytesError();
  }

  close(): void {
    this.#end();
    this.peer.#end();
  }

  destroy(): void {
    this.#arrived.takeAll();
    this.peer.#arrived.takeAll();
    this.close();
  }

  #write(text: string): void | Promise<void> {
    if (this.#isOver) throw closedInlineError();
    const { peer } = this;
    peer.#arrived.push(text);
    peer.#unread += text.length;
    peer.#wakeReader();
    if (peer.#unread < inlineHighWater) return;
    const waiting = deferred<void>();
    this.#waitingWrites.push(waiting);
    return waiting.promise;
  }

  async *#texts(): AsyncGenerator<string, void, void> {
    // Deliver the message asynchronously so that the code that sends it continues first.
    await Promise.resolve();
    for (;;) {
      const text = this.#arrived.shift();
      if (text !== undefined) {
        yield text;
        this.#unread -= text.length;
        if (this.#unread < inlineHighWater) this.peer.#letWrite();
      } else if (this.#isOver) return;
      else await new Promise<void>((resolve) => (this.#wakeReader = resolve));
    }
  }

  #letWrite(): void {
    for (const { resolve } of this.#waitingWrites.splice(0)) resolve();
  }

  #end(): void {
    this.#isOver = true;
    this.#wakeReader();
    for (const { reject } of this.#waitingWrites.splice(0)) reject(closedInlineError());
  }
}

function bytesError(): TypeError {
  return new TypeError(
    "Cannot transfer bytes over an inline transport, which carries only messages: use a MessageChannel",
  );
}

function closedInlineError(): Error {
  return new Error("Cannot write: the inline transport is closed");
}
