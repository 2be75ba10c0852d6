import { option } from "@wirewright/runtime";
import {
  sessionChecks,
  type SessionOptions,
  type StartOptions,
} from "../session/session-options.js";
import type { SourceBreakpoint } from "../../../generated/dap/types.js";
import { type WaitOptions } from "../session/wait-options.js";
import { type ExpectedStop } from "./expected-stop.js";

/** Options for a test client: some apply to each session that it starts, the others to the test. */
export interface TestClientOptions extends SessionOptions {
  /**
   * The test's signal. When it is aborted, all pending waits fail with an account of the session.
   * There is no other timeout.
   */
  readonly signal?: NonNullable<SessionOptions["signal"]>;
  /**
   * Called with the message when a wait is aborted. Pass `console.error`, for example, because test
   * runners do not show the errors of a test that timed out.
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

/** Options for `hitBreakpoint`. */
export interface HitOptions extends StartOptions<"launch"> {
  /**
   * The expected location, if it differs from the breakpoint's. Use `path: undefined` for adapters
   * whose stack frames have no source.
   */
  readonly expected?: ExpectedStop;
}

/** Options for waiting for an event. */
export interface EventOptions<Body> extends WaitOptions {
  /** Returns true for the events to wait for. */
  readonly where?: (body: Body) => boolean;
}
