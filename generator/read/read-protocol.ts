import { checkOptions, text } from "../../runtime/base/check-options.js";
import { checkArguments } from "../base/check-arguments.js";
import type { Protocol } from "../model/protocol.js";
import { checksOf } from "../model/type-checks.js";
import { assembleProtocol } from "./assemble-protocol.js";
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
import { annotationsOf, readTypeNotes } from "./description/notes.js";
import { omitDefinitions, omitTexts } from "./description/omit.js";
import { readNotations } from "./messages/notations.js";
import { listMessages, readMessages } from "./messages/read-messages.js";
import { checkReferences, readReferences } from "./messages/references.js";
import { checkSummaries } from "./messages/summaries.js";
import { openDescription, readVersionName, type OpenedDescription } from "./open-description.js";
import { describedAt, openHistory, openSchemaSource, readSource } from "./open-schema-source.js";
import { addExtension, mergeOverlays, overlayPaths } from "./overlays.js";
import { readChecks, type ReadOptions } from "./read-options.js";
import { readDefinitions } from "./schema/definitions.js";
import { openSchema, type SchemaFile } from "./schema/schema-file.js";
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
  return (await readProtocolSource(name, options)).protocol;
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
  const { opened, source } = await openFiles(name, options, given);
  const overlays = overlayPaths(opened, options);
  const listed = omitDefinitions(listMessages(omitTexts(startDraft(opened.description, source))));
  const draft = await mergeOverlays(
    addExtension(listed, opened.extension?.value),
    overlays,
    options,
  );
  const file = schemaFileOf(draft);
  const schema = openSchema(file, annotationsOf(draft.description), options);
  const isCurrent =
    given === undefined &&
    overlays.length === (opened.description.overlays ?? []).length &&
    source.version === opened.description.schema.current;
  const protocol = buildModel(draft, schema, opened.file, isCurrent);
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
): Promise<{ readonly opened: OpenedDescription; readonly source: SchemaSource }> {
  const { protocol, version } = readVersionName(name, options.version);
  const isListed = options.schema === undefined && given === undefined;
  const opened = await describedAt(
    await openDescription(protocol, options),
    isListed ? version : undefined,
    options,
  );
  const schema = given ?? (await openSchemaSource(opened, { ...options, version }));
  return { opened, source: await readSource(schema, opened, { ...options, version }) };
}

/**
 * Builds the model.
 *
 * @param isCurrent Whether this is the version that the description applies to, so that every name
 * in the description must exist. The description may name definitions that other versions lack.
 */
function buildModel(
  draft: Draft,
  schema: SchemaFile,
  descriptionFile: JsonFile,
  isCurrent: boolean,
): Protocol {
  const gated = isCurrent ? draft.description : dropUnknownGates(draft.description, schema);
  const definitions = readDefinitions(schema, readTypeNotes(gated));
  const description = isCurrent ? gated : dropAbsentMessages(gated, definitions);
  const messages = readMessages(schema, definitions, description, draft.listed);
  warnOfResponseConditions(schema, messages);
  const { protocol, found } = readReferences(
    assembleProtocol(description, draft.source, messages),
    description,
  );
  if (isCurrent) {
    checkNames(protocol, description, descriptionFile);
    checkReferences(found, description, descriptionFile);
    checkSummaries(protocol, description, descriptionFile);
  }
  return readNotations(protocol, description, descriptionFile);
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
  const opened = await openDescription(name);
  const history = await openHistory(opened);
  return [
    ...Object.keys(history?.value.earlier ?? {}).reverse(),
    ...Object.keys(opened.description.schema.versions ?? {}),
  ];
}
