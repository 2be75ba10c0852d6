import { build } from "esbuild";
import { root } from "../../test/support/paths.js";

/**
 * The programs whose bundled modules are listed on the benchmarks page. Each is named after its
 * only import.
 */
export const mappedPrograms = [
  "createDecoder",
  "validateStoppedEvent",
  "connect",
  "defineAdapter",
  "launch",
] as const;

/** A module in a bundle. */
export interface BundledModule {
  /** The module's path in the repository, without `build/` and without the extension. */
  readonly module: string;
  /** The importing module on the shortest path from the program. */
  readonly importer: string;
  /** The number of bytes that the module contributes to the minified bundle. */
  readonly bytes: number;
}

/** Returns the modules in a minified browser bundle, from largest to smallest. */
export async function bundledModules(program: string): Promise<readonly BundledModule[]> {
  const { metafile } = await build({
    stdin: { contents: program, resolveDir: root, sourcefile: "program" },
    absWorkingDir: root,
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    metafile: true,
    write: false,
  });
  const importers = new Map<string, string>();
  const reached = ["program"];
  for (const path of reached)
    for (const { path: imported } of metafile.inputs[path]?.imports ?? [])
      if (!importers.has(imported)) {
        importers.set(imported, path);
        reached.push(imported);
      }
  const short = (path: string): string => path.replace(/^build\/|\.js$/g, "");
  return Object.entries(Object.values(metafile.outputs)[0]!.inputs)
    .filter(([path, { bytesInOutput }]) => path !== "program" && bytesInOutput > 0)
    .map(([path, { bytesInOutput }]) => ({
      module: short(path),
      importer: short(importers.get(path)!),
      bytes: bytesInOutput,
    }))
    .sort((a, b) => b.bytes - a.bytes || (a.module < b.module ? -1 : 1));
}
