import type { BridgeMiddleware, Middleware, Side } from "../../../generated/dap/connection.js";
import { protocol } from "../../../generated/dap/protocol.js";
import { option, type PerformanceClock } from "@wirewright/runtime";

/** Returns the first line of a recording, which contains the protocol and the start time. */
export function recordingHead(began: Date = new Date()): string {
  const { name, version, roles } = protocol;
  const head = { recording: "wirewright", form: 1, protocol: name, version, roles };
  return JSON.stringify({ ...head, began: began.toISOString() });
}

/**
 * Creates a middleware that records a session as lines of JSON, for `wirewright lint`. Add it
 * before any other middleware, so that it sees messages exactly as they are sent and received. The
 * first line of the file must be `recordingHead()`.
 *
 * In a `bridge`, it records the messages between the bridge and one peer, including those that the
 * bridge itself sends.
 *
 * @param side The side whose connection uses the middleware. In a bridge, the peer whose messages
 *   are recorded.
 * @param write Called with each line, without its line ending.
 * @param session Number of the session, if the recording contains several.
 * @throws TypeError for an unknown side.
 */
export function recordMessages(
  side: Side,
  write: (line: string) => void,
  session?: number,
): Middleware & BridgeMiddleware {
  option.checkOptions("recordMessages", { side }, { side: option.oneOf("client", "adapter") });
  return new MessageRecorder(side, recordEntries(write, session));
}

/** A class, because the options of a connection may not have a bridge's hooks as properties. */
class MessageRecorder implements Middleware, BridgeMiddleware {
  readonly #side: Side;
  readonly #peer: Side;
  readonly #record: RecordEntry;
  readonly #offsets = { client: 0, adapter: 0 };

  constructor(side: Side, record: RecordEntry) {
    this.#side = side;
    this.#peer = side === "client" ? "adapter" : "client";
    this.#record = record;
  }

  afterReceive(message: object, bytes: Uint8Array): void {
    this.#add(this.#peer, message, bytes);
  }

  afterSend(message: object, bytes: Uint8Array): void {
    this.#add(this.#side, message, bytes);
  }

  received(message: object, bytes: Uint8Array, peer: Side): void {
    if (peer === this.#side) this.#add(this.#side, message, bytes);
  }

  sent(message: object, bytes: Uint8Array, peer: Side): void {
    if (peer === this.#side) this.#add(this.#peer, message, bytes);
  }

  #add(from: Side, message: object, { length }: Uint8Array): void {
    const offset = this.#offsets[from];
    this.#offsets[from] += length;
    this.#record("message", from, { offset, length, message });
  }
}

declare const performance: PerformanceClock;

/** Records an entry of a session: its kind, its sender, and its other fields. */
export type RecordEntry = (kind: string, from: string, fields: object) => void;

/**
 * Returns a function that records the entries of a session that starts now. Each entry is passed on
 * as a line, without its line ending.
 */
export function recordEntries(write: (line: string) => void, session?: number): RecordEntry {
  const began = performance.now();
  const named = session === undefined ? {} : { session };
  return (kind, from, fields) => {
    const time = Math.round((performance.now() - began) * 1_000) / 1_000;
    write(JSON.stringify({ ...named, kind, time, from, ...fields }));
  };
}
