import type { RequestOptions } from "./connection-settings.js";
import type { FrameLimits } from "../frames/frame-errors.js";

/** How a bridge ended. */
export interface BridgeEnd {
  /** The peer whose stream ended or failed first, or `bridge` after `close()`. */
  readonly by: string;
  /** A sentence without a full stop. */
  readonly text: string;
  /** The error, if it ended because of one. */
  readonly error: Error | undefined;
}

/** A problem of a bridge. The message or the bytes that it concerns are not forwarded. */
export interface BridgeProblem {
  readonly code: string;
  readonly text: string;
  /** The peer that sent it. */
  readonly from: string;
  readonly cause?: unknown;
}

/** What a middleware can do about the message that it sees. */
export interface BridgeContext {
  /** Sends a successful response to this request. Return undefined, so that nobody else answers. */
  answer(result?: unknown): void;
  /** Sends a failure response to this request. */
  fail(text: string): void;
}

/** Sees the messages of one peer: returns the message to forward, or undefined to drop it. */
export type BridgeHook = (message: never, context: never) => object | undefined | void;

export interface BridgeSettings {
  readonly limits?: Partial<FrameLimits>;
  /** Called with each problem. Exceptions are ignored. */
  readonly onProblem?: (problem: BridgeProblem) => void;
}

/** A running bridge. */
export interface AnyBridge {
  /** Resolves when both transports are closed. */
  readonly closed: Promise<BridgeEnd>;
  /** Sends a request of its own to a peer; its response is not forwarded. */
  request(
    to: string,
    name: string,
    parameters?: unknown,
    options?: RequestOptions,
  ): Promise<unknown>;
  /** Sends an event of its own to a peer. Resolves when the transport accepts more. */
  notify(to: string, name: string, body?: unknown): Promise<void>;
  /** Writes what has been forwarded and closes both transports. */
  close(): Promise<BridgeEnd>;
}
