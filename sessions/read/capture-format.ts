import type { RecordingHead } from "./recording-lines.js";

/**
 * A record of a capture. A capture contains the undecoded bytes of a session. Its first line is a
 * `RecordingHead` with form 2, and the records follow. Each record is a line of JSON. If a record
 * has bytes, they come after its line and are themselves followed by a line feed.
 */
export interface CaptureRecord {
  /**
   * `bytes`: the record contains bytes from the stream. `stderr`: it contains bytes from the
   * sender's standard error. `end`: it says how the direction ended. `lost`: it says how many bytes
   * are missing from the stream.
   */
  readonly kind: "bytes" | "stderr" | "end" | "lost";
  /** Milliseconds since the session began. */
  readonly time: number;
  /** The role that sent the bytes. */
  readonly from: string;
  /** Id of the session, if there are several. */
  readonly session?: number;
  /** Number of bytes that follow. For `lost`, the number of missing bytes. */
  readonly length?: number;
  readonly how?: string;
}

/** The first line of a capture. */
export type CaptureHead = Omit<RecordingHead, "form" | "order"> & { readonly form: 2 };

/** Matches the beginning of a capture's first line. */
export const captureSign = /^\{"recording":"wirewright","form":2[,}]/;

export function captureLine(record: CaptureRecord): string {
  return `${JSON.stringify(record)}\n`;
}

/** Parses a record's line. Returns undefined if the line is not that of a record. */
export function readCaptureLine(text: string): CaptureRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { kind, time, from, session, length, how } = value as Readonly<Record<string, unknown>>;
  if (kind !== "bytes" && kind !== "stderr" && kind !== "end" && kind !== "lost") return undefined;
  if (typeof time !== "number" || typeof from !== "string") return undefined;
  const counts = kind === "end" ? 0 : length;
  if (!Number.isSafeInteger(counts) || (counts as number) < 0) return undefined;
  return {
    kind,
    time,
    from,
    length: counts as number,
    ...(typeof session === "number" ? { session } : {}),
    ...(typeof how === "string" ? { how } : {}),
  };
}
