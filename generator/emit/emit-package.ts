import * as option from "../../runtime/base/check-options.js";
import { checkArguments, protocolModel } from "../base/check-arguments.js";
import { InputError } from "../base/input-error.js";
import { isIdentifier, isReservedWord } from "../model/names.js";
import type { Protocol } from "../model/protocol.js";
import { answeredRequests } from "../model/queries.js";
import { compileModules } from "./compiled-modules.js";
import { emittedModules } from "./emitted-modules.js";
import { emitNodeCodec } from "./modules/codec.js";
import { emitNodeConnection, hasConnections } from "./modules/connection.js";
import {
  namePackage,
  nodeRuntime,
  type PackageNames,
  runtime,
  wireDefinitions,
} from "./modules/package-names.js";
import { mapTypes, packageEntries, type PackageEntry } from "./package-entries.js";
import { emitPackageFiles } from "./package-files.js";
import { checkParts, type PackageParts } from "./package-parts.js";
import { SourceFile } from "./printer/source-file.js";
import { renameBases, renameTaken } from "./rename-bases.js";

/** The languages in which modules can be emitted. */
export const emitTargets = ["ts", "js+dts"] as const;

/** The extensions with which modules can import each other. */
export const importExtensions = ["js", "ts", "none"] as const;

/** Options for emitting a protocol's modules. */
export interface EmitOptions {
  /**
   * Adds a package.json with this name, a README and compiler settings, so that the output can be
   * published. Default: only modules, for a program's source tree.
   */
  readonly packageName?: string;
  /**
   * The module that contains the runtime, or the path of a folder with a copy of it, relative to the
   * output. Default: `@wirewright/runtime`.
   */
  readonly runtime?: string;
  /**
   * Parts to emit: `types`, `guards`, `maps`, `validators`, `codec`, `connection`, `configuration`
   * and `dialects`. The output always contains `types`, along with all modules that the parts
   * import. Default: all.
   */
  readonly only?: readonly string[];
  /**
   * `ts` emits TypeScript modules, which are compiled along with the program. `js+dts` emits
   * JavaScript and declarations, which need no compilation. Default: `ts`.
   */
  readonly target?: (typeof emitTargets)[number];
  /**
   * The extension with which TypeScript modules import each other: `ts` for programs that Node, Deno
   * or Bun run without compiling them, `none` for programs that are bundled. Default: `js`.
   */
  readonly importExtension?: (typeof importExtensions)[number];
}

export const emitChecks: option.OptionChecks<EmitOptions> = {
  packageName: option.text,
  runtime: option.text,
  only: option.listOf(option.text),
  target: option.oneOf(...emitTargets),
  importExtension: option.oneOf(...importExtensions),
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
 * Emits a protocol's modules. Returns content by relative path, sorted.
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
  const { packageName, only, target = "ts" } = options;
  const parts = only === undefined ? undefined : new Set(["types", ...only]);
  if (parts !== undefined) checkParts(described, parts);
  if (packageName !== undefined) checkPackageName(packageName);
  const based = renameBases(described);
  const reserved = reservedNames(based, namePackage(based)).map(([name]) => name);
  const protocol = renameTaken(based, namePackage(based), new Set(reserved));
  const names = namePackage(protocol);
  claimNames(protocol, names);
  const modules = new Map(emittedModules(protocol).map((module) => [module.file, module]));
  const entries = packageEntries(protocol, parts);
  const byPath = new Map(entries.map((entry) => [`${entry.name}.ts`, entry]));
  const files = new Map<string, string>();
  // Emit the entry points, then the modules that they import, directly or indirectly.
  const paths = new Set(byPath.keys());
  for (const path of paths) {
    const file = new SourceFile(headerOf(protocol), (module) => specifierOf(module, options));
    await modules.get(path as `${string}.ts`)?.emit(protocol, names, file);
    const entry = byPath.get(path);
    if (entry !== undefined) {
      if (entry.name === "node") emitNode(protocol, file, parts);
      emitExports(entry, protocol, names, file, parts);
    }
    files.set(path, file.toString());
    for (const module of file.modules)
      if (module.startsWith("./")) paths.add(module.slice(2).replace(/js$/, "ts"));
  }
  const code = target === "js+dts" ? await compileModules(files) : files;
  const others =
    packageName === undefined ? [] : emitPackageFiles(protocol, names, packageName, target, parts);
  return new Map([...code, ...others].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the specifier under which emitted code imports a module. */
function specifierOf(module: string, options: EmitOptions): string {
  const { runtime: from = runtime, importExtension = "js", target } = options;
  if (module === runtime) return /^\.\.?\//.test(from) ? `${from}/index.js` : from;
  if (module === nodeRuntime) return /^\.\.?\//.test(from) ? `${from}/node.js` : `${from}/node`;
  if (!module.startsWith("./") || target === "js+dts") return module;
  const path = module.slice(0, -".js".length);
  return importExtension === "none" ? path : `${path}.${importExtension}`;
}

/** Returns the comment for the first line of generated files. */
export function headerOf({ title, version }: Protocol): string {
  const named = version === "custom" ? title : `${title} ${version}`;
  return `Generated by wirewright from the ${named}. Do not edit: run \`wirewright generate\`.`;
}

/** Emits an entry point's exports, except those that its own file declares. */
function emitExports(
  { name, modules, values, types }: PackageEntry,
  protocol: Protocol,
  names: PackageNames,
  file: SourceFile,
  parts: PackageParts | undefined,
): void {
  file.line();
  for (const each of modules) if (each !== name) file.exportAll("export", `./${each}.js`);
  if (name === "types") {
    if (parts?.has("maps") !== false)
      file.exportNames("export type", mapTypes(protocol, names), "./maps.js");
    file.exportAll("export type", "./messages.js");
  }
  if (values.length + types.length === 0) return;
  if (values.length === 0) file.exportNames("export type", types, runtime);
  else file.exportNames("export", [...values, ...types.map((each) => `type ${each}`)], runtime);
}

/** Emits the exports that `node.ts` declares itself. */
function emitNode(protocol: Protocol, file: SourceFile, parts: PackageParts | undefined): void {
  if (parts?.has("codec") !== false) emitNodeCodec(protocol, file);
  if (hasConnections(protocol) && parts?.has("connection") !== false)
    emitNodeConnection(protocol, file);
}

/** Lists the names that a package exports besides those of its definitions and messages. */
function reservedNames(
  protocol: Protocol,
  names: PackageNames,
): readonly (readonly [name: string, what: string])[] {
  const runtime = packageEntries(protocol).flatMap(({ types, values }) => [...types, ...values]);
  return [
    ...emittedModules(protocol).flatMap(({ file, exports }) =>
      (exports?.(protocol, names) ?? []).map((name) => [name, `a name of ${file}`] as const),
    ),
    ...[...new Set([...runtime, "NoProperties"])].map(
      (name) => [name, "a name of the runtime"] as const,
    ),
  ];
}

const renameHint =
  'Choose another name: "definition" or "response" in the message\'s row, or "names" in the description\'s schema';

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
        renameHint,
      );
    }
    if (!isIdentifier(name) || isReservedWord(name)) {
      throw new InputError(
        "ERR_NAME",
        `Cannot export "${name}", ${what}: it is not an identifier`,
        place,
        renameHint,
      );
    }
    claims.set(name, what);
  };
  for (const [name, what] of reservedNames(protocol, names)) claim(name, what);
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
