import { definitionsByName, readProtocol, requestsOf } from "../../cli/index.js";
import type { Protocol } from "../../generator/model/protocol.js";

// The figures in the tests are those of version 1.71.
export const dap = await readProtocol("dap", { version: "1.71.0" });

export const definitions = definitionsByName(dap);

export function request(protocol: Protocol, name: string) {
  return requestsOf(protocol).find((each) => each.name === name)!;
}
