import { response, scripted } from "../scripted-connection.js";

export const announced = { body: { supportsCancelRequest: true } };

/** Connects a client to an adapter that supports cancellation. */
export async function cancelling(
  options: Parameters<typeof scripted<"client">>[1] = {},
): Promise<ReturnType<typeof scripted<"client">>> {
  const all = scripted("client", options);
  const initialized = all.connection.request("initialize", { adapterID: "a" });
  await all.transport.say(response(1, announced));
  await initialized;
  all.transport.written.length = 0;
  return all;
}
