import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/**
 * Returns a note for a project that compiles files to CommonJS. Before TypeScript 5.8, such files
 * cannot import generated packages, which contain ES modules. Returns undefined for other projects.
 *
 * @param out The package's folder.
 */
export function moduleNote(out: string): string | undefined {
  const project = nearestProject(dirname(resolve(out)));
  if (project === undefined || isModule(project)) return undefined;
  const settings = readText(join(project, "tsconfig.json"));
  if (!/"module"\s*:\s*"node(?:16|18|20|next)"/i.test(settings)) return undefined;
  return 'the package contains ES modules, but the project package.json does not set "type": "module". Without it, TypeScript versions before 5.8 cannot compile imports of the package';
}

/**
 * Finds the nearest folder that contains a package.json, starting at a path and searching upwards.
 */
function nearestProject(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json"))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

function isModule(project: string): boolean {
  try {
    const manifest = JSON.parse(readText(join(project, "package.json"))) as {
      type?: unknown;
    } | null;
    return manifest?.type === "module";
  } catch {
    return false;
  }
}

/** Reads a file in the project. Returns an empty string if it cannot be read. */
function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
