import { bundledProtocols } from "../base/bundled.js";
import { buildParts } from "../emit/package-parts.js";
import type { GenerateOptions } from "./generate.js";

/**
 * The defaults of the command. For a bundled protocol, they write the parts for use in a build
 * step, or all parts if the package has launch configurations, because its sessions and adapters
 * use their types. Compilers of users check only the types.
 */
export function generatedByDefault(
  protocol: string,
  configuration: string | undefined,
): Pick<GenerateOptions, "only" | "trusted"> {
  const isPart = configuration === undefined && bundledProtocols().includes(protocol);
  return { trusted: true, ...(isPart ? { only: buildParts } : {}) };
}
