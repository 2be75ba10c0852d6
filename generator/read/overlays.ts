import { definitionsIn, type Draft } from "./description/draft.js";
import { beside, type OpenedDescription } from "./open-description.js";
import type { ReadOptions } from "./read-options.js";
import { partOf } from "../../runtime/base/json-pointer.js";
import { setField } from "../../runtime/base/own-fields.js";
import type { Json } from "../model/types.js";
import { isJsonObject, joinPointer, type JsonFile, type JsonObject } from "./source/json-text.js";
import { readOverlay } from "./description/check-description.js";
import { withReferences } from "./schema/definition-references.js";
import { assertions, schemaKeywords } from "./schema/keywords.js";
import type { Description, Extension, Overlay } from "./description/description-types.js";

/**
 * Lists the paths of all overlays, first those from the description, then those from its extension,
 * then those from the options.
 */
export function overlayPaths(
  { file, description, extension }: OpenedDescription,
  { overlays = [] }: ReadOptions,
): readonly string[] {
  const described = (description.overlays ?? []).map((name) => beside(file, name));
  const extending = extension?.value.overlays.map((name) => beside(extension.file, name)) ?? [];
  return [...described, ...extending, ...overlays];
}

/**
 * Returns whether a file has a section of an overlay. A protocol whose schema is not a JSON Schema
 * can also be extended with a document in the language of its schema.
 */
export function isOverlay({ value }: JsonFile): boolean {
  return isJsonObject(value) && overlaySections.some((section) => Object.hasOwn(value, section));
}

const overlaySections = [
  "definitions",
  "$defs",
  "messages",
  "directions",
  "gates",
  "defaults",
  "extensible",
  "annotations",
] as const;

/** Returns the names of the definitions in overlays. */
export function overlaidNames(overlays: readonly JsonFile[]): ReadonlySet<string> {
  const names = overlays.flatMap((file) => {
    const { definitions = {}, $defs = definitions } = readOverlay(file);
    return Object.keys($defs);
  });
  return new Set(names);
}

/**
 * Merges overlays into a draft, in order. An overlay may add to definitions from an earlier one.
 */
export function mergeOverlays(draft: Draft, overlays: readonly JsonFile[]): Draft {
  return overlays.reduce(mergeOverlay, draft);
}

/** Locates the parts of a description in the file that they come from: its own, or an overlay. */
export function describedIn(file: JsonFile, overlays: readonly JsonFile[]): JsonFile {
  return {
    ...file,
    locate: (pointer) =>
      (
        [file, ...overlays].find(({ value }) => partOf(value, pointer) !== undefined) ?? file
      ).locate(pointer),
  };
}

/**
 * Applies an extension to a draft: replaces the description's name, title and package, and adds the
 * dialects.
 */
export function addExtension(draft: Draft, extension: Extension | undefined): Draft {
  if (extension === undefined) return draft;
  const { name, title, package: packageName, packageVersion, dialects } = extension;
  const { description } = draft;
  return {
    ...draft,
    description: {
      ...description,
      name,
      title,
      package: packageName,
      packageVersion,
      dialects: { ...description.dialects, ...dialects },
    },
  };
}

/** Array keywords that an overlay may extend. The values of other keywords cannot be changed. */
const extensibleLists = new Set(["enum", "_enum", "enumDescriptions"]);

/** Keywords that an overlay may add to a schema, although they decide which values are valid. */
const extendingKeywords = new Set(["properties", "required", "nullable"]);

/** Adds an overlay to a schema and its description. */
function mergeOverlay(draft: Draft, file: JsonFile): Draft {
  const overlay = readOverlay(file);
  return {
    ...draft,
    ...mergeDefinitions(draft, overlay, file),
    description: mergeNotes(draft, overlay, file),
  };
}

/**
 * Adds an overlay's definitions to a schema. If a definition already exists, the overlay's parts
 * are added to it.
 *
 * An overlay cannot change the meaning of the schema: a part that would do so is rejected with its
 * location. `places` records which parts come from the overlay, so that later errors name the right
 * file.
 */
function mergeDefinitions(
  draft: Draft,
  overlay: Overlay,
  file: JsonFile,
): Pick<Draft, "root" | "places"> {
  const schema = definitionsIn(draft.root);
  if (schema === undefined) return draft;
  const { root, container, definitions } = schema;
  const places = new Map(draft.places);
  const merge = (
    base: Json,
    added: Json,
    pointer: string,
    overlayPointer: string,
    freshNames: ReadonlySet<string>,
    isSchema: boolean,
  ): Json => {
    const refuse = (message: string, place: string): Json => {
      draft.faults.add(
        "ERR_OVERLAY_CLASH",
        message,
        file.locate(place),
        "An overlay may only add definitions, properties and enum values",
      );
      return base;
    };
    const clash = (what: string): Json =>
      refuse(`Cannot ${what}: the schema already has another value at ${pointer}`, overlayPointer);
    if (JSON.stringify(base) === JSON.stringify(added)) return base;
    const keyword = pointer.slice(pointer.lastIndexOf("/") + 1);
    if (Array.isArray(base) && Array.isArray(added)) {
      if (keyword === "allOf") {
        if (base.length !== added.length) return clash("replace the parts of allOf");
        return base.map((part: Json, index) =>
          merge(
            part,
            added[index]!,
            joinPointer(pointer, index),
            joinPointer(overlayPointer, index),
            freshNames,
            true,
          ),
        );
      }
      const list = withAdded(keyword, base, added, freshNames);
      return typeof list === "string" ? clash(list) : list;
    }
    if (!isJsonObject(base) || !isJsonObject(added))
      return clash(`set ${JSON.stringify(added).slice(0, 60)}`);
    const merged: Record<string, Json> = { ...base };
    const properties = isJsonObject(base["properties"]) ? base["properties"] : {};
    const fresh = isJsonObject(added["properties"])
      ? new Set(Object.keys(added["properties"]).filter((name) => !Object.hasOwn(properties, name)))
      : freshNames;
    for (const [key, value] of Object.entries(added)) {
      const partPointer = joinPointer(pointer, key);
      // An overlay must not make existing properties required, even if the type does not have
      // `required` yet.
      const part = Object.hasOwn(base, key) ? base[key]! : key === "required" ? [] : undefined;
      if (part === undefined && isSchema && isCondition(base, key, value)) {
        refuse(
          `Cannot add "${key}": values that the schema accepts could become invalid`,
          joinPointer(overlayPointer, key),
        );
        continue;
      }
      const addedPointer = joinPointer(overlayPointer, key);
      if (part === undefined) {
        places.set(partPointer, { file, pointer: addedPointer });
        setField(merged, key, value);
        continue;
      }
      const names = key === "required" || key === "allOf" ? fresh : new Set<string>();
      const isPart = !isSchema || schemaKeywords.one.has(key);
      setField(merged, key, merge(part, value, partPointer, addedPointer, names, isPart));
    }
    return merged;
  };
  const section = overlay.$defs === undefined ? "definitions" : "$defs";
  const added = withReferences((overlay[section] ?? {}) as Json, (reference) =>
    reference.replace(/^#\/(definitions|\$defs)\//, `#/${container}/`),
  );
  const merged = merge(definitions, added, `/${container}`, `/${section}`, new Set(), false);
  return { root: { ...root, [container]: merged }, places };
}

/** Adds an overlay's items to a list of a schema. Returns a text if the overlay may not do that. */
function withAdded(
  keyword: string,
  base: readonly Json[],
  added: readonly Json[],
  freshNames: ReadonlySet<string>,
): readonly Json[] | string {
  const fresh = added.filter((item) => !base.includes(item));
  if (keyword === "required") {
    const foreign = fresh.filter((name) => typeof name !== "string" || !freshNames.has(name));
    return foreign.length > 0
      ? `require ${foreign.map((name) => JSON.stringify(name)).join(", ")}`
      : [...base, ...fresh];
  }
  if (!extensibleLists.has(keyword)) return "replace an array";
  if (keyword === "enum" && base.length === 1) return "add values to a constant";
  return [...base, ...(keyword === "enumDescriptions" ? added : fresh)];
}

/**
 * Returns whether a keyword can exclude values that a schema without it accepts. A schema that
 * states nothing may be completed.
 */
function isCondition(schema: JsonObject, keyword: string, value: Json): boolean {
  const isImplied =
    (keyword === "type" && value === "object" && "properties" in schema) ||
    (keyword === "_enum" && schema["type"] === "string") ||
    (keyword === "additionalProperties" && value === true);
  const isStated = Object.keys(schema).some((key) => assertions.has(key));
  return isStated && assertions.has(keyword) && !extendingKeywords.has(keyword) && !isImplied;
}

/** Adds an overlay's messages, directions, gates, defaults, extensible types and annotations to a description. */
function mergeNotes({ description, faults }: Draft, overlay: Overlay, file: JsonFile): Description {
  /** Adds the fields that both files have at a JSON Pointer. */
  const add = <Value>(pointer: string): Readonly<Record<string, Value>> => {
    type Fields = Readonly<Record<string, Value>>;
    const [base, added] = [description, overlay].map((each) => partOf(each, pointer) ?? {}) as [
      Fields,
      Fields,
    ];
    for (const [key, value] of Object.entries(added))
      if (Object.hasOwn(base, key) && JSON.stringify(base[key]) !== JSON.stringify(value))
        faults.add(
          "ERR_OVERLAY_CLASH",
          `Cannot set "${key}": the protocol description already has another value`,
          file.locate(joinPointer(pointer, key)),
        );
    return { ...base, ...added };
  };
  const { messages, directions, extensible = [], schema } = description;
  const isTable = messages.by === "table";
  if (overlay.messages !== undefined && !isTable)
    faults.add(
      "ERR_OVERLAY_CLASH",
      "Cannot list messages: the messages of this protocol come from its schema",
      file.locate("/messages"),
      "Add the messages under definitions",
    );
  return {
    ...description,
    messages: isTable
      ? { ...messages, requests: add("/messages/requests"), events: add("/messages/events") }
      : messages,
    directions: { ...directions, exceptions: add("/directions/exceptions") },
    gates: {
      messages: add("/gates/messages"),
      senders: add("/gates/senders"),
      properties: add("/gates/properties"),
    },
    defaults: add("/defaults"),
    extensible: [...extensible, ...(overlay.extensible ?? [])],
    schema: {
      ...schema,
      annotations: [...new Set([...(schema.annotations ?? []), ...(overlay.annotations ?? [])])],
    },
  };
}
