import { existsSync } from "node:fs";
import { InputError, nearest } from "../generator/base/input-error.js";
import type { Json } from "../generator/model/types.js";
import {
  isJsonObject,
  joinPointer,
  type JsonFile,
  type JsonObject,
} from "../generator/read/source/json-text.js";
import { readCommentedFile } from "./commented-json.js";
import {
  requestNames,
  type ConfigurationSet,
  type ConfigurationSource,
  type OfferedConfiguration,
  type SourceNote,
} from "./configuration-set.js";
import { localize, localizedTexts, type LocalizedTexts } from "./localized-texts.js";
import { definitionsIn, readValueSchema } from "./read-value-schema.js";
import { definitionsOf, readReferredFiles } from "./referred-files.js";

/** Returns whether a file is the package.json of a VS Code extension that contributes debuggers. */
export function isManifest(value: Json): boolean {
  const contributes = isJsonObject(value) ? value["contributes"] : undefined;
  return isJsonObject(contributes) && contributes["debuggers"] !== undefined;
}

/** Returns the path to the file with a manifest's localized strings, if it exists. */
export function textFileOf(manifest: string): string | undefined {
  if (!manifest.endsWith(".json")) return undefined;
  const path = `${manifest.slice(0, -".json".length)}.nls.json`;
  return existsSync(path) ? path : undefined;
}

/**
 * Reads the debuggers from the package.json of a VS Code extension.
 *
 * @throws InputError with the location of the part that cannot be read.
 */
export async function readManifest(file: JsonFile): Promise<ConfigurationSource> {
  const textFile = textFileOf(file.name);
  const texts: LocalizedTexts =
    textFile === undefined ? new Map() : localizedTexts((await readCommentedFile(textFile)).value);
  const at = "/contributes/debuggers";
  const { debuggers } = (file.value as { readonly contributes: { readonly debuggers: Json } })
    .contributes;
  const referred = await readReferredFiles(file, debuggers, at);
  const notes: SourceNote[] = [];
  if (!Array.isArray(debuggers))
    throw unreadable(file, 'Cannot read "debuggers": it must be an array', at);
  const localized: Localized = (value, place, isReported) =>
    localize(value, texts, place, (key, pointer) => {
      if (!isReported) return;
      const meant = nearest(key, texts.keys());
      notes.push({
        place: file.locate(pointer),
        message: `There is no string for %${key}%`,
        hint:
          textFile === undefined
            ? "Add a package.nls.json next to the file"
            : `Add "${key}" to package.nls.json${meant === undefined ? "" : `, or did you mean "${meant}"?`}`,
      });
    });
  const sets: ConfigurationSet[] = [];
  const offered: OfferedConfiguration[] = [];
  for (const [index, value] of (debuggers as readonly Json[]).entries()) {
    const pointer = joinPointer(at, index);
    for (const set of attributesIn(file, value, pointer, localized)) {
      if (sets.some((other) => other.type === set.type && other.request === set.request))
        throw unreadable(
          file,
          `Found two debuggers of type "${set.type}"; only one is supported`,
          joinPointer(pointer, "type"),
        );
      const written = localized(set.schema, set.pointer, true);
      const named = definitionsOf(referred, definitionsIn(written, set.pointer));
      const plain = localized(set.schema, set.pointer, false);
      const schema = readValueSchema({ file, referred: named, notes }, plain, set.pointer);
      if (isJsonObject(schema)) sets.push({ ...set, schema });
    }
    offered.push(...offeredIn(file, value, pointer));
  }
  if (sets.length === 0)
    throw unreadable(
      file,
      "Cannot find any configuration attributes",
      at,
      'Add "configurationAttributes" to a debugger',
    );
  return {
    file: file.name,
    sets,
    offered,
    notes,
    inputs: [
      file.name,
      ...(textFile === undefined ? [] : [textFile]),
      ...[...referred.values()].map(({ name }) => name),
    ],
    locate: (pointer) => file.locate(pointer),
  };
}

/** Replaces the keys of localized strings. Reports the keys that have no string, if asked to. */
type Localized = (value: Json, at: string, isReported: boolean) => Json;

function unreadable(file: JsonFile, text: string, at: string, hint?: string): InputError {
  return new InputError("ERR_SCHEMA", text, file.locate(at), hint);
}

/** Returns a debugger's attributes as they are written, by request. */
function* attributesIn(
  file: JsonFile,
  value: Json,
  at: string,
  localized: Localized,
): Generator<ConfigurationSet> {
  if (!isJsonObject(value))
    throw unreadable(file, "Cannot read a debugger: it must be an object", at);
  const { type, label: written, configurationAttributes: attributes } = value;
  if (typeof type !== "string" || type === "")
    throw unreadable(file, 'Cannot read a debugger that has no "type"', at);
  // The type `*` stands for every debugger; its attributes are provided by the editor itself.
  if (type === "*" || attributes === undefined) return;
  if (!isJsonObject(attributes))
    throw unreadable(
      file,
      'Cannot read "configurationAttributes": it must be an object',
      joinPointer(at, "configurationAttributes"),
    );
  const label =
    typeof written === "string" ? localized(written, joinPointer(at, "label"), true) : undefined;
  for (const [name, schema] of Object.entries(attributes)) {
    const pointer = joinPointer(at, "configurationAttributes", name);
    const request = requestNames.find((each) => each === name);
    const meant = nearest(name, requestNames);
    if (request === undefined)
      throw unreadable(
        file,
        `Cannot read attributes for the request "${name}"`,
        pointer,
        `A configuration is for ${requestNames.map((each) => `"${each}"`).join(" or ")}${meant === undefined ? "" : `: did you mean "${meant}"?`}`,
      );
    if (!isJsonObject(schema))
      throw unreadable(
        file,
        `Cannot read the attributes of "${name}": they must be an object`,
        pointer,
      );
    yield { type, request, schema, pointer, ...(typeof label === "string" ? { label } : {}) };
  }
}

/** Returns a debugger's initial configurations. */
function offeredIn(file: JsonFile, value: Json, at: string): readonly OfferedConfiguration[] {
  const { type, configurationAttributes, initialConfigurations: list } = value as JsonObject;
  if (type === "*" || configurationAttributes === undefined) return [];
  // A string names a command that provides the configurations.
  if (list === undefined || typeof list === "string") return [];
  const pointer = joinPointer(at, "initialConfigurations");
  if (!Array.isArray(list))
    throw unreadable(file, "Cannot read initialConfigurations: it must be an array", pointer);
  return list.map((each: Json, index) => ({ value: each, pointer: joinPointer(pointer, index) }));
}
