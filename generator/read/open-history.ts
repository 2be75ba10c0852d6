import { InputError } from "../base/input-error.js";
import { bundledDescriptionPath, bundledProtocols } from "../base/bundled.js";
import { check } from "./description/check-file.js";
import { beside, type OpenedDescription } from "./open-description.js";
import { earlierDescription, earlierSchema, type SchemaHistory } from "./schema/schema-history.js";
import type { SchemaObject } from "./schema/schema-file.js";
import { readJsonInput, type InputOptions } from "./source/input-source.js";
import { isJsonObject, type JsonFile } from "./source/json-text.js";

/** A checked history, along with its file. */
export interface OpenedHistory {
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
  return bundledProtocols().some((each) => bundledDescriptionPath(each) === name);
}

/**
 * Rebuilds the schema of an earlier version. No file contains this schema, so errors locate its
 * parts by JSON Pointer, without lines.
 *
 * @throws InputError `ERR_SCHEMA` or `ERR_DESCRIPTION`.
 */
export function rebuildSchema(
  newest: JsonFile,
  history: OpenedHistory,
  version: string,
  name: string,
): JsonFile {
  if (!isJsonObject(newest.value))
    throw new InputError(
      "ERR_SCHEMA",
      "Cannot read a schema that is not an object",
      newest.locate(""),
    );
  const value: SchemaObject = earlierSchema(newest.value, history.value, version, history.file);
  return { name, value, locate: (pointer) => ({ file: name, pointer }) };
}
