import { readFileSync } from "node:fs";
import { fromRoot } from "../tools/shared/paths.js";

/** Packages with a reference of their symbols: folders of `generated/`, and the tool. */
export const apiPackages = ["dap", "sqltools", "ruby-debug-ide", "acp-breakpoints", "wirewright"];

/** Options of TypeDoc for the reference of a package. */
export function apiOptions(name: string, folder: string): object {
  const root = fromRoot(name === "wirewright" ? "." : `generated/${name}`);
  const manifest = JSON.parse(readFileSync(`${root}/package.json`, "utf8")) as Manifest;
  return {
    name: manifest.name,
    entryPoints:
      name === "wirewright" ? [`${root}/generator/index.ts`] : entryFiles(root, manifest),
    tsconfig: `${root}/tsconfig.json`,
    basePath: root,
    out: folder,
    readme: "none",
    disableSources: true,
    excludePrivate: true,
    hideGenerator: true,
    skipErrorChecking: true,
    logLevel: "Warn",
    validation: { notDocumented: false, invalidLink: true, notExported: false },
  };
}

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, unknown>>;
}

/** The sources of the entries of a package. */
function entryFiles(root: string, { exports }: Manifest): readonly string[] {
  return Object.keys(exports)
    .filter((entry) => !/\.json$/.test(entry))
    .map((entry) => `${root}/${entry === "." ? "index" : entry.slice(2)}.ts`);
}
