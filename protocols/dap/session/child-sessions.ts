import { inBackground, whenClosed } from "./connection-events.js";
import type { Connection } from "../../../generated/dap/connection.js";
import { isObject, markHandled } from "@wirewright/runtime";
import type { SessionCore } from "./session-core.js";
import { SessionError } from "./session-error.js";
import type { ChildRequest, SessionOptions } from "./session-options.js";
import type { StartDebuggingRequestArguments } from "../../../generated/dap/types.js";

/** The position of a session in the tree of sessions started by one `launch` or `attach`. */
export interface SessionTree {
  /** Depth in the tree: 0 for the first session. */
  readonly depth: number;
  /** Number of child sessions starting or running in the whole tree. */
  readonly open: { count: number };
}

/** How child sessions are started. */
export interface ChildStart {
  /** Opens the adapter for a child session. */
  open(child: ChildRequest): Promise<Connection<"client">>;
  begin(
    connection: Connection<"client">,
    child: ChildRequest,
    tree: SessionTree,
  ): Promise<SessionCore>;
}

/**
 * Starts child sessions when the adapter requests them. A request that is invalid or exceeds a
 * limit gets a failure response.
 */
export function handleChildRequests(
  parent: SessionCore,
  tree: SessionTree,
  options: SessionOptions,
  start: ChildStart,
): void {
  const { connection } = parent;
  const runChild = async (
    childConnection: Connection<"client">,
    child: ChildRequest,
  ): Promise<void> => {
    let session: SessionCore;
    try {
      session = await start.begin(childConnection, child, { ...tree, depth: tree.depth + 1 });
    } catch (error) {
      if (options.onChildFailure === undefined) throw error;
      options.onChildFailure(error, child);
      return;
    }
    try {
      options.onChild?.(session.session);
    } finally {
      inBackground(session.waitForEnd({ timeoutMs: 0 }).then(() => session.disconnect()));
    }
  };
  connection.handle("startDebugging", async (child, { after }) => {
    assertChildRequest(child);
    const { open } = tree;
    open.count++;
    let childConnection: Connection<"client"> | undefined;
    try {
      assertWithinLimits(tree, options);
      childConnection = await start.open(child);
      if (connection.isClosed || parent.state.isEnding) {
        inBackground(childConnection.close());
        throw new SessionError(
          "ERR_SESSION_ENDED",
          "Cannot start a child session: the parent session is ending",
        );
      }
    } catch (error) {
      open.count--;
      options.onChildFailure?.(error, child);
      throw error;
    }
    whenClosed(childConnection, () => open.count--);
    // The adapter may wait for the response before it continues the child, so respond now. Later
    // failures are reported to `onProblem`.
    const following = markHandled(runChild(childConnection, child));
    after(() => following);
  });
}

/** @throws SessionError for what the wire profile tolerates: null, and another `request`. */
function assertChildRequest(
  child: StartDebuggingRequestArguments | null,
): asserts child is ChildRequest {
  const { request, configuration } = child ?? {};
  const isStart = request === "launch" || request === "attach";
  if (isStart && isObject(configuration)) return;
  const text = isStart
    ? "`configuration` must be an object"
    : `\`request\` must be "launch" or "attach", not ${JSON.stringify(String(request).slice(0, 80))}`;
  throw new SessionError("ERR_SESSION_CHILD", `Cannot start a child session: ${text}`);
}

/** @throws SessionError that names the limit if one is reached. */
function assertWithinLimits(
  { depth, open }: SessionTree,
  { maxChildDepth = 4, maxChildren = 64 }: SessionOptions,
): void {
  const text =
    depth >= maxChildDepth
      ? `maxChildDepth is reached: ${maxChildDepth} levels of child sessions`
      : open.count > maxChildren
        ? `maxChildren is reached: ${maxChildren} child sessions at a time`
        : undefined;
  if (text === undefined) return;
  throw new SessionError("ERR_SESSION_CHILD", `Cannot start a child session: ${text}`);
}
