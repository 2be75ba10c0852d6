import { option } from "../../../generated/dap/runtime/index.js";
import {
  sessionChecks,
  type SessionOptions,
  type StartOptions,
} from "../session/session-options.js";
import type { SourceBreakpoint } from "../../../generated/dap/types.js";
import { type WaitOptions } from "../session/wait-options.js";
import { type ExpectedStop } from "./expected-stop.js";

/**
 * Options of a test client: the options of each session that it starts, and options of the test.
 */
export interface TestClientOptions extends SessionOptions {
  /**
   * The signal of the test. When it is aborted, all pending waits fail with an account of the
   * session. There is no other time limit.
   */
  readonly signal?: NonNullable<SessionOptions["signal"]>;
  /**
   * Called with the message when a wait is aborted. Pass `console.error`, for example: test runners
   * do not show errors of a test that timed out.
   */
  readonly onAbort?: (message: string) => void;
}

export const testClientChecks = (): option.OptionChecks<TestClientOptions> => ({
  ...sessionChecks(),
  onAbort: option.callback,
});

/** A breakpoint to hit. */
export interface TestBreakpoint extends SourceBreakpoint {
  readonly path: string;
  /** Whether the breakpoint is expected to be verified by the time it is hit. Default: true. */
  readonly verified?: boolean;
}

/** Options of `hitBreakpoint`. */
export interface HitOptions extends StartOptions<"launch"> {
  /**
   * The expected location, if it differs from the breakpoint's. Use `path: undefined` for adapters
   * whose frames have no source.
   */
  readonly expected?: ExpectedStop;
}

/** Options of a wait for an event. */
export interface EventOptions<Body> extends WaitOptions {
  /** Selects the event: returns true for events to wait for. */
  readonly where?: (body: Body) => boolean;
}
