import { existsSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { applyEdits, modify } from "jsonc-parser";
import { InputError } from "../../generator/base/input-error.js";
import type { Json } from "../../generator/model/types.js";
import { writeTextFile } from "../../generator/output/write-output.js";
import type { Description } from "../../generator/read/description/description-types.js";
import { readProtocolSource } from "../../generator/read/read-protocol.js";
import { earlierSchema, type SchemaHistory } from "../../generator/read/schema/schema-history.js";
import { readJsonInput, readTextFile } from "../../generator/read/source/input-source.js";
import { isJsonObject, type JsonFile } from "../../generator/read/source/json-text.js";
import { earlierParts } from "./earlier-parts.js";
import { describe, readOwnTexts, type MissingText } from "./own-texts.js";
import { printHistory } from "./print-history.js";
import { proposeNotes, type Proposals } from "./proposed-notes.js";
import {
  nodesOf,
  partKeywords,
  structureOf,
  wholeSchema,
  type JsonObject,
} from "./schema-nodes.js";

/** A version that has been added, and what is left to do by hand. */
export interface TakenIn extends Proposals {
  readonly version: string;
  /** Path of the new version's schema. */
  readonly path: string;
  readonly missing: readonly MissingText[];
  /**
   * Addresses whose structure has changed, so that our descriptions of them may no longer be right.
   */
  readonly changed: readonly string[];
  /** Paths of the files written. */
  readonly written: readonly string[];
}

/**
 * Adds a version to a protocol's folder: the structure of an official schema, with our
 * descriptions. The previously newest version becomes the first entry in `history.json`.
 *
 * Running it again with the same file keeps the descriptions written in the meantime.
 *
 * @param folder The protocol's folder, which contains its `protocol.json`.
 * @throws InputError if the file is not a schema for the protocol, or if the version cannot be
 * added.
 */
export async function takeInVersion(
  folder: string,
  official: JsonFile,
  version: string,
): Promise<TakenIn> {
  const path = join(folder, `${version}.json`);
  const descriptionPath = join(folder, "protocol.json");
  const historyPath = join(folder, "history.json");
  const description = (await readJsonInput(descriptionPath)).value as unknown as Description;
  const { versions = {}, current = "" } = description.schema;
  const schema = checkSchema(official, description);
  // Reject unknown keywords: in a published version, a person has to decide what they mean.
  await readProtocolSource(
    folder,
    { strictSchema: true },
    { file: official, version, unstated: [] },
  );
  refuseOlder(version, current);

  const history = (await readJsonInput(historyPath)).value as unknown as SchemaHistory;
  const newest = await readSchema(join(folder, [versions[current]!].flat()[0]!));
  const isThere = version === current;
  if (isThere) refuseOther(newest, schema, path);
  const [previous, before] = isThere
    ? await readPrevious(newest, history, historyPath)
    : [current, newest];

  const texts = new Map([...readOwnTexts(before), ...readOwnTexts(newest)]);
  const described = describe(schema, texts);
  const earlier = isThere
    ? history.earlier
    : { [previous]: earlierParts(described.schema, newest), ...history.earlier };
  const written = [
    ...(await write(path, `${JSON.stringify(described.schema, null, 2)}\n`)),
    ...(await write(historyPath, await printHistory({ ...history, newest: version, earlier }))),
    ...(await write(descriptionPath, withVersion(await readTextFile(descriptionPath), version))),
  ];
  if (!isThere) await rm(join(folder, [versions[current]!].flat()[0]!));
  return {
    version,
    path,
    missing: described.missing,
    changed: changedAddresses(before, schema),
    written,
    ...proposeNotes(schema, before, description),
  };
}

function checkSchema({ value, name }: JsonFile, { title, messages }: Description): JsonObject {
  const definitions = isJsonObject(value) ? value["definitions"] : undefined;
  const bases =
    messages.by === "inheritance"
      ? [messages.root, messages.request, messages.response, messages.event]
      : [];
  const missing = bases.find((base) => !isJsonObject(definitions) || !(base in definitions));
  if (isJsonObject(value) && missing === undefined) return value;
  throw new InputError(
    "ERR_SCHEMA",
    `Cannot find the definition "${missing}": this is not a schema of the ${title}`,
    { file: name },
    "Pass the new version's debugAdapterProtocol.json",
  );
}

async function readSchema(path: string): Promise<JsonObject> {
  return (await readJsonInput(path)).value as JsonObject;
}

/** Returns the version before the newest one, and its schema. */
async function readPrevious(
  newest: JsonObject,
  history: SchemaHistory,
  path: string,
): Promise<readonly [string, JsonObject]> {
  const [previous] = Object.keys(history.earlier);
  if (previous === undefined) return [history.newest, newest];
  return [previous, earlierSchema(newest, history, previous, await readJsonInput(path))];
}

function refuseOlder(version: string, current: string): void {
  if (compareVersions(version, current) >= 0) return;
  throw new InputError(
    "ERR_UNKNOWN_VERSION",
    `Cannot add version ${version}: it is older than ${current}, which has already been added`,
  );
}

function compareVersions(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}

function refuseOther(present: JsonObject, schema: JsonObject, path: string): void {
  const [there, here] = [present, schema].map((each) => structureOf(wholeSchema(each)));
  if (JSON.stringify(there) === JSON.stringify(here)) return;
  const [first = "the order of definitions"] = changedAddresses(present, schema);
  throw new InputError(
    "ERR_SCHEMA",
    `Cannot add this version again: its structure has changed, first at ${first}`,
    { file: path },
    "Check the version, or remove the file and its line in protocol.json to start over",
  );
}

/**
 * Returns the addresses whose structure differs between two schemas, and those that were removed.
 */
function changedAddresses(before: JsonObject, after: JsonObject): readonly string[] {
  const [old, fresh] = [before, after].map(structuresByAddress) as [
    ReadonlyMap<string, string>,
    ReadonlyMap<string, string>,
  ];
  return [...old].flatMap(([address, text]) => (fresh.get(address) === text ? [] : [address]));
}

/** Returns the keywords of each part by address, without nested parts. */
function structuresByAddress(schema: JsonObject): ReadonlyMap<string, string> {
  const structures = new Map<string, string>();
  for (const { address, value } of nodesOf(wholeSchema(structureOf(wholeSchema(schema))))) {
    const own = Object.entries(value).map(([key, inner]) =>
      typeof inner === "object" && partKeywords.has(key) ? key : [key, inner],
    );
    structures.set(address, (structures.get(address) ?? "") + JSON.stringify(own));
  }
  return structures;
}

/** Returns the text of `protocol.json` with the given version as the current one. */
function withVersion(text: string, version: string): string {
  const put = (before: string, key: string, value: Json): string =>
    applyEdits(
      before,
      modify(before, ["schema", key], value, {
        formattingOptions: { insertSpaces: true, tabSize: 2, eol: "\n" },
      }),
    );
  return put(put(text, "versions", { [version]: `${version}.json` }), "current", version);
}

async function write(path: string, text: string): Promise<readonly string[]> {
  if (existsSync(path) && readFileSync(path, "utf8") === text) return [];
  await writeTextFile(path, text);
  return [path];
}
