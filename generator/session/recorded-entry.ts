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

/** Takes an entry, and how many bytes of the recording it stands for. */
export type EntryHandler = (entry: RecordedEntry, bytes: number) => void;

/** Reads a recording from its bytes, a chunk after the other. */
export interface EntryReader {
  push(bytes: Uint8Array): void;
  end(): void;
}
