import { bundledProtocols } from "../generator/base/bundled.js";
import { buildParts } from "../generator/emit/package-parts.js";
import type { GenerateOptions } from "./generate.js";

/**
 * Returns the default options for `wirewright generate`. For a bundled protocol, the package
 * contains only the parts that are useful in a build step, unless it includes launch
 * configurations: it then contains all parts, because its sessions and adapters use the
 * configuration types. Users' compilers check only the package's types.
 */
export function generatedByDefault(
  protocol: string,
  configuration: string | undefined,
): Pick<GenerateOptions, "only" | "trusted"> {
  const isPart = configuration === undefined && bundledProtocols().includes(protocol);
  return { trusted: true, ...(isPart ? { only: buildParts } : {}) };
}
