import { bundledProtocols } from "../generator/base/bundled.js";
import { buildParts } from "../generator/emit/package-parts.js";

/**
 * Returns the parts that `wirewright generate` writes unless `--only` is given. For a bundled
 * protocol, these are only the parts that are useful in a build step, unless the package includes
 * launch configurations: it then contains all parts, because its sessions and adapters use the
 * configuration types.
 *
 * @returns The value of the `only` option of `generate`.
 */
export function defaultParts(
  protocol: string,
  configuration: string | undefined,
): readonly string[] | undefined {
  const isBundled = bundledProtocols().includes(protocol);
  return isBundled && configuration === undefined ? buildParts : undefined;
}
