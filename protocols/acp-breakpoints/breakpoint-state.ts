import type { BreakpointState } from "../../generated/acp-breakpoints/types.js";
import { type AdapterBreakpoint, type DebugSession } from "./bridge-options.js";

/** A breakpoint's state in one session. */
export interface SessionState {
  readonly adapterId?: number;
  readonly verified: boolean;
  readonly line?: number;
  readonly message?: string;
}

export interface Kept<Requested> {
  readonly id: number;
  requested: Requested;
  readonly states: Map<DebugSession, SessionState>;
  /** The state last sent to the agent. */
  lastSent: string;
}

/**
 * Returns the reason why a session refuses all exception breakpoints, as given in its response, or
 * undefined if it sets any of them.
 */
export function refusalOf(body: unknown): string | undefined {
  const { breakpoints = [] } = (body ?? {}) as {
    readonly breakpoints?: readonly AdapterBreakpoint[];
  };
  if (breakpoints.length === 0 || breakpoints.some(({ verified }) => verified)) return undefined;
  return breakpoints.find(({ message }) => message !== undefined)?.message ?? "No filter is set";
}

export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Returns the state as seen by the agent. A breakpoint is verified if any session has verified it.
 */
export function stateOf(id: number, states: readonly SessionState[]): BreakpointState {
  const best = states.find(({ verified }) => verified) ?? states[0];
  if (best === undefined) return { id, verified: false, message: "There is no debug session" };
  const { verified, line, message } = best;
  return {
    id,
    verified,
    ...(line === undefined ? {} : { line }),
    ...(message === undefined ? {} : { message }),
  };
}

export function sessionState({ id, verified, line, message }: AdapterBreakpoint): SessionState {
  return {
    verified,
    ...(id === undefined ? {} : { adapterId: id }),
    ...(line === undefined ? {} : { line }),
    ...(message === undefined ? {} : { message }),
  };
}

/** Returns the breakpoints that a session supports. Records why it does not support the others. */
export function supportedBy<
  Requested extends { readonly condition?: string; readonly logMessage?: string },
>(session: DebugSession, wanted: readonly Kept<Requested>[]): readonly Kept<Requested>[] {
  const { supportsConditionalBreakpoints, supportsLogPoints } = session.capabilities;
  return wanted.filter(({ requested, states }) => {
    const message =
      requested.condition !== undefined && supportsConditionalBreakpoints !== true
        ? "The debugger does not support conditions"
        : requested.logMessage !== undefined && supportsLogPoints !== true
          ? "The debugger does not support log messages"
          : undefined;
    if (message !== undefined) states.set(session, { verified: false, message });
    return message === undefined;
  });
}
