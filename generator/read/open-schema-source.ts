import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { InputError } from "../base/input-error.js";
import type { SchemaSource } from "./description/draft.js";
import { beside, type OpenedDescription } from "./open-description.js";
import { openHistory, rebuildSchema } from "./open-history.js";
import type { ReadOptions } from "./read-options.js";
import { readJsonInput } from "./source/input-source.js";
import type { JsonFile } from "./source/json-text.js";
import { unknownVersion } from "./unknown-version.js";

/** Opens the schema that the options name, or else one that the description lists. */
export async function openSchemaSource(
  opened: OpenedDescription,
  options: ReadOptions,
): Promise<SchemaSource> {
  const { description, file } = opened;
  const { versions, current } = description.schema;
  const { schema, version = schema === undefined ? current : versionIn(schema) } = options;
  const read = async (path: string): Promise<JsonFile> => readJsonInput(path, options);
  if (schema !== undefined) return { file: await read(schema), version, unstated: [] };
  if (Object.hasOwn(versions, version))
    return { file: await read(pathOf(versions[version]!, file)), version, unstated: [] };
  const history = await openHistory(opened, options);
  if (history === undefined || !Object.hasOwn(history.value.earlier, version))
    throw unknownVersion(
      version,
      [...Object.keys(history?.value.earlier ?? {}).reverse(), ...Object.keys(versions)],
      description.title,
      { file: file.name },
    );
  const newest = await read(pathOf(versions[history.value.newest]!, file));
  // The texts are those of the newest version, so that nothing can be said about how they changed.
  return {
    file: rebuildSchema(newest, history, version, `${description.name}@${version}`),
    version,
    unstated: ["docs", "deprecation"],
  };
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
