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
import { annotationsOf, payloadNames, readTypeNotes } from "./description/notes.js";
import { nameDefinitions } from "./description/name-definitions.js";
import { omitDefinitions, omitTexts } from "./description/omit.js";
import { readNotations } from "./messages/notations.js";
import { listMessages, readMessages } from "./messages/read-messages.js";
import { checkReferences, readReferences } from "./messages/references.js";
import { checkSummaries } from "./messages/summaries.js";
import type { OpenedDescription } from "./open-description.js";
import { readSource } from "./open-schema-source.js";
import {
  addExtension,
  describedIn,
  isOverlay,
  mergeOverlays,
  overlaidNames,
  overlayPaths,
} from "./overlays.js";
import type { ReadOptions } from "./read-options.js";
import { readDefinitions } from "./schema/definitions.js";
import { openSchema, type SchemaFile } from "./schema/schema-file.js";
import { joinedNames } from "./source/joined-files.js";
import { readJsonInput } from "./source/input-source.js";
import type { JsonFile } from "./source/json-text.js";

/** A protocol, along with its schema file. */
export interface ProtocolSource {
  readonly protocol: Protocol;
  readonly schema: JsonFile;
}

/** A protocol's files, opened. */
interface OpenedProtocol {
  readonly opened: OpenedDescription;
  readonly source: SchemaSource;
  /** The version that was asked for. */
  readonly version: string | undefined;
  /** Whether the caller passed the schema, instead of its name. */
  readonly isGiven: boolean;
}

/** Prepares a protocol's schema and description, and builds the model from both. */
export async function buildProtocol(
  { opened, source: listedSource, version, isGiven }: OpenedProtocol,
  options: ReadOptions,
): Promise<ProtocolSource> {
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
  const merged = mergeOverlays(addExtension(listed, opened.extension?.value), overlays);
  const { draft, names } = nameDefinitions(merged);
  const file = schemaFileOf(draft);
  const schema = openSchema(file, annotationsOf(draft.description), options, {
    joined: joinedNames(source),
    faults: draft.faults,
  });
  noteNames(schema, names);
  const { current } = opened.description.schema;
  const isCurrent = !isGiven && source.version === current;
  // A schema that the user passed to generate from is meant to be complete.
  const isComplete = isCurrent || (!isGiven && [undefined, current].includes(version));
  const descriptionFile = describedIn(opened.file, overlays);
  const protocol = buildModel(draft, schema, descriptionFile, { isCurrent, isComplete });
  return { protocol, schema: withDescription(file, opened.file) };
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
    checkSummaries(protocol, descriptionFile, faults);
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
