/** Something in a recording: a message, or bytes that are none. */
export interface RecordedEntry {
  /** Who sent it; undefined where the recording does not say. */
  readonly from?: string;
  readonly time?: number;
  readonly offset?: number;
  readonly line?: number;
  readonly session?: number;
  readonly message?: object;
  /** What is wrong with bytes that are no message. */
  readonly fault?: { readonly code: string; readonly text: string };
}

/** Called with an entry, and the number of bytes that it takes in the recording. */
export type EntryHandler = (entry: RecordedEntry, bytes: number) => void;

/** Reads a recording from its bytes, a chunk after the other. */
export interface EntryReader {
  push(bytes: Uint8Array): void;
  end(): void;
}
