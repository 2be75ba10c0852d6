import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { InputError } from "../base/input-error.js";
import type { SchemaSource } from "./description/draft.js";
import { beside, type OpenedDescription } from "./open-description.js";
import type { ReadOptions } from "./read-options.js";
import { readJsonInput } from "./source/input-source.js";
import type { JsonFile } from "./source/json-text.js";

/** Opens the schema that the options name, or else one that the description lists. */
export async function openSchemaSource(
  opened: OpenedDescription,
  options: ReadOptions,
): Promise<SchemaSource> {
  const { path, version } = chooseSchema(opened, options);
  return { file: await readJsonInput(path, options), version, unstated: [] };
}

function chooseSchema(
  { description, file }: OpenedDescription,
  options: ReadOptions,
): { readonly path: string; readonly version: string } {
  const { versions, current } = description.schema;
  if (options.schema !== undefined)
    return { path: options.schema, version: options.version ?? versionIn(options.schema) };
  const version = options.version ?? current;
  if (!Object.hasOwn(versions, version))
    throw new InputError(
      "ERR_UNKNOWN_VERSION",
      `Cannot find version "${version}" of ${description.title}`,
      { file: file.name },
      `Known: ${Object.keys(versions).join(", ")}; or give a schema file of that version`,
    );
  return { path: pathOf(versions[version]!, file), version };
}

/** The version at the end of a file name. */
function versionIn(name: string): string {
  return /(\d+\.\d+\.\d+)\.json$/.exec(name)?.[1] ?? "custom";
}

/** Resolves the schema that a description lists for a version: a file of a package, a URL, or a path. */
function pathOf(named: string, file: JsonFile): string {
  if (named.startsWith("npm:")) return findInPackage(named.slice(4), file);
  return named.startsWith("https://") ? named : beside(file, named);
}

/** Finds a file of an installed package, first from the current folder, then from the folder of the description. */
function findInPackage(path: string, file: JsonFile): string {
  const [, name = "", rest = ""] = /^((?:@[^/]+\/)?[^/]+)\/(.+)$/.exec(path) ?? [];
  for (const start of [process.cwd(), dirname(resolve(file.name))]) {
    for (const folder of createRequire(join(start, "package.json")).resolve.paths(name) ?? [])
      if (existsSync(join(folder, name, rest))) return join(folder, name, rest);
  }
  throw new InputError(
    "ERR_READ",
    `Cannot find "${rest}" of the package "${name}"`,
    { file: file.name },
    `npm install ${name}`,
  );
}
