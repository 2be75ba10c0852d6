import { bundledProtocols } from "../base/bundled.js";
import { buildParts } from "../emit/package-parts.js";
import type { GenerateOptions } from "./generate.js";

/**
 * Returns the default options of `wirewright generate`. For a bundled protocol, the package
 * contains only the parts that are useful in a build step. If it has launch configurations, it
 * contains all parts, because its sessions and adapters use the types of the configurations. Users'
 * compilers check only the types.
 */
export function generatedByDefault(
  protocol: string,
  configuration: string | undefined,
): Pick<GenerateOptions, "only" | "trusted"> {
  const isPart = configuration === undefined && bundledProtocols().includes(protocol);
  return { trusted: true, ...(isPart ? { only: buildParts } : {}) };
}
