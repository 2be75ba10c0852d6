import type {
  AgentBreakpoint,
  AgentFunctionBreakpoint,
  SetExceptionBreakpointsParams,
} from "../../generated/acp-breakpoints/types.js";
import type { AdapterBreakpoint, DebugSession } from "./bridge-options.js";
import {
  type Kept,
  refusalOf,
  sessionState,
  type SessionState,
  supportedBy,
  textOf,
} from "./breakpoint-state.js";

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
  for (const each of kept) if (each.requested.enabled === false) each.states.delete(session);
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
