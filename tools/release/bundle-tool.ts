import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rollup, type OutputChunk, type OutputOptions, type RollupOptions } from "rollup";
import { dts } from "rollup-plugin-dts";

const compiled = fileURLToPath(new URL("../../generator/", import.meta.url));

/** Modules that are loaded by their path: the command, the programmatic interface, and threads. */
const entries = {
  ...{ cli: "cli.js", index: "index.js" },
  ...{ "analysis-thread": "tap/analysis-thread.js", "judge-thread": "batch/judge-thread.js" },
};

/**
 * The code of the tool, which is compiled already, in few files: a command that starts reads tens of modules otherwise.
 * All files are in one folder, where they find each other by name.
 *
 * @returns The text of each file by its name.
 */
export async function bundleTool(): Promise<ReadonlyMap<string, string>> {
  const code = await bundle(
    { input: entries, treeshake: { moduleSideEffects: false } },
    { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
  );
  const declarations = await bundle(
    { input: { index: "index.d.ts" }, plugins: [dts()] },
    { entryFileNames: "[name].d.ts" },
  );
  return new Map([...code, ...declarations]);
}

async function bundle(
  options: RollupOptions & { readonly input: Readonly<Record<string, string>> },
  names: OutputOptions,
): Promise<readonly (readonly [string, string])[]> {
  const input = Object.fromEntries(
    Object.entries(options.input).map(([name, path]) => [name, join(compiled, path)]),
  );
  const made = await rollup({ ...options, input, external: isForeign });
  const { output } = await made.generate({
    format: "es",
    generatedCode: { constBindings: true },
    ...names,
  });
  await made.close();
  return (output as OutputChunk[]).map(({ fileName, code }) => [fileName, code] as const);
}

/** Whether a module is of Node or of a dependency. */
function isForeign(id: string): boolean {
  return !id.startsWith(".") && !id.startsWith("/") && !/^[a-z]:/i.test(id);
}
