import type { ByteMark } from "./recorded-entry.js";

/**
 * A message or bytes sent by a role, a line printed by a role, or the end of a role's direction.
 * Times are in milliseconds since the session began.
 */
export type Observed =
  ObservedMessage | ObservedFault | ObservedNoise | ObservedPrint | ObservedEnd;

/**
 * Called with everything that is observed. For a JSON message, `body` contains its bytes, which are
 * valid only during the call.
 */
export type ObservedHandler = (observed: Observed, body?: Uint8Array) => void;

interface ObservedBytes {
  readonly time: number;
  /** The role that sent the bytes. */
  readonly from: string;
  /** Offset in the role's stream. */
  readonly offset: number;
  readonly length: number;
}

export interface ObservedMessage extends ObservedBytes {
  readonly kind: "message";
  /** Quirks in the message's bytes. */
  readonly bytes?: readonly ByteMark[];
  readonly message: object;
}

export interface ObservedFault extends ObservedBytes {
  readonly kind: "fault";
  /** Error code reported by the decoder. */
  readonly code: string;
  readonly text: string;
}

/** The bytes that do not belong to a message, as a string. */
export interface ObservedNoise extends ObservedBytes {
  readonly kind: "noise";
  readonly text: string;
}

/** A line that a role printed to its standard error. */
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
