import { dirname, join, resolve } from "node:path";
import { once } from "../model/once.js";
import { files } from "../base/files.js";
import { InputError } from "../base/input-error.js";
import { packageFolders } from "../base/packages.js";
import type { SchemaSource } from "./description/draft.js";
import { beside, type OpenedDescription } from "./open-description.js";
import type { ReadOptions } from "./read-options.js";
import { inWorkTree, readGitName } from "./source/git-files.js";
import { readJsonInput, type InputOptions } from "./source/input-source.js";
import { joinFiles, readReferredFiles } from "./source/joined-files.js";
import { type JsonFile, isJsonObject, type JsonObject } from "./source/json-text.js";
import { bundledDescriptionPath, bundledProtocols } from "../base/bundled.js";
import { check } from "./description/check-file.js";
import { earlierDescription, earlierSchema, type SchemaHistory } from "./schema/schema-history.js";

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
  const schemas = options.schema === undefined ? [] : [options.schema].flat();
  const [schema] = schemas;
  const version = options.version ?? (schema === undefined ? current : versionIn(schema));
  const readAll = async (paths: readonly string[]): Promise<SchemaSource> => {
    const [file, ...others] = await Promise.all(paths.map((path) => readJsonInput(path, options)));
    return { file: file!, others, version: version!, unstated: [] };
  };
  if (schema !== undefined) return readAll(schemas);
  if (versions === undefined || version === undefined) throw noSchema(opened);
  if (Object.hasOwn(versions, version))
    return readAll([versions[version]!].flat().map((path) => pathOf(path, file)));
  const history = await openHistory(opened, options);
  if (history === undefined || !Object.hasOwn(history.value.earlier, version))
    throw unknownVersion(
      version,
      [...Object.keys(history?.value.earlier ?? {}).reverse(), ...Object.keys(versions)],
      `the ${description.title}`,
    );
  const newest = await readJsonInput(
    pathOf([versions[history.value.newest]!].flat()[0]!, file),
    options,
  );
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
  options: Omit<ReadOptions, "schema" | "overlays">,
): Promise<SchemaSource> {
  const { version, files: referred = false } = options;
  if (schema.format === "json-schema") {
    const { others = [] } = source;
    if (others.length === 0 && !referred) return source;
    const referredFiles = referred ? await readReferredFiles(source.file) : [];
    const names = new Set(others.map(({ name }) => resolve(name)));
    const added = referredFiles.filter(({ name }) => !names.has(resolve(name)));
    return { ...source, file: joinFiles(source.file, [...others, ...added]) };
  }
  const { readFormat } = await import("./formats/read-format.js");
  const read = await readFormat(source, await readerOf(schema.format, file), roles, options);
  return version === undefined ? read : { ...read, version };
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
function pathOf(path: string, file: JsonFile): string {
  if (path.startsWith("npm:")) return findInPackage(path.slice(4), file);
  return path.startsWith("https://") ? path : beside(file, path);
}

/**
 * Finds a file in an installed package. Searches from the current folder first, then from the
 * description's folder.
 */
function findInPackage(path: string, file: JsonFile): string {
  const [, name = "", rest = ""] = /^((?:@[^/]+\/)?[^/]+)\/(.+)$/.exec(path) ?? [];
  for (const start of [process.cwd(), dirname(resolve(file.name))]) {
    const installed = packageFolders(name, start)
      .map((folder) => join(folder, rest))
      .find((path) => files.exists(path));
    if (installed !== undefined) return installed;
  }
  throw new InputError(
    "ERR_READ",
    `Cannot find "${rest}" in the package "${name}"`,
    { file: file.name },
    `npm install ${name}`,
  );
}

/** A checked history, along with its file. */
interface OpenedHistory {
  readonly file: JsonFile;
  readonly value: SchemaHistory;
}

/**
 * Opens a description's history file. @throws InputError `ERR_DESCRIPTION` with the location of the
 * first fault.
 */
export async function openHistory(
  { description, file: described }: OpenedDescription,
  options: InputOptions = {},
): Promise<OpenedHistory | undefined> {
  const { history: path, versions = {} } = description.schema;
  if (path === undefined) return undefined;
  const file = await readJsonInput(
    path.startsWith("https://") ? path : beside(described, path),
    options,
  );
  // Wirewright's tests check the bundled histories.
  if (!isBundled(described)) check(file, "history", "ERR_DESCRIPTION");
  const value = file.value as unknown as SchemaHistory;
  if (!Object.hasOwn(versions, value.newest))
    throw new InputError(
      "ERR_DESCRIPTION",
      `Cannot find the version "${value.newest}"`,
      file.locate("/newest"),
      `Known: ${Object.keys(versions).join(", ")}`,
    );
  return { file, value };
}

/** Returns a protocol's description as it was for a given version. */
export async function describedAt(
  opened: OpenedDescription,
  version: string | undefined,
  options: InputOptions = {},
): Promise<OpenedDescription> {
  const { schema } = opened.description;
  if (version === undefined || schema.history === undefined || version in (schema.versions ?? {}))
    return opened;
  const history = await openHistory(opened, options);
  if (history?.value.descriptions === undefined || !Object.hasOwn(history.value.earlier, version))
    return opened;
  const { value, file } = history;
  return { ...opened, description: earlierDescription(opened.description, value, version, file) };
}

function isBundled({ name }: JsonFile): boolean {
  return bundledProtocols().some((protocol) => bundledDescriptionPath(protocol) === name);
}

/**
 * Rebuilds the schema of an earlier version. No file contains this schema, so errors locate its
 * parts by JSON Pointer, without lines.
 *
 * @throws InputError `ERR_SCHEMA` or `ERR_DESCRIPTION`.
 */
function rebuildSchema(
  newest: JsonFile,
  history: OpenedHistory,
  version: string,
  name: string,
): JsonFile {
  const rebuilt = once((): JsonObject => {
    if (isJsonObject(newest.value))
      return earlierSchema(newest.value, history.value, version, history.file);
    throw new InputError(
      "ERR_SCHEMA",
      "Cannot read a schema that is not an object",
      newest.locate(""),
    );
  });
  return {
    name,
    get value() {
      return rebuilt();
    },
    locate: (pointer) => ({ file: name, pointer }),
  };
}

/**
 * Creates the error for an unknown version, which suggests similar versions.
 *
 * @param versions All known versions, oldest first.
 * @param title Name of the protocol in a sentence, such as `the Debug Adapter Protocol`.
 */
export function unknownVersion(
  version: string,
  versions: readonly string[],
  title: string,
): InputError {
  const text =
    versions.length <= 8
      ? `Known versions: ${versions.join(", ")}`
      : `Similar versions: ${nearVersions(version, versions).join(", ")}; known: ${versions.length} versions from ${versions[0]} to ${versions.at(-1)}`;
  return new InputError(
    "ERR_UNKNOWN_VERSION",
    `Cannot find version "${version}" of ${title}`,
    {},
    `${text}; or pass a schema file for that version`,
  );
}

/**
 * Selects the versions to suggest: the known versions that start with the given version or, if
 * there are none, the two versions before it and the two after it. If the given version is not a
 * number, selects the latest versions.
 */
function nearVersions(version: string, versions: readonly string[]): readonly string[] {
  const number = version.replace(/^v(?=\d)/, "");
  const longer = versions.filter((each) => `${each}.`.startsWith(`${number}.`));
  if (longer.length > 0) return longer.slice(-4);
  if (!/^\d+(\.\d+)*$/.test(number)) return versions.slice(-4);
  const next = versions.findIndex((each) => compareNumbers(each, number) > 0);
  return next < 0 ? versions.slice(-2) : versions.slice(Math.max(0, next - 2), next + 2);
}

function compareNumbers(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}
