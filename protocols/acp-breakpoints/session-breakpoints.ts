import type {
  BreakpointState,
  AgentBreakpoint,
  AgentFunctionBreakpoint,
  SetExceptionBreakpointsParams,
} from "../../generated/acp-breakpoints/types.js";
import type { AdapterBreakpoint, DebugSession } from "./bridge-options.js";

/** A breakpoint's state in one session. */
interface SessionState {
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
function refusalOf(body: unknown): string | undefined {
  const { breakpoints = [] } = (body ?? {}) as {
    readonly breakpoints?: readonly AdapterBreakpoint[];
  };
  if (breakpoints.length === 0 || breakpoints.some(({ verified }) => verified)) return undefined;
  return breakpoints.find(({ message }) => message !== undefined)?.message ?? "No filter is set";
}

function textOf(error: unknown): string {
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
function supportedBy<
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

/**
 * Sets the breakpoints for a file in a session, and records their states.
 *
 * @param users The user's breakpoints in the same file.
 */
export async function setSourceBreakpoints(
  session: DebugSession,
  path: string,
  kept: readonly Kept<AgentBreakpoint>[],
  users: readonly object[],
): Promise<void> {
  const able = supportedBy(
    session,
    kept.filter(({ requested }) => requested.enabled !== false),
  );
  for (const { requested, states } of kept) if (requested.enabled === false) states.delete(session);
  const sent = able.map(({ requested }) => sourceBreakpoint(requested));
  const args = { source: { path }, breakpoints: [...sent, ...users] };
  await request(session, "setBreakpoints", args, able);
}

/** Sets all function breakpoints in a session, and records their states. */
export async function setFunctionBreakpoints(
  session: DebugSession,
  kept: readonly Kept<AgentFunctionBreakpoint>[],
): Promise<void> {
  if (session.capabilities.supportsFunctionBreakpoints !== true) {
    for (const { states } of kept)
      states.set(session, {
        verified: false,
        message: "The debugger does not support function breakpoints",
      });
    return;
  }
  const able = supportedBy(session, kept);
  const breakpoints = able.map(({ requested: { name, condition } }) =>
    condition === undefined ? { name } : { name, condition },
  );
  await request(session, "setFunctionBreakpoints", { breakpoints }, able);
}

/**
 * Sets the exception breakpoints in a session. Resolves to the reason why the session refuses all
 * of them, or undefined if it accepts any.
 */
export async function setExceptionBreakpoints(
  session: DebugSession,
  params: SetExceptionBreakpointsParams,
): Promise<string | undefined> {
  const { filters, filterOptions = [] } = params;
  const able = session.capabilities.supportsExceptionFilterOptions === true;
  const plain = filterOptions.flatMap(({ filterId, condition }) =>
    condition === undefined ? [filterId] : [],
  );
  const args = able
    ? { filters, filterOptions }
    : { filters: [...new Set([...filters, ...plain])] };
  try {
    return refusalOf(await session.request("setExceptionBreakpoints", args));
  } catch (error) {
    return textOf(error);
  }
}

async function request(
  session: DebugSession,
  command: string,
  args: object,
  requested: readonly { readonly states: Map<DebugSession, SessionState> }[],
): Promise<void> {
  try {
    const body = (await session.request(command, args)) as {
      readonly breakpoints?: readonly AdapterBreakpoint[];
    };
    requested.forEach(({ states }, index) => {
      const answer = body.breakpoints?.[index];
      states.set(
        session,
        answer === undefined
          ? { verified: false, message: "The debugger returned no result for this breakpoint" }
          : sessionState(answer),
      );
    });
  } catch (error) {
    for (const { states } of requested)
      states.set(session, { verified: false, message: textOf(error) });
  }
}

function sourceBreakpoint({ line, column, condition, logMessage }: AgentBreakpoint): object {
  return {
    line,
    ...(column === undefined ? {} : { column }),
    ...(condition === undefined ? {} : { condition }),
    ...(logMessage === undefined ? {} : { logMessage }),
  };
}
