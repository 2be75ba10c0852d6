import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Fields that all published packages copy from the tool's package.json. */
interface ToolManifest {
  readonly version: string;
  readonly homepage: string;
  readonly bugs: object;
  readonly repository: object;
  readonly publishConfig: object;
}

/**
 * The package.json of a package in this repository. The package's only dependencies are other
 * packages of ours.
 */
interface OwnManifest {
  readonly name: string;
  readonly description: string;
  readonly private?: boolean;
  readonly keywords?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
}

export function toolManifest(): ToolManifest {
  return JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as ToolManifest;
}

/**
 * Returns a package's files as they are published. Adds the tool's license and version, so that
 * changes to the tool also give packages a new version. Dependencies on our other packages are set
 * to the same version.
 * @param folder The package's folder in the repository.
 */
export function publishedFiles(
  files: ReadonlyMap<string, string>,
  folder: string,
): ReadonlyMap<string, string> {
  const { private: _, ...manifest } = JSON.parse(files.get("package.json")!) as OwnManifest;
  const { name, description, keywords, dependencies, ...rest } = manifest;
  const { version, homepage, bugs, repository, publishConfig } = toolManifest();
  const published = {
    name,
    description,
    ...rest,
    ...(dependencies === undefined
      ? {}
      : { dependencies: Object.fromEntries(Object.keys(dependencies).map((to) => [to, version])) }),
    version,
    keywords: keywords ?? keywordsOf(name, description),
    homepage,
    bugs,
    repository: { ...repository, directory: folder },
    publishConfig,
  };
  return new Map([
    ...files,
    ["LICENSE", readFileSync(join(root, "LICENSE"), "utf8")],
    ["package.json", `${JSON.stringify(published, undefined, 2)}\n`],
  ]);
}

/**
 * Returns a package's keywords: the protocol's name, the capitalized words of its title, and those
 * that all packages share.
 */
function keywordsOf(name: string, description: string): readonly string[] {
  const title = /\bfor the (.+?)(?:,|$)/.exec(description)?.[1] ?? "";
  return [
    ...new Set([
      name.replace(/^@[^/]+\//, ""),
      title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-"),
      "debugger",
      "protocol",
      "typescript",
    ]),
  ];
}
