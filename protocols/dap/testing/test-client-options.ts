import { option } from "../../../generated/dap/runtime/index.js";
import {
  sessionChecks,
  type SessionOptions,
  type StartOptions,
} from "../session/session-options.js";
import type { SourceBreakpoint } from "../../../generated/dap/types.js";
import { type WaitOptions } from "../session/wait-options.js";
import { type ExpectedStop } from "./expected-stop.js";

/** Options of a test client: those of a session, for each session that it starts. */
export interface TestClientOptions extends SessionOptions {
  /**
   * The signal of the test. When it is aborted, all pending waits fail with an account of the
   * session. Nothing else limits the time.
   */
  readonly signal?: NonNullable<SessionOptions["signal"]>;
  /**
   * Called with the message of a wait that was aborted, such as `console.error`. Runners do not show
   * the errors of a test that they have given up.
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
  /** Whether the adapter verifies it, by the time at which it is hit. Default: true. */
  readonly verified?: boolean;
}

/** Options of `hitBreakpoint`. */
export interface HitOptions extends StartOptions<"launch"> {
  /**
   * Where the program stops, if that is not where the breakpoint was asked for. `path: undefined` is
   * for adapters whose frames have no source.
   */
  readonly expected?: ExpectedStop;
}

/** Options of a wait for an event. */
export interface EventOptions<Body> extends WaitOptions {
  /** Which event to wait for: one that this returns true for. */
  readonly where?: (body: Body) => boolean;
}
