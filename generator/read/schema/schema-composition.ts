import type { Json, ObjectType, Type } from "../../model/types.js";
import { isJsonObject, joinPointer } from "../source/json-text.js";
import { readReference } from "./reference.js";
import type { SchemaObject } from "./schema-file.js";
import {
  annotations,
  objectKeywords,
  readAnnotations,
  refuseOthers,
  refuseUnknown,
  unionOf,
  type NodeContext,
  type Place,
  type ReadNode,
} from "./schema-node.js";
import { partsOf, readObject } from "./schema-objects.js";

/** Reads `allOf` as inheritance: references are bases, inline parts add properties. */
export function readAllOf(
  context: NodeContext,
  node: SchemaObject,
  place: Place,
): { type: Type; annotations: Omit<ReadNode, "type"> } {
  const parts = partsOf(node, place.pointer);
  if (parts.length === 0)
    return context.schema.fail(
      "ERR_SCHEMA",
      'Cannot read "allOf": it must be a list of schemas',
      joinPointer(place.pointer, "allOf"),
    );
  const bases: string[] = [];
  const inline: ObjectType[] = [];
  let merged: Omit<ReadNode, "type"> = {};
  for (const { node: part, pointer } of parts) {
    refuseUnknown(context, part, pointer);
    merged = {
      ...merged,
      ...readAnnotations(context.schema, part, { pointer, address: place.address }),
    };
    if (part["$ref"] !== undefined) {
      refuseOthers(context, part, { pointer, address: place.address }, ["$ref"], "beside $ref");
      bases.push(readReference(context.schema, part["$ref"], joinPointer(pointer, "$ref")));
    } else if (
      Object.keys(part).some(
        (key) => !annotations.includes(key) && !context.notes.annotations.has(key),
      )
    ) {
      refuseOthers(
        context,
        part,
        { pointer, address: place.address },
        ["type", ...objectKeywords],
        "in a part of allOf",
      );
      const type = readObject(context, part, bases, { pointer, address: place.address });
      if (type.kind !== "object")
        return context.schema.fail(
          "ERR_KEYWORD",
          "Cannot read a dictionary as a part of allOf: the model has no place for it",
          pointer,
        );
      inline.push(type);
    }
  }
  if (inline.length === 0 && bases.length === 1)
    return { type: { kind: "reference", name: bases[0]! }, annotations: merged };
  const withAlternatives = bases.find((base) => hasAlternatives(context, base));
  if (withAlternatives !== undefined)
    return {
      type: extendAlternatives(context, withAlternatives, bases, inline, place),
      annotations: merged,
    };
  const extras = inline.some((part) => part.extras === "closed") ? "closed" : "open";
  return {
    type: {
      kind: "object",
      bases,
      properties: inline.flatMap((part) => part.properties),
      extras,
    },
    annotations: merged,
  };
}

/** Whether a definition has alternatives. */
function hasAlternatives(context: NodeContext, name: string): boolean {
  const node = context.schema.definitions.get(name);
  return isJsonObject(node) && (node["anyOf"] !== undefined || node["oneOf"] !== undefined);
}

/** Reads a type that extends a definition with alternatives: the type extends each alternative. */
function extendAlternatives(
  context: NodeContext,
  name: string,
  bases: readonly string[],
  inline: readonly ObjectType[],
  place: Place,
): Type {
  if (context.extending.has(name))
    return context.schema.fail(
      "ERR_REF_CYCLE",
      `Cannot extend "${name}": it is defined by itself`,
      place.pointer,
    );
  context.extending.add(name);
  const pointer = joinPointer("", context.schema.container, name);
  const { type } = context.readNode(context.schema.definitions.get(name)!, {
    pointer,
    address: name,
  });
  context.extending.delete(name);
  const others = bases.filter((base) => base !== name);
  return unionOf(
    (type.kind === "union" ? type.members : [type]).map((member): Type => {
      if (member.kind !== "object" && member.kind !== "reference")
        return context.schema.fail(
          "ERR_SCHEMA",
          `Cannot extend "${name}": it is no object`,
          place.pointer,
        );
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

export function readUnion(context: NodeContext, value: Json | undefined, place: Place): Type {
  if (!Array.isArray(value) || value.length === 0)
    return context.schema.fail("ERR_SCHEMA", "Cannot read a union without members", place.pointer);
  return unionOf(
    value.map(
      (member: Json, index) =>
        context.readNode(member, { ...place, pointer: joinPointer(place.pointer, index) }).type,
    ),
  );
}

/** Reads an object with alternatives: each alternative also has the common properties. */
export function readAlternatives(
  context: NodeContext,
  node: SchemaObject,
  key: string,
  place: Place,
): Type {
  const { [key]: alternatives, ...common } = node;
  refuseOthers(context, common, place, ["type", ...objectKeywords], `beside ${key}`);
  const shared = readObject(context, common, [], place);
  const union = readUnion(context, alternatives, {
    ...place,
    pointer: joinPointer(place.pointer, key),
  });
  const members = union.kind === "union" ? union.members : [union];
  return unionOf(
    members.map((member): Type => {
      const own: Type =
        member.kind === "reference"
          ? { kind: "object", bases: [member.name], properties: [], extras: "open" }
          : member;
      if (shared.kind !== "object" || own.kind !== "object")
        return context.schema.fail(
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
