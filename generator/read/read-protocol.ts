import { checkOptions, text } from "../../runtime/base/check-options.js";
import { checkArguments } from "../base/check-arguments.js";
import type { Protocol } from "../model/protocol.js";
import type { ProtocolSource } from "./build-protocol.js";
import { readBuiltModel } from "./built-model.js";
import { withDescription, type SchemaSource } from "./description/draft.js";
import {
  openDescription,
  readVersionName,
  type NamedVersion,
  type OpenedDescription,
} from "./open-description.js";
import { describedAt, openHistory, openSchemaSource } from "./open-schema-source.js";
import { readChecks, type ReadOptions } from "./read-options.js";
import type { InputOptions } from "./source/input-source.js";

export { findDescription, readVersionName, type NamedVersion } from "./open-description.js";
export type { ProtocolSource } from "./build-protocol.js";
export type { ReadOptions } from "./read-options.js";

/**
 * Reads a protocol into the model.
 *
 * @param name Name of a bundled protocol, such as `dap` or `dap@1.68.0`, or path of a
 * `protocol.json` or its folder.
 * @throws InputError with code, location and hint if an input cannot be used. TypeError for an
 * unknown option.
 */
export async function readProtocol(name: string, options: ReadOptions = {}): Promise<Protocol> {
  checkOptions("readProtocol", options, readChecks);
  checkArguments("readProtocol", { name: [name, text] });
  const built = readBuiltModel(readVersionName(name, options.version), options);
  return built ?? (await readProtocolSource(name, options)).protocol;
}

/**
 * Reads a protocol into the model. Returns the model along with the schema file, which can locate
 * every part.
 *
 * Opens the files, prepares the schema and the description, and builds the model from both.
 *
 * @param given A schema to read instead of the one selected by `options`.
 */
export async function readProtocolSource(
  name: string,
  options: ReadOptions = {},
  given?: SchemaSource,
): Promise<ProtocolSource> {
  const { named, opened, schema: listedSource } = await openFiles(name, options, given);
  const { version } = named;
  const built = given === undefined ? readBuiltModel(named, options) : undefined;
  if (built !== undefined)
    return { protocol: built, schema: withDescription(listedSource.file, opened.file) };
  const { buildProtocol } = await import("./build-protocol.js");
  return buildProtocol(
    { opened, source: listedSource, version, isGiven: given !== undefined },
    options,
  );
}

/** Opens a protocol's description and the schema of one version. */
async function openFiles(
  name: string,
  options: ReadOptions,
  given: SchemaSource | undefined,
): Promise<{
  readonly named: NamedVersion;
  readonly opened: OpenedDescription;
  readonly schema: SchemaSource;
}> {
  const { protocol, version: written } = readVersionName(name, options.version);
  const isListed = options.schema === undefined && given === undefined;
  const described = await openDescription(protocol, options);
  const version = isListed ? await wholeVersion(described, written, options) : written;
  const opened = await describedAt(described, isListed ? version : undefined, options);
  const schema = given ?? (await openSchemaSource(opened, { ...options, version }));
  return { named: { protocol, version }, opened, schema };
}

/** Returns the newest version that starts with the given numbers: 1.70.0 for 1.70. */
async function wholeVersion(
  described: OpenedDescription,
  version: string | undefined,
  options: ReadOptions,
): Promise<string | undefined> {
  if (version === undefined || !/^\d+(\.\d+)*$/.test(version)) return version;
  const versions = await versionsOf(described, options);
  return versions.includes(version)
    ? version
    : (versions.findLast((each) => each.startsWith(`${version}.`)) ?? version);
}

/** Returns all versions listed in a description and its history, oldest first. */
export async function describedVersions(name: string): Promise<readonly string[]> {
  return versionsOf(await openDescription(name));
}

async function versionsOf(
  opened: OpenedDescription,
  options: InputOptions = {},
): Promise<readonly string[]> {
  const history = await openHistory(opened, options);
  return [
    ...Object.keys(history?.value.earlier ?? {}).reverse(),
    ...Object.keys(opened.description.schema.versions ?? {}),
  ];
}
