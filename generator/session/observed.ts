import type { ByteMark } from "./entries/recorded-entry.js";

/**
 * A message or bytes that were sent, or the end of a direction. Times are in milliseconds since the
 * session began.
 */
export type Observed =
  ObservedMessage | ObservedFault | ObservedNoise | ObservedLoss | ObservedPrint | ObservedEnd;

/**
 * Called for everything that is sent. For a JSON message, `body` has its bytes, which are valid
 * only during the call.
 */
export type ObservedHandler = (observed: Observed, body?: Uint8Array) => void;

interface ObservedBytes {
  readonly time: number;
  /** Role that sent the bytes. */
  readonly from: string;
  /** Offset in the bytes that the role sent. */
  readonly offset: number;
  readonly length: number;
}

export interface ObservedMessage extends ObservedBytes {
  readonly kind: "message";
  /** Quirks of its bytes. */
  readonly bytes?: readonly ByteMark[];
  /** `unparsed` if it was not parsed. */
  readonly message: object;
}

/** An unparsed message. Its bytes are a JSON object in one line. */
export const unparsed: object = Object.freeze({});

export interface ObservedFault extends ObservedBytes {
  readonly kind: "fault";
  /** Error code of the decoder. */
  readonly code: string;
  readonly text: string;
}

/** Bytes that belong to no message, as text. */
export interface ObservedNoise extends ObservedBytes {
  readonly kind: "noise";
  readonly text: string;
}

/** Bytes that could not be read, so that messages may be missing. */
export interface ObservedLoss extends ObservedBytes {
  readonly kind: "lost";
  readonly code: "ERR_LOST";
  readonly text: string;
}

/** A line that a role printed on its standard error. */
export interface ObservedPrint {
  readonly kind: "stderr";
  readonly time: number;
  readonly from: string;
  readonly text: string;
}

export interface ObservedEnd {
  readonly kind: "end";
  readonly time: number;
  readonly from: string;
  /** How the direction ended, such as `closed` or `exited with 1`. */
  readonly how: string;
}
