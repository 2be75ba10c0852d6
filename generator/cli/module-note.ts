import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/**
 * Returns a note for a project with files that are compiled to CommonJS. Generated packages contain
 * ES modules, which such files cannot import before TypeScript 5.8. Returns undefined for other
 * projects.
 *
 * @param out Folder of the package.
 */
export function moduleNote(out: string): string | undefined {
  const project = nearestProject(dirname(resolve(out)));
  if (project === undefined || isModule(project)) return undefined;
  const settings = readText(join(project, "tsconfig.json"));
  if (!/"module"\s*:\s*"node(?:16|18|20|next)"/i.test(settings)) return undefined;
  return 'the package contains ES modules, but package.json of the project does not contain "type": "module". Without it, TypeScript before 5.8 does not compile imports of the package';
}

/** Finds the nearest folder with a package.json, at a path or above it. */
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

/** Reads a file of the project. Returns an empty string if it cannot be read. */
function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
