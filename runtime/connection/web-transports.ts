import * as option from "../base/check-options.js";
import { Fifo } from "../base/fifo.js";
import { deferred } from "../base/promises.js";
import { startTimer } from "../base/waiting-limits.js";
import type {
  ClearTimeout,
  Readable,
  Reader,
  SetTimeout,
  TextDecoderClass,
  TextEncoderClass,
  Writable,
} from "../base/web-standards.js";
import { headerName } from "../frames/frame.js";
import type { JsonFraming, LengthPrefix } from "../protocol/protocol-description.js";
import {
  plainTransport,
  readIterable,
  type FullTransport,
  type MessageLink,
  type Transport,
} from "./transport.js";

declare const setTimeout: SetTimeout;
declare const clearTimeout: ClearTimeout;

/**
 * Milliseconds to keep reading after a failed write, because the peer may have sent the reason for
 * the failure.
 */
export const readAfterFailureMs = 100;

/** Creates a transport over WHATWG streams. */
export function streamTransport(streams: {
  readonly readable: Readable<Uint8Array>;
  readonly writable: Writable<Uint8Array>;
}): Transport {
  const writer = streams.writable.getWriter();
  const reader = streams.readable.getReader();
  return {
    read(onBytes, onEnd) {
      let isOver = false;
      let timer: unknown;
      const end = (error?: unknown): void => {
        clearTimeout(timer);
        if (!isOver) onEnd(error);
        isOver = true;
      };
      readIterable(chunksOf(reader))(onBytes, end);
      // Watch `closed`: otherwise, a failed write would go unnoticed until the next write.
      writer.closed.catch((error: unknown) => {
        if (!isOver) timer = setTimeout(() => end(error), readAfterFailureMs);
      });
    },
    async write(bytes) {
      await writer.ready;
      const written = writer.write(bytes);
      written.catch(() => undefined);
      // While a writer is closing, `ready` resolves although nothing is accepted. So wait for the
      // write, too.
      await Promise.race([written, writer.ready]);
    },
    async close() {
      await writer.close().catch(() => undefined);
      await reader.cancel().catch(() => undefined);
    },
    async destroy() {
      const error = new Error("The transport was destroyed");
      await Promise.allSettled([writer.abort(error), reader.cancel(error)]);
    },
  };
}

async function* chunksOf(reader: Reader<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  for (;;) {
    const next = await reader.read();
    if (next.done) return;
    yield next.value;
  }
}

/**
 * The part of a standard `WebSocket` that a transport needs. The `WebSocket` class in the `ws`
 * package provides it, too.
 */
export interface WebSocketLike {
  binaryType: string;
  /** 0 while the socket is connecting, 1 while it is open. */
  readonly readyState: number;
  readonly bufferedAmount: number;
  /** Accepts a string or bytes. The byte array types accepted depend on the compiler version. */
  send(data: never): void;
  close(code?: number, reason?: string): void;
  addEventListener(
    type: "open" | "message" | "error" | "close",
    listener: (event: object) => void,
  ): void;
}

/** Options for a transport over a WebSocket. */
export interface WebSocketOptions {
  /**
   * The form in which messages are sent. With `binary`, the bytes of the stream are sent. With
   * `text`, each message is sent as a separate string, without the separators used in a stream.
   * Incoming messages may have either form. Default: `text` for `nul` framing, `binary` otherwise.
   */
  readonly frames?: "binary" | "text";
  /** How the protocol separates messages in a stream. Default: `content-length`. */
  readonly framing?: Exclude<JsonFraming, LengthPrefix>;
}

const webSocketChecks: option.OptionChecks<WebSocketOptions> = {
  frames: /* @__PURE__ */ option.oneOf("binary", "text"),
  framing: /* @__PURE__ */ option.oneOf("content-length", "lines", "nul"),
};

/** Number of unsent bytes above which writing waits. */
const socketHighWater = 0x10_0000;

/**
 * Milliseconds between checks of the number of unsent bytes, which is not reported by any event.
 */
const drainMs = 10;

/** Maximum number of unread bytes, which has to be limited because a WebSocket cannot be paused. */
const maxUnreadSocketBytes = 0x1000_0000;

declare const TextEncoder: TextEncoderClass;
declare const TextDecoder: TextDecoderClass;

const frameEncoder = /* @__PURE__ */ new TextEncoder();

/**
 * Creates a transport over a `WebSocket`, which may still be connecting.
 *
 * @throws TypeError for unknown options and invalid values.
 */
export function webSocketTransport(
  socket: WebSocketLike,
  options: WebSocketOptions = {},
): FullTransport {
  option.checkOptions("webSocketTransport", options, webSocketChecks);
  return plainTransport(new WebSocketTransport(socket, options));
}

class WebSocketTransport implements FullTransport {
  readonly #socket: WebSocketLike;
  readonly #options: WebSocketOptions;
  readonly #arrived = new Fifo<Uint8Array>();
  #arrivedBytes = 0;
  /** Resolves when the socket is open or closed. */
  readonly #opened = deferred<void>();
  readonly #closed = deferred<void>();
  /** How the socket ended; undefined while it is open. */
  #end: string | undefined;
  #error: Error | undefined;
  #wakeReader: () => void = () => undefined;

  constructor(socket: WebSocketLike, options: WebSocketOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.binaryType = "arraybuffer";
    socket.addEventListener("open", () => this.#opened.resolve());
    socket.addEventListener("message", (event) => this.#take((event as { data?: unknown }).data));
    // Not all implementations report the reason.
    socket.addEventListener("error", (event) => {
      const { error, message } = event as { error?: unknown; message?: unknown };
      this.#error ??= error instanceof Error ? error : new Error(textOfFailure(message));
    });
    socket.addEventListener("close", (event) => this.#ended(event));
    if (socket.readyState === 1) this.#opened.resolve();
    if (socket.readyState > 1) this.#ended({});
  }

  read(
    onBytes: (bytes: Uint8Array) => void | Promise<void>,
    onEnd: (error?: unknown, detail?: string) => void,
  ): void {
    readIterable(this.#chunks())(onBytes, (error) => onEnd(error, this.#end));
  }

  write(bytes: Uint8Array): void | Promise<void> {
    if (this.#end !== undefined) throw this.#error ?? new Error(`Cannot write: ${this.#end}`);
    if (this.#socket.readyState === 0)
      return this.#opened.promise.then(() => this.write(bytes.slice()));
    const { framing, frames = framing === "nul" ? "text" : "binary" } = this.#options;
    this.#socket.send((frames === "text" ? bodyOf(bytes) : bytes.slice()) as never);
    if (this.#socket.bufferedAmount > socketHighWater) return this.#drained();
  }

  close(): Promise<void> {
    if (this.#end === undefined) this.#socket.close(1_000);
    return this.#closed.promise;
  }

  destroy(): void {
    this.#socket.close(1_000);
    this.#ended({});
  }

  async *#chunks(): AsyncGenerator<Uint8Array, void, void> {
    for (;;) {
      const bytes = this.#arrived.shift();
      if (bytes !== undefined) {
        this.#arrivedBytes -= bytes.length;
        yield bytes;
      } else if (this.#error !== undefined) throw this.#error;
      else if (this.#end !== undefined) return;
      else await new Promise<void>((resolve) => (this.#wakeReader = resolve));
    }
  }

  #take(data: unknown): void {
    if (this.#end !== undefined) return;
    const bytes =
      typeof data === "string"
        ? framed(data, this.#options.framing)
        : data instanceof Uint8Array
          ? data
          : new Uint8Array(data as ArrayBuffer);
    this.#arrived.push(bytes);
    this.#arrivedBytes += bytes.length;
    if (this.#arrivedBytes > maxUnreadSocketBytes) {
      this.#error = new Error(`Cannot buffer more input: ${this.#arrivedBytes} bytes are unread`);
      this.#arrived.takeAll();
      this.destroy();
    }
    this.#wakeReader();
  }

  #ended(event: object): void {
    if (this.#end !== undefined) return;
    const { code = 1_005, reason } = event as { code?: number; reason?: string };
    const why = reason === undefined || reason === "" ? "" : `: ${reason}`;
    this.#end = `the WebSocket was closed with code ${code}${why}`;
    // 1005 means that the peer sent no code, 1001 that it is going away.
    if (![1_000, 1_001, 1_005].includes(code)) this.#error ??= new Error(this.#end);
    this.#opened.resolve();
    this.#closed.resolve();
    this.#wakeReader();
  }

  /** Settles once the number of unsent bytes is low. */
  async #drained(): Promise<void> {
    while (this.#end === undefined && this.#socket.bufferedAmount > socketHighWater)
      await new Promise<void>((resolve) => void startTimer(drainMs, resolve));
  }
}

/**
 * Converts a string to stream bytes. A string that starts with a brace is a message without a
 * header; any other string is already part of a stream.
 */
function framed(text: string, framing: WebSocketOptions["framing"]): Uint8Array {
  if (!text.startsWith("{")) return frameEncoder.encode(text);
  if (framing === "lines") return frameEncoder.encode(text.endsWith("\n") ? text : `${text}\n`);
  if (framing === "nul") return frameEncoder.encode(`${text}\0`);
  const body = frameEncoder.encode(text);
  const header = frameEncoder.encode(`${headerName}${body.length}\r\n\r\n`);
  const bytes = new Uint8Array(header.length + body.length);
  bytes.set(header);
  bytes.set(body, header.length);
  return bytes;
}

/** Returns the body of a frame, whose header ends at the first empty line. */
function bodyOf(frame: Uint8Array): string {
  let at = 0;
  while (at < frame.length && !(frame[at] === 0x0a && frame[at - 2] === 0x0a)) at++;
  const body = at === frame.length ? frame : frame.subarray(at + 1);
  const end = body.at(-1) === 0 ? body.length - 1 : body.length;
  return new TextDecoder().decode(body.subarray(0, end)).trimEnd();
}

function textOfFailure(message: unknown): string {
  return typeof message === "string" && message !== "" ? message : "The WebSocket failed";
}

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
