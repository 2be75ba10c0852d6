import type { Protocol } from "../../generator/model/protocol.js";
import { entryOf } from "./captured-sessions.js";
import type { EntryHandler, EntryReader } from "./entries/recorded-entry.js";
import { MessageReader } from "./message-reader.js";
import { SessionObserver } from "./session-observer.js";

/**
 * Reads the bytes of one direction of a protocol whose messages are not JSON. The first bytes
 * determine the direction.
 */
export class SpelledStream implements EntryReader {
  readonly #protocol: Protocol;
  readonly #observer: SessionObserver;
  #role: string | undefined;

  constructor(protocol: Protocol, handle: EntryHandler) {
    this.#protocol = protocol;
    this.#observer = new SessionObserver(protocol, (observed) => {
      if (observed.kind === "end") return;
      const length = "length" in observed ? observed.length : 0;
      handle({ from: observed.from, ...entryOf(observed) }, length);
    });
  }

  push(bytes: Uint8Array): void {
    this.#role ??= likeliestSender(bytes, this.#protocol);
    this.#observer.push(this.#role, bytes, 0);
  }

  end(): void {
    if (this.#role !== undefined) this.#observer.end(this.#role, "ended", 0);
  }
}

/**
 * Determines the role that sent the bytes by decoding them in both roles' notations and choosing
 * the role whose notation yields more messages of the protocol.
 */
function likeliestSender(bytes: Uint8Array, protocol: Protocol): string {
  const reader = new MessageReader(protocol);
  const known = (role: string): number => {
    const notation = protocol.notations?.[role];
    // Do not count text messages, because any line is a valid text message.
    const text = notation?.kind === "xml-element" ? notation.text?.name : undefined;
    let count = 0;
    const observer = new SessionObserver(protocol, (observed) => {
      if (observed.kind !== "message") return;
      const fields = observed.message as Readonly<Record<string, unknown>>;
      const kind = reader.kindOf(fields);
      if (kind === undefined || kind === "response") return;
      const name = reader.nameOf(kind, fields);
      if (name !== text && reader.knownMessage(kind, name) !== undefined) count++;
    });
    observer.push(role, bytes, 0);
    observer.end(role, "ended", 0);
    return count;
  };
  const [initiator, responder] = protocol.roles;
  return known(responder) > known(initiator) ? responder : initiator;
}
