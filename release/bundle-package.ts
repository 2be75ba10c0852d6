import { readFileSync } from "node:fs";
import { join } from "node:path";
import { rollup, type GetModuleInfo, type OutputChunk, type RollupOptions } from "rollup";
import { dts } from "rollup-plugin-dts";
import { minify } from "terser";
import { emptyFile, publishedManifest } from "./published-manifest.js";

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
  const empty = entries.filter((name) =>
    /^export \{\};$/m.test(readFileSync(join(source.compiled, `${name}.js`), "utf8")),
  );
  const isEmpty = (name: string): boolean => empty.includes(name);
  const withCode = entries.filter((name) => !isEmpty(name));
  const published = publishedManifest(manifest, entries, isEmpty);
  return new Map([
    ["README.md", readFileSync(join(source.generated, "README.md"), "utf8")],
    ["package.json", `${JSON.stringify(published, undefined, 2)}\n`],
    ...(empty.length > 0 ? [[emptyFile, ""] as const] : []),
    ...(await bundleCode(source, withCode)),
    ...(await bundleDeclarations(source, entries, isEmpty)),
    ...withCode.map((name) => [`${name}.d.mts`, `export * from "./${name}.js";\n`] as const),
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
  const sharedFiles = planSharedFiles(
    (await bundle.generate({ format: "es" })).output as OutputChunk[],
  );
  const files: NamedText[] = [];
  for (const [format, extension] of [
    ["es", ".mjs"],
    ["cjs", ".js"],
  ] as const) {
    const { output } = await bundle.generate({
      format,
      entryFileNames: `[name]${extension}`,
      chunkFileNames: `[name]${extension}`,
      generatedCode: { constBindings: true },
      minifyInternalExports: false,
      manualChunks: (id) => sharedFiles.get(id),
      onlyExplicitManualChunks: true,
    });
    const isModule = format === "es";
    for (const { fileName, code } of output as OutputChunk[]) {
      const text = isModule ? exportCodeInPlace(code) : exportOnce(code);
      files.push([fileName, await shorten(text, isModule)]);
    }
  }
  await bundle.close();
  return files;
}

/**
 * The files of the modules that several entries need. A program that imports only the index reads one such file.
 *
 * @param chunks The code, divided as finely as the entries require.
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

/** Functions that only checks call. These catch what a getter throws, so that no stack trace names them. */
const behindChecks =
  /^(faultsOf|matches|ruleOf|isListOf|isMapOf|isEither|isObjectWith|hasOnlyFieldsOf)/;

/** Functions that make validators, which never throw. */
const makers = /^create(Message)?Validator$/;

/** Removes white space and shortens the names of variables. Functions and classes keep theirs, for stack traces. */
async function shorten(code: string, isModule: boolean): Promise<string> {
  const { code: text = "" } = await minify(code, {
    module: isModule,
    ecma: 2020,
    // What bundlers would shorten as well, and nothing that moves code.
    compress: {
      defaults: false,
      booleans: true,
      conditionals: true,
      // Some bundlers keep a sum that nobody uses.
      evaluate: true,
      if_return: true,
      comparisons: true,
      join_vars: true,
      typeofs: true,
      properties: true,
      sequences: true,
      side_effects: true,
      lhs_constants: true,
      reduce_vars: true,
      reduce_funcs: false,
      collapse_vars: true,
      unused: true,
      keep_fnames: true,
      keep_classnames: true,
    },
    mangle: {
      toplevel: true,
      reserved: passedOn(code),
      keep_fnames: new RegExp(`^(?!${behindChecks.source}|${makers.source})`),
      keep_classnames: true,
    },
    // Bundlers read the annotations of ES modules only.
    format: { comments: false, preserve_annotations: isModule, max_line_len: 160 },
  });
  return text.replaceAll("/* @__PURE__ */", "/*@__PURE__*/");
}

/** Moves exports from the list at the end of an ES module to the declarations, because names are long. */
function exportCodeInPlace(code: string): string {
  const list = /^export \{ (.+) \};$/m.exec(code);
  if (list === null) return code;
  const names = new Set(list[1]!.split(", "));
  const marked = code.replace(
    /^(?:(?:async )?function\*?|class|const) ([\w$]+)/gm,
    (declaration, name: string) => (names.delete(name) ? `export ${declaration}` : declaration),
  );
  const rest = [...names].join(", ");
  return (
    marked
      .replace(list[0], rest === "" ? "" : `export { ${rest} };`)
      // One statement declares the constants that follow one another.
      .replaceAll(/(?:^export const [\w$]+ = [^;{}]+;\s+){2,}/gm, (constants) =>
        constants.replaceAll(/;\s+export const /g, ", "),
      )
  );
}

/** Exports of a CommonJS module as one object. Node finds the names that it is written with. */
function exportOnce(code: string): string {
  const names: string[] = [];
  const passed = new Map<string, string>();
  const rest = code.replaceAll(
    /^exports\.([\w$]+) = (?:([\w$]+)\.)?([\w$]+);\n/gm,
    (_line, name: string, from: string | undefined, local: string) => {
      names.push(name === local ? name : `${name}: ${local}`);
      if (from !== undefined) passed.set(local, from);
      return "";
    },
  );
  const imports = [...new Set(passed.values())].map((from) => {
    const own = [...passed.keys()].filter((name) => passed.get(name) === from);
    return `const { ${own.join(", ")} } = ${from};\n`;
  });
  return `${rest}\n${imports.join("")}module.exports = { ${names.join(", ")} };\n`;
}

/** Names that a CommonJS module takes from others to export them: they are written twice, and would be three times. */
function passedOn(code: string): string[] {
  return [...code.matchAll(/^const \{ (.+) \} = [\w$]+;$/gm)].flatMap(([, names]) =>
    names!.split(", "),
  );
}

/** One copy of the declarations, in CommonJS, which both module systems can import. */
async function bundleDeclarations(
  { compiled }: PackageSource,
  entries: readonly string[],
  isEmpty: (entry: string) => boolean,
): Promise<readonly NamedText[]> {
  const bundle = await rollup({ ...options(compiled, entries, ".d.ts"), plugins: [dts()] });
  const { output } = await bundle.generate({
    format: "es",
    entryFileNames: "[name].d.ts",
    chunkFileNames: ({ name }) => `${name.replace(/\.d$/, "")}.d.ts`,
    minifyInternalExports: false,
    // A compiler that needs a type of the index reads the index and what it shares with others, and no more.
    manualChunks: (id, { getModuleInfo }) => {
      const isOwn = getModuleInfo(id)?.isEntry === true || ownToEntries.test(id);
      if (isOwn || readFileSync(id, "utf8").includes('"node:')) return undefined;
      const index = join(compiled, "index.d.ts");
      return modulesOf(index, getModuleInfo).has(id) ? "shared" : "shared-sessions";
    },
  });
  await bundle.close();
  const files = new Map(
    (output as OutputChunk[]).map(({ fileName, code }) => [
      fileName,
      declareTogether(exportInPlace(indentWithTabs(code))),
    ]),
  );
  return [...files].map(([name, code]) => {
    if (name === "index.d.ts") return [name, passOnTypes(code, files.get("types.d.ts"))];
    // A declared enum is no value of an entry without code.
    return [name, isEmpty(name.replace(/\.d\.ts$/, "")) ? exportAsTypes(code) : code];
  });
}

function exportAsTypes(code: string): string {
  return code.replaceAll(/^export \{ (?=.+ from )/gm, "export type { ");
}

/** Replaces the names of types in the index by a reference to the entry that exports the same. */
function passOnTypes(index: string, types = ""): string {
  const list = /^export \{ (.+) \} from '\.\/shared\.js';$/m;
  const passed = list.exec(types)?.[1]!.split(", ");
  const all = list.exec(index)?.[1]!.split(", ");
  if (passed === undefined || all === undefined || !passed.every((name) => all.includes(name)))
    return index;
  const rest = all.filter((name) => !passed.includes(name)).join(", ");
  return index.replace(list, `export * from './types.js';\nexport { ${rest} } from './shared.js';`);
}

/** One statement declares the constants, or the checks of types, that follow one another without comments. */
function declareTogether(code: string): string {
  let check = "Check";
  while (new RegExp(`\\b${check}\\b`).test(code)) check += "_";
  const checks = code.replaceAll(
    /(?:^export declare function \w+\(value: unknown\): value is .+;\n){2,}/gm,
    (functions) =>
      functions.replaceAll(
        /declare function (\w+)\(value: unknown\): value is (.+);/g,
        (_, name: string, type: string) => `declare const ${name}: ${check}<${type}>;`,
      ),
  );
  const alias = checks === code ? "" : `type ${check}<Type> = (value: unknown) => value is Type;\n`;
  return checks
    .replaceAll(/(?:^export declare const \w+: .+;\n){2,}/gm, (constants) =>
      constants.replaceAll(/;\nexport declare const /g, ",\n\t"),
    )
    .replace(/^(?!import )/m, alias);
}

/** A module and all that it imports. */
function modulesOf(entry: string, getModuleInfo: GetModuleInfo): ReadonlySet<string> {
  const found = new Set([entry]);
  for (const id of found)
    for (const imported of getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}

function indentWithTabs(code: string): string {
  return code.replaceAll(/^(?: {4})+/gm, (spaces) => "\t".repeat(spaces.length / 4));
}

/** Moves exports from the lists at the end to the declarations, because names of validators are long. */
function exportInPlace(code: string): string {
  const lists = /^export (type )?\{ (.+) \};$/gm;
  const listed = new Map<string, boolean>();
  for (const [, onlyType, names] of code.matchAll(lists))
    for (const name of names!.split(", ")) listed.set(name, onlyType !== undefined);
  const marked = new Set<string>();
  const declarations =
    /^(?:(declare (?:abstract )?(?:class|const|enum|function|namespace))|interface|type) ([\w$]+)/gm;
  const exported = code.replace(
    declarations,
    (declaration, value: string | undefined, name: string) => {
      const onlyType = listed.get(name);
      if (onlyType === undefined || (onlyType && value !== undefined)) return declaration;
      marked.add(name);
      return `export ${declaration}`;
    },
  );
  // Without a list, a module of declarations exports all of them.
  return exported.replace(lists, (_list, onlyType: string | undefined, names: string) => {
    const rest = names.split(", ").filter((name) => !marked.has(name));
    return `export ${onlyType ?? ""}{ ${rest.join(", ")} };`.replace("{  }", "{}");
  });
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
