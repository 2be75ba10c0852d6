import { InputError } from "../base/input-error.js";
import type { Protocol } from "../model/protocol.js";
import { EntryQueue, type EntryBatch, type ReadAhead } from "./entry-queue.js";
import type { RecordedEntry } from "./recorded-entry.js";
import { RecordingReader } from "./recording-reader.js";
import { Senders } from "./senders.js";

export interface RecordingInputOptions {
  /** It is one direction of two. */
  readonly isDirection: boolean;
  /** How much is held back at most. */
  readonly readAhead: ReadAhead;
}

/**
 * One file of a recording: its bytes become entries with their senders.
 *
 * If only one role is heard, messages that either role could have sent are taken as its. So entries are held back
 * until both roles are heard, or until enough entries are read.
 */
export class RecordingInput {
  readonly #name: string;
  readonly #senders: Senders;
  readonly #reader: RecordingReader;
  /** What has been read since the last call of `take`. */
  #read: RecordedEntry[] = [];
  #bytes = 0;
  /** Entries whose senders are not decided yet. */
  readonly #held: EntryQueue;
  readonly #isDirection: boolean;
  /** By role, how many of the held entries it surely sent. */
  readonly #heard = new Map<string, number>();
  #count = 0;
  #hasMessage = false;
  #isDecided = false;
  #onlyRole: string | undefined;

  constructor(name: string, protocol: Protocol, { isDirection, readAhead }: RecordingInputOptions) {
    this.#name = name;
    this.#isDirection = isDirection;
    this.#held = new EntryQueue(readAhead);
    this.#senders = new Senders(protocol);
    this.#reader = new RecordingReader(name, protocol, (entry, bytes) => {
      this.#read.push(this.#withSender(entry));
      this.#bytes += bytes;
      if (entry.message !== undefined) this.#hasMessage = true;
    });
  }

  /** @throws InputError `ERR_MESSAGE` if a line names a sender that the protocol does not have. */
  push(bytes: Uint8Array): void {
    this.#reader.push(bytes);
    if (!this.#isDecided) this.#hold();
  }

  /** @throws InputError `ERR_JSON` if there was no message. */
  end(): void {
    this.#reader.end();
    if (!this.#hasMessage)
      throw new InputError(
        "ERR_JSON",
        "Cannot find any message in the recording",
        { file: this.#name },
        hintOf(this.#reader.start),
      );
    if (this.#isDecided) return;
    this.#hold();
    this.#decide();
  }

  /** The senders are known. */
  get isDecided(): boolean {
    return this.#isDecided;
  }

  /** It is framed bytes of one direction. */
  get isOneSided(): boolean {
    return this.#reader.isFramed && this.#heard.size <= 1;
  }

  /** Share of the held entries that a role sent, from 0 to 1. */
  shareOf(role: string): number {
    const unknown = this.#count - [...this.#heard.values()].reduce((sum, each) => sum + each, 0);
    const own = (this.#heard.get(role) ?? 0) + (this.#onlyRole === role ? unknown : 0);
    return own / Math.max(1, this.#count);
  }

  /** Takes what has been read and decided. */
  take(): EntryBatch {
    if (!this.#isDecided) return { entries: [], bytes: 0 };
    const batches = [...this.#held.takeAll(), this.#takeRead()];
    const only = this.#onlyRole;
    const entries = batches.flatMap((batch) => batch.entries);
    return {
      entries:
        only === undefined
          ? entries
          : entries.map((entry) => (entry.from === undefined ? { ...entry, from: only } : entry)),
      bytes: batches.reduce((sum, { bytes }) => sum + bytes, 0),
    };
  }

  #withSender(entry: RecordedEntry): RecordedEntry {
    const { message } = entry;
    if (entry.from !== undefined || message === undefined) return entry;
    const from = this.#senders.senderOf(message);
    return from === undefined ? entry : { ...entry, from };
  }

  #hold(): void {
    const batch = this.#takeRead();
    this.#held.add(batch);
    this.#count += batch.entries.length;
    for (const { from } of batch.entries)
      if (from !== undefined) this.#heard.set(from, (this.#heard.get(from) ?? 0) + 1);
    const isClear = this.#heard.size > 1 && !this.#isDirection;
    if (isClear || !this.#held.hasRoom) this.#decide();
  }

  #decide(): void {
    this.#isDecided = true;
    this.#onlyRole = this.#heard.size === 1 ? [...this.#heard.keys()][0] : undefined;
  }

  #takeRead(): EntryBatch {
    const batch = { entries: this.#read, bytes: this.#bytes };
    this.#read = [];
    this.#bytes = 0;
    return batch;
  }
}

/** Advice on bytes that hold no message, by the first of them. */
function hintOf(start: Uint8Array): string {
  const [first, second] = start;
  if (first === 0x1f && second === 0x8b) return "It is compressed with gzip: decompress it first";
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    return "It is UTF-16: save it as UTF-8";
  return "Give a recording of wirewright tap, framed bytes, or lines with a JSON message each";
}
