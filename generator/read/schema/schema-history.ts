import { parsePointer } from "../../../runtime/base/json-pointer.js";
import { setField } from "../../../runtime/base/own-fields.js";
import { InputError } from "../../base/input-error.js";
import type { Json } from "../../model/types.js";
import { isJsonObject, joinPointer, type JsonFile, type JsonObject } from "../source/json-text.js";

/**
 * The versions that precede a schema, each stored as its differences from the version that follows
 * it.
 *
 * Parts are identified by addresses, such as `OutputEvent/body/group`. Parts other than properties
 * use the steps `items`, `additionalProperties` and `oneOf/0`. The address "" is the whole schema.
 * Parts of `allOf` share the address of the definition.
 */
export interface SchemaHistory {
  /** The version whose complete schema is available. */
  readonly newest: string;
  /** The differences, keyed by version, latest first. */
  readonly earlier: { readonly [version: string]: { readonly [address: string]: EarlierPart } };
  /**
   * The differences in the description, keyed by JSON Pointer. Null means that the value was
   * absent.
   */
  readonly descriptions?: { readonly [version: string]: { readonly [pointer: string]: Json } };
}

/**
 * The earlier version of the part at an address.
 *
 * - null: the part was absent
 * - `$is`: the part was this schema
 * - `$before`: the part preceded this sibling, or came last if this is null
 * - other keys: keywords with their earlier values; null if the keyword was absent
 */
export type EarlierPart = null | { readonly [keyword: string]: Json };

/**
 * Rebuilds an earlier version of a schema.
 *
 * @param history Its `earlier` must contain `version`.
 * @throws InputError `ERR_DESCRIPTION` if the history names a part that does not exist.
 */
export function earlierSchema(
  newest: JsonObject,
  history: SchemaHistory,
  version: string,
  file: JsonFile,
): JsonObject {
  const schema = structuredClone(newest) as Changing;
  for (const [name, parts] of Object.entries(history.earlier)) {
    for (const [address, part] of Object.entries(parts))
      if (!changePart(schema, address === "" ? [] : parsePointer(`/${address}`), part))
        throw new InputError(
          "ERR_DESCRIPTION",
          `Cannot find the part "${address}" that version ${name} changes`,
          file.locate(joinPointer("/earlier", name, address)),
          "Name a part of the version that follows it, such as Definition/property",
        );
    if (name === version) break;
  }
  return schema;
}

/**
 * Rebuilds the description for an earlier version.
 *
 * @param history Its `earlier` must contain `version`.
 * @throws InputError `ERR_DESCRIPTION` if the history names a part that does not exist.
 */
export function earlierDescription<Described extends object>(
  description: Described,
  { earlier, descriptions = {} }: SchemaHistory,
  version: string,
  file: JsonFile,
): Described {
  const changed = structuredClone(description);
  for (const name of Object.keys(earlier)) {
    for (const [pointer, value] of Object.entries(descriptions[name] ?? {})) {
      const keys = parsePointer(pointer);
      const last = keys.pop()!;
      let owner: unknown = changed;
      for (const key of keys)
        owner = isJsonObject(owner as Json) ? (owner as Changing)[key] : undefined;
      if (!isJsonObject(owner as Json))
        throw new InputError(
          "ERR_DESCRIPTION",
          `Cannot find the part "${pointer}" that version ${name} changes`,
          file.locate(joinPointer("/descriptions", name, pointer)),
        );
      if (value === null) delete (owner as Changing)[last];
      else (owner as Changing)[last] = structuredClone(value);
    }
    if (name === version) break;
  }
  return changed;
}

/** A mutable part of a copied schema. */
interface Changing {
  [key: string]: Json;
}

/** The location of a part: the entry `key` in `holder`. */
interface Slot {
  readonly holder: Changing;
  readonly key: string;
  /** Whether the part is a definition or a property. Only these can be added or removed. */
  readonly isNamed: boolean;
}

/** Changes the part at an address. Returns whether the address exists. */
function changePart(schema: Changing, steps: readonly string[], part: EarlierPart): boolean {
  if (steps.length === 0) return part !== null && setKeywords(schema, part);
  let node: Json | undefined = schema;
  let slot: Slot | undefined;
  for (const step of steps) {
    if (typeof node !== "object" || node === null) return false;
    slot = slotOf(node as Changing, step, node === schema);
    node = slot && Object.hasOwn(slot.holder, slot.key) ? slot.holder[slot.key] : undefined;
  }
  const { holder, key, isNamed } = slot!;
  if (part === null) return isNamed && node !== undefined && delete holder[key];
  const replacement = part["$is"];
  if (replacement === undefined) {
    if (!isJsonObject(node) || !setKeywords(inlinePart(node as Changing), part)) return false;
  } else if (isNamed || node !== undefined) setField(holder, key, structuredClone(replacement));
  else return false;
  const before = part["$before"];
  if (before !== undefined && isNamed) placeBefore(holder, key, before);
  return true;
}

/** Finds the location reached by one step of an address. */
function slotOf(node: Changing, key: string, isSchema: boolean): Slot {
  if (Array.isArray(node)) return { holder: node as unknown as Changing, key, isNamed: false };
  if (isSchema) return { ...groupOf(node, "$defs" in node ? "$defs" : "definitions"), key };
  const inline = inlinePart(node);
  const properties = inline["properties"];
  const isProperty = isJsonObject(properties) && Object.hasOwn(properties, key);
  if (!isProperty && itemKeywords.has(key) && Object.hasOwn(inline, key))
    return { holder: inline, key, isNamed: false };
  return { ...groupOf(inline, "properties"), key };
}

const itemKeywords: ReadonlySet<string> = new Set([
  "items",
  "additionalProperties",
  "oneOf",
  "anyOf",
]);

function groupOf(node: Changing, group: string): Pick<Slot, "holder" | "isNamed"> {
  if (!isJsonObject(node[group])) node[group] = {};
  return { holder: node[group] as Changing, isNamed: true };
}

/**
 * Returns the inline part of `allOf`, which extends the bases, or the whole schema if there is no
 * inline part.
 */
function inlinePart(node: Changing): Changing {
  const { allOf } = node;
  const inline: Json | undefined = Array.isArray(allOf)
    ? allOf.find((each: Json) => isJsonObject(each) && !Object.hasOwn(each, "$ref"))
    : undefined;
  return (inline as Changing | undefined) ?? node;
}

function setKeywords(node: Changing, part: JsonObject): boolean {
  const { enum: closed, _enum: open, enumDescriptions: texts } = node;
  for (const [keyword, value] of Object.entries(part)) {
    if (keyword === "$is" || keyword === "$before") continue;
    if (value === null) delete node[keyword];
    else setField(node, keyword, structuredClone(value));
  }
  if (Array.isArray(texts) && !("enumDescriptions" in part) && ("enum" in part || "_enum" in part))
    keepValueTexts(node, closed ?? open, texts);
  return true;
}

/**
 * Restores the descriptions of an enum's values. Only values that still exist keep their
 * descriptions.
 */
function keepValueTexts(node: Changing, old: Json | undefined, texts: readonly Json[]): void {
  const values = node["enum"] ?? node["_enum"];
  if (Array.isArray(values) && Array.isArray(old))
    node["enumDescriptions"] = values.map((value: Json) => texts[old.indexOf(value)] ?? "");
  else delete node["enumDescriptions"];
}

function placeBefore(holder: Changing, key: string, before: Json): void {
  const entries = Object.entries(holder);
  const entry = entries.find(([name]) => name === key)!;
  const siblings = entries.filter(([name]) => name !== key);
  const index = siblings.findIndex(([name]) => name === before);
  for (const [name] of entries) delete holder[name];
  for (const [name, part] of siblings.toSpliced(index < 0 ? siblings.length : index, 0, entry))
    setField(holder, name, part);
}
