import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { runtimeRange } from "../generator/base/bundled.js";
import { loadJsoncParser, packageFolders } from "../generator/base/packages.js";
import { visible } from "../generator/base/visible-text.js";
import { isInRange } from "../runtime/base/runtime-version.js";
import type { PackageJob } from "./project-file.js";

const runtimePackage = "@wirewright/runtime";

/** Lists what the user's project still needs before it can use the code just written. */
export function notesFor(job: PackageJob): readonly string[] {
  const { out, runtime, packageName, importExtension } = job;
  const notes: string[] = [];
  if (runtime === undefined && packageName === undefined) {
    const install = `npm install ${runtimePackage}@${runtimeRange()}`;
    const version = installedVersion(out);
    if (version === undefined)
      notes.push(
        `The generated code imports ${runtimePackage}, which is not installed: ${install}`,
      );
    else if (!isInRange(version, runtimeRange()))
      notes.push(
        `The generated code needs ${runtimePackage} ${runtimeRange()}, but ${visible(version)} is installed: ${install}`,
      );
  }
  const settings = importExtension === "ts" ? nearest("tsconfig.json", out) : undefined;
  if (settings !== undefined && !allowsTypeScriptExtensions(settings))
    notes.push(
      `The generated modules import each other as ".ts", which ${visible(settings)} does not allow: set "rewriteRelativeImportExtensions" or "allowImportingTsExtensions"`,
    );
  const note = moduleNote(out);
  return note === undefined ? notes : [...notes, note];
}

function installedVersion(out: string): string | undefined {
  for (const folder of packageFolders(runtimePackage, resolve(out))) {
    const { version } = readJson(join(folder, "package.json"));
    if (typeof version === "string") return version;
  }
  return undefined;
}

/**
 * Returns a note for a project that compiles files to CommonJS. Before TypeScript 5.8, such files
 * cannot import ES modules. Returns undefined for other projects.
 */
function moduleNote(out: string): string | undefined {
  const manifest = nearest("package.json", out);
  if (manifest === undefined || readJson(manifest)["type"] === "module") return undefined;
  const settings = compilerOptions(join(dirname(manifest), "tsconfig.json"));
  if (!/^node(?:16|18|20|next)$/i.test(String(settings["module"]))) return undefined;
  return `The generated modules are ES modules, but ${visible(manifest)} does not set "type": "module". Without it, TypeScript versions before 5.8 cannot compile imports of them`;
}

/**
 * Returns the extension with which generated modules should import each other, according to the
 * nearest tsconfig.json: `ts` if it allows that, otherwise undefined.
 */
export function importExtensionFor(out: string): "ts" | undefined {
  const settings = nearest("tsconfig.json", out);
  return settings !== undefined && allowsTypeScriptExtensions(settings) ? "ts" : undefined;
}

function allowsTypeScriptExtensions(settings: string): boolean {
  const { allowImportingTsExtensions: isImported, rewriteRelativeImportExtensions: isRewritten } =
    compilerOptions(settings);
  return isImported === true || isRewritten === true;
}

/** Maximum number of settings files that extend one another. */
const maxExtended = 20;

/** Reads compiler settings, including those of the files that they extend by path. */
function compilerOptions(path: string, depth = 0): Record<string, unknown> {
  const { extends: bases = [], compilerOptions: own } = readJson(path);
  const inherited = [bases]
    .flat()
    .filter((base): base is string => typeof base === "string" && depth < maxExtended)
    .map((base) => {
      const named = base.endsWith(".json") ? base : `${base}.json`;
      const target = base.startsWith(".")
        ? join(dirname(path), named)
        : packageFolders(named, dirname(path)).find(existsSync);
      return target === undefined ? {} : compilerOptions(target, depth + 1);
    });
  return Object.assign({}, ...inherited, own) as Record<string, unknown>;
}

/** Finds a file in the nearest folder that contains it, starting above the output. */
function nearest(name: string, out: string): string | undefined {
  for (let folder = dirname(resolve(out)); ; folder = dirname(folder)) {
    const path = join(folder, name);
    if (existsSync(path)) return path;
    if (dirname(folder) === folder) return undefined;
  }
}

/** Reads a JSON file that may contain comments. If it cannot be read, returns an empty object. */
function readJson(path: string): Record<string, unknown> {
  try {
    const value: unknown = loadJsoncParser().parse(readFileSync(path, "utf8"), [], {
      allowTrailingComma: true,
    });
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
