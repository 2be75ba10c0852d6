import { dirname, isAbsolute, join } from "node:path";
import { bundledDescriptionPath, bundledProtocols } from "../base/bundled.js";
import { files } from "../base/files.js";
import { InputError, nearest } from "../base/input-error.js";
import {
  readBundledDescription,
  readDescription,
  readExtension,
} from "./description/check-description.js";
import type { Description, Extension } from "./description/description-types.js";
import { besideGitFile, readGitName } from "./source/git-files.js";
import { readJsonInput, type InputOptions } from "./source/input-source.js";
import { isJsonObject, type JsonFile } from "./source/json-text.js";

/**
 * A checked description. If the user named an extension, `description` is the one that it extends.
 */
export interface OpenedDescription {
  readonly file: JsonFile;
  readonly description: Description;
  readonly extension?: { readonly file: JsonFile; readonly value: Extension };
}

/** The name of a protocol, file or folder, with an optional protocol version. */
export interface NamedVersion {
  readonly protocol: string;
  readonly version?: string;
}

/**
 * Splits the version off a name such as `dap@1.68.0`, or `protocol@1.0.0` for a description in a
 * folder. Other names do not contain a version.
 *
 * @param version The version, if it is given separately.
 * @throws InputError `ERR_ARGUMENT` if the name and `version` specify different versions.
 */
export function readVersionName(name: string, version?: string): NamedVersion {
  const [, protocol = "", suffix] = /^(.+)@([^@/\\]+)$/.exec(name) ?? [];
  if (suffix === undefined || !isDescription(protocol)) return { protocol: name, version };
  if (version === undefined || version === suffix) return { protocol, version: suffix };
  throw new InputError(
    "ERR_ARGUMENT",
    `Cannot use "${name}" together with version ${version}`,
    {},
    "Specify only one version",
  );
}

/**
 * Opens a description by the name of a protocol, file or folder. @throws InputError with code,
 * location and hint.
 */
export async function openDescription(
  name: string,
  options: InputOptions = {},
): Promise<OpenedDescription> {
  const read = bundledProtocols().includes(name) ? readBundledDescription : readDescription;
  const named = await readJsonInput(findDescription(name), options);
  if (!isExtension(named)) return { file: named, description: read(named) };
  const value = readExtension(named);
  const base = bundledProtocols().includes(value.extends)
    ? value.extends
    : beside(named, value.extends);
  const file = await readJsonInput(findDescription(base), options);
  return { file, description: read(file), extension: { file: named, value } };
}

/**
 * Returns whether a name refers to a description: a bundled protocol, a file, or the folder that
 * contains the file.
 */
export function isDescription(name: string): boolean {
  return (
    bundledProtocols().includes(name) ||
    /(^|[\\/:])protocol\.json$/.test(name) ||
    files.exists(join(name, "protocol.json"))
  );
}

/**
 * Finds the path of a description by the name of a protocol, file or folder. @throws InputError
 * `ERR_UNKNOWN_PROTOCOL`.
 */
export function findDescription(name: string): string {
  if (bundledProtocols().includes(name)) return bundledDescriptionPath(name);
  if (name.endsWith(".json")) return name;
  const inFolder = join(name, "protocol.json");
  if (files.exists(inFolder)) return inFolder;
  const guess = nearest(name, bundledProtocols());
  throw new InputError(
    "ERR_UNKNOWN_PROTOCOL",
    `Cannot find the protocol "${name}"`,
    {},
    guess === undefined
      ? `Bundled protocols: ${bundledProtocols().join(", ")}. For your own protocol, pass the path to its protocol.json`
      : `Did you mean "${guess}"?`,
  );
}

/** Resolves a path relative to the file that contains it. */
export function beside(file: Pick<JsonFile, "name">, name: string): string {
  if (isAbsolute(name)) return name;
  const git = readGitName(file.name);
  return git === undefined ? join(dirname(file.name), name) : besideGitFile(git, name);
}

function isExtension(file: JsonFile): boolean {
  return isJsonObject(file.value) && Object.hasOwn(file.value, "extends");
}
