import { maxMessageBytes } from "../../../generator/base/memory-limits.js";
import { type EntryFault, LineCutter, tooLongLine } from "../json-lines.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import { isObject } from "../../../runtime/protocol/message-fields.js";
import type { EntryHandler, EntryReader, RecordedEntry } from "../recorded-entry.js";
import { isMessage, Senders } from "../senders.js";
import { JsonCollector } from "./json-collector.js";
import type { HeadReader, LoggedHead, LoggedMessage, Side } from "./log-format.js";

/** Number of bytes that a line may contain in addition to its message. */
const headBytes = 64 * 1024;

/** A log that was truncated while it was being written begins with NUL bytes. */
const leadingNulls = /^\0+/;

/**
 * Reads a log whose messages are in JSON. Each message is announced by a head and may span several
 * lines. All other lines are ignored, and at most one message is buffered.
 */
export class JsonLog implements EntryReader {
  readonly #protocol: Protocol;
  readonly #handle: EntryHandler;
  readonly #readHead: HeadReader;
  readonly #senders: Senders;
  readonly #lines: LineCutter;
  /** The sender's role, by arrow. */
  readonly #arrows = new Map<string, string>();
  /** The message being collected. */
  #open:
    { readonly head: LoggedHead; readonly line: number; readonly json: JsonCollector } | undefined;
  /** Number of bytes read since the last entry. */
  #bytes = 0;

  constructor(protocol: Protocol, handle: EntryHandler, readHead: HeadReader) {
    this.#protocol = protocol;
    this.#handle = handle;
    this.#readHead = readHead;
    this.#senders = new Senders(protocol);
    this.#lines = new LineCutter(maxMessageBytes + headBytes, {
      line: (bytes, number) => this.#take(utf8.decode(bytes), number, bytes.length + 1),
      tooLong: (line, length) => {
        this.#cut();
        this.#bytes += length;
        this.#emit({ line, fault: tooLongLine(length) });
      },
    });
  }

  push(bytes: Uint8Array): void {
    this.#lines.push(bytes);
  }

  end(): void {
    this.#lines.end();
    this.#cut();
  }

  #take(line: string, number: number, bytes: number): void {
    const text = line.replace(leadingNulls, "");
    const head = this.#readHead(text);
    if (head !== undefined) this.#cut();
    this.#bytes += bytes;
    if (head === undefined) this.#add(text);
    else if ("message" in head) this.#report(head, number, head);
    else {
      this.#open = { head, line: number, json: new JsonCollector() };
      this.#add(head.text);
    }
  }

  #add(text: string): void {
    if (this.#open === undefined) return;
    const { head, line, json } = this.#open;
    const collected = json.add(text);
    if (collected === "open") return;
    this.#open = undefined;
    if (collected === "none") return;
    if ("value" in collected) {
      const { value, unknown = [] } = collected;
      const { read = plainMessage } = head;
      const logged = read(value);
      if (logged !== undefined)
        this.#report(head, line, { ...logged, unknown: [...unknown, ...(logged.unknown ?? [])] });
    } else this.#emit({ ...this.#placeOf(head, line), fault: collected });
  }

  /** Ends an incomplete message, because another one begins or the log ends. */
  #cut(): void {
    if (this.#open === undefined) return;
    const { head, line, json } = this.#open;
    this.#open = undefined;
    if (json.hasBegun) this.#emit({ ...this.#placeOf(head, line), fault: isCut });
  }

  #report(head: LoggedHead | LoggedMessage, line: number, logged: LoggedMessage): void {
    const { message, unknown } = logged;
    const place = this.#placeOf({ ...head, ...logged }, line);
    const from = place.from ?? this.#byArrow("arrow" in head ? head.arrow : undefined, message);
    this.#emit({
      ...place,
      ...(from === undefined ? {} : { from }),
      message,
      ...(unknown === undefined || unknown.length === 0 ? {} : { unknown }),
    });
  }

  #placeOf({ side, time, session }: LoggedPlace, line: number): RecordedEntry {
    const [client, server] = this.#protocol.roles;
    return {
      ...(side === undefined ? {} : { from: side === "client" ? client : server }),
      ...(time === undefined ? {} : { time }),
      line,
      ...(session === undefined ? {} : { session }),
    };
  }

  /**
   * Determines a message's sender by its name. If the name is not enough, goes by the direction
   * that earlier messages have revealed for the arrow.
   */
  #byArrow(arrow: string | undefined, message: object): string | undefined {
    const known = this.#senders.senderOf(message);
    if (arrow === undefined) return known;
    if (known !== undefined && !this.#arrows.has(arrow)) this.#arrows.set(arrow, known);
    return known ?? this.#arrows.get(arrow);
  }

  #emit(entry: RecordedEntry): void {
    const bytes = this.#bytes;
    this.#bytes = 0;
    this.#handle(entry, bytes);
  }
}

interface LoggedPlace {
  readonly side?: Side | undefined;
  readonly time?: number | undefined;
  readonly session?: number | undefined;
}

const isCut: EntryFault = { code: "ERR_LOST", message: "A logged message is incomplete" };

/** Accepts any logged object as a message, for logs that mark their messages. */
export function plainMessage(value: unknown): LoggedMessage | undefined {
  return isObject(value) ? { message: value } : undefined;
}

/**
 * Accepts a logged object only if it is a message, for logs that print other objects the same way.
 */
export function onlyMessages(protocol: Protocol): (value: unknown) => LoggedMessage | undefined {
  return (value) =>
    isObject(value) && isMessage(value, protocol) ? { message: value } : undefined;
}

const utf8 = new TextDecoder();
