import { Fifo } from "../base/fifo.js";
import { deferred } from "../base/promises.js";
import { plainTransport, readIterable, type Transport } from "./transport.js";

/** The part of a `MessagePort` or worker that a transport needs. */
export type Port = PortMethods & (PortEvents | WorkerEvents);

interface PortMethods {
  postMessage(message: unknown): void;
  start?(): void;
  close?(): void;
}

/** The event methods of ports, which deliver messages in `data`. */
interface PortEvents {
  addEventListener(type: "message" | "close", listener: (event: object) => void): void;
}

/** The event methods of Node's workers, which have no `addEventListener`. */
interface WorkerEvents {
  on(event: "message" | "exit", listener: (message: unknown) => void): unknown;
}

/** Number of unread bytes at which the sender is paused. */
const highWater = 0x10_0000;

/** Maximum number of unread bytes from a sender that does not pause. */
const maxUnreadBytes = 0x1000_0000;

/**
 * Creates a transport over a message port. Each frame is sent as a separate message. `null` ends
 * the stream. A number acknowledges that many bytes, which allows the sender to wait for a slow
 * reader.
 */
export function portTransport(port: Port): Transport {
  return plainTransport(new PortTransport(port));
}

class PortTransport implements Transport {
  readonly #port: Port;
  readonly #arrived = new Fifo<Uint8Array>();
  #arrivedBytes = 0;
  #isOver = false;
  #error: Error | undefined;
  /** Number of bytes that the peer has not acknowledged yet. */
  #unread = 0;
  #wakeReader: () => void = () => undefined;
  #waitingWrites: ReturnType<typeof deferred<void>>[] = [];
  readonly read: Transport["read"];

  constructor(port: Port) {
    this.#port = port;
    this.read = readIterable(this.#frames());
    if ("addEventListener" in port) {
      port.addEventListener("message", (event) => this.#take((event as { data?: unknown }).data));
      port.addEventListener("close", () => this.#end());
    } else {
      port.on("message", (message) => this.#take(message));
      port.on("exit", () => this.#end());
    }
    port.start?.();
  }

  write(bytes: Uint8Array): void | Promise<void> {
    if (this.#isOver) throw this.#closedError();
    // Copy the array, because it may be a view of memory shared with other frames.
    this.#port.postMessage(bytes.slice());
    this.#unread += bytes.length;
    if (this.#unread < highWater) return;
    const waiting = deferred<void>();
    this.#waitingWrites.push(waiting);
    return waiting.promise;
  }

  close(): void {
    if (this.#isOver) return;
    this.#port.postMessage(null);
    this.#end();
    this.#port.close?.();
  }

  destroy(): void {
    this.close();
  }

  async *#frames(): AsyncGenerator<Uint8Array, void, void> {
    for (;;) {
      const bytes = this.#arrived.shift();
      if (bytes !== undefined) {
        this.#arrivedBytes -= bytes.length;
        yield bytes;
        if (!this.#isOver) this.#port.postMessage(bytes.length);
      } else if (this.#error !== undefined) throw this.#error;
      else if (this.#isOver) return;
      else await new Promise<void>((resolve) => (this.#wakeReader = resolve));
    }
  }

  #take(data: unknown): void {
    if (this.#isOver) return;
    if (data === null) this.#end();
    else if (typeof data === "number") this.#credit(data);
    else if (data instanceof Uint8Array) {
      this.#arrived.push(data);
      this.#arrivedBytes += data.length;
      if (this.#arrivedBytes > maxUnreadBytes) this.#failUnread();
      this.#wakeReader();
    }
  }

  /** Called when the peer acknowledges bytes. */
  #credit(bytes: number): void {
    if (!(bytes > 0)) return;
    this.#unread = Math.max(0, this.#unread - bytes);
    if (this.#unread < highWater)
      for (const { resolve } of this.#waitingWrites.splice(0)) resolve();
  }

  #failUnread(): void {
    this.#error = new Error(`Cannot buffer more input: ${this.#arrivedBytes} bytes are unread`);
    this.#arrived.takeAll();
    this.close();
  }

  #end(): void {
    this.#isOver = true;
    this.#wakeReader();
    for (const { reject } of this.#waitingWrites.splice(0)) reject(this.#closedError());
  }

  #closedError(): Error {
    return this.#error ?? new Error("Cannot write: the port is closed");
  }
}
