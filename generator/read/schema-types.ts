import type { EnumValue, Json, ObjectType, Property, StringType, Type } from "../model/types.js";
import { isJsonObject, joinPointer } from "./json-text.js";
import { readNumericType } from "./numeric-range.js";
import { readReference } from "./reference.js";
import { keywordMend, type Notes, type SchemaFile, type SchemaObject } from "./schema-file.js";

/** A schema node as the model sees it: its type, and what is said about it. */
export interface ReadNode {
  readonly type: Type;
  readonly docs?: string;
  readonly deprecated?: string;
  readonly default?: Json;
  readonly section?: string;
}

/** Where the reader is: the pointer into the file, and the address that descriptions use. */
interface Place {
  readonly pointer: string;
  readonly address: string;
}

const annotations = [
  "description",
  "title",
  "default",
  "deprecated",
  "examples",
  "$comment",
  "enumDescriptions",
  "enumNumbers",
];
const numeric = ["format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
const keywordsOfType: Readonly<Record<string, readonly string[]>> = {
  string: ["format", "minLength", "maxLength"],
  integer: numeric,
  number: numeric,
  boolean: [],
  null: [],
  array: ["items", "minItems", "maxItems"],
  object: ["properties", "required", "additionalProperties"],
};
const allKeywords = new Set([
  ...annotations,
  ...Object.values(keywordsOfType).flat(),
  ...["type", "enum", "_enum", "const", "allOf", "anyOf", "oneOf", "$ref"],
]);

/** All JSON types; a schema that lists them all says nothing (`integer` is a `number`). */
const anyTypes = ["array", "boolean", "null", "number", "object", "string"];

/** Reads JSON Schema nodes into model types. Stops at every keyword that the model has no place for. */
export function createTypeReader(
  schema: SchemaFile,
  notes: Notes,
): (node: Json, pointer: string, address: string) => ReadNode {
  const { fail } = schema;
  /** Definitions whose alternatives are being extended. */
  const extending = new Set<string>();

  function readNode(value: Json, place: Place): ReadNode {
    if (value === true) return { type: { kind: "any" } };
    if (!isJsonObject(value))
      return fail(
        "ERR_SCHEMA",
        `Cannot read ${JSON.stringify(value)?.slice(0, 60)}: a schema must be an object`,
        place.pointer,
      );
    refuseUnknown(value, place.pointer);
    const inherited = value["allOf"] === undefined ? undefined : readAllOf(value, place);
    return {
      ...readAnnotations(value, place),
      ...inherited?.annotations,
      type: inherited?.type ?? readType(value, place),
    };
  }

  function readAnnotations(node: SchemaObject, place: Place): Omit<ReadNode, "type"> {
    const text = (key: string): string | undefined => {
      const value = node[key];
      if (value === undefined || typeof value === "string") return value;
      return fail(
        "ERR_SCHEMA",
        `Cannot read "${key}": it must be a text`,
        joinPointer(place.pointer, key),
      );
    };
    const docs = text("description");
    const section = text("title");
    const deprecated = readDeprecation(docs) ?? (node["deprecated"] === true ? "" : undefined);
    return {
      ...(docs === undefined ? {} : { docs }),
      ...(section === undefined ? {} : { section }),
      ...(deprecated === undefined ? {} : { deprecated }),
      ...(node["default"] === undefined ? {} : { default: node["default"] }),
    };
  }

  function readType(node: SchemaObject, place: Place): Type {
    if (node["$ref"] !== undefined) {
      only(node, place, ["$ref"], "beside $ref");
      return {
        kind: "reference",
        name: readReference(schema, node["$ref"], joinPointer(place.pointer, "$ref")),
      };
    }
    for (const key of ["anyOf", "oneOf"]) {
      if (node[key] === undefined) continue;
      if (node["properties"] !== undefined) return readAlternatives(node, key, place);
      only(node, place, [key, "type"], `beside ${key}`);
      return readUnion(node[key], { ...place, pointer: joinPointer(place.pointer, key) });
    }
    if (node["const"] !== undefined) {
      only(node, place, ["const", "type", "format"], "beside const");
      return readLiteral(node["const"], joinPointer(place.pointer, "const"));
    }
    for (const key of ["enum", "_enum"]) {
      if (node[key] === undefined) continue;
      only(node, place, [key, "type"], `beside ${key}`);
      return readEnum(node, key, place);
    }
    const types = node["type"];
    if (types === undefined) return readUntyped(node, place);
    if (typeof types === "string") return readNamedType(node, types, place);
    if (!Array.isArray(types) || types.length === 0)
      return fail(
        "ERR_SCHEMA",
        'Cannot read "type": it must be a name or a list of names',
        joinPointer(place.pointer, "type"),
      );
    if (anyTypes.every((name) => types.includes(name))) {
      only(node, place, ["type"], "for a value of any type");
      return { kind: "any" };
    }
    const allowed = ["type", ...types.flatMap((name) => keywordsOfType[String(name)] ?? [])];
    only(node, place, allowed, `for the types ${types.join(", ")}`);
    return unionOf(
      types.map((name) =>
        readNamedType(pick(node, keywordsOfType[String(name)] ?? []), String(name), place),
      ),
    );
  }

  /** Without `type`, the other keywords tell: an object by its properties, nothing at all by their absence. */
  function readUntyped(node: SchemaObject, place: Place): Type {
    const isObject = ["properties", "required", "additionalProperties"].some(
      (key) => node[key] !== undefined,
    );
    if (isObject) return readNamedType(node, "object", place);
    if (node["items"] !== undefined) return readNamedType(node, "array", place);
    only(node, place, [], 'without "type"');
    return { kind: "any" };
  }

  function readNamedType(node: SchemaObject, name: string, place: Place): Type {
    const keywords = keywordsOfType[name];
    if (keywords === undefined)
      return fail(
        "ERR_SCHEMA",
        `Cannot read the type ${JSON.stringify(name)}`,
        joinPointer(place.pointer, "type"),
        `Known types: ${Object.keys(keywordsOfType).join(", ")}`,
      );
    only(node, place, ["type", ...keywords], `for the type ${name}`);
    switch (name) {
      case "integer":
      case "number":
        return readNumericType(schema, node, name, place.pointer);
      case "string":
        return readString(node, place);
      case "array":
        return {
          kind: "array",
          items:
            node["items"] === undefined
              ? { kind: "any" }
              : readNode(node["items"], {
                  pointer: joinPointer(place.pointer, "items"),
                  address: `${place.address}/*`,
                }).type,
          ...count(node, "minItems", place),
          ...count(node, "maxItems", place),
        };
      case "object":
        return readObject(node, [], place);
      default:
        return { kind: name as "boolean" | "null" };
    }
  }

  function readString(node: SchemaObject, place: Place): StringType {
    const format = node["format"];
    if (format !== undefined && typeof format !== "string")
      fail(
        "ERR_SCHEMA",
        'Cannot read "format": it must be a text',
        joinPointer(place.pointer, "format"),
      );
    return {
      kind: "string",
      ...(typeof format === "string" ? { format } : {}),
      ...count(node, "minLength", place),
      ...count(node, "maxLength", place),
    };
  }

  function count<Key extends string>(
    node: SchemaObject,
    key: Key,
    place: Place,
  ): Partial<Record<Key, number>> {
    const value = node[key];
    if (value === undefined) return {};
    if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) {
      return fail(
        "ERR_SCHEMA",
        `Cannot read "${key}": it must be a whole number from 0`,
        joinPointer(place.pointer, key),
      );
    }
    return { [key]: value } as Partial<Record<Key, number>>;
  }

  function readObject(node: SchemaObject, bases: readonly string[], place: Place): Type {
    const extra = node["additionalProperties"];
    const raw = node["properties"] ?? {};
    if (!isJsonObject(raw))
      return fail(
        "ERR_SCHEMA",
        'Cannot read "properties": it must be an object',
        joinPointer(place.pointer, "properties"),
      );
    if (extra !== undefined && typeof extra !== "boolean") {
      if (Object.keys(raw).length > 0 || bases.length > 0) {
        return fail(
          "ERR_KEYWORD",
          'Cannot read typed "additionalProperties" beside named properties: the model has no place for them',
          joinPointer(place.pointer, "additionalProperties"),
        );
      }
      const values = readNode(extra, {
        pointer: joinPointer(place.pointer, "additionalProperties"),
        address: `${place.address}/*`,
      });
      return {
        kind: "map",
        values: values.type,
        ...(values.docs === undefined ? {} : { docs: values.docs }),
      };
    }
    if (extra === true && Object.keys(raw).length === 0 && bases.length === 0)
      return { kind: "map", values: { kind: "any" } };
    const required = readRequired(node, place);
    const properties = Object.entries(raw).map(([name, child]) =>
      readProperty(name, child, required.has(name), place),
    );
    const unlisted = [...required].filter((name) => !Object.hasOwn(raw, name));
    return {
      kind: "object",
      bases,
      properties: [...properties, ...unlisted.map((name) => requireInherited(name, bases, place))],
      extras: extra === false ? "closed" : "open",
    };
  }

  function readRequired(node: SchemaObject, place: Place): ReadonlySet<string> {
    const required = node["required"] ?? [];
    if (!Array.isArray(required) || required.some((name) => typeof name !== "string")) {
      return fail(
        "ERR_SCHEMA",
        'Cannot read "required": it must be a list of property names',
        joinPointer(place.pointer, "required"),
      );
    }
    return new Set(required as string[]);
  }

  function readProperty(name: string, child: Json, required: boolean, place: Place): Property {
    const at = joinPointer(place.pointer, "properties", name);
    const address = `${place.address}/${name}`;
    const {
      type,
      docs,
      deprecated,
      default: schemaDefault,
    } = readNode(child, { pointer: at, address });
    const fallback = notes.defaults.get(address) ?? schemaDefault;
    const gate = notes.gates.get(address);
    return {
      name,
      type,
      required,
      ...(docs === undefined ? {} : { docs }),
      ...(deprecated === undefined ? {} : { deprecated }),
      ...(fallback === undefined ? {} : { default: fallback }),
      ...(gate === undefined ? {} : { gate }),
      at,
    };
  }

  /** A name that is required but not listed: the property of a base, now required; else a value of any type. */
  function requireInherited(name: string, bases: readonly string[], place: Place): Property {
    const queue = [...bases];
    for (
      let base = queue.shift(), seen = new Set<string>();
      base !== undefined;
      base = queue.shift()
    ) {
      if (seen.has(base)) continue;
      seen.add(base);
      const parts = partsOf(schema.definitions.get(base), joinPointer("", schema.container, base));
      for (const { node, pointer } of parts) {
        if (typeof node["$ref"] === "string")
          queue.push(readReference(schema, node["$ref"], pointer));
        const properties = node["properties"];
        if (isJsonObject(properties) && Object.hasOwn(properties, name)) {
          return readProperty(name, properties[name]!, true, { pointer, address: base });
        }
      }
    }
    return {
      name,
      type: { kind: "any" },
      required: true,
      at: joinPointer(place.pointer, "required"),
    };
  }

  /** `allOf` says inheritance: references are bases, inline parts add properties. */
  function readAllOf(
    node: SchemaObject,
    place: Place,
  ): { type: Type; annotations: Omit<ReadNode, "type"> } {
    const parts = partsOf(node, place.pointer);
    if (parts.length === 0)
      return fail(
        "ERR_SCHEMA",
        'Cannot read "allOf": it must be a list of schemas',
        joinPointer(place.pointer, "allOf"),
      );
    const bases: string[] = [];
    const inline: ObjectType[] = [];
    let said: Omit<ReadNode, "type"> = {};
    for (const { node: part, pointer } of parts) {
      refuseUnknown(part, pointer);
      said = { ...said, ...readAnnotations(part, { pointer, address: place.address }) };
      if (part["$ref"] !== undefined) {
        only(part, { pointer, address: place.address }, ["$ref"], "beside $ref");
        bases.push(readReference(schema, part["$ref"], joinPointer(pointer, "$ref")));
      } else if (
        Object.keys(part).some((key) => !annotations.includes(key) && !notes.annotations.has(key))
      ) {
        only(
          part,
          { pointer, address: place.address },
          ["type", ...keywordsOfType["object"]!],
          "in a part of allOf",
        );
        const type = readObject(part, bases, { pointer, address: place.address });
        if (type.kind !== "object")
          return fail(
            "ERR_KEYWORD",
            "Cannot read a dictionary as a part of allOf: the model has no place for it",
            pointer,
          );
        inline.push(type);
      }
    }
    if (inline.length === 0 && bases.length === 1)
      return { type: { kind: "reference", name: bases[0]! }, annotations: said };
    const choices = bases.find(hasAlternatives);
    if (choices !== undefined)
      return { type: extendAlternatives(choices, bases, inline, place), annotations: said };
    const extras = inline.some((part) => part.extras === "closed") ? "closed" : "open";
    return {
      type: {
        kind: "object",
        bases,
        properties: inline.flatMap((part) => part.properties),
        extras,
      },
      annotations: said,
    };
  }

  /** Whether a definition is an object of which a part has alternatives. */
  function hasAlternatives(name: string): boolean {
    const node = schema.definitions.get(name);
    return isJsonObject(node) && (node["anyOf"] !== undefined || node["oneOf"] !== undefined);
  }

  /** What extends alternatives has alternatives too. */
  function extendAlternatives(
    name: string,
    bases: readonly string[],
    inline: readonly ObjectType[],
    place: Place,
  ): Type {
    if (extending.has(name))
      return fail(
        "ERR_REF_CYCLE",
        `Cannot extend "${name}": it is defined by itself`,
        place.pointer,
      );
    extending.add(name);
    const pointer = joinPointer("", schema.container, name);
    const { type } = readNode(schema.definitions.get(name)!, { pointer, address: name });
    extending.delete(name);
    const others = bases.filter((base) => base !== name);
    return unionOf(
      (type.kind === "union" ? type.members : [type]).map((member): Type => {
        if (member.kind !== "object" && member.kind !== "reference")
          return fail("ERR_SCHEMA", `Cannot extend "${name}": it is no object`, place.pointer);
        const own = member.kind === "object" ? member : { bases: [member.name], properties: [] };
        const added = inline.flatMap((part) => part.properties);
        const names = new Set(added.map((property) => property.name));
        return {
          kind: "object",
          bases: [...others, ...own.bases],
          properties: [...own.properties.filter((each) => !names.has(each.name)), ...added],
          extras: inline.some((part) => part.extras === "closed") ? "closed" : "open",
        };
      }),
    );
  }

  /** The parts of an `allOf` and whatever structure stands beside it; a plain node is its own only part. */
  function partsOf(
    node: Json | undefined,
    pointer: string,
  ): { node: SchemaObject; pointer: string }[] {
    if (!isJsonObject(node)) return [];
    if (node["allOf"] === undefined) return [{ node, pointer }];
    const parts = node["allOf"];
    if (!Array.isArray(parts) || !parts.every(isJsonObject)) return [];
    const { allOf: _, ...beside } = node;
    return [
      ...(parts as SchemaObject[]).map((part, index) => ({
        node: part,
        pointer: joinPointer(pointer, "allOf", index),
      })),
      ...(Object.keys(beside).length === 0 ? [] : [{ node: beside, pointer }]),
    ];
  }

  function readUnion(value: Json | undefined, place: Place): Type {
    if (!Array.isArray(value) || value.length === 0)
      return fail("ERR_SCHEMA", "Cannot read a union without members", place.pointer);
    return unionOf(
      value.map(
        (member: Json, index) =>
          readNode(member, { ...place, pointer: joinPointer(place.pointer, index) }).type,
      ),
    );
  }

  /** An object of which a part has alternatives: each of them has the common properties too. */
  function readAlternatives(node: SchemaObject, key: string, place: Place): Type {
    const { [key]: alternatives, ...common } = node;
    only(common, place, ["type", ...keywordsOfType["object"]!], `beside ${key}`);
    const shared = readObject(common, [], place);
    const union = readUnion(alternatives, { ...place, pointer: joinPointer(place.pointer, key) });
    const members = union.kind === "union" ? union.members : [union];
    return unionOf(
      members.map((member): Type => {
        const own: Type =
          member.kind === "reference"
            ? { kind: "object", bases: [member.name], properties: [], extras: "open" }
            : member;
        if (shared.kind !== "object" || own.kind !== "object")
          return fail(
            "ERR_KEYWORD",
            `Cannot read "${key}" beside properties: each alternative must be an object`,
            joinPointer(place.pointer, key),
          );
        const names = new Set(own.properties.map(({ name }) => name));
        const inherited = shared.properties.filter(({ name }) => !names.has(name));
        return { ...own, properties: [...inherited, ...own.properties] };
      }),
    );
  }

  function readLiteral(value: Json, pointer: string): Type {
    if (value === null) return { kind: "null" };
    if (typeof value === "object")
      return fail(
        "ERR_KEYWORD",
        "Cannot read an object or a list as a fixed value: the model has no place for it",
        pointer,
      );
    return { kind: "literal", value };
  }

  function readEnum(node: SchemaObject, key: string, place: Place): Type {
    const pointer = joinPointer(place.pointer, key);
    const values = node[key];
    if (!Array.isArray(values) || values.length === 0)
      return fail("ERR_SCHEMA", `Cannot read "${key}": it must be a list of values`, pointer);
    if (new Set(values).size !== values.length)
      return fail("ERR_SCHEMA", `Cannot read "${key}": a value is listed twice`, pointer);
    const docs = readEnumDocs(node, values.length, place);
    const numbers = readEnumNumbers(node, values.length, place);
    const open = key === "_enum";
    if (values.length === 1 && !open) return readLiteral(values[0]!, joinPointer(pointer, 0));
    const listed: EnumValue[] = [];
    const others: Type[] = [];
    values.forEach((value: Json, index) => {
      if (typeof value === "string" || typeof value === "number") {
        const text = docs?.[index];
        const deprecated = readDeprecation(text);
        listed.push({
          value,
          ...(numbers === undefined ? {} : { number: numbers[index]! }),
          ...(text === undefined ? {} : { docs: text }),
          ...(deprecated === undefined ? {} : { deprecated }),
        });
      } else others.push(readLiteral(value, joinPointer(pointer, index)));
    });
    return unionOf([
      ...(listed.length === 0 ? [] : [{ kind: "enum" as const, open, values: listed }]),
      ...others,
    ]);
  }

  function readEnumDocs(
    node: SchemaObject,
    length: number,
    place: Place,
  ): readonly string[] | undefined {
    const docs = node["enumDescriptions"];
    if (docs === undefined) return undefined;
    if (
      !Array.isArray(docs) ||
      docs.length !== length ||
      docs.some((text) => typeof text !== "string")
    ) {
      return fail(
        "ERR_SCHEMA",
        `Cannot read "enumDescriptions": it must hold ${length} texts, one per value`,
        joinPointer(place.pointer, "enumDescriptions"),
      );
    }
    return docs as string[];
  }

  function readEnumNumbers(
    node: SchemaObject,
    length: number,
    place: Place,
  ): readonly number[] | undefined {
    const numbers = node["enumNumbers"];
    if (numbers === undefined) return undefined;
    if (
      !Array.isArray(numbers) ||
      numbers.length !== length ||
      numbers.some((each) => !Number.isSafeInteger(each)) ||
      new Set(numbers).size !== length
    ) {
      return fail(
        "ERR_SCHEMA",
        `Cannot read "enumNumbers": it must hold ${length} different integers, one per value`,
        joinPointer(place.pointer, "enumNumbers"),
      );
    }
    return numbers as number[];
  }

  /** Refuses keywords that no node may have. */
  function refuseUnknown(node: SchemaObject, pointer: string): void {
    for (const key of Object.keys(node)) {
      if (allKeywords.has(key) || notes.annotations.has(key)) continue;
      fail(
        "ERR_KEYWORD",
        `Cannot read keyword "${key}": the model has no place for it`,
        joinPointer(pointer, key),
        keywordMend(key, allKeywords),
      );
    }
  }

  /** Refuses structure that would be lost: every keyword but the given ones and annotations. */
  function only(
    node: SchemaObject,
    place: Place,
    keywords: readonly string[],
    where: string,
  ): void {
    for (const key of Object.keys(node)) {
      if (keywords.includes(key) || annotations.includes(key) || notes.annotations.has(key))
        continue;
      fail(
        "ERR_KEYWORD",
        `Cannot read keyword "${key}" ${where}: the model has no place for it`,
        joinPointer(place.pointer, key),
      );
    }
  }

  return (node, pointer, address) => readNode(node, { pointer, address });
}

/** The reason in a text that begins with `Deprecated:`; undefined if it does not. */
function readDeprecation(text: string | undefined): string | undefined {
  return /^\s*deprecated:\s*/i.test(text ?? "")
    ? text!.replace(/^\s*deprecated:\s*/i, "")
    : undefined;
}

function unionOf(members: readonly Type[]): Type {
  const flat = members.flatMap((member) => (member.kind === "union" ? member.members : [member]));
  if (flat.some((member) => member.kind === "any")) return { kind: "any" };
  return flat.length === 1 ? flat[0]! : { kind: "union", members: flat };
}

function pick(node: SchemaObject, keys: readonly string[]): SchemaObject {
  return Object.fromEntries(Object.entries(node).filter(([key]) => keys.includes(key)));
}
