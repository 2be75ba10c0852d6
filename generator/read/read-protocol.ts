import { checkOptions, text } from "../../runtime/base/check-options.js";
import { checkArguments } from "../base/check-arguments.js";
import type { Protocol } from "../model/protocol.js";
import { assembleProtocol } from "./assemble-protocol.js";
import { checkNotes } from "./description/description-notes.js";
import { withDescription } from "./description/described-file.js";
import { startDraft, type Draft, type SchemaSource } from "./description/draft.js";
import { addExtension } from "./description/extension.js";
import { omitDefinitions, omitTexts } from "./description/omit-definitions.js";
import { annotationsOf, readTypeNotes } from "./description/message-notes.js";
import { dropUnknownGates, dropAbsentMessages } from "./description/unknown-gates.js";
import { includeCode } from "./hand-written-code.js";
import { mergedFile } from "./merged-file.js";
import { mergeOverlays, overlayPaths } from "./merge-overlays.js";
import { pinDiscriminators } from "./messages/messages-by-inheritance.js";
import type { FoundMessages } from "./messages/found-messages.js";
import { listConstMessages } from "./messages/messages-by-const.js";
import { listFormatMessages } from "./messages/messages-by-format.js";
import { listMethods } from "./messages/messages-by-method.js";
import { readNotations } from "./messages/notations.js";
import { readMessages } from "./messages/read-messages.js";
import { checkReferences, readReferences } from "./messages/references.js";
import { openDescription, readVersionName } from "./open-description.js";
import { openSchemaSource, readSource, describedAt, openHistory } from "./open-schema-source.js";
import { checkSummaries } from "./messages/summaries.js";
import { readChecks, type ReadOptions } from "./read-options.js";
import { readDefinitions } from "./schema/definitions.js";
import { warnOfResponseConditions } from "./schema/response-conditions.js";
import { openSchema } from "./schema/schema-file.js";
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
 * The passes that prepare a schema and its description, in the order in which they run. Overlays
 * are merged afterwards.
 */
const passes: readonly ((draft: Draft) => Draft)[] = [
  omitTexts,
  pinDiscriminators,
  listMethods,
  listFormatMessages,
  listConstMessages,
  omitDefinitions,
];

/**
 * Reads a protocol into the model. Returns the model along with the schema file, which can locate
 * every part.
 *
 * Opens the files, prepares the schema and the description in several passes, and builds the model
 * from both.
 *
 * @param given A schema to read instead of the one selected by `options`.
 */
export async function readProtocolSource(
  name: string,
  options: ReadOptions = {},
  given?: SchemaSource,
): Promise<ProtocolSource> {
  const named = readVersionName(name, options.version);
  const version = options.schema === undefined && given === undefined ? named.version : undefined;
  const opened = await describedAt(
    await openDescription(named.protocol, options),
    version,
    options,
  );
  const files = given ?? (await openSchemaSource(opened, { ...options, ...named }));
  const source = await readSource(files, opened, { ...options, ...named });
  const overlays = overlayPaths(opened, options);

  const draft = passes.reduce((done, pass) => pass(done), startDraft(opened.description, source));
  const merged = await mergeOverlays(
    addExtension(draft, opened.extension?.value),
    overlays,
    options,
  );
  const file = mergedFile(merged);
  const schema = openSchema(file, annotationsOf(merged.description), options);

  // A description applies to its current version. It may name definitions that other versions lack.
  const isCurrent =
    given === undefined &&
    overlays.length === (opened.description.overlays ?? []).length &&
    source.version === opened.description.schema.current;
  const gated = isCurrent ? merged.description : dropUnknownGates(merged.description, schema);

  const definitions = readDefinitions(schema, readTypeNotes(gated));
  const description = isCurrent ? gated : dropAbsentMessages(gated, definitions);
  const found = readMessages(schema, definitions, description, merged.listed);
  warnOfResponseConditions(schema, found.definitions, responseNames(found));
  const referring = readReferences(assembleProtocol(description, source, found), description);
  if (isCurrent) {
    checkNotes(referring.protocol, description, opened.file);
    checkReferences(referring, description, opened.file);
    checkSummaries(referring.protocol, description, opened.file);
  }
  const protocol = readNotations(referring.protocol, description, opened.file);
  return {
    protocol: options.modules === false ? protocol : await includeCode(protocol, opened),
    schema: withDescription(file, opened.file),
  };
}

function responseNames({ messages, bases }: FoundMessages): ReadonlySet<string> {
  const own = messages.flatMap((message) =>
    message.kind === "request" && message.responseDefinition !== undefined
      ? [message.responseDefinition]
      : [],
  );
  return new Set([...own, ...[bases.response, bases.error].filter((name) => name !== undefined)]);
}

/** Returns all versions listed in a description and its history, oldest first. */
export async function describedVersions(name: string): Promise<readonly string[]> {
  const opened = await openDescription(name);
  const { earlier = {} } = (await openHistory(opened))?.value ?? {};
  return [
    ...Object.keys(earlier).reverse(),
    ...Object.keys(opened.description.schema.versions ?? {}),
  ];
}
