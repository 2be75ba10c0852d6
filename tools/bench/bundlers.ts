/** Bundles a program with common bundlers, each using its production defaults. */
import { readFileSync, existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { fromRoot } from "../../test/support/paths.js";

/** The project folder in which the bundlers are installed. */
export const bundlersFolder = fromRoot("tools/bench/bundlers");

/**
 * Bundles the module at `input` and resolves to the bundled code. Bundlers that write files use the
 * `output` folder.
 */
export type Bundle = (input: string, output: string) => Promise<string>;

/**
 * Returns the bundlers by name. `npm --prefix tools/bench/bundlers ci` installs those that are not
 * dependencies of the project.
 */
export function bundlers(): ReadonlyMap<string, Bundle> {
  const known: [string, Bundle][] = [
    ["esbuild, browser", (input) => esbuild(input, "browser")],
    ["esbuild, node", (input) => esbuild(input, "node")],
  ];
  if (existsSync(join(bundlersFolder, "node_modules")))
    known.push(["rollup", rollup], ["webpack", webpack], ["vite", vite]);
  return new Map(known);
}

async function load<Module>(name: string): Promise<Module> {
  const path = createRequire(join(bundlersFolder, "package.json")).resolve(name);
  return (await import(pathToFileURL(path).href)) as Module;
}

async function esbuild(input: string, platform: "browser" | "node"): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [input],
    bundle: true,
    minify: true,
    format: "esm",
    platform,
    write: false,
  });
  return outputFiles[0]!.text;
}

interface Output {
  readonly output: readonly { readonly code: string }[];
}

async function rollup(input: string): Promise<string> {
  type Plugin = { readonly default: () => unknown };
  const { rollup } = await load<{
    rollup(options: object): Promise<{ generate(options: object): Promise<Output> }>;
  }>("rollup");
  const resolve = await load<Plugin>("@rollup/plugin-node-resolve");
  const terser = await load<Plugin>("@rollup/plugin-terser");
  const plugins = [resolve.default(), terser.default()];
  const bundle = await rollup({ input, plugins, onwarn: () => {} });
  return (await bundle.generate({ format: "es" })).output[0]!.code;
}

async function webpack(entry: string, path: string): Promise<string> {
  type Done = (error: Error | null, stats: { hasErrors(): boolean }) => void;
  const { default: webpack } = await load<{
    default(options: object, done: Done): void;
  }>("webpack");
  const filename = "webpack.js";
  await new Promise<void>((resolve, reject) =>
    webpack({ mode: "production", entry, output: { path, filename } }, (error, stats) =>
      error !== null || stats.hasErrors() ? reject(error ?? new Error(String(stats))) : resolve(),
    ),
  );
  return readFileSync(join(path, filename), "utf8");
}

async function vite(entry: string, root: string): Promise<string> {
  const { build } = await load<{ build(options: object): Promise<Output | readonly Output[]> }>(
    "vite",
  );
  const built = await build({
    root,
    configFile: false,
    logLevel: "silent",
    build: { write: false, modulePreload: false, rollupOptions: { input: entry } },
  });
  return [built].flat()[0]!.output[0]!.code;
}
