import { planBreakpoints, type BreakpointPlan } from "./kept-breakpoints.js";
import { handleChildRequests, type SessionTree } from "./child-sessions.js";
import { inBackground } from "./connection-events.js";
import { connect, type Connection } from "../../../generated/dap/connection.js";
import type { DebugSession } from "./debug-session.js";
import { endedError } from "./program-steps.js";
import { option, type Problem } from "@wirewright/runtime";
import { SessionCore, type RestartData } from "./session-core.js";
import {
  startChecks,
  type AdapterAccess,
  type AdapterTarget,
  type OpenAdapter,
  type SessionOptions,
  type StartOptions,
} from "./session-options.js";
import type { ProgramState } from "./program-state.js";
import { requestOptions } from "./wait-options.js";

/**
 * Starts a program under an adapter. Resolves once the breakpoints are set and the program is
 * running. If the program has already stopped by then, `waitForStop` returns that stop.
 *
 * @throws Rejects with RequestError, TimeoutError, ConnectionClosedError or the signal's abort
 * reason if a step fails. The adapter is then closed in the background, and `connection.closed`
 * resolves once that is done. Rejects with TypeError for unknown options.
 */
export async function launch(
  target: AdapterTarget,
  options: StartOptions<"launch">,
): Promise<DebugSession> {
  return startSession("launch", target, options);
}

/**
 * Attaches to a running program. Works like `launch`, except that `disconnect` leaves the program
 * running.
 */
export async function attach(
  target: AdapterTarget,
  options: StartOptions<"attach">,
): Promise<DebugSession> {
  return startSession("attach", target, options);
}

/** The settings that a session starts with. */
interface Beginning {
  readonly request: "launch" | "attach";
  readonly parameters: object;
  /** Sent along with this session's parameters, but not with those of later sessions. */
  readonly data?: RestartData;
  readonly plan: BreakpointPlan;
  readonly open: OpenAdapter | undefined;
  readonly parent: SessionCore | undefined;
  readonly tree: SessionTree;
}

async function startSession(
  request: "launch" | "attach",
  target: AdapterTarget,
  options: SessionOptions & { readonly arguments: object },
): Promise<DebugSession> {
  option.checkOptions(request, options, startChecks());
  const { arguments: parameters } = options;
  if (parameters === undefined)
    throw new TypeError(`${request}: the option "arguments" is missing. It may be empty: {}`);
  const open = typeof target === "function" ? target : undefined;
  const access = open === undefined ? (target as AdapterAccess) : await open();
  const plan = planBreakpoints(options);
  const tree: SessionTree = { depth: 0, open: { count: 0 } };
  const beginning = { request, parameters, plan, open, parent: undefined, tree };
  return (await begin(access, beginning, options)).session;
}

async function begin(
  access: AdapterAccess,
  beginning: Beginning,
  options: SessionOptions,
): Promise<SessionCore> {
  const { open, plan, request, parameters, data, parent, tree } = beginning;
  const startAgain =
    open &&
    (async (parameters: object, data: RestartData) =>
      (await begin(await open(), { ...beginning, parameters, data }, options)).session);
  let refuse: (problem: Problem) => void = () => undefined;
  const connection = connectionTo(access, options, (problem) => refuse(problem));
  const core = new SessionCore({ connection, startAgain, parent, plan, request, parameters });
  const { session, state } = core;
  refuse = (problem) => state.refuse(problem);
  const { onEvent, runInTerminal } = options;
  if (onEvent !== undefined) connection.on("*", (_, event) => onEvent(event, session));
  if (runInTerminal !== undefined)
    connection.handle("runInTerminal", (program) => {
      // The wire profile accepts null.
      if (!Array.isArray(program.args)) throw new TypeError("runInTerminal is missing `args`");
      return runInTerminal(program, session);
    });
  const connectChild = options.connectChild ?? open;
  if (connectChild !== undefined)
    handleChildRequests(core, tree, options, {
      open: async (child) => connectionTo(await connectChild(child, session), options),
      begin: (childConnection, { request, configuration: parameters }, childTree) =>
        begin(
          childConnection,
          { request, parameters, plan, open, parent: core, tree: childTree },
          options,
        ),
    });
  try {
    await handshake(core, request, { ...parameters, ...data }, options, connectChild !== undefined);
    return core;
  } catch (error) {
    const { isEnding, end } = state;
    // The caller is informed of the failure to start, so ignore any failures that result from it.
    inBackground(core.disconnect());
    throw isEnding ? endedError("start the program", end) : error;
  }
}

function connectionTo(
  access: AdapterAccess,
  { connection }: SessionOptions,
  refuse?: (problem: Problem) => void,
): Connection<"client"> {
  if ("connection" in access) return access.connection;
  if ("request" in access) return access;
  const onProblem = (problem: Problem): unknown => {
    // With `report`, an invalid event is delivered nevertheless.
    if (connection?.checkIncoming !== "report") refuse?.(problem);
    return connection?.onProblem?.(problem);
  };
  return connect("client", access, { ...connection, onProblem });
}

/**
 * Performs all steps until the program runs. The adapter may respond in any order that the protocol
 * allows.
 */
async function handshake(
  core: SessionCore,
  request: "launch" | "attach",
  parameters: object,
  options: SessionOptions,
  hasChildren: boolean,
): Promise<void> {
  const { connection, state } = core;
  const limits = requestOptions(options);
  const initializeArguments = {
    adapterID: "wirewright",
    clientID: "wirewright",
    clientName: "wirewright",
    pathFormat: "path",
    linesStartAt1: true,
    columnsStartAt1: true,
    supportsVariableType: true,
    supportsVariablePaging: true,
    ...(options.runInTerminal === undefined ? {} : { supportsRunInTerminalRequest: true }),
    ...(hasChildren ? { supportsStartDebuggingRequest: true } : {}),
    ...options.initialize,
  };
  await connection.requestCustom("initialize", initializeArguments, limits);
  const started = connection.requestCustom(request, parameters, limits);
  // If `launch` or `attach` fails, that failure causes all the others, so check for it first.
  const failure = started.then(() => new Promise<never>(() => undefined));
  await Promise.race([failure, configure(core, state, options)]);
  await started;
}

async function configure(
  { breakpoints, connection, capabilities }: SessionCore,
  state: ProgramState,
  options: SessionOptions,
): Promise<void> {
  const limits = requestOptions(options);
  const isReady = (): boolean | undefined =>
    state.isInitialized || state.end !== undefined || undefined;
  await state.wait('"initialized"', isReady, limits);
  if (!state.isInitialized) return;
  const steps = breakpoints.steps(limits);
  if (capabilities.supportsConfigurationDoneRequest === true)
    steps.push([() => connection.requestCustom("configurationDone", {}, limits)]);
  for (const step of steps) {
    // The session may already be ending when the responses to an earlier step arrive.
    if (state.isEnding) throw endedError("configure the program", state.end);
    await Promise.all(step.map((send) => send()));
  }
}
