import type { LogSummary } from "./log/log-summary.js";

/**
 * An entry in a recording: a message, bytes that are not a message, a line printed by the sender,
 * or a notice that the sender ended.
 */
export interface RecordedEntry {
  /** The role that sent the message or bytes. Undefined if unknown. */
  readonly from?: string;
  /** Milliseconds since the session began. */
  readonly time?: number;
  readonly offset?: number;
  readonly line?: number;
  readonly session?: number;
  readonly message?: object;
  /** The message as its sender wrote it, in a dialect. */
  readonly written?: { readonly message: object; readonly dialect: string };
  /**
   * JSON Pointers to the parts that the source omits. In `message`, these parts are absent or
   * replaced with placeholders. Only logs omit parts.
   */
  readonly unknown?: readonly string[];
  /**
   * Quirks in the message's bytes. Absent if there are none, or if the source does not contain the
   * bytes.
   */
  readonly bytes?: readonly ByteMark[];
  /** Why messages may be missing before this one, as far as the source tells. */
  readonly missing?: string;
  /** The reason why the bytes are not a message. */
  readonly fault?: {
    readonly code: string;
    readonly message: string;
    /** The beginning of what cannot be read. */
    readonly sample?: string;
  };
  /** Whether messages near this entry may have been assigned to the wrong session. */
  readonly isDoubtful?: true;
  /**
   * How the sender ended, such as `closed` or `exited with 1`. It sends no more messages after this
   * entry.
   */
  readonly ended?: string;
  /**
   * Text that is not part of the session: a line that the sender printed to its standard error, or
   * lines of a log that are not a message.
   */
  readonly printed?: string;
}

/** A batch of entries that were read together, along with their total size in the recording. */
export interface EntryBatch {
  readonly entries: readonly RecordedEntry[];
  readonly bytes: number;
}

/** A quirk in the bytes of a message. */
export interface ByteMark {
  /** Name of the quirk, as used in the rules about frames: `name-case`. */
  readonly quirk: string;
  /** Offset of the quirk in the role's stream. */
  readonly offset: number;
  /** JSON Pointer to the quirk, if it is in a part of the body. */
  readonly pointer?: string;
  /** The value that was found, as a string. */
  readonly value?: string;
}

/** Called with an entry and its size in the recording. */
export type EntryHandler = (entry: RecordedEntry, bytes: number) => void;

/** Reads a recording chunk by chunk. */
export interface EntryReader {
  push(bytes: Uint8Array): void;
  end(): void;
  /** Whether the recording was made with `wirewright tap`, so that it may contain no messages. */
  readonly isRecording?: boolean;
  /** The recording's start time in ISO 8601 format, if the file contains it. */
  readonly began?: string | undefined;
  /**
   * Whether the order of the two sides is a guess, either because the recording says so or because
   * of the program that logged it.
   */
  readonly isOrderGuessed?: boolean;
  /** The contents of a log. */
  readonly log?: LogSummary;
}
