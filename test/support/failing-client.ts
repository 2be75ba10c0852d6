/**
 * Runs clients whose `launch` fails and prints the errors that they catch. Like
 * `examples/client.ts`, they await the `launch` response last.
 */
import { RequestError, TimeoutError } from "@wirewright/dap/connection";
import { event, response, scripted } from "./scripted-connection.js";

const kind = process.argv[2] ?? "";
const { connection, transport } = scripted("client", {
  ...(kind === "endless" ? {} : { timeoutMs: 50 }),
});
// An in-memory connection does not keep the process alive.
const alive = setTimeout(() => undefined, 60_000);
const refused = response(1, { success: false, message: "There is no a.out" });

async function debug(): Promise<void> {
  if (kind === "alone") {
    void connection.request("launch", {});
    void transport.say(refused);
    return;
  }
  const ready = connection.once("initialized");
  const launched = connection.request("launch", {});
  if (kind !== "timeout") setImmediate(() => void transport.say(refused));
  if (kind === "later") setTimeout(() => void transport.say(event("initialized")), 10);
  if (kind === "request") {
    setTimeout(() => void transport.say(response(2, { body: { breakpoints: [] } })), 10);
    await connection.request("setBreakpoints", { source: {} });
  } else await ready;
  await launched;
}

try {
  await debug();
} catch (error) {
  if (!(error instanceof RequestError || error instanceof TimeoutError)) throw error;
  const { cause } = error;
  const reason = cause instanceof RequestError ? ` because of ${cause.code}` : "";
  console.log(`caught ${error.code}${reason}`);
}
setTimeout(() => clearTimeout(alive), 200);
