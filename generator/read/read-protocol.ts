import { checkOptions, text } from "../../runtime/base/check-options.js";
import { checkArguments } from "../base/check-arguments.js";
import type { Protocol } from "../model/protocol.js";
import { checksOf } from "../model/type-checks.js";
import { assembleProtocol } from "./assemble-protocol.js";
import { readBuiltModel } from "./built-model.js";
import { checkNames } from "./description/check-names.js";
import { dropAbsentMessages, dropUnknownGates } from "./description/drop-absent.js";
import {
  schemaFileOf,
  startDraft,
  withDescription,
  type Draft,
  type FoundMessages,
  type SchemaSource,
} from "./description/draft.js";
import { annotationsOf, payloadNames, readTypeNotes } from "./description/notes.js";
import { nameDefinitions } from "./description/name-definitions.js";
import { omitDefinitions, omitTexts } from "./description/omit.js";
import { readNotations } from "./messages/notations.js";
import { listMessages, readMessages } from "./messages/read-messages.js";
import { checkReferences, readReferences } from "./messages/references.js";
import { checkSummaries } from "./messages/summaries.js";
import {
  openDescription,
  readVersionName,
  type NamedVersion,
  type OpenedDescription,
} from "./open-description.js";
import { describedAt, openHistory, openSchemaSource, readSource } from "./open-schema-source.js";
import {
  addExtension,
  describedIn,
  isOverlay,
  mergeOverlays,
  overlaidNames,
  overlayPaths,
} from "./overlays.js";
import { readChecks, type ReadOptions } from "./read-options.js";
import { readDefinitions } from "./schema/definitions.js";
import { openSchema, type SchemaFile } from "./schema/schema-file.js";
import { joinedNames } from "./source/joined-files.js";
import { readJsonInput, type InputOptions } from "./source/input-source.js";
import type { JsonFile } from "./source/json-text.js";

export { findDescription, readVersionName, type NamedVersion } from "./open-description.js";
export type { ReadOptions } from "./read-options.js";

/** A protocol, along with its schema file. */
export interface ProtocolSource {
  readonly protocol: Protocol;
  readonly schema: JsonFile;
}

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
  const added = await Promise.all(
    overlayPaths(opened, options).map((path) => readJsonInput(path, options)),
  );
  const isJsonSchema = opened.description.schema.format === "json-schema";
  const overlays = added.filter((file) => isJsonSchema || isOverlay(file));
  const documents = added.filter((file) => !overlays.includes(file));
  const source = await readSource(
    { ...listedSource, others: [...(listedSource.others ?? []), ...documents] },
    opened,
    { ...options, version },
  );
  const started = startDraft(opened.description, source, overlaidNames(overlays));
  const listed = omitDefinitions(listMessages(omitTexts(started)));
  const draft = mergeOverlays(addExtension(listed, opened.extension?.value), overlays);
  const { file, description, names } = nameDefinitions(
    schemaFileOf(draft),
    draft.description,
    draft.faults,
  );
  const schema = openSchema(file, annotationsOf(description), options, {
    joined: joinedNames(source),
    faults: draft.faults,
  });
  noteNames(schema, names);
  const { current } = opened.description.schema;
  const isCurrent = given === undefined && source.version === current;
  // A schema that the user passed to generate from is meant to be complete.
  const isComplete = isCurrent || (given === undefined && [undefined, current].includes(version));
  const descriptionFile = describedIn(opened.file, overlays);
  const protocol = buildModel({ ...draft, description }, schema, descriptionFile, {
    isCurrent,
    isComplete,
  });
  return {
    protocol,
    schema: withDescription(file, opened.file),
  };
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

/** Reports the names that definitions got. */
function noteNames(schema: SchemaFile, names: ReadonlyMap<string, string>): void {
  const shown = [...names].slice(0, 8).map(([name, type]) => `${JSON.stringify(name)} ${type}`);
  const rest = names.size > shown.length ? ` and ${names.size - shown.length} more` : "";
  if (names.size > 0)
    schema.note(
      "ERR_NAME",
      `Named ${shown.join(", ")}${rest}, because their own names cannot be used for types`,
      `/${schema.container}`,
      'To choose other names, list them under "names" in the description\'s schema',
    );
}

/** Which names in a description must exist. */
interface RequiredNames {
  /**
   * Whether this is the version that the description applies to, so that every name must exist. The
   * description may name definitions that other versions lack.
   */
  readonly isCurrent: boolean;
  /** Whether the payloads of all messages in the description's table must exist. */
  readonly isComplete: boolean;
}

/** Builds the model. */
function buildModel(
  draft: Draft,
  schema: SchemaFile,
  descriptionFile: JsonFile,
  { isCurrent, isComplete }: RequiredNames,
): Protocol {
  const gated = isCurrent ? draft.description : dropUnknownGates(draft.description, schema);
  const definitions = readDefinitions(schema, readTypeNotes(gated), payloadNames(gated));
  const description = isComplete ? gated : dropAbsentMessages(gated, definitions, schema);
  const messages = readMessages(schema, definitions, description, draft.listed);
  warnOfResponseConditions(schema, messages);
  schema.settle();
  const { protocol, found } = readReferences(
    assembleProtocol(description, draft.source, messages),
    description,
  );
  const { faults } = draft;
  if (isCurrent) {
    checkNames(protocol, description, descriptionFile, faults);
    checkReferences(found, description, descriptionFile, faults);
    checkSummaries(protocol, description, descriptionFile, faults);
    faults.settle();
  }
  const complete = readNotations(protocol, description, descriptionFile, faults);
  faults.settle();
  return complete;
}

/**
 * Warns about conditions on whole responses, which are ignored. Each response is checked either as
 * a success or as a failure, so only conditions on its parts take effect.
 */
function warnOfResponseConditions(
  schema: SchemaFile,
  { messages, definitions, bases }: FoundMessages,
): void {
  const responses = new Set([
    bases.response,
    bases.error,
    ...messages.map((message) =>
      message.kind === "request" ? message.responseDefinition : undefined,
    ),
  ]);
  for (const { name, type, pointer } of definitions)
    if (responses.has(name) && checksOf(type).length > 0)
      schema.warn(
        "ERR_KEYWORD",
        `Ignored the conditions on response "${name}": conditions on a whole response cannot be checked`,
        pointer ?? "",
        "Apply them to its result",
      );
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
