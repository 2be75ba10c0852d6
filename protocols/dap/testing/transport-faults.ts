import { createFrameDecoder, peek } from "../../../generated/dap/codec.js";
import {
  option,
  startTimer,
  type TextDecoderClass,
  type TextEncoderClass,
  type Transport,
} from "@wirewright/runtime";

declare const TextEncoder: TextEncoderClass;
declare const TextDecoder: TextDecoderClass;

/** Selects the messages affected by a fault. All the given properties must match. */
export interface FaultPlace {
  /** The side that sends the message. Default: `adapter`. */
  readonly from?: "client" | "adapter";
  readonly kind?: "request" | "response" | "event";
  /** Name of the event, of the request, or of the request that a response answers. */
  readonly name?: string;
  /** Which of the matching messages is affected, counted from 1. Default: all of them. */
  readonly number?: number;
}

/**
 * The effect on a message.
 *
 * - `drop`: The message is lost.
 * - `delay`: The message and all later messages arrive `ms` milliseconds late. With `overtake`,
 *   later messages arrive on time.
 * - `duplicate`: The message arrives twice.
 * - `corrupt`: The message body is not JSON, its length is wrong, or the message is preceded by
 *   bytes that are not a message.
 * - `change`: The function returns the message that arrives instead.
 * - `die`: The connection ends after `bytes` bytes of the message.
 */
export type Fault = FaultPlace &
  (
    | { readonly do: "drop" | "duplicate" }
    | { readonly do: "delay"; readonly ms: number; readonly overtake?: boolean }
    | { readonly do: "corrupt"; readonly what?: "body" | "length" | "noise" }
    | { readonly do: "change"; readonly to: (message: object) => object }
    | { readonly do: "die"; readonly bytes?: number; readonly error?: Error }
  );

/** Names of the properties of any kind of fault. */
type KeyOf<Each> = Each extends unknown ? keyof Each : never;

const faultChecks = (): option.OptionChecks<{ [Name in KeyOf<Fault>]: unknown }> => ({
  from: option.oneOf("client", "adapter"),
  kind: option.oneOf("request", "response", "event"),
  name: option.text,
  number: option.limit,
  do: option.oneOf("drop", "delay", "duplicate", "corrupt", "change", "die"),
  ms: option.milliseconds,
  overtake: option.flag,
  what: option.oneOf("body", "length", "noise"),
  to: option.callback,
  bytes: option.count,
  error: option.object,
});

/**
 * Wraps a transport so that it fails at selected messages. Drops any bytes between messages.
 *
 * @param given A transport, or a function that opens one, such as the result of `inProcess`.
 * @throws TypeError for a fault with unknown properties or invalid values.
 */
export function withFaults(given: Transport, faults: readonly Fault[]): Transport;
export function withFaults(
  given: () => Transport | Promise<Transport>,
  faults: readonly Fault[],
): () => Promise<Transport>;
export function withFaults(
  given: Transport | (() => Transport | Promise<Transport>),
  faults: readonly Fault[],
): Transport | (() => Promise<Transport>) {
  for (const fault of faults) option.checkOptions("withFaults", fault, faultChecks());
  if (typeof given === "function") return async () => faulty(await given(), faults);
  return faulty(given, faults);
}

function faulty(given: Transport, faults: readonly Fault[]): Transport {
  const transport = given.messages === undefined ? given : inBytes(given, given.messages);
  const injector = (from: "client" | "adapter", line: Line): Injector =>
    new Injector(
      faults.filter((fault) => (fault.from ?? "adapter") === from),
      line,
    );
  let die: (error?: Error) => void = () => undefined;
  const outgoing = injector("client", {
    pass: (bytes) => transport.write(bytes),
    die: (error) => die(error),
  });
  return {
    read(onBytes, onEnd) {
      let isOver = false;
      const end = (error?: unknown, detail?: string): void => {
        if (isOver) return;
        isOver = true;
        onEnd(error, detail);
      };
      die = (error = new Error("The adapter died")) => {
        end(error);
        void (transport.destroy ?? transport.close).call(transport);
      };
      const incoming = injector("adapter", {
        pass: (bytes) => (isOver ? undefined : onBytes(bytes)),
        die: (error) => die(error),
      });
      transport.read(
        (bytes) => incoming.take(bytes),
        (error, detail) => void incoming.over().then(() => end(error, detail)),
      );
    },
    write: (bytes) => outgoing.take(bytes),
    close: () => transport.close(),
    destroy: () => (transport.destroy ?? transport.close).call(transport),
  };
}

/** Turns a message transport into a byte transport. */
function inBytes(transport: Transport, messages: NonNullable<Transport["messages"]>): Transport {
  return {
    read: (onBytes, onEnd) => messages.read((text) => onBytes(frameOf(text)), onEnd),
    write: (bytes) => messages.write(bodyOf(bytes)),
    close: () => transport.close(),
    destroy: () => (transport.destroy ?? transport.close).call(transport),
  };
}

/** Receives the messages in one direction, and the end of that direction. */
interface Line {
  readonly pass: (bytes: Uint8Array) => void | Promise<void>;
  readonly die: (error?: Error) => void;
}

/** Applies faults to the messages in one direction. */
class Injector {
  readonly #faults: readonly { readonly fault: Fault; seen: number }[];
  readonly #line: Line;
  readonly #decoder: ReturnType<typeof createFrameDecoder>;
  /** Settles once all messages have been forwarded, one after another. */
  #order: Promise<void> = Promise.resolve();
  #isDead = false;

  constructor(faults: readonly Fault[], line: Line) {
    this.#faults = faults.map((fault) => ({ fault, seen: 0 }));
    this.#line = line;
    this.#decoder = createFrameDecoder({
      onFrame: ({ body, raw }) => this.#takeFrame(body, raw),
      // Ignore damage in the stream, because only messages are forwarded.
      onFault: () => undefined,
    });
  }

  /** Forwards bytes. Settles once they have been forwarded. */
  take(bytes: Uint8Array): Promise<void> {
    this.#decoder.push(bytes);
    return this.#order;
  }

  over(): Promise<void> {
    return this.#order.catch(() => undefined);
  }

  #takeFrame(body: Uint8Array, raw: Uint8Array): void {
    if (this.#isDead) return;
    const { kind, name } = peek(body) ?? {};
    let first: Fault | undefined;
    for (const candidate of this.#faults) {
      const { fault } = candidate;
      if (fault.kind !== undefined && fault.kind !== kind) continue;
      if (fault.name !== undefined && fault.name !== name) continue;
      candidate.seen++;
      if (fault.number === undefined || fault.number === candidate.seen) first ??= fault;
    }
    if (first === undefined) this.#pass(raw);
    else this.#spoil(first, raw);
  }

  #spoil(fault: Fault, raw: Uint8Array): void {
    switch (fault.do) {
      case "drop":
        return;
      case "duplicate":
        this.#pass(raw);
        this.#pass(raw);
        return;
      case "delay":
        if (fault.overtake === true) startTimer(fault.ms, () => this.#pass(raw));
        else {
          this.#then(() => new Promise((resolve) => startTimer(fault.ms, resolve)));
          this.#pass(raw);
        }
        return;
      case "corrupt":
        this.#pass(corrupted(raw, fault.what));
        return;
      case "change":
        this.#pass(frameOf(JSON.stringify(fault.to(JSON.parse(bodyOf(raw)) as object))));
        return;
      case "die": {
        const { bytes = 0, error } = fault;
        if (bytes > 0) this.#pass(raw.subarray(0, bytes));
        this.#isDead = true;
        this.#then(() => this.#line.die(error));
      }
    }
  }

  #pass(bytes: Uint8Array): void {
    this.#then(() => this.#line.pass(bytes));
  }

  #then(next: () => void | Promise<void>): void {
    this.#order = this.#order.then(next);
    this.#order.catch(() => undefined);
  }
}

/** Returns the index of the body in a frame. */
function startOf(raw: Uint8Array): number {
  for (let index = 3; index < raw.length; index++)
    if (raw[index] === 10 && raw[index - 1] === 13 && raw[index - 2] === 10) return index + 1;
  return raw.length;
}

function bodyOf(raw: Uint8Array): string {
  return new TextDecoder().decode(raw.subarray(startOf(raw)));
}

function frameOf(body: string): Uint8Array {
  const bytes = new TextEncoder().encode(body);
  return joined(new TextEncoder().encode(`Content-Length: ${bytes.length}\r\n\r\n`), bytes);
}

function corrupted(raw: Uint8Array, what: "body" | "length" | "noise" = "body"): Uint8Array {
  if (what === "noise")
    return joined(new TextEncoder().encode("Segmentation fault (core dumped)\n"), raw);
  const start = startOf(raw);
  if (what === "body") {
    const copy = raw.slice();
    copy.fill(0x23, start, start + 1);
    return copy;
  }
  const body = raw.subarray(start);
  const wrong = `Content-Length: ${Math.max(0, body.length - 1)}\r\n\r\n`;
  return joined(new TextEncoder().encode(wrong), body);
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
