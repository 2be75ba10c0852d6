/** An entry of a recording: a message, bytes that are not a message, or a line that the sender printed. */
export interface RecordedEntry {
  /** Role that sent it; undefined if unknown. */
  readonly from?: string;
  /** Milliseconds since the session began. */
  readonly time?: number;
  readonly offset?: number;
  readonly line?: number;
  readonly session?: number;
  readonly message?: object;
  /**
   * JSON Pointers of the parts that the source omits: `message` lacks them, or has a placeholder
   * there. Only logs have such parts.
   */
  readonly unknown?: readonly string[];
  /**
   * Quirks of the bytes of the message. Absent if there are none, and if the source has no bytes.
   */
  readonly bytes?: readonly ByteMark[];
  /** The fault of bytes that are not a message. */
  readonly fault?: { readonly code: string; readonly message: string };
  /** Whether messages may have been attributed to the wrong session here. */
  readonly isDoubtful?: true;
  /** How its sender ended, such as `closed` or `exited with 1`: it sends no more messages. */
  readonly ended?: string;
  /** A line that the sender printed on its standard error. It is not a message of the session. */
  readonly printed?: string;
}

/** A quirk of the bytes of a message. */
export interface ByteMark {
  /** Name of the quirk in the rules of framing: `name-case`. */
  readonly quirk: string;
  /** Offset of the quirk in the stream of the role. */
  readonly offset: number;
  /** JSON Pointer, if it is at a place in the body. */
  readonly pointer?: string;
  /** The found value, as text. */
  readonly value?: string;
}

/** Called with an entry and its size in the recording. */
export type EntryHandler = (entry: RecordedEntry, bytes: number) => void;

/** Reads a recording chunk by chunk. */
export interface EntryReader {
  push(bytes: Uint8Array): void;
  end(): void;
}
