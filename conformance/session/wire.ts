import { createDecoder } from "@wirewright/dap";
import type { Transport } from "@wirewright/dap/connection";
import type { Pace } from "./pace.js";

/** A message as sent. All that is known about it is that it is an object. */
// Checks read fields of any message, valid or not.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyMessage = { readonly [field: string]: any };

/**
 * A message in a session. The trace lists messages in the order in which they were sent or
 * received.
 */
export interface TraceEntry {
  /** Position in the trace, counted from 0. */
  readonly index: number;
  readonly from: "client" | "adapter";
  readonly message: AnyMessage;
  /** Milliseconds since the connection was opened. */
  readonly time: number;
}

/** Returns the names of the messages on connections: their events and commands. */
export function namesOf(
  wires: readonly { readonly trace: readonly TraceEntry[] }[],
): ReadonlySet<string> {
  return new Set(
    wires.flatMap(({ trace }) =>
      trace.map(({ message }) => String(message["event"] ?? message["command"])),
    ),
  );
}

/** A failed step: the adapter did not respond, or it has ended. */
export class StepError extends Error {
  override readonly name = "StepError";
  /**
   * Number of the message that shows the failure, counted from 1. If undefined, the latest message
   * at that time is used.
   */
  readonly messageNumber: number | undefined;
  /** The check that fails as a result of this error. */
  check: string | undefined;
  /** The check of another case that fails for the same reason, if it fails. */
  readonly follows: string | undefined;
  /** Whether a message was still arriving when the suite stopped waiting. Nothing follows from it. */
  readonly isCut: boolean;

  constructor(
    message: string,
    {
      messageNumber,
      check,
      follows,
      isCut = false,
    }: { messageNumber?: number; check?: string; follows?: string; isCut?: boolean } = {},
  ) {
    super(message);
    this.messageNumber = messageNumber;
    this.check = check;
    this.follows = follows;
    this.isCut = isCut;
  }
}

interface Waiter {
  readonly test: (entry: TraceEntry) => boolean;
  /** Receives the entry that passes the test, the failure, or `end` if the connection has ended. */
  readonly settle: (result: TraceEntry | StepError | "end") => void;
}

/** Answers a request from the adapter, with a body or a refusal. */
export type ReverseHandler = (request: AnyMessage) => object | { readonly refused: string };

const encoder = new TextEncoder();

/** Returns a message's frame as bytes. */
export function frameOf(message: object): Uint8Array {
  const body = encoder.encode(JSON.stringify(message));
  const head = encoder.encode(`Content-Length: ${body.length}\r\n\r\n`);
  const frame = new Uint8Array(head.length + body.length);
  frame.set(head);
  frame.set(body, head.length);
  return frame;
}

/**
 * A connection to an adapter, along with a trace of all messages. Unlike a `@wirewright/dap`
 * connection, it lets the caller choose the order, the ids and the bytes of messages, and stores
 * all messages unchanged.
 */
export class Wire {
  readonly trace: TraceEntry[] = [];
  /** All bytes sent by the adapter. */
  readonly chunks: Uint8Array[] = [];
  readonly reverse = new Map<string, ReverseHandler>();
  /** How the connection ended; undefined while it is open. */
  end: string | undefined;
  readonly ended: Promise<void>;
  /** Whether some of the adapter's bytes are missing in the trace, because they are not a message. */
  hasFaults = false;
  /** Whether the latest bytes did not complete a message, so that one may still be arriving. */
  isReceiving = false;
  readonly #transport: Transport;
  readonly #pace: Pace;
  readonly #began = performance.now();
  readonly #waiters = new Set<Waiter>();
  #seq = 0;

  constructor(transport: Transport, pace: Pace) {
    this.#transport = transport;
    this.#pace = pace;
    const decoder = createDecoder({
      onMessage: (decoded) => {
        if (decoded.status === "malformed") this.hasFaults = true;
        else this.#receive(decoded.message as AnyMessage);
      },
      onFault: () => {
        this.hasFaults = true;
      },
    });
    this.ended = new Promise((resolve) => {
      transport.read(
        (bytes) => {
          this.chunks.push(bytes.slice());
          const { length } = this.trace;
          decoder.push(bytes);
          this.isReceiving = this.trace.slice(length).every(({ from }) => from === "client");
        },
        (error, detail) => {
          decoder.end();
          this.end =
            error instanceof Error ? error.message : (detail ?? "the connection was closed");
          for (const { settle } of this.#waiters) settle("end");
          resolve();
        },
      );
    });
  }

  /** Sends a request. Returns its sequence number. */
  send(command: string, args?: unknown): number {
    const seq = this.nextSeq();
    this.write({
      seq,
      type: "request",
      command,
      ...(args === undefined ? {} : { arguments: args }),
    });
    return seq;
  }

  nextSeq(): number {
    return ++this.#seq;
  }

  /**
   * Waits for the adapter's first request with the given name, and sends a successful response.
   * Resolves to the request's arguments.
   */
  received(command: string): Promise<AnyMessage> {
    return new Promise((resolve) => {
      this.reverse.set(command, (request) => {
        resolve(request["arguments"]);
        return {};
      });
    });
  }

  write(message: AnyMessage): void {
    this.record("client", message);
    this.writeBytes(frameOf(message));
  }

  writeBytes(bytes: Uint8Array): void {
    if (this.end !== undefined) return;
    try {
      // If writing fails, the connection ends, and `read` reports that.
      void Promise.resolve(this.#transport.write(bytes)).catch(() => undefined);
    } catch {
      // If writing fails, the connection ends, and `read` reports that.
    }
  }

  record(from: "client" | "adapter", message: AnyMessage): void {
    const time = Math.round((performance.now() - this.#began) * 1_000) / 1_000;
    const entry = { index: this.trace.length, from, message, time };
    this.trace.push(entry);
    for (const waiter of this.#waiters) if (waiter.test(entry)) waiter.settle(entry);
  }

  /**
   * Waits for the first entry, at or after a position, that passes a test. While a message is
   * arriving, the deadline is extended up to three times.
   *
   * @param options.messageNumber Number of the message that shows the failure, counted from 1. Default: the
   * latest message.
   * @param options.follows The check that judges whether such an entry comes.
   */
  until(
    test: (entry: TraceEntry) => boolean,
    options: {
      since?: number;
      timeoutMs?: number;
      what: string;
      messageNumber?: number;
      follows?: string;
    },
  ): Promise<TraceEntry> {
    const { since = 0, timeoutMs = this.#pace.deadlineMs, what, messageNumber, follows } = options;
    const isTypical = options.timeoutMs === undefined;
    const failed = (reason: string, isCut = false): StepError =>
      new StepError(`no ${what}${reason}`, {
        messageNumber: messageNumber ?? this.trace.length,
        follows,
        isCut,
      });
    const present = this.trace.slice(since).find(test);
    if (present !== undefined) return Promise.resolve(present);
    if (this.end !== undefined)
      return Promise.reject(failed(`: the adapter has ended (${this.end})`));
    return new Promise((resolve, reject) => {
      const began = performance.now();
      let chunks = this.chunks.length;
      let extensions = 0;
      const expire = (): void => {
        const isArriving = this.isReceiving && this.chunks.length > chunks;
        if (isArriving && extensions++ < 3) {
          chunks = this.chunks.length;
          timer = setTimeout(expire, timeoutMs);
        } else
          waiter.settle(failed(` within ${Math.round(performance.now() - began)} ms`, isArriving));
      };
      // If this process was busy, bytes that arrived in time have not been read yet.
      const expireOnceRead = (): void => void setImmediate(() => setImmediate(expire));
      let timer = setTimeout(expireOnceRead, timeoutMs);
      const waiter: Waiter = {
        test,
        settle: (result) => {
          if (!this.#waiters.delete(waiter)) return;
          clearTimeout(timer);
          if (result instanceof StepError) return reject(result);
          if (result === "end") return reject(failed(`: the adapter has ended (${this.end})`));
          if (isTypical) this.#pace.observe(performance.now() - began);
          resolve(result);
        },
      };
      this.#waiters.add(waiter);
    });
  }

  /**
   * Waits for missing responses. Resolves to whether the suite stopped waiting while a message was
   * still arriving.
   */
  async settle(): Promise<boolean> {
    const answered = new Set(this.trace.map(({ message }) => message["request_seq"]));
    const open = this.trace.filter(
      ({ from, message: { type, seq } }) =>
        from === "client" && type === "request" && !answered.has(seq),
    );
    const waits = open.map(({ message: { seq } }) =>
      this.until(({ from, message }) => from === "adapter" && message["request_seq"] === seq, {
        what: "response",
      }).then(
        () => false,
        (error: StepError) => error.isCut,
      ),
    );
    return (await Promise.all(waits)).includes(true);
  }

  async close(): Promise<void> {
    const timer = new Promise((resolve) => setTimeout(resolve, 3_000).unref());
    await Promise.race([Promise.resolve(this.#transport.close()).catch(() => undefined), timer]);
    if (this.end === undefined) await this.#transport.destroy?.();
  }

  #receive(message: AnyMessage): void {
    this.record("adapter", message);
    if (message["type"] !== "request") return;
    const command = String(message["command"]);
    const answer = this.reverse.get(command)?.(message) ?? { refused: "not supported" };
    const outcome =
      "refused" in answer
        ? { success: false, message: String(answer.refused), body: {} }
        : { success: true, body: answer };
    const head = { seq: this.nextSeq(), type: "response", request_seq: message["seq"], command };
    this.write({ ...head, ...outcome });
  }
}
