import { readFileSync } from "node:fs";
import { rollup, type GetModuleInfo, type OutputChunk, type RollupOptions } from "rollup";
import { dts } from "rollup-plugin-dts";
import { shortNames, type ShortNames } from "./internal-names.js";
import { emptyFile, publishedManifest } from "./published-manifest.js";
import { exportCodeInPlace, exportOnce, shorten } from "./shorten-code.js";
import {
  exportAsTypes,
  exportInPlace,
  exportTypesOf,
  indentWithTabs,
} from "./shorten-declarations.js";

/** The contents of a package. */
export interface PackageSource {
  /** The generated files, including package.json and the README. */
  readonly files: ReadonlyMap<string, string>;
  /** The compiled module of each entry point, without an extension, by name: `index`, `node`. */
  readonly entries: ReadonlyMap<string, string>;
}

/** Declaration modules that only their own entry point needs. */
const ownToEntries = /[\\/](node[\\/][\w-]+|node|validators|checks|lanes)\.d\.ts$/;

/** A file's name and content. */
type NamedText = readonly [name: string, text: string];

/**
 * Bundles a package in the form in which it is published. Each module system gets one copy of the
 * code, in files shared by all entry points. Both module systems share one copy of the
 * declarations.
 */
export async function bundlePackage({
  files,
  entries,
}: PackageSource): Promise<ReadonlyMap<string, string>> {
  const manifest = JSON.parse(files.get("package.json")!) as object;
  const names = [...entries.keys()];
  const empty = names.filter((name) =>
    /^export \{\};$/m.test(readFileSync(`${entries.get(name)!}.js`, "utf8")),
  );
  const isEmpty = (name: string): boolean => empty.includes(name);
  const withCode = new Map([...entries].filter(([name]) => !isEmpty(name)));
  const published = publishedManifest(manifest, names, isEmpty);
  const declarations = await bundleDeclarations(entries, isEmpty);
  return new Map([
    ["README.md", files.get("README.md")!],
    ["package.json", `${JSON.stringify(published, undefined, 2)}\n`],
    ...(empty.length > 0 ? [[emptyFile, ""] as const] : []),
    ...(await bundleCode(withCode, declarations)),
    ...declarations,
    ...[...withCode.keys()].map(
      (name) => [`${name}.d.mts`, `export * from "./${name}.js";\n`] as const,
    ),
  ]);
}

async function bundleCode(
  entries: ReadonlyMap<string, string>,
  declarations: readonly NamedText[],
): Promise<readonly NamedText[]> {
  const bundle = await rollup({
    ...options(entries, ".js"),
    treeshake: { moduleSideEffects: false },
  });
  const sharedFiles = planSharedFiles(
    (await bundle.generate({ format: "es" })).output as OutputChunk[],
  );
  const files: NamedText[] = [];
  let properties: ShortNames | undefined;
  for (const [format, extension] of [
    ["es", ".mjs"],
    ["cjs", ".js"],
  ] as const) {
    const output = (
      await bundle.generate({
        format,
        entryFileNames: `[name]${extension}`,
        chunkFileNames: `[name]${extension}`,
        generatedCode: { constBindings: true },
        minifyInternalExports: false,
        manualChunks: (id) => sharedFiles.get(id),
        onlyExplicitManualChunks: true,
      })
    ).output as OutputChunk[];
    // Use the same names for both module systems, because code from one uses objects from the
    // other.
    properties ??= shortNames(
      output.map(({ code }) => code),
      declarations.map(([, text]) => text),
    );
    const isModule = format === "es";
    for (const { fileName, code } of output) {
      const text = isModule ? exportCodeInPlace(code) : exportOnce(code);
      files.push([fileName, await shorten(text, isModule, properties)]);
    }
  }
  await bundle.close();
  return files;
}

/**
 * Distributes the modules that several entry points need over shared files. A program that imports
 * only the index reads only one of these files.
 *
 * @param chunks The code, divided as finely as the entry points require.
 */
function planSharedFiles(chunks: readonly OutputChunk[]): ReadonlyMap<string, string> {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const ofIndex = new Set(["index.js"]);
  for (const name of ofIndex)
    for (const imported of byName.get(name)?.imports ?? []) ofIndex.add(imported);
  return new Map(
    chunks
      .filter(({ isEntry }) => !isEntry)
      .flatMap(({ fileName, moduleIds }) =>
        moduleIds.map((id) => [id, ofIndex.has(fileName) ? "shared" : "shared-sessions"]),
      ),
  );
}

/** Bundles the declarations into a single CommonJS copy, which both module systems can import. */
async function bundleDeclarations(
  entries: ReadonlyMap<string, string>,
  isEmpty: (entry: string) => boolean,
): Promise<readonly NamedText[]> {
  const bundle = await rollup({ ...options(entries, ".d.ts"), plugins: [dts()] });
  const { output } = await bundle.generate({
    format: "es",
    entryFileNames: "[name].d.ts",
    chunkFileNames: ({ name }) => `${name.replace(/\.d$/, "")}.d.ts`,
    minifyInternalExports: false,
    // A compiler that needs a type from the index should have to read only the index and the file
    // it shares with other entry points.
    manualChunks: (id, { getModuleInfo }) => {
      const isOwn = getModuleInfo(id)?.isEntry === true || ownToEntries.test(id);
      if (isOwn || readFileSync(id, "utf8").includes('"node:')) return undefined;
      const index = `${entries.get("index")!}.d.ts`;
      return modulesOf(index, getModuleInfo).has(id) ? "shared" : "shared-sessions";
    },
  });
  await bundle.close();
  const files = new Map(
    (output as OutputChunk[]).map(({ fileName, code }) => [
      fileName,
      exportInPlace(indentWithTabs(code)),
    ]),
  );
  return [...files].map(([name, code]) => {
    if (name === "index.d.ts") return [name, exportTypesOf(files.get("types.d.ts") ?? "", code)];
    // An entry point without code has no values, so it exports declared enums only as types.
    return [name, isEmpty(name.replace(/\.d\.ts$/, "")) ? exportAsTypes(code) : code];
  });
}

/** Returns a module and everything that it imports, directly or indirectly. */
function modulesOf(entry: string, getModuleInfo: GetModuleInfo): ReadonlySet<string> {
  const found = new Set([entry]);
  for (const id of found)
    for (const imported of getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}

function options(entries: ReadonlyMap<string, string>, extension: string): RollupOptions {
  return {
    input: Object.fromEntries([...entries].map(([name, path]) => [name, `${path}${extension}`])),
    external: /^node:/,
    onwarn: (warning) => {
      // An entry point that contains only types has no code, so an empty bundle is fine.
      if (warning.code === "EMPTY_BUNDLE") return;
      // Ignore the warning about `RequestError`: the generated class extends the runtime class of
      // the same name.
      if (warning.plugin === "dts" && warning.message.includes("RequestError$1")) return;
      // Ignore the warning about `Signal`: the interfaces that use this type are exported, so users
      // never need its name.
      if (
        warning.plugin === "dts" &&
        warning.message.includes("type exports with no public re-export: Signal.")
      )
        return;
      throw new Error(warning.message);
    },
  };
}
