import { runtimeFolder } from "../base/bundled.js";
import { files as readable } from "../base/files.js";
import { withoutInternalComments } from "./internal-comments.js";
import { mergeRuntime, namesIn } from "./merged-runtime.js";
import { SourceFile } from "./printer/source-file.js";

/** The runtime's entry points. */
const entries = ["index", "node"];

const exportLists = /export (?:(type )?\{([^}]*)\}|\* as (\w+)) from "([^"]+)";/g;

/**
 * Selects the parts of the runtime that a package uses: its two entry points, the modules that they
 * depend on, and the module that checks options, which an entry point exports as a namespace.
 *
 * @param modules Content of the package's files, by path.
 * @returns Content by path relative to the package's `runtime/` folder.
 */
export function embedRuntime(modules: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const reached = new Set<string>();
  const lists = [...modules].flatMap(([path, text]) => nameListsIn(path, text));
  for (const entry of entries) {
    const used = new Set(
      lists.filter(({ from }) => from === `runtime/${entry}.ts`).flatMap(({ names }) => names),
    );
    const file = new SourceFile("The parts of the runtime that this package uses.");
    for (const [, mark, list, all, from] of readRuntime(`${entry}.ts`).matchAll(exportLists)) {
      if (all !== undefined) {
        if (!used.has(all)) continue;
        file.line(`export * as ${all} from "${from}";`);
        reached.add(pathOf(from!, ""));
        continue;
      }
      const names = namesIn(list!).filter((name) => used.has(exportedName(name)));
      if (names.length === 0) continue;
      const areTypes = mark !== undefined || names.every((name) => name.startsWith("type "));
      const shown = areTypes ? names.map((name) => name.replace(/^type /, "")) : names;
      file.list(areTypes ? "export type {" : "export {", shown, `} from "${from}";`, " ");
      reached.add(pathOf(from!, ""));
    }
    if (used.size === 0) file.line("export {};");
    files.set(`${entry}.ts`, file.toString());
  }
  for (const path of reached) {
    const text = readRuntime(path);
    files.set(path, text);
    for (const [, from] of text.matchAll(/from "(\.[^"]+)"/g)) reached.add(pathOf(from!, path));
  }
  const exported = lists
    .filter(({ isExport, from }) => isExport && files.has(from.replace(/^runtime\//, "")))
    .flatMap(({ names }) => names);
  return new Map(
    [...mergeRuntime(files)].map(([path, text]) => [path, withoutInternalComments(text, exported)]),
  );
}

function readRuntime(path: string): string {
  // Git on Windows may have converted line endings to CRLF.
  return readable.readText(new URL(path, runtimeFolder)).replaceAll("\r\n", "\n");
}

/** Resolves a relative specifier to a path. */
function pathOf(specifier: string, path: string): string {
  const base = "file:///";
  return new URL(specifier, new URL(path, base)).href.slice(base.length).replace(/\.js$/, ".ts");
}

/** Returns the exported name in an export list entry such as `type A as B`. */
function exportedName(name: string): string {
  return name.replace(/^type /, "").replace(/^.* as /, "");
}

/** A list of names that a file imports or re-exports from another file in the package. */
interface NameList {
  readonly isExport: boolean;
  /** Path of the other file in the package. */
  readonly from: string;
  readonly names: readonly string[];
}

/** @param path Path of the file in the package. */
function nameListsIn(path: string, text: string): readonly NameList[] {
  return [...text.matchAll(/(import|export) (?:type )?\{([^}]*)\} from "(\.[^"]+)"/g)].map(
    ([, verb, list, from]) => ({
      isExport: verb === "export",
      from: pathOf(from!, path),
      names: namesIn(list!).map(bareName),
    }),
  );
}

function bareName(name: string): string {
  return name.replace(/^type /, "").replace(/ as .*/, "");
}
