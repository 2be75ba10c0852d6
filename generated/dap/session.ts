// Copied by wirewright. Do not edit: change the original.

import { connect, type Connection } from "./connection.js";
import { SessionMembers, type DebugSession } from "./debug-session.js";
import { planBreakpoints, type BreakpointPlan } from "./kept-breakpoints.js";
import type { Transport } from "./runtime/index.js";
import type {
  AdapterAccess,
  AdapterTarget,
  ChildRequest,
  RunInTerminal,
  SessionOptions,
} from "./session-options.js";

/**
 * Starts a program with an adapter. Resolves when the breakpoints are set and the program runs, or
 * has stopped already: `waitForStop` gives that stop, too.
 *
 * @param parameters Arguments of the request, as the adapter defines them.
 * @throws RequestError, as a rejection, if a step fails. The adapter has been closed then.
 */
export function launch(
  target: AdapterTarget,
  parameters: object,
  options: SessionOptions = {},
): Promise<DebugSession> {
  return start(target, { request: "launch", parameters, plan: planBreakpoints(options) }, options);
}

/** Attaches to a program that runs. Like `launch`, but `disconnect` leaves the program running. */
export function attach(
  target: AdapterTarget,
  parameters: object,
  options: SessionOptions = {},
): Promise<DebugSession> {
  return start(target, { request: "attach", parameters, plan: planBreakpoints(options) }, options);
}

interface Beginning {
  readonly request: "launch" | "attach";
  readonly parameters: object;
  readonly plan: BreakpointPlan;
  readonly parent?: DebugSession;
}

async function start(
  target: AdapterTarget,
  beginning: Beginning,
  options: SessionOptions,
): Promise<DebugSession> {
  const open = typeof target === "function" ? target : undefined;
  const connection = connectionTo(
    open === undefined ? (target as AdapterAccess) : await open(),
    options,
  );
  return begin(connection, open, beginning, options);
}

async function begin(
  connection: Connection<"client">,
  open: (() => AdapterAccess | Promise<AdapterAccess>) | undefined,
  beginning: Beginning,
  options: SessionOptions,
): Promise<DebugSession> {
  const startAgain = open === undefined ? undefined : () => start(open, beginning, options);
  const session = createSession({
    ...{ connection, startAgain, parent: beginning.parent },
    ...{ plan: beginning.plan, request: beginning.request },
  });
  const { onEvent, runInTerminal } = options;
  if (onEvent !== undefined) connection.on("*", (_, event) => onEvent(event, session));
  if (runInTerminal !== undefined)
    connection.handleCustom("runInTerminal", (parameters) =>
      runInTerminal(parameters as Parameters<RunInTerminal>[0], session),
    );
  const connectChild = options.connectChild ?? open;
  if (connectChild !== undefined)
    connection.handleCustom("startDebugging", async (asked) => {
      const child = asked as ChildRequest;
      const own = connectionTo(await connectChild(child, session), options);
      // The adapter may wait for the answer before it lets the child go on.
      void startChild(own, child, session, beginning.plan, open, options);
    });
  try {
    await handshake(session, beginning, options, connectChild !== undefined);
    return session;
  } catch (error) {
    await session.disconnect();
    throw error;
  }
}

async function startChild(
  connection: Connection<"client">,
  child: ChildRequest,
  parent: DebugSession,
  plan: BreakpointPlan,
  open: (() => AdapterAccess | Promise<AdapterAccess>) | undefined,
  options: SessionOptions,
): Promise<void> {
  const { request, configuration: parameters } = child;
  try {
    const session = await begin(connection, open, { request, parameters, plan, parent }, options);
    options.onChild?.(session);
    await session.waitForEnd({ timeoutMs: 0 });
    await session.disconnect();
  } catch (error) {
    options.onChildFailure?.(error, child);
  }
}

/** The steps up to the running program, in any order that the protocol allows. */
async function handshake(
  session: DebugSession,
  { request, parameters }: Beginning,
  options: SessionOptions,
  hasChildren: boolean,
): Promise<void> {
  const { connection, state } = session;
  const limits = {
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
  };
  const itself = {
    ...{ adapterID: "wirewright", clientID: "wirewright", clientName: "wirewright" },
    ...{ pathFormat: "path", linesStartAt1: true, columnsStartAt1: true },
    ...{ supportsVariableType: true, supportsVariablePaging: true },
    ...(options.runInTerminal === undefined ? {} : { supportsRunInTerminalRequest: true }),
    ...(hasChildren ? { supportsStartDebuggingRequest: true } : {}),
    ...options.initialize,
  };
  await connection.requestCustom("initialize", itself, limits);
  const started = connection.requestCustom(request, parameters, limits);
  // Its failure is the reason for all others, so it is looked at first.
  const failure = started.then(
    () => new Promise<never>(() => undefined),
    (error: unknown) => Promise.reject(error as Error),
  );
  const configured = (async () => {
    const isReady = (): boolean | undefined =>
      state.isInitialized || state.end !== undefined || undefined;
    await state.wait('"initialized"', isReady, limits);
    if (!state.isInitialized) return;
    await session.breakpoints.sendAll(limits);
    if (session.capabilities.supportsConfigurationDoneRequest === true)
      await connection.requestCustom("configurationDone", {}, limits);
  })();
  configured.catch(() => undefined);
  await Promise.race([failure, configured]);
  await started;
}

function createSession(parts: ConstructorParameters<typeof SessionMembers>[0]): DebugSession {
  const session = new SessionMembers(parts);
  const { asyncDispose } = Symbol as { readonly asyncDispose?: symbol };
  if (asyncDispose !== undefined)
    Object.defineProperty(session, asyncDispose, { value: () => session.disconnect() });
  return session as DebugSession;
}

function connectionTo(access: AdapterAccess, { connection }: SessionOptions): Connection<"client"> {
  if ("connection" in access) return access.connection;
  return "request" in access ? access : connect("client", access as Transport, connection);
}

export * from "./session-options.js";
export * from "./debug-session.js";
export * from "./program-state.js";
export * from "./program-output.js";
export * from "./kept-breakpoints.js";
export * from "./stop-snapshot.js";
