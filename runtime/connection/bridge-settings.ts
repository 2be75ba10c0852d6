import * as option from "../base/check-options.js";
import type {
  CloseOptions,
  CustomRequestOptions,
  ProblemCode,
  RequestOptions,
} from "./connection-settings.js";
import { limitChecks, type FrameFaultCode, type FrameLimits } from "../frames/frame-faults.js";

/** How a bridge ended. */
export interface BridgeEnd<Side extends string = string> {
  /** The peer whose stream ended or failed first, or `bridge` after `close()`. */
  readonly side: Side | "bridge";
  /** How the bridge ended, as a sentence without a full stop. */
  readonly message: string;
  /** The error that ended the bridge; undefined if there was none. */
  readonly error: Error | undefined;
}

/** A problem in a bridge. The affected message or bytes are not forwarded. */
export interface BridgeProblem<Side extends string = string> {
  readonly code: ProblemCode | FrameFaultCode;
  /** A human-readable sentence, with an excerpt of the affected bytes. */
  readonly message: string;
  /** The peer that sent the message or the bytes. */
  readonly side: Side;
  readonly cause?: unknown;
}

/** Lets a hook answer a request in place of the receiver. An answered request is not forwarded. */
export interface BridgeContext {
  /** Sends a successful response to this request. */
  answer(result?: unknown): void;
  /** Sends a failure response to this request. */
  fail(message: string): void;
}

/**
 * Receives every message from one peer. Returns a message to forward in its place, null to drop the
 * message, or nothing to forward it unchanged.
 */
export type BridgeHook = (message: never, context: never) => object | null | void;

export interface AnyBridgeOptions<Side extends string = string> {
  readonly limits?: Partial<FrameLimits>;
  /** Called with each problem. Exceptions are ignored. */
  readonly onProblem?: (problem: BridgeProblem<Side>) => void;
  /** Middleware, in the order in which it sees messages. */
  readonly middleware?: readonly object[];
}

/** @param hooks Names of the hooks in the bridge's middleware. */
export const bridgeChecks = (hooks: readonly string[]): option.OptionChecks<AnyBridgeOptions> => ({
  limits: limitChecks,
  onProblem: option.callback,
  middleware: option.listOf(option.hooks(...hooks)),
});

/** A running bridge. */
export interface AnyBridge {
  /** Resolves once both transports are closed. */
  readonly closed: Promise<BridgeEnd>;
  /** Sends a request to a peer on behalf of the bridge itself. The response is not forwarded. */
  request(
    to: string,
    name: string,
    parameters?: unknown,
    options?: RequestOptions,
  ): Promise<unknown>;
  /** Sends a request that the protocol does not define. */
  requestCustom(
    to: string,
    name: string,
    parameters?: unknown,
    options?: CustomRequestOptions<unknown>,
  ): Promise<unknown>;
  /** Sends an event to a peer on behalf of the bridge itself. */
  notify(to: string, name: string, body?: unknown): void;
  /** Resolves once the transport to a peer has accepted everything sent so far. */
  flushed(to: string): Promise<void>;
  /** Writes the forwarded messages and closes both transports. */
  close(options?: CloseOptions): Promise<BridgeEnd>;
}
