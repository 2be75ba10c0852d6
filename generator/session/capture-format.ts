import type { RecordingHead } from "./recording-lines.js";

/**
 * A capture: the undecoded bytes of a session. Its first line is a `RecordingHead` with form 2.
 * Records follow. Each has a line of JSON, the number of bytes that its `length` states, and a line
 * feed.
 */
export interface CaptureRecord {
  /**
   * `bytes` and `stderr` are followed by bytes: those of the stream, or of the sender's standard
   * error. `end` states how the direction ended, `lost` how many bytes of the stream are missing.
   */
  readonly kind: "bytes" | "stderr" | "end" | "lost";
  /** Milliseconds since the session began. */
  readonly time: number;
  /** Role that sent the bytes. */
  readonly from: string;
  /** Number of the session, if there are several. */
  readonly session?: number;
  /** Number of bytes that follow; for `lost`, that are lost. */
  readonly length?: number;
  readonly how?: string;
}

/** The first line of a capture. */
export type CaptureHead = Omit<RecordingHead, "form" | "order"> & { readonly form: 2 };

/** The beginning of the first line of a capture. */
export const captureSign = /^\{"recording":"wirewright","form":2[,}]/;

/** Prints the line of a record. */
export function captureLine(record: CaptureRecord): string {
  return `${JSON.stringify(record)}\n`;
}

/** Reads the line of a record. Undefined if it is not one. */
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
    ...{ kind, time, from, length: counts as number },
    ...(typeof session === "number" ? { session } : {}),
    ...(typeof how === "string" ? { how } : {}),
  };
}
