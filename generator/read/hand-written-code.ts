import { posix } from "node:path";
import { InputError } from "../base/input-error.js";
import type { CodeEntry, Protocol } from "../model/protocol.js";
import type { Code } from "./description/description-types.js";
import { beside, type OpenedDescription } from "./open-description.js";
import { readTextFile } from "./source/input-source.js";
import type { JsonFile } from "./source/json-text.js";

const imports = /(\bfrom |\bimport |\bimport\()"(\.[^"]+)"/g;

/** Matches imports and re-exports that span several lines. */
const brokenImports = /^((?:import|export) (?:type )?\{)\n([^}]+),\n(\} from "[^"]+";)$/gm;
const maxLine = 100;

/**
 * Adds a package's hand-written code. @throws InputError if a file cannot be read, or if it imports
 * a file that is in neither the code's folder nor the package.
 */
export async function includeCode(
  protocol: Protocol,
  { file, description, extension }: OpenedDescription,
): Promise<Protocol> {
  const files = new Map<string, string>();
  const entries: CodeEntry[] = [];
  const add = async (from: JsonFile, code: Code | undefined): Promise<void> => {
    for (const [name, path] of Object.entries(code?.entries ?? {})) {
      await readWithImports(from, code!, path, files);
      entries.push({ name, file: path, values: [...exportedValues(path, files)] });
    }
  };
  await add(file, description.code);
  if (extension !== undefined) await add(extension.file, extension.value.code);
  if (entries.length === 0) return protocol;
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...protocol, code: { files: Object.fromEntries(sorted), entries } };
}

/**
 * Reads a file and the files that it imports. Rewrites imports from the package as relative paths.
 */
async function readWithImports(
  description: JsonFile,
  code: Code,
  entry: string,
  files: Map<string, string>,
): Promise<void> {
  const folder = slashed(code.folder);
  const packageFolder = `${posix.relative(folder, slashed(code.package))}/`;
  const paths = new Set([entry]);
  for (const path of paths) {
    if (files.has(path)) continue;
    const name = beside(description, posix.join(folder, path));
    // Git on Windows may have converted line endings to CRLF.
    const text = (await readTextFile(name)).replaceAll("\r\n", "\n");
    const inPackage = text.replaceAll(imports, (_, before: string, specifier: string) => {
      const target = posix.join(posix.dirname(path), specifier);
      const isOfPackage = target.startsWith(packageFolder);
      if (!isOfPackage && target.startsWith("../"))
        throw new InputError(
          "ERR_DESCRIPTION",
          `${name}: The package cannot contain "${specifier}"`,
          {},
          `Import only files from ${folder} and ${code.package}`,
        );
      if (!isOfPackage) paths.add(sourceOf(target));
      const to = isOfPackage ? target.slice(packageFolder.length) : target;
      return `${before}"${specifierFrom(path, to)}"`;
    });
    files.set(path, inPackage.replaceAll(brokenImports, joined));
  }
}

/** Joins an import onto one line if it now fits because its path has become shorter. */
function joined(whole: string, start: string, names: string, end: string): string {
  const line = `${start} ${names.trim().replaceAll(/\s*\n\s*/g, " ")} ${end}`;
  return line.length > maxLine ? whole : line;
}

/** Lists the functions, classes and constants that a file exports, including re-exports. */
function exportedValues(path: string, files: ReadonlyMap<string, string>): ReadonlySet<string> {
  const text = files.get(path) ?? "";
  const from = (specifier: string): string => sourceOf(posix.join(posix.dirname(path), specifier));
  const declared = [...text.matchAll(/^export (?:async )?(?:function|class|const) (\w+)/gm)];
  const listed = [...text.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, list]) =>
    list!.split(",").map((each) => each.trim()),
  );
  const starred = [...text.matchAll(/^export \* from "([^"]+)"/gm)].flatMap(([, specifier]) => [
    ...exportedValues(from(specifier!), files),
  ]);
  return new Set([
    ...declared.map(([, name]) => name!),
    ...listed.filter((name) => name !== "" && !name.startsWith("type ")),
    ...starred,
  ]);
}

function sourceOf(module: string): string {
  return module.replace(/\.js$/, ".ts");
}

function specifierFrom(path: string, target: string): string {
  const specifier = posix.relative(posix.dirname(path), target);
  return specifier.startsWith(".") ? specifier : `./${specifier}`;
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}
