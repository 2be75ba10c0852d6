import type { RecordedEntry } from "./entries/recorded-entry.js";

/** A batch of entries that were read together, along with their total size in the recording. */
export interface EntryBatch {
  readonly entries: readonly RecordedEntry[];
  readonly bytes: number;
}

/** Approximate limits on how many entries, and how many bytes, are read ahead. */
export interface ReadAhead {
  readonly bytes: number;
  readonly entries: number;
}

export const defaultReadAhead: ReadAhead = { bytes: 4 * 1024 * 1024, entries: 20_000 };

/** A queue of entries that have been read but not yet processed. */
export class EntryQueue {
  readonly #limit: ReadAhead;
  #batches: EntryBatch[] = [];
  /** Index of the first remaining entry in the first batch. */
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

  /** Marks the end of the input: no more entries will be added. */
  end(): void {
    this.#isEnded = true;
  }

  /** Whether the queue is empty and no more entries will be added. */
  get isOver(): boolean {
    return this.#isEnded && this.#count === 0;
  }

  /** Whether the queue is below its limits, so that more entries can be added. */
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

  /** Removes and returns all entries. */
  takeAll(): readonly EntryBatch[] {
    const batches = this.#batches;
    this.#batches = [];
    this.#bytes = this.#count = 0;
    return batches;
  }
}
