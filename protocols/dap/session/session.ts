import { planBreakpoints, type BreakpointPlan } from "./breakpoint-plan.js";
import { connect, type Connection } from "../../../generated/dap/connection.js";
import { SessionMembers, type DebugSession } from "./debug-session.js";
import { KeptBreakpoints } from "./kept-breakpoints.js";
import { endedError, stateOf } from "./program-state.js";
import type { Transport } from "../../../generated/dap/runtime/index.js";
import type {
  AdapterAccess,
  AdapterTarget,
  ChildRequest,
  RunInTerminal,
  SessionOptions,
  StartArguments,
} from "./session-options.js";
import { waitOptions } from "./wait-options.js";

/**
 * Starts a program with an adapter. Resolves when the breakpoints are set and the program runs, or
 * has stopped already: `waitForStop` gives that stop, too.
 *
 * @param parameters Arguments of the request, as the adapter defines them.
 * @throws RequestError, as a rejection, if a step fails. The adapter is being closed then:
 *   `connection.closed` tells when it has been.
 */
export function launch(
  target: AdapterTarget,
  parameters: StartArguments<"launch">,
  options: SessionOptions = {},
): Promise<DebugSession> {
  return start(target, { request: "launch", parameters, plan: planBreakpoints(options) }, options);
}

/** Attaches to a program that runs. Like `launch`, but `disconnect` leaves the program running. */
export function attach(
  target: AdapterTarget,
  parameters: StartArguments<"attach">,
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
  const { plan, request, parent } = beginning;
  const breakpoints = new KeptBreakpoints(connection, plan);
  const session = createSession({ connection, startAgain, parent, plan, breakpoints, request });
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
      void startChild(own, child, session, plan, open, options);
    });
  try {
    await handshake(session, breakpoints, beginning, options, connectChild !== undefined);
    return session;
  } catch (error) {
    const { isEnding, end } = stateOf(session);
    // Who waits for the start wants to know of the failure, not of its consequences.
    void session.disconnect();
    throw isEnding ? endedError("start the program", end) : error;
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
  breakpoints: KeptBreakpoints,
  { request, parameters }: Beginning,
  options: SessionOptions,
  hasChildren: boolean,
): Promise<void> {
  const { connection } = session;
  const state = stateOf(session);
  const limits = waitOptions(options);
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
    const steps = [...breakpoints.steps(limits)];
    if (session.capabilities.supportsConfigurationDoneRequest === true)
      steps.push(() => connection.requestCustom("configurationDone", {}, limits));
    for (const step of steps) {
      // The answer to an earlier step may have come too late.
      if (state.isEnding) throw endedError("configure the program", state.end);
      await step();
    }
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
