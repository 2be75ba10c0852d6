import { rollup, type OutputChunk } from "rollup";
import { dts } from "rollup-plugin-dts";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const compiled = fileURLToPath(new URL("../generator/", import.meta.url));

/** Modules that are loaded by their path: the command, the programmatic interface, and the thread of the tap. */
const entries = { cli: "cli.js", index: "index.js", "analysis-thread": "tap/analysis-thread.js" };

/**
 * The code of the tool, which is compiled already, in few files: a command that starts reads tens of modules otherwise.
 * All files stand in one folder, where they find each other by name.
 *
 * @returns The text of each file by its name.
 */
export async function bundleTool(): Promise<ReadonlyMap<string, string>> {
  return new Map([...(await bundleCode()), ...(await bundleDeclarations())]);
}

async function bundleCode(): Promise<readonly (readonly [string, string])[]> {
  const bundle = await rollup({
    input: Object.fromEntries(
      Object.entries(entries).map(([name, path]) => [name, join(compiled, path)]),
    ),
    external: isForeign,
    treeshake: { moduleSideEffects: false },
  });
  const { output } = await bundle.generate({
    format: "es",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    generatedCode: { constBindings: true },
  });
  await bundle.close();
  return (output as OutputChunk[]).map(({ fileName, code }) => [fileName, code] as const);
}

async function bundleDeclarations(): Promise<readonly (readonly [string, string])[]> {
  const bundle = await rollup({
    input: join(compiled, "index.d.ts"),
    external: isForeign,
    plugins: [dts()],
  });
  const { output } = await bundle.generate({ format: "es", entryFileNames: "index.d.ts" });
  await bundle.close();
  return (output as OutputChunk[]).map(({ fileName, code }) => [fileName, code] as const);
}

/** Whether a module is of Node or of a dependency. */
function isForeign(id: string): boolean {
  return !id.startsWith(".") && !id.startsWith("/") && !/^[a-z]:/i.test(id);
}
