import { dirname, join, resolve } from "node:path";
import { files } from "../base/files.js";
import { InputError } from "../base/input-error.js";
import { packageFolders } from "../base/packages.js";
import type { SchemaSource } from "./description/draft.js";
import { beside, type OpenedDescription } from "./open-description.js";
import { openHistory, rebuildSchema } from "./open-history.js";
import type { ReadOptions } from "./read-options.js";
import { inWorkTree, readGitName } from "./source/git-files.js";
import { readJsonInput } from "./source/input-source.js";
import { joinFiles, readReferredFiles } from "./source/joined-files.js";
import type { JsonFile } from "./source/json-text.js";
import { unknownVersion } from "./unknown-version.js";

/**
 * Opens the schema specified in the options or, if there is none, one of those that the description
 * lists.
 */
export async function openSchemaSource(
  opened: OpenedDescription,
  options: ReadOptions,
): Promise<SchemaSource> {
  const { description, file } = opened;
  const { versions, current } = description.schema;
  const given = options.schema === undefined ? [] : [options.schema].flat();
  const [schema] = given;
  const version = options.version ?? (schema === undefined ? current : versionIn(schema));
  const read = async (path: string): Promise<JsonFile> => readJsonInput(path, options);
  const readAll = async (paths: readonly string[]): Promise<SchemaSource> => {
    const [file, ...others] = await Promise.all(paths.map(read));
    return { file: file!, others, version: version!, unstated: [] };
  };
  if (schema !== undefined) return readAll(given);
  if (versions === undefined || version === undefined) throw noSchema(opened);
  const named = Object.hasOwn(versions, version) ? versions[version] : undefined;
  if (named !== undefined) return readAll([named].flat().map((path) => pathOf(path, file)));
  const history = await openHistory(opened, options);
  if (history === undefined || !Object.hasOwn(history.value.earlier, version))
    throw unknownVersion(
      version,
      [...Object.keys(history?.value.earlier ?? {}).reverse(), ...Object.keys(versions)],
      description.title,
      { file: file.name },
    );
  const newest = await read(pathOf([versions[history.value.newest]!].flat()[0]!, file));
  // The rebuilt schema contains the newest version's descriptions, so earlier docs and deprecations
  // are unknown.
  return {
    file: rebuildSchema(newest, history, version, `${description.name}@${version}`),
    version,
    unstated: ["docs", "deprecation"],
  };
}

/**
 * Reads a source in the language that its description specifies. For JSON Schema, joins the
 * source's files.
 *
 * @param options.version The version that the user specified, which takes precedence over the
 * version in the source.
 * @throws InputError with the location in the source.
 */
export async function readSource(
  source: SchemaSource,
  { description: { schema, roles }, file }: OpenedDescription,
  { version, files: referred = false }: Pick<ReadOptions, "version" | "files">,
): Promise<SchemaSource> {
  const { format } = schema;
  const { others = [] } = source;
  const documents = [source.file, ...others];
  if (format === "json-schema") {
    const found = referred ? await readReferredFiles(source.file) : [];
    const named = new Set(others.map(({ name }) => resolve(name)));
    const added = found.filter(({ name }) => !named.has(resolve(name)));
    return others.length === 0 && !referred
      ? source
      : { ...source, file: joinFiles(source.file, [...others, ...added]) };
  }
  const { readFormat } = await import("./formats/read-format.js");
  const read = await readFormat(documents, await readerOf(format, file), roles);
  return {
    file: read.file,
    messages: read.messages,
    version: version ?? read.version ?? source.version,
    unstated: [...source.unstated, ...read.unstated],
  };
}

/**
 * Returns the reader for a schema language: its name, or the path of its module. If the description
 * is in a git revision, the module comes from the work tree.
 */
async function readerOf(format: string, file: JsonFile): Promise<string> {
  if (!format.startsWith(".")) return format;
  const path = beside(file, format);
  const git = readGitName(path);
  return git === undefined ? path : inWorkTree(git);
}

/** Creates the error to report if the user must supply a protocol's schema. */
function noSchema({ description: { title, schema }, file }: OpenedDescription): InputError {
  return new InputError(
    "ERR_NO_SCHEMA",
    `Cannot read the ${title} without its schema, which is not bundled`,
    { file: file.name },
    `Pass the schema with --schema${schema.obtain === undefined ? "" : `: ${schema.obtain}`}`,
  );
}

/**
 * Returns the version in a file name or its folder name, such as `1.71.0.json` or
 * `2025-11-25/schema.json`, or `custom` if there is none.
 */
export function versionIn(name: string): string {
  return /(\d+\.\d+\.\d+|\d{4}-\d\d-\d\d)(?:[\\/][\w-]+)?\.json$/.exec(name)?.[1] ?? "custom";
}

/**
 * Resolves the schema that a description lists for a version: a file in a package, a URL, or a
 * path.
 */
function pathOf(named: string, file: JsonFile): string {
  if (named.startsWith("npm:")) return findInPackage(named.slice(4), file);
  return named.startsWith("https://") ? named : beside(file, named);
}

/**
 * Finds a file in an installed package. Searches from the current folder first, then from the
 * description's folder.
 */
function findInPackage(path: string, file: JsonFile): string {
  const [, name = "", rest = ""] = /^((?:@[^/]+\/)?[^/]+)\/(.+)$/.exec(path) ?? [];
  for (const start of [process.cwd(), dirname(resolve(file.name))]) {
    const found = packageFolders(name, start)
      .map((folder) => join(folder, rest))
      .find((path) => files.exists(path));
    if (found !== undefined) return found;
  }
  throw new InputError(
    "ERR_READ",
    `Cannot find "${rest}" in the package "${name}"`,
    { file: file.name },
    `npm install ${name}`,
  );
}
