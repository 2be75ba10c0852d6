import { readFileSync } from "node:fs";
import { join } from "node:path";
import { rollup, type OutputChunk, type RollupOptions } from "rollup";
import { dts } from "rollup-plugin-dts";
import { minify } from "terser";
import { publishedManifest } from "./published-manifest.js";

/** Where the compiled modules and the other files of a generated package are. */
export interface PackageSource {
  /** Folder of the compiled modules and their declarations. */
  readonly compiled: string;
  /** Folder of the package as it was generated. */
  readonly generated: string;
}

/** Declarations that no entry but their own needs. */
const ownToEntries = /[\\/](node|validators|checks|lanes)\.d\.ts$/;

/** Name and content of a file. */
type NamedText = readonly [name: string, text: string];

/**
 * The files of a package as it is published: for each module system one copy of the code, in files that all entries
 * share, and one copy of the declarations.
 */
export async function bundlePackage(source: PackageSource): Promise<ReadonlyMap<string, string>> {
  const manifest = JSON.parse(readFileSync(join(source.generated, "package.json"), "utf8")) as {
    readonly exports: Readonly<Record<string, unknown>>;
  };
  const entries = Object.keys(manifest.exports)
    .filter((path) => path !== "./package.json")
    .map((path) => (path === "." ? "index" : path.slice("./".length)));
  const code = new Map(await bundleCode(source, entries));
  // Entries without code share an empty file.
  const empty = entries.filter((name) => code.get(`${name}.mjs`) === "");
  for (const name of empty.slice(1)) for (const end of [".js", ".mjs"]) code.delete(name + end);
  const codeOf = (name: string): string => (empty.includes(name) ? empty[0]! : name);
  const published = publishedManifest(manifest, entries, codeOf);
  return new Map([
    ["README.md", readFileSync(join(source.generated, "README.md"), "utf8")],
    ["package.json", `${JSON.stringify(published, undefined, 2)}\n`],
    ...code,
    ...(await bundleDeclarations(source, entries)),
  ]);
}

async function bundleCode(
  { compiled }: PackageSource,
  entries: readonly string[],
): Promise<readonly NamedText[]> {
  const bundle = await rollup({
    ...options(compiled, entries, ".js"),
    treeshake: { moduleSideEffects: false },
  });
  const files: NamedText[] = [];
  for (const [format, extension] of [
    ["es", ".mjs"],
    ["cjs", ".js"],
  ] as const) {
    const { output } = await bundle.generate({
      format,
      entryFileNames: `[name]${extension}`,
      chunkFileNames: `shared-[name]${extension}`,
      generatedCode: { constBindings: true },
      minifyInternalExports: false,
    });
    for (const { fileName, code } of output as OutputChunk[])
      files.push([fileName, await shorten(code, format === "es")]);
  }
  await bundle.close();
  return files;
}

/** Removes white space and shortens the names of variables. Functions and classes keep theirs, for stack traces. */
async function shorten(code: string, isModule: boolean): Promise<string> {
  const { code: text = "" } = await minify(code, {
    module: isModule,
    ecma: 2020,
    compress: false,
    mangle: { toplevel: true, keep_fnames: true, keep_classnames: true },
    format: { comments: false, preserve_annotations: true, max_line_len: 160 },
  });
  return text;
}

/** One copy of the declarations, in CommonJS, which both module systems can import. */
async function bundleDeclarations(
  { compiled }: PackageSource,
  entries: readonly string[],
): Promise<readonly NamedText[]> {
  const bundle = await rollup({ ...options(compiled, entries, ".d.ts"), plugins: [dts()] });
  const { output } = await bundle.generate({
    format: "es",
    entryFileNames: "[name].d.ts",
    chunkFileNames: ({ name }) => `${name.replace(/\.d$/, "")}.d.ts`,
    minifyInternalExports: false,
    // A compiler that needs a type of the index reads the index and this file.
    manualChunks: (id, { getModuleInfo }) => {
      const isOwn = getModuleInfo(id)?.isEntry === true || ownToEntries.test(id);
      return isOwn || readFileSync(id, "utf8").includes('"node:') ? undefined : "shared";
    },
  });
  await bundle.close();
  return [
    ...(output as OutputChunk[]).map(
      ({ fileName, code }) => [fileName, indentWithTabs(code)] as const,
    ),
    ...entries.map((name) => [`${name}.d.mts`, `export * from "./${name}.js";\n`] as const),
  ];
}

function indentWithTabs(code: string): string {
  return code.replaceAll(/^(?: {4})+/gm, (spaces) => "\t".repeat(spaces.length / 4));
}

function options(folder: string, entries: readonly string[], extension: string): RollupOptions {
  return {
    input: Object.fromEntries(entries.map((name) => [name, join(folder, `${name}${extension}`)])),
    external: /^node:/,
    onwarn: (warning) => {
      // Entries that contain only types have no code.
      if (warning.code === "EMPTY_BUNDLE") return;
      // A generated class extends the one of the runtime that has the same name.
      if (warning.plugin === "dts" && warning.message.includes("RequestError$1")) return;
      // The interfaces that use this type are exported, so that nobody has to name it.
      if (
        warning.plugin === "dts" &&
        warning.message.includes("type exports with no public re-export: Signal.")
      )
        return;
      throw new Error(warning.message);
    },
  };
}
