import * as option from "../base/check-options.js";
import type { JsonFraming, LengthPrefix } from "../protocol/protocol-description.js";
import { deferred } from "../base/promises.js";
import { startTimer } from "../base/waiting-limits.js";
import type { TextDecoderClass, TextEncoderClass } from "../base/web-standards.js";
import { Fifo } from "../base/fifo.js";
import { headerName } from "../frames/frame.js";
import { plainTransport, readIterable, type FullTransport } from "./transport.js";

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
