import { isAnything, isNever, never } from "../../model/type-checks.js";
import type { ArrayType, Check, Type } from "../../model/types.js";
import type { SchemaObject } from "./schema-file.js";
import { placeIn, readCount, type NodeContext, type Place } from "./schema-node.js";

/**
 * Reads an array or a tuple. In older drafts, a tuple is an array of schemas in `items`. In
 * 2020-12, it is in `prefixItems`.
 */
export function readArray(context: NodeContext, node: SchemaObject, place: Place): Type {
  const { schema } = context;
  const isOld = Array.isArray(node["items"]);
  const firstKey = isOld ? "items" : "prefixItems";
  const restKey = isOld ? "additionalItems" : "items";
  const listed = node[firstKey] ?? [];
  if (!Array.isArray(listed))
    return schema.fail(
      "ERR_SCHEMA",
      `Cannot read "${firstKey}": it must be an array of schemas`,
      placeIn(place, firstKey).pointer,
    );
  const inside = { ...place, address: `${place.address}/*` };
  const read = (key: string, ...rest: readonly number[]): Type => {
    const value = rest.length === 0 ? node[key]! : listed[rest[0]!]!;
    return context.readNode(value, placeIn(inside, key, ...rest)).type;
  };
  const first = listed.map((_, index) => read(firstKey, index));
  const items: Type = node[restKey] === undefined ? { kind: "any" } : read(restKey);
  const minItems = readCount(schema, node, "minItems", place);
  const maxItems = readCount(schema, node, "maxItems", place);
  const isTooLong = isNever(items) && (minItems ?? 0) > first.length;
  if (isTooLong || first.slice(0, minItems ?? 0).some(isNever)) return never;
  if ((minItems ?? 0) > (maxItems ?? Infinity)) return never;
  const checks = readArrayChecks(context, node, place);
  const array: ArrayType = {
    kind: "array",
    ...(first.length === 0 && !isNever(items) ? {} : { first }),
    items,
    ...(minItems === undefined ? {} : { minItems }),
    ...(maxItems === undefined ? {} : { maxItems }),
    ...(checks.length === 0 ? {} : { checks }),
  };
  return first.every(isAnything) && isAnything(items) ? withoutFirst(array) : array;
}

/** Removes the types of an array's first items from an array type. */
function withoutFirst({ first: _, ...array }: ArrayType): ArrayType {
  return array;
}

function readArrayChecks(context: NodeContext, node: SchemaObject, place: Place): readonly Check[] {
  const { schema } = context;
  const least = readCount(schema, node, "minContains", place) ?? 1;
  const most = readCount(schema, node, "maxContains", place);
  return [
    ...(node["uniqueItems"] === true ? [{ kind: "unique" as const }] : []),
    ...(node["contains"] === undefined
      ? []
      : [
          {
            kind: "contains" as const,
            type: context.readExact(node["contains"], placeIn(place, "contains")),
            least,
            ...(most === undefined ? {} : { most }),
          },
        ]),
  ];
}
