import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  rollup,
  type OutputChunk,
  type OutputOptions,
  type Plugin,
  type RollupOptions,
} from "rollup";
import { dts } from "rollup-plugin-dts";

const build = fileURLToPath(new URL("../../", import.meta.url));

/** A program's compiled modules, and how they are divided into files. */
interface Program {
  /** Folder of the modules. */
  readonly folder: string;
  /** Modules that are loaded by path, keyed by the name of the file that will contain them. */
  readonly entries: Readonly<Record<string, string>>;
}

/**
 * Bundles the tool's compiled code into a few files, because a command would otherwise read dozens
 * of modules. All files are in one folder, where they find each other by name.
 *
 * @returns The text of each file by its name.
 */
export async function bundleTool(): Promise<ReadonlyMap<string, string>> {
  return bundleProgram({
    folder: build,
    // The command, the programmatic interface, and the tap's viewer.
    entries: {
      main: "cli/main.js",
      index: "cli/index.js",
      viewer: "sessions/tap/viewer.js",
    },
  });
}

/**
 * Bundles the conformance suite's code. The suite imports the tool and `@wirewright/dap` as
 * packages.
 *
 * @returns The text of each file by its name.
 */
export async function bundleSuite(): Promise<ReadonlyMap<string, string>> {
  return bundleProgram({
    folder: join(build, "conformance"),
    entries: { cli: "cli.js", index: "index.js" },
  });
}

async function bundleProgram(program: Program): Promise<ReadonlyMap<string, string>> {
  const code = await bundle(
    program,
    { input: program.entries, treeshake: { moduleSideEffects: false } },
    { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
  );
  const declarations = await bundle(
    program,
    {
      input: { index: program.entries["index"]!.replace(/\.js$/, ".d.ts") },
      plugins: [dts()],
    },
    { entryFileNames: "[name].d.ts" },
  );
  return new Map([...code, ...declarations]);
}

async function bundle(
  { folder }: Program,
  options: {
    readonly input: Readonly<Record<string, string>>;
    readonly plugins?: readonly Plugin[];
    readonly treeshake?: RollupOptions["treeshake"];
  },
  names: OutputOptions,
): Promise<readonly (readonly [string, string])[]> {
  const input = Object.fromEntries(
    Object.entries(options.input).map(([name, path]) => [name, join(folder, path)]),
  );
  // The tool and the suite contain the runtime, which is linked into `node_modules`.
  const runtime: Plugin = {
    name: "runtime",
    resolveId(id) {
      const module = /^@wirewright\/runtime(?:\/(?:internal\/)?([\w/-]+)(?:\.js)?)?$/.exec(id);
      const extension = extname(Object.values(input)[0]!) === ".ts" ? ".d.ts" : ".js";
      return module === null
        ? undefined
        : join(build, "runtime", (module[1] ?? "index") + extension);
    },
  };
  const plugins = [runtime, ...(options.plugins ?? [])];
  const made = await rollup({
    ...options,
    plugins,
    input,
    external: (id) => isForeign(id) && !id.startsWith("@wirewright/runtime"),
  });
  const { output } = await made.generate({
    format: "es",
    generatedCode: { constBindings: true },
    ...names,
  });
  await made.close();
  return (output as OutputChunk[]).map(({ fileName, code }) => [fileName, code] as const);
}

/** Returns whether a module belongs to Node or to a dependency. */
function isForeign(id: string): boolean {
  return !id.startsWith(".") && !id.startsWith("/") && !/^[a-z]:/i.test(id);
}
