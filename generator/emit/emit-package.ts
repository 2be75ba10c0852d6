import * as option from "../../runtime/base/check-options.js";
import { checkArguments, protocolModel } from "../base/check-arguments.js";
import { InputError } from "../base/input-error.js";
import type { Protocol } from "../model/protocol.js";
import { compileModules } from "./compiled-modules.js";
import { emitNodeCodec } from "./modules/codec.js";
import { emitNodeConnection, hasConnections } from "./modules/connection.js";
import { renameBases } from "./rename-bases.js";
import { embedRuntime } from "./embedded-runtime.js";
import { emittedModules } from "./emitted-modules.js";
import { emitPackageFiles, packageTargets } from "./package-files.js";
import { namePackage, type PackageNames, wireDefinitions } from "./modules/package-names.js";
import { mapTypes, packageEntries, type PackageEntry } from "./package-entries.js";
import { reachableFiles, withParts, type PackageParts } from "./package-parts.js";
import { quote, SourceFile } from "./printer/source-file.js";
import { isIdentifier, isReservedWord } from "../model/names.js";
import { answeredRequests } from "../model/queries.js";

/** Options for emitting a package's files. */
export interface EmitOptions {
  /** The package name. Default: the name in the description. */
  readonly packageName?: string;
  /**
   * `embed`, the default, copies the parts of the runtime that the package uses. Any other value is
   * the module from which the package re-exports the runtime, or the folder of that module relative
   * to the package's `runtime/` folder.
   */
  readonly runtime?: string;
  /**
   * `embed`, the default, copies the protocol's hand-written code. `apart` writes only the generated
   * modules, for a package of your own that contains the hand-written code, the entry points that
   * export it, and a package.json.
   */
  readonly code?: "embed" | "apart";
  /**
   * Parts of the package to emit: `types`, `guards`, `maps`, `validators`, `codec`, `connection`,
   * `configuration`, `dialects`, `compatibility`, the entry points of hand-written code, such as
   * `session`, or `all`. The package always contains `types`, along with all files that the parts
   * import. Default: `all`.
   */
  readonly only?: readonly string[];
  /**
   * Whether compilers should check only the package's types. If so, all other modules start with
   * `@ts-nocheck`, which saves build time, since they have already been compiled as part of the
   * package. Default: false.
   */
  readonly trusted?: boolean;
  /**
   * `ts` emits TypeScript modules, which are compiled along with the program. `js+dts` emits
   * JavaScript and declarations, which need no compilation. Default: `ts`.
   */
  readonly target?: "ts" | "js+dts";
}

export const emitChecks: option.OptionChecks<EmitOptions> = {
  packageName: option.text,
  runtime: option.text,
  code: option.oneOf("embed", "apart"),
  only: option.listOf(option.text),
  trusted: option.flag,
  target: option.oneOf(...packageTargets),
};

/** Rejects names that npm does not allow for new packages. @throws InputError `ERR_ARGUMENT`. */
function checkPackageName(name: string): void {
  if (/^(@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/.test(name)) return;
  throw new InputError(
    "ERR_ARGUMENT",
    `Cannot use "${name}" as a package name`,
    {},
    "Use lower-case letters, digits, hyphens, and optionally a scope",
  );
}

/**
 * Emits a complete package. Returns content by relative path, sorted.
 *
 * @throws InputError if names collide or the package name is invalid; TypeError if an argument is
 * invalid or an option is unknown.
 */
export async function emitPackage(
  described: Protocol,
  options: EmitOptions = {},
): Promise<ReadonlyMap<string, string>> {
  option.checkOptions("emitPackage", options, emitChecks);
  checkArguments("emitPackage", { protocol: [described, protocolModel] });
  const parts =
    options.only === undefined || options.only.includes("all")
      ? undefined
      : new Set(["types", ...options.only]);
  const protocol = renameBases(parts === undefined ? described : withParts(described, parts));
  const names = namePackage(protocol);
  claimNames(protocol, names);
  const header = headerOf(protocol);
  const { packageName = protocol.packageName, target = "ts" } = options;
  checkPackageName(packageName);
  const { runtime = "embed", code = "embed" } = options;
  const files = new Map<string, string>(
    code === "apart" ? [] : emitPackageFiles(protocol, names, packageName, target, parts),
  );
  const emit = async (
    path: string,
    fill: (file: SourceFile) => void | Promise<void>,
  ): Promise<void> => {
    const file = new SourceFile(header);
    await fill(file);
    files.set(path, file.toString());
  };
  const modules = new Map(emittedModules(protocol).map((module) => [module.file, module]));
  // Generated code leaves out what the hand-written code replaces, wherever that code is.
  const { code: written, ...generated } = protocol;
  const entries = packageEntries(code === "apart" ? generated : protocol, parts);
  for (const entry of entries) {
    const path = `${entry.name}.ts` as const;
    if (files.has(path)) continue;
    await emit(path, async (file) => {
      // Leave the names of the published package unchanged.
      const named = entry.name === "compatibility" ? described : protocol;
      await modules.get(path)?.emit(named, names, file);
      if (entry.name === "node") emitNode(protocol, file, parts);
      emitExports(entry, protocol, names, file, parts);
      for (const each of entry.code) file.line(exportAll(`./${each}`));
    });
  }
  for (const { file: path, emit: print } of modules.values())
    if (!files.has(path)) await emit(path, (file) => print(protocol, names, file));
  const copied = new Map(code === "apart" ? [] : Object.entries(written?.files ?? {}));
  for (const path of copied.keys())
    if (files.has(path))
      throw new InputError(
        "ERR_NAME_COLLISION",
        `Cannot include "${path}": a generated file already has that name`,
      );
  const sources = new Map([...files, ...copied]);
  const entryNames = entries.map(({ name }) => name);
  const selected = parts === undefined ? sources : reachableFiles(sources, entryNames);
  const runtimeFiles = runtime === "embed" ? embedRuntime(selected) : reExportRuntime(runtime);
  const packageFiles = new Map([...runtimeFiles].map(([path, text]) => [`runtime/${path}`, text]));
  for (const [path, text] of selected)
    packageFiles.set(
      path,
      copied.has(path)
        ? `// Copied by wirewright. Do not edit: change the original.\n\n${text}`
        : text,
    );
  const printed =
    target === "js+dts"
      ? await compileModules(packageFiles, entryNames)
      : options.trusted === true
        ? withoutCodeChecks(packageFiles)
        : packageFiles;
  return new Map([...printed].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Modules that contain the types people read. Compilers always check these. */
const typeModules = ["types.ts", "messages.ts", "maps.ts"];

/** Adds `@ts-nocheck` to all modules except those that contain the types people read. */
function withoutCodeChecks(files: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map(
    [...files].map(([path, text]) => [
      path,
      path.endsWith(".ts") && !typeModules.includes(path) ? `// @ts-nocheck\n${text}` : text,
    ]),
  );
}

/** Returns the comment for the first line of generated files. */
export function headerOf({ title, version }: Protocol): string {
  const named = version === "custom" ? title : `${title} ${version}`;
  return `Generated by wirewright from the ${named}. Do not edit: run \`wirewright generate\`.`;
}

/** @param runtime A module, or a folder relative to the package's `runtime/` folder. */
function reExportRuntime(runtime: string): ReadonlyMap<string, string> {
  const isFolder = /^\.\.?\//.test(runtime);
  const reExport = (specifier: string): string =>
    `// Re-exports the runtime instead of including a copy.\n\nexport * from ${quote(specifier)};\n`;
  return new Map([
    ["index.ts", reExport(isFolder ? `${runtime}/index.js` : runtime)],
    ["node.ts", reExport(isFolder ? `${runtime}/node.js` : `${runtime}/node`)],
  ]);
}

/** Emits an entry point's exports, except those that its own file declares. */
function emitExports(
  { name, modules, values, types, isTypes }: PackageEntry,
  protocol: Protocol,
  names: PackageNames,
  file: SourceFile,
  parts: PackageParts | undefined,
): void {
  const others = modules.filter((each) => each !== name);
  const runtimeNames = [...values, ...types.map((each) => `type ${each}`)];
  file.line();
  for (const each of others) file.line(exportAll(`./${each}.ts`));
  if (name === "types") {
    if (parts?.has("maps") !== false)
      file.list("export type {", mapTypes(protocol, names), '} from "./maps.js";', " ");
    file.line('export type * from "./messages.js";');
  }
  if (runtimeNames.length === 0) return;
  if (isTypes) file.list("export type {", types, '} from "./runtime/index.js";', " ");
  else file.list("export {", runtimeNames, '} from "./runtime/index.js";', " ");
}

function exportAll(file: string): string {
  return `export * from ${quote(file.replace(/\.ts$/, ".js"))};`;
}

/** Emits the exports that `node.ts` declares itself. */
function emitNode(protocol: Protocol, file: SourceFile, parts: PackageParts | undefined): void {
  if (parts?.has("codec") !== false) emitNodeCodec(protocol, file);
  if (hasConnections(protocol) && parts?.has("connection") !== false)
    emitNodeConnection(protocol, file);
}

/**
 * Checks that a package exports each name only once, and that all names are valid identifiers.
 *
 * @throws InputError `ERR_NAME_COLLISION`, which names both exports, or `ERR_NAME`.
 */
function claimNames(protocol: Protocol, names: PackageNames): void {
  const claims = new Map<string, string>();
  const claim = (name: string, what: string, pointer?: string): void => {
    const place = pointer === undefined ? {} : { pointer };
    const other = claims.get(name);
    if (other !== undefined) {
      throw new InputError(
        "ERR_NAME_COLLISION",
        `Cannot export "${name}" twice: as ${other} and as ${what}`,
        place,
        "Rename the definition or the message",
      );
    }
    if (!isIdentifier(name) || isReservedWord(name)) {
      throw new InputError(
        "ERR_NAME",
        `Cannot export "${name}", ${what}: it is not an identifier`,
        place,
        "Rename the definition or the message",
      );
    }
    claims.set(name, what);
  };
  for (const { file, exports } of emittedModules(protocol))
    for (const name of exports?.(protocol, names) ?? []) claim(name, `a name of ${file}`);
  const runtime = packageEntries(protocol).flatMap(({ types, values }) => [...types, ...values]);
  for (const name of new Set([...runtime, "NoProperties"])) claim(name, "a name of the runtime");
  for (const definition of protocol.definitions) {
    claim(
      definition.name,
      definition.pointer === undefined
        ? "a wire type of the envelope"
        : `the definition at ${definition.pointer}`,
      definition.pointer,
    );
    claim(names.check(definition.name), `the check of "${definition.name}"`, definition.pointer);
    claim(
      names.validator(definition.name),
      `the validator of "${definition.name}"`,
      definition.pointer,
    );
  }
  for (const message of protocol.messages) {
    for (const definition of wireDefinitions(protocol, message))
      claim(names.guard(definition), `the guard of "${definition}"`, message.pointer);
  }
  for (const request of answeredRequests(protocol))
    claim(names.success(request), `the success response of "${request.name}"`, request.pointer);
}
