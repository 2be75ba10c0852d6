import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fromRoot } from "../../test/support/paths.js";
import { entryPoints, packagedProtocols } from "../../test/support/workspaces.js";

/** Packages for which an API reference is generated: the protocols' packages, and the tool. */
export const apiPackages: readonly string[] = [...packagedProtocols, "wirewright"];

/** Returns the TypeDoc options for a package's API reference. */
export function apiOptions(name: string, folder: string): object {
  const root = fromRoot(name === "wirewright" ? "." : `protocols/${name}`);
  const manifest = JSON.parse(readFileSync(`${root}/package.json`, "utf8")) as {
    readonly name: string;
  };
  return {
    name: manifest.name,
    entryPoints:
      name === "wirewright"
        ? [`${root}/cli/index.ts`]
        : [...entryPoints(name).values()].map((path) => fromRoot(`${path}.ts`)),
    tsconfig: fromRoot(`${name === "wirewright" ? "cli" : "protocols"}/tsconfig.json`),
    basePath: root,
    out: folder,
    readme: "none",
    customJs: fromRoot("docs/site/api-search.mjs"),
    disableSources: true,
    excludePrivate: true,
    hideGenerator: true,
    skipErrorChecking: true,
    logLevel: "Warn",
    validation: { notDocumented: false, invalidLink: true, notExported: false },
  };
}

/**
 * Removes the search script from the top of every page, so that `api-search.mjs` can load it later.
 */
export function deferSearch(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".html")) continue;
    const text = readFileSync(`${folder}/${name}`, "utf8");
    const deferred = text.replace(
      /<script async src="([^"]+)" id="tsd-search-script">/,
      '<script async data-src="$1" id="tsd-search-script">',
    );
    if (deferred === text) throw new Error(`${name}: cannot find the search script`);
    writeFileSync(`${folder}/${name}`, deferred);
  }
}
