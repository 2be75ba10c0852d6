import type { RecordedEntry } from "./recorded-entry.js";

/** Entries that were read together, and how many bytes of the recording they take. */
export interface EntryBatch {
  readonly entries: readonly RecordedEntry[];
  readonly bytes: number;
}

/** How much is read ahead, approximately. */
export interface ReadAhead {
  readonly bytes: number;
  readonly entries: number;
}

export const defaultReadAhead: ReadAhead = { bytes: 4 * 1024 * 1024, entries: 20_000 };

/** Entries that have been read and not taken yet. */
export class EntryQueue {
  readonly #limit: ReadAhead;
  #batches: EntryBatch[] = [];
  /** Place of the first entry in the first batch. */
  #at = 0;
  #bytes = 0;
  #count = 0;
  #isEnded = false;

  constructor(limit = defaultReadAhead) {
    this.#limit = limit;
  }

  add(batch: EntryBatch): void {
    if (batch.entries.length === 0) return;
    this.#batches.push(batch);
    this.#bytes += batch.bytes;
    this.#count += batch.entries.length;
  }

  /** Nothing more comes. */
  end(): void {
    this.#isEnded = true;
  }

  /** Nothing is left, and nothing more comes. */
  get isOver(): boolean {
    return this.#isEnded && this.#count === 0;
  }

  /** More may come, and there is room for it. */
  get hasRoom(): boolean {
    return !this.#isEnded && this.#bytes < this.#limit.bytes && this.#count < this.#limit.entries;
  }

  get first(): RecordedEntry | undefined {
    return this.#batches[0]?.entries[this.#at];
  }

  take(): RecordedEntry {
    const [batch] = this.#batches;
    const entry = batch!.entries[this.#at++]!;
    this.#count--;
    if (this.#at === batch!.entries.length) {
      this.#batches.shift();
      this.#at = 0;
      this.#bytes -= batch!.bytes;
    }
    return entry;
  }

  /** Takes all entries that are there. */
  takeAll(): readonly EntryBatch[] {
    const batches = this.#batches;
    this.#batches = [];
    this.#bytes = this.#count = 0;
    return batches;
  }
}
