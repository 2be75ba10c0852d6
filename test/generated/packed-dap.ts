import { join } from "node:path";
import { packProtocol, packRuntime, type PackedPackage } from "../../tools/release/packages.js";
import { fromRoot } from "../support/paths.js";

/**
 * Packs `@wirewright/dap` and the runtime that it imports.
 *
 * @param folder The folder in `build/` to write to.
 */
export async function packDap(
  folder: string,
): Promise<{ readonly dap: PackedPackage; readonly tarballs: readonly string[] }> {
  const path = fromRoot(`build/${folder}`);
  const runtime = await packRuntime(join(path, "runtime"));
  const dap = await packProtocol("dap", join(path, "dap"));
  return { dap, tarballs: [runtime.tarball, dap.tarball] };
}
