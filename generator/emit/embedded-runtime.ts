import { readFileSync } from "node:fs";
import { runtimeFolder } from "../base/bundled.js";
import { SourceFile } from "./printer/source-file.js";

/** Modules through which a package uses the runtime. */
const doors = ["index", "node"];

const exportLists = /export (type )?\{([^}]*)\} from "([^"]+)";/g;

/**
 * The part of the runtime that a package can reach, path below its `runtime/` folder to content: doors that export
 * what its modules name, and the modules behind them.
 */
export function embedRuntime(modules: Iterable<string>): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const reached = new Set<string>();
  const texts = [...modules];
  for (const door of doors) {
    const used = new Set(texts.flatMap((text) => namesFrom(text, `./runtime/${door}.js`)));
    const file = new SourceFile("What this package uses of the runtime.");
    for (const [, mark, list, from] of readRuntime(`${door}.ts`).matchAll(exportLists)) {
      const names = namesIn(list!).filter((name) => used.has(bareName(name)));
      if (names.length === 0) continue;
      const areTypes = mark !== undefined || names.every((name) => name.startsWith("type "));
      const shown = areTypes ? names.map(bareName) : names;
      file.list(areTypes ? "export type {" : "export {", shown, `} from "${from}";`, " ");
      reached.add(pathOf(from!, ""));
    }
    if (used.size === 0) file.line("export {};");
    files.set(`${door}.ts`, file.toString());
  }
  for (const path of reached) {
    const text = readRuntime(path);
    files.set(path, text);
    for (const [, from] of text.matchAll(/from "(\.[^"]+)"/g)) reached.add(pathOf(from!, path));
  }
  return files;
}

function readRuntime(path: string): string {
  // A checkout on Windows may have other line ends.
  return readFileSync(new URL(path, runtimeFolder), "utf8").replaceAll("\r\n", "\n");
}

/** The path that a module means by a relative specifier. */
function pathOf(specifier: string, path: string): string {
  const base = "file:///";
  return new URL(specifier, new URL(path, base)).href.slice(base.length).replace(/\.js$/, ".ts");
}

/** The names that a module imports or re-exports from another one. */
function namesFrom(text: string, module: string): readonly string[] {
  return [...text.matchAll(/(?:import|export) (?:type )?\{([^}]*)\} from "([^"]+)"/g)]
    .filter(([, , from]) => from === module)
    .flatMap(([, list]) => namesIn(list!).map(bareName));
}

function namesIn(list: string): readonly string[] {
  return list
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

function bareName(name: string): string {
  return name.replace(/^type /, "").replace(/ as .*/, "");
}
