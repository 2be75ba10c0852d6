import { compilePattern } from "../../../runtime/validation/value-checks.js";
import { isNever, never } from "../../model/type-checks.js";
import type {
  Check,
  Forgiven,
  Json,
  MatchingProperties,
  ObjectType,
  Property,
  Type,
} from "../../model/types.js";
import { isJsonObject, joinPointer } from "../source/json-text.js";
import { requiredProperty } from "./intersect-objects.js";
import { readPatternText } from "./schema-strings.js";
import type { SchemaObject } from "./schema-file.js";
import { placeIn, readCount, type NodeContext, type Place } from "./schema-node.js";

/** Reads a dictionary, or an object with named properties. */
export function readObject(context: NodeContext, node: SchemaObject, place: Place): Type {
  const raw = namedSchemas(context, node, "properties", place);
  const extra = node["additionalProperties"];
  const required = readRequired(context, node, "required", place);
  const matching = readMatching(context, node, place);
  const checks = readObjectChecks(context, node, place);
  const others =
    extra === undefined || extra === false
      ? undefined
      : context.readNode(extra, {
          pointer: joinPointer(place.pointer, "additionalProperties"),
          address: `${place.address}/*`,
        });
  const isMap = Object.keys(raw).length === 0 && required.size === 0 && matching.length === 0;
  const checked = checks.length === 0 ? {} : { checks };
  if (isMap && others !== undefined && !isNever(others.type))
    return {
      kind: "map",
      values: others.type,
      ...(others.docs === undefined ? {} : { docs: others.docs }),
      ...checked,
    };
  const properties = Object.entries(raw).map(([name, child]) =>
    readProperty(context, name, child, required.has(name), place),
  );
  if (properties.some((each) => each.required && isNever(each.type))) return never;
  const unlisted = [...required].filter((name) => !Object.hasOwn(raw, name));
  const isClosed = extra === false || (others !== undefined && isNever(others.type));
  const pointer = joinPointer(place.pointer, "required");
  const isMatched = (name: string): boolean =>
    matching.some(({ pattern }) => compilePattern(pattern).test(name));
  if (isClosed && !unlisted.every(isMatched)) return never;
  const listed = unlisted.map((name) =>
    others === undefined || isMatched(name)
      ? requiredProperty(name, pointer)
      : { name, type: others.type, required: true, pointer },
  );
  return {
    kind: "object",
    bases: [],
    properties: [...properties, ...listed],
    extras: isClosed ? "closed" : "open",
    ...(matching.length === 0 ? {} : { matching }),
    ...(others === undefined || isClosed ? {} : { others: others.type }),
    ...checked,
  } satisfies ObjectType;
}

/** Lists the schemas in a keyword such as `properties`, by name. */
export function namedSchemas(
  { schema }: NodeContext,
  node: SchemaObject,
  key: string,
  place: Place,
): SchemaObject {
  const raw = node[key] ?? {};
  return isJsonObject(raw)
    ? raw
    : schema.fail(
        "ERR_SCHEMA",
        `Cannot read "${key}": it must be an object`,
        joinPointer(place.pointer, key),
      );
}

/** Reads an array of property names. */
export function readRequired(
  context: NodeContext,
  node: SchemaObject,
  key: string,
  place: Place,
): ReadonlySet<string> {
  const required = node[key] ?? [];
  // A boolean is a common mistake carried over from draft 3.
  if (!Array.isArray(required) || required.some((name) => typeof name !== "string")) {
    return context.schema.fail(
      "ERR_SCHEMA",
      `Cannot read "${key}": it must be an array of property names`,
      joinPointer(place.pointer, key),
    );
  }
  return new Set(required as string[]);
}

function readMatching(
  context: NodeContext,
  node: SchemaObject,
  place: Place,
): readonly MatchingProperties[] {
  return Object.entries(namedSchemas(context, node, "patternProperties", place)).map(
    ([pattern, child]) => {
      const at = placeIn(place, "patternProperties", pattern);
      const { type, docs } = context.readNode(child, { ...at, address: `${place.address}/*` });
      return {
        pattern: readPatternText(context, pattern, at),
        type,
        ...(docs === undefined ? {} : { docs }),
      };
    },
  );
}

function readObjectChecks(
  context: NodeContext,
  node: SchemaObject,
  place: Place,
): readonly Check[] {
  const { schema } = context;
  const least = readCount(schema, node, "minProperties", place);
  const most = readCount(schema, node, "maxProperties", place);
  return [
    ...(least === undefined && most === undefined
      ? []
      : [
          {
            kind: "size" as const,
            ...(least === undefined ? {} : { least }),
            ...(most === undefined ? {} : { most }),
          },
        ]),
    ...(node["propertyNames"] === undefined
      ? []
      : [
          {
            kind: "names" as const,
            type: context.readExact(
              { allOf: [{ type: "string" }, node["propertyNames"]] },
              placeIn(place, "propertyNames"),
            ),
          },
        ]),
  ];
}

export function readProperty(
  context: NodeContext,
  name: string,
  child: Json,
  required: boolean,
  place: Place,
): Property {
  const pointer = joinPointer(place.pointer, "properties", name);
  const address = `${place.address}/${name}`;
  const {
    type,
    docs,
    deprecated,
    default: schemaDefault,
  } = context.readNode(child, { pointer, address });
  const fallback = context.notes.defaults.get(address) ?? schemaDefault;
  const gate = context.notes.gates.get(address);
  const forgives = (Object.keys(context.notes.forgives) as Forgiven[]).filter(
    (what) => isJsonObject(child) && child[context.notes.forgives[what]!] === true,
  );
  return {
    name,
    type,
    required,
    ...(docs === undefined ? {} : { docs }),
    ...(deprecated === undefined ? {} : { deprecated }),
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(gate === undefined ? {} : { gate }),
    ...(forgives.length === 0 ? {} : { forgives }),
    pointer,
  };
}
