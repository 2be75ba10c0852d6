import { SourceFile } from "./printer/source-file.js";

/**
 * The files that the runtime's modules are merged into. Each entry consists of the merged file's
 * path, and the path of the module that imports all the others in it.
 */
const parts = [
  // The option checks need a file of their own, because an entry point exports them as a namespace.
  ["options.ts", "base/check-options.ts"],
  ["index.ts", "index.ts"],
  ["node.ts", "node.ts"],
] as const;

const imports = /^import (type )?(?:\{([^}]*)\}|(\* as \w+)) from "([^"]+)";\n/gm;
const exportLists = /^export (?:type )?(?:\{([^}]*)\}|(\* as \w+))(?: from "([^"]+)")?;\n/gm;
const declared = /^declare const (\w+): \w+;\n/gm;

/**
 * Merges the runtime's modules into three files, in the order in which they run. This works because
 * all top-level names in these modules are different. The paths and names used by importers stay
 * the same.
 *
 * @param modules Content by path: the two entry points, and the modules that they import.
 */
export function mergeRuntime(modules: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const partOf = new Map<string, string>();
  const members = parts.map(([part, root]) => {
    const own: string[] = [];
    visit(root, modules, partOf, (path) => {
      partOf.set(path, part);
      own.push(path);
    });
    return [part, own] as const;
  });
  const files = new Map<string, string>();
  for (const [part, paths] of members)
    if (modules.has(part) || paths.length > 0)
      files.set(part, printPart(part, paths, modules, partOf));
  return files;
}

/**
 * Calls a function for each module that a module imports, directly or indirectly, and finally for
 * the module itself. This is the order in which the modules run.
 */
function visit(
  path: string,
  modules: ReadonlyMap<string, string>,
  seen: ReadonlyMap<string, string>,
  found: (path: string) => void,
  open: Set<string> = new Set(),
): void {
  const text = modules.get(path);
  if (text === undefined || seen.has(path) || open.has(path)) return;
  open.add(path);
  for (const [, from] of text.matchAll(/ from "(\.[^"]+)"/g))
    visit(resolve(from!, path), modules, seen, found, open);
  found(path);
}

function printPart(
  part: string,
  paths: readonly string[],
  modules: ReadonlyMap<string, string>,
  partOf: ReadonlyMap<string, string>,
): string {
  const file = new SourceFile("The parts of the runtime that this package uses.");
  const imported = new Map<string, Map<string, boolean>>();
  const namespaces = new Set<string>();
  const aliases: string[] = [];
  const bodies: string[] = [];
  const known = new Set<string>();
  /**
   * Returns the merged file that contains an imported module, or undefined if it is the current
   * file.
   */
  const fileOf = (specifier: string, path: string): string | undefined => {
    if (!specifier.startsWith(".")) return specifier;
    const other = partOf.get(resolve(specifier, path));
    return other === part ? undefined : `./${other!.replace(/\.ts$/, ".js")}`;
  };
  for (const path of paths) {
    const isEntry = path === part;
    const body = modules
      .get(path)!
      .replace(imports, (_, areTypes, list: string | undefined, namespace, from: string) => {
        const other = fileOf(from, path);
        if (namespace !== undefined) namespaces.add(`import ${namespace} from "${other!}";`);
        if (list === undefined || other === undefined) return "";
        const names = imported.get(other) ?? new Map<string, boolean>();
        for (const each of namesIn(list)) {
          const name = each.replace(/^type /, "");
          const isType = areTypes !== undefined || name !== each;
          names.set(name, isType && names.get(name) !== false);
        }
        imported.set(other, names);
        return "";
      })
      .replace(exportLists, (text: string, list: string | undefined, namespace, from) => {
        if (!isEntry || from === undefined) return "";
        const other = fileOf(from as string, path);
        if (namespace !== undefined) aliases.push(`export ${namespace} from "${other!}";`);
        else if (other !== undefined) aliases.push(text.trim().replace(from as string, other));
        else
          for (const each of namesIn(list!))
            if (each.includes(" as "))
              aliases.push(`export { ${each.replace(/^type /, "type ")} };`);
        return "";
      })
      .replace(declared, (text: string, name: string) => {
        if (known.has(name)) return "";
        known.add(name);
        return text;
      });
    if (!isEntry) bodies.push(body.trim());
  }
  for (const [from, names] of imported)
    for (const [name, isType] of names)
      if (isType) file.importType(name, from);
      else file.importValue(name, from);
  for (const line of [...namespaces].sort()) file.line(line);
  file.line();
  for (const line of aliases) file.line(line);
  for (const body of bodies) file.line(`\n${body}`);
  if (bodies.length === 0 && aliases.length === 0) file.line("export {};");
  return file.toString();
}

/** Returns the names in an import or export list. */
export function namesIn(list: string): readonly string[] {
  return list
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

/** Resolves a relative specifier to a path. */
function resolve(specifier: string, path: string): string {
  const base = "file:///";
  return new URL(specifier, new URL(path, base)).href.slice(base.length).replace(/\.js$/, ".ts");
}
