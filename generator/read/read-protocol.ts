import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { InputError, nearest } from "../base/input-error.js";
import type {
  Bases,
  CapabilitySource,
  Envelope,
  Fact,
  Message,
  Protocol,
} from "../model/protocol.js";
import type { Definition } from "../model/types.js";
import { bundledDescriptionPath, bundledProtocols } from "../base/bundled.js";
import { pinDiscriminators } from "./messages/declared-discriminators.js";
import { checkNotes } from "./description/description-notes.js";
import {
  readDescription,
  readExtension,
  readOverlay,
  type DescribedEnvelope,
  type Description,
  type Extension,
  type MessagesByTable,
} from "./description/description.js";
import { readDefinitions } from "./schema/definitions.js";
import { readJsonInput, readTextFile, type InputOptions } from "./source/input-source.js";
import { isJsonObject, type JsonFile } from "./source/json-text.js";
import { readGate, type MessageNotes } from "./description/message-notes.js";
import { readInheritedMessages } from "./messages/messages-by-inheritance.js";
import { readListedMessages } from "./messages/messages-by-table.js";
import { listMethods, withoutTexts } from "./messages/messages-by-method.js";
import { mergeOverlay, mergeOverlayNotes } from "./description/overlay.js";
import { readNotations } from "./messages/notations.js";
import { readReferences } from "./messages/references.js";
import { openSchema, type Notes, type SchemaFile } from "./schema/schema-file.js";

export interface ReadOptions extends InputOptions {
  /** Schema to read instead of a version that the description lists: a path, an `https:` URL or `-`. */
  readonly schema?: string;
  /** Version to read, of those that the description lists. Default: its current one. */
  readonly version?: string;
  /** Overlay files, merged in this order. */
  readonly overlays?: readonly string[];
}

/** A protocol with the file that its schema came from. */
export interface ProtocolSource {
  readonly protocol: Protocol;
  readonly schema: JsonFile;
}

/**
 * Reads a protocol into the model.
 *
 * @param protocol Name of a bundled protocol, or path of a `protocol.json` or of its folder.
 * @throws InputError with code, place and mend for every input that cannot be used.
 */
export async function readProtocol(protocol: string, options: ReadOptions = {}): Promise<Protocol> {
  return (await readProtocolSource(protocol, options)).protocol;
}

/**
 * The same with the schema file, which knows where everything stands.
 *
 * @param given The schema, if it is not one that `options` name.
 * @param unstated Facts of which that schema says nothing.
 */
export async function readProtocolSource(
  protocol: string,
  options: ReadOptions = {},
  given?: JsonFile,
  unstated: readonly Fact[] = [],
): Promise<ProtocolSource> {
  const file = await readJsonInput(findDescription(protocol), options);
  const isBundled = bundledProtocols().includes(protocol);
  const extension = isExtension(file) ? readExtension(file) : undefined;
  const descriptionFile =
    extension === undefined
      ? file
      : await readJsonInput(findDescription(beside(file, extension.extends)), options);
  let description = readDescription(descriptionFile, isBundled);
  const chosen =
    given === undefined ? chooseSchema(description, descriptionFile, options) : undefined;
  const version = chosen?.version ?? options.version ?? versionIn(given!.name);
  const schemaFile = given ?? (await readJsonInput(chosen!.path, options));
  const annotations = annotationsOf(description);
  const origins = new Map<string, JsonFile>();
  const own =
    description.schema.texts === "omit" ? withoutTexts(schemaFile.value) : schemaFile.value;
  let root = unstated.includes("discriminators") ? pinDiscriminators(own, description) : own;
  ({ root, description } = listMethods(schemaFile, root, description));
  if (extension !== undefined) description = extended(description, extension);
  const overlays = [
    ...(extension?.overlays ?? []).map((name) => beside(file, name)),
    ...(options.overlays ?? []),
  ];
  for (const name of overlays) {
    const file = await readJsonInput(name, options);
    const overlay = readOverlay(file);
    const container = isJsonObject(root) && Object.hasOwn(root, "$defs") ? "$defs" : "definitions";
    root = mergeOverlay(root, container, overlay, file, origins);
    description = mergeOverlayNotes(description, overlay, file);
  }
  const schema = openSchema(schemaFile, root, annotations, origins);
  // A description speaks of its current version; what it says of others may not be there.
  const exact =
    given === undefined && version === description.schema.current && overlays.length === 0;
  const built = buildProtocol(description, descriptionFile, schema, version, exact, unstated);
  const modules = await Promise.all(
    [
      ...(description.include ?? []).map((name) => beside(descriptionFile, name)),
      ...(extension?.include ?? []).map((name) => beside(file, name)),
    ].map(async (path) => ({
      name: basename(path, ".ts"),
      text: await readTextFile(path),
    })),
  );
  return {
    protocol: modules.length === 0 ? built : { ...built, modules },
    schema: schemaFile,
  };
}

function buildProtocol(
  described: Description,
  file: JsonFile,
  schema: SchemaFile,
  version: string,
  exact: boolean,
  unstated: readonly Fact[],
): Protocol {
  const description = exact ? described : dropUnknownGates(described, schema);
  const notes: Notes = {
    gates: mapValues(description.gates?.properties, readGate),
    defaults: new Map(Object.entries(description.defaults ?? {})),
    extensible: new Set(description.extensible),
    annotations: annotationsOf(description),
    forgives: description.schema.forgives ?? {},
  };
  const messageNotes = createMessageNotes(description);
  const definitions = readDefinitions(schema, notes);
  const how = description.messages;
  const found: { messages: readonly Message[]; definitions: readonly Definition[]; bases: Bases } =
    how.by === "inheritance"
      ? {
          ...readInheritedMessages(schema, definitions, description, how, messageNotes),
          bases: {
            request: how.request,
            event: how.event,
            response: how.response,
            error: how.error,
          },
        }
      : readListedMessages(schema, definitions, description, how as MessagesByTable, messageNotes);
  refuseDuplicateMessages(schema, found.messages);
  const { envelope } = description;
  const protocol: Protocol = {
    kind: "protocol",
    name: description.name,
    title: description.title,
    version,
    packageName: description.package,
    packageVersion:
      description.packageVersion ?? (/^\d+\.\d+\.\d+/.test(version) ? version : "0.0.0"),
    roles: description.roles,
    envelope: completeEnvelope(envelope),
    framing: description.framing,
    messages: found.messages,
    definitions: found.definitions,
    bases: found.bases,
    ...(description.conversation === undefined ? {} : { conversation: description.conversation }),
    capabilities: readCapabilities(description, found.definitions, found.messages),
    ...(description.compatibility === undefined
      ? {}
      : { compatibility: description.compatibility }),
    dialects: Object.entries(description.dialects ?? {}).map(
      ([name, { docs, reads = [], writes = [], envelope: other, unexplained, names }]) => ({
        name,
        docs,
        reads,
        writes,
        ...(other === undefined ? {} : { envelope: completeEnvelope(other) }),
        ...(unexplained === undefined ? {} : { unexplained }),
        ...(names === undefined ? {} : { names }),
      }),
    ),
    essential: description.essential ?? [],
    ...unstatedFacts(found.definitions, unstated),
  };
  if (exact) checkNotes(protocol, description, file);
  const referring = readReferences(protocol, description.references, file, exact);
  return readNotations(referring, description, file);
}

/** A file of an installed package, looked for from the current folder, then from the description's. */
function findInPackage(path: string, file: JsonFile): string {
  const [, name = "", rest = ""] = /^((?:@[^/]+\/)?[^/]+)\/(.+)$/.exec(path) ?? [];
  for (const start of [process.cwd(), dirname(resolve(file.name))]) {
    for (const folder of createRequire(join(start, "package.json")).resolve.paths(name) ?? [])
      if (existsSync(join(folder, name, rest))) return join(folder, name, rest);
  }
  throw new InputError(
    "ERR_READ",
    `Cannot find "${rest}" of the package "${name}"`,
    { file: file.name },
    `npm install ${name}`,
  );
}

function completeEnvelope(envelope: DescribedEnvelope): Envelope {
  return {
    ...envelope,
    constants: envelope.constants ?? {},
    idTypes: envelope.idTypes ?? ["integer"],
    request: { noun: "request", ...envelope.request },
    event: { noun: "event", ...envelope.event },
  };
}

/** Keywords that change nothing about what a value may be. */
function annotationsOf({ schema }: Description): ReadonlySet<string> {
  return new Set([...(schema.annotations ?? []), ...Object.values(schema.forgives ?? {})]);
}

/** A schema without any text leaves texts to the reader; so does one that was stripped of them. */
function unstatedFacts(
  definitions: readonly Definition[],
  known: readonly Fact[],
): Pick<Protocol, "unstated"> {
  const hasDocs = definitions.some(({ docs }) => docs !== undefined);
  const unstated = [...known, ...(hasDocs ? [] : (["docs", "deprecation"] as const))];
  return unstated.length === 0 ? {} : { unstated: [...new Set(unstated)] };
}

function isExtension(file: JsonFile): boolean {
  return isJsonObject(file.value) && Object.hasOwn(file.value, "extends");
}

function beside(file: JsonFile, name: string): string {
  return isAbsolute(name) ? name : join(dirname(file.name), name);
}

/** A description under the name of what adds to it. */
function extended(description: Description, extension: Extension): Description {
  const { name, title, package: packageName, packageVersion, dialects } = extension;
  return {
    ...description,
    name,
    title,
    package: packageName,
    packageVersion,
    dialects: { ...description.dialects, ...dialects },
  };
}

/** The versions that a description lists, in its order. */
export async function describedVersions(protocol: string): Promise<readonly string[]> {
  const file = await readJsonInput(findDescription(protocol));
  if (isExtension(file)) return describedVersions(beside(file, readExtension(file).extends));
  const description = readDescription(file, bundledProtocols().includes(protocol));
  return Object.keys(description.schema.versions);
}

/** Path of the description that a name, a file or a folder means. @throws InputError `ERR_UNKNOWN_PROTOCOL`. */
export function findDescription(protocol: string): string {
  if (bundledProtocols().includes(protocol)) return bundledDescriptionPath(protocol);
  if (protocol.endsWith(".json")) return protocol;
  const inFolder = join(protocol, "protocol.json");
  if (existsSync(inFolder)) return inFolder;
  const guess = nearest(protocol, bundledProtocols());
  throw new InputError(
    "ERR_UNKNOWN_PROTOCOL",
    `Cannot find the protocol "${protocol}"`,
    {},
    guess === undefined
      ? `Bundled: ${bundledProtocols().join(", ")}; or give the path of a protocol.json`
      : `Did you mean "${guess}"?`,
  );
}

function chooseSchema(
  description: Description,
  file: JsonFile,
  options: ReadOptions,
): { path: string; version: string } {
  const { versions, current } = description.schema;
  if (options.schema !== undefined) {
    return { path: options.schema, version: options.version ?? versionIn(options.schema) };
  }
  const version = options.version ?? current;
  if (!Object.hasOwn(versions, version)) {
    throw new InputError(
      "ERR_UNKNOWN_VERSION",
      `Cannot find version "${version}" of ${description.title}`,
      { file: file.name },
      `Known: ${Object.keys(versions).join(", ")}; or name a file with --schema`,
    );
  }
  const named = versions[version]!;
  if (named.startsWith("npm:")) return { path: findInPackage(named.slice(4), file), version };
  return {
    path:
      isAbsolute(named) || named.startsWith("https://") ? named : join(dirname(file.name), named),
    version,
  };
}

/** The version that a file's name ends in. */
function versionIn(name: string): string {
  return /(\d+\.\d+\.\d+)\.json$/.exec(name)?.[1] ?? "custom";
}

function createMessageNotes(description: Description): MessageNotes {
  const { directions } = description;
  const senders = mapValues(directions.exceptions, (sender) => sender);
  const gates = mapValues(description.gates?.messages, readGate);
  return {
    sender: (kind, name) =>
      senders.get(name) ?? (kind === "request" ? directions.requests : directions.events),
    gate(name) {
      const gate = gates.get(name);
      return gate === undefined ? {} : { gate };
    },
  };
}

function readCapabilities(
  description: Description,
  definitions: readonly Definition[],
  messages: readonly Message[],
): readonly CapabilitySource[] {
  return Object.entries(description.capabilities ?? {})
    .filter(([, { type }]) => definitions.some((definition) => definition.name === type))
    .map(([role, { type, update }]) => ({
      role,
      definition: type,
      ...(update !== undefined && messages.some((message) => message.name === update)
        ? { update }
        : {}),
    }));
}

function refuseDuplicateMessages(schema: SchemaFile, messages: readonly Message[]): void {
  const seen = new Map<string, Message>();
  for (const message of messages) {
    const key = `${message.kind} ${message.name}`;
    const other = seen.get(key);
    if (other !== undefined) {
      schema.fail(
        "ERR_DUPLICATE_MESSAGE",
        `Cannot use "${message.definition}": "${other.definition}" is already the ${message.kind} "${message.name}"`,
        message.at ?? "",
        "Give one of the two another name",
      );
    }
    seen.set(key, message);
  }
}

/** An older version lacks some flags: what they gate is then not gated by anything that could be announced. */
function dropUnknownGates(description: Description, schema: SchemaFile): Description {
  const known = new Set(
    Object.entries(description.capabilities ?? {}).flatMap(([role, { type }]) => {
      const node = schema.definitions.get(type);
      const properties = isJsonObject(node) ? node["properties"] : undefined;
      return isJsonObject(properties)
        ? Object.keys(properties).map((flag) => `${role}.${flag}`)
        : [];
    }),
  );
  const keep = (
    gates: Readonly<Record<string, string>> | undefined,
  ): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(gates ?? {}).filter(([, gate]) => known.has(gate)));
  const { messages, properties } = description.gates ?? {};
  return { ...description, gates: { messages: keep(messages), properties: keep(properties) } };
}

function mapValues<From, To>(
  table: Readonly<Record<string, From>> | undefined,
  change: (value: From) => To,
): ReadonlyMap<string, To> {
  return new Map(Object.entries(table ?? {}).map(([key, value]) => [key, change(value)]));
}
