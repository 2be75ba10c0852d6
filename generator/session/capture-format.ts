import type { RecordingHead } from "./recording-lines.js";

/**
 * A record of a capture. A capture contains the undecoded bytes of a session. Its first line is a
 * `RecordingHead` with form 2, followed by records. Each record is a line of JSON. If it has bytes,
 * they follow the line, and a line feed follows them.
 */
export interface CaptureRecord {
  /**
   * `bytes`: the record contains bytes of the stream. `stderr`: it contains bytes of the sender's
   * standard error. `end`: it states how the direction ended. `lost`: it states how many bytes of
   * the stream are missing.
   */
  readonly kind: "bytes" | "stderr" | "end" | "lost";
  /** Milliseconds since the session began. */
  readonly time: number;
  /** Role that sent the bytes. */
  readonly from: string;
  /** Id of the session, if there are several. */
  readonly session?: number;
  /** Number of bytes that follow. For `lost`: number of missing bytes. */
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

/** Parses the line of a record. Undefined if it is not such a line. */
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
