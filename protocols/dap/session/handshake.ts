import type { ProgramState } from "./program-state.js";
import { endedError } from "./program-steps.js";
import type { SessionCore } from "./session-core.js";
import type { SessionOptions } from "./session-options.js";
import { requestOptions } from "./wait-options.js";

/**
 * Performs all steps until the program runs. The adapter may respond in any order that the protocol
 * allows.
 */
export async function handshake(
  core: SessionCore,
  { request, parameters }: { readonly request: "launch" | "attach"; readonly parameters: object },
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
  const steps = [...breakpoints.steps(limits)];
  if (capabilities.supportsConfigurationDoneRequest === true)
    steps.push(() => connection.requestCustom("configurationDone", {}, limits));
  for (const step of steps) {
    // The session may already be ending when the response to an earlier step arrives.
    if (state.isEnding) throw endedError("configure the program", state.end);
    await step();
  }
}
