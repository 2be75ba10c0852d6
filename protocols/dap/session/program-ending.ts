import type { Connection } from "../../../generated/dap/connection.js";
import type { ProgramState } from "./program-state.js";
import { defaultEndMs, type DisconnectOptions, type EndOptions } from "./wait-options.js";

/**
 * Asks a program to end, if the adapter supports that, and waits until the program has ended. Never
 * rejects.
 */
export async function terminate(
  connection: Connection<"client">,
  state: ProgramState,
  { terminateMs = defaultEndMs.terminate }: EndOptions,
): Promise<void> {
  if (capabilitiesOf(connection)["supportsTerminateRequest"] !== true) return;
  const limits = { timeoutMs: terminateMs };
  const asked = connection.requestCustom("terminate", {}, limits);
  const ended = state.wait("the program to end", () => state.end, limits);
  await Promise.all([asked, ended]).catch(() => undefined);
}

/** Disconnects and closes the connection. Never rejects. */
export async function disconnect(
  connection: Connection<"client">,
  request: "launch" | "attach",
  options: DisconnectOptions,
): Promise<void> {
  const { disconnectMs = defaultEndMs.disconnect, closeMs = defaultEndMs.close } = options;
  const { suspendDebuggee } = options;
  const { terminateDebuggee = request === "launch" } = options;
  const flags = capabilitiesOf(connection);
  const parameters = {
    ...(flags["supportTerminateDebuggee"] === true ? { terminateDebuggee } : {}),
    ...(suspendDebuggee !== undefined && flags["supportSuspendDebuggee"] === true
      ? { suspendDebuggee }
      : {}),
  };
  if (!connection.isClosed)
    // Ignore failures: some adapters close without responding, and some never respond.
    await connection
      .requestCustom("disconnect", parameters, { timeoutMs: disconnectMs })
      .catch(() => undefined);
  await connection.close({ graceMs: closeMs });
}

/**
 * Returns an adapter's capabilities, including any that this version of the protocol does not
 * define.
 */
export function capabilitiesOf({ capabilities = {} }: Connection<"client">): {
  readonly [name: string]: unknown;
} {
  return capabilities as { readonly [name: string]: unknown };
}
