import { bundledProtocols } from "../generator/base/bundled.js";
import { buildParts } from "../generator/emit/package-parts.js";

/**
 * Returns the parts of a package that `wirewright generate` writes by default, or undefined for all
 * parts. For a bundled protocol, these are only the parts that are useful in a build step, unless
 * the package includes launch configurations: it then contains all parts, because its sessions and
 * adapters use the configuration types.
 */
export function defaultParts(
  protocol: string,
  configuration?: string,
): readonly string[] | undefined {
  const isInBuild = configuration === undefined && bundledProtocols().includes(protocol);
  return isInBuild ? buildParts : undefined;
}
