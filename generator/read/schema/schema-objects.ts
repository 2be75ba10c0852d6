import { compilePattern } from "../../../runtime/validation/value-checks.js";
import { statedFields } from "../../base/stated-fields.js";
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
import { isJsonObject, joinPointer, type JsonObject } from "../source/json-text.js";
import { requiredProperty, isOnlyRequired } from "./intersect-types.js";
import {
  placeIn,
  readCount,
  readPatternText,
  type NodeContext,
  type Place,
} from "./schema-node.js";

/** Reads a dictionary, or an object with named properties. */
export function readObject(context: NodeContext, node: JsonObject, place: Place): Type {
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
  const stated = { checks: checks.length === 0 ? undefined : checks };
  if (isMap && others !== undefined && !isNever(others.type))
    return statedFields({ kind: "map", values: others.type, docs: others.docs, ...stated });
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
      ? requiredProperty(name, pointer, isMatched(name))
      : { name, type: others.type, required: true, pointer },
  );
  return statedFields<ObjectType>({
    kind: "object",
    bases: [],
    properties: [...properties, ...listed],
    extras: isClosed ? "closed" : "open",
    matching: matching.length === 0 ? undefined : matching,
    others: isClosed ? undefined : others?.type,
    ...stated,
  });
}

/** Lists the schemas in a keyword such as `properties`, by name. */
export function namedSchemas(
  { schema }: NodeContext,
  node: JsonObject,
  key: string,
  place: Place,
): JsonObject {
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
  node: JsonObject,
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
  node: JsonObject,
  place: Place,
): readonly MatchingProperties[] {
  return Object.entries(namedSchemas(context, node, "patternProperties", place)).map(
    ([pattern, child]) => {
      const childPlace = placeIn(place, "patternProperties", pattern);
      const { type, docs } = context.readNode(child, {
        ...childPlace,
        address: `${place.address}/*`,
      });
      return statedFields({ pattern: readPatternText(context, pattern, childPlace), type, docs });
    },
  );
}

function readObjectChecks(context: NodeContext, node: JsonObject, place: Place): readonly Check[] {
  const { schema } = context;
  const least = readCount(schema, node, "minProperties", place);
  const most = readCount(schema, node, "maxProperties", place);
  const names = node["propertyNames"];
  const checks: Check[] = [];
  if (least !== undefined || most !== undefined)
    checks.push(statedFields({ kind: "size", least, most }));
  if (names !== undefined)
    checks.push({ kind: "names", type: context.readNames(names, placeIn(place, "propertyNames")) });
  return checks;
}

function readProperty(
  context: NodeContext,
  name: string,
  child: Json,
  required: boolean,
  place: Place,
): Property {
  const pointer = joinPointer(place.pointer, "properties", name);
  const address = `${place.address}/${name}`;
  const { defaults, forgives, gates, limits } = context.notes;
  const read = context.readNode(
    isJsonObject(child) ? { ...child, ...limits.get(address) } : child,
    { pointer, address },
  );
  const forgiven = (Object.keys(forgives) as Forgiven[]).filter(
    (what) => isJsonObject(child) && child[forgives[what]!] === true,
  );
  return statedFields({
    name,
    type: read.type,
    required,
    docs: read.docs,
    deprecated: read.deprecated,
    default: defaults.get(address) ?? read.default,
    gate: gates.get(address),
    forgives: forgiven.length === 0 ? undefined : forgiven,
    pointer,
  });
}

/**
 * Replaces properties that a schema lists only in `required` with copies of the properties of its
 * bases.
 */
export function withInheritedProperties(context: NodeContext, type: Type): Type {
  if (type.kind === "union")
    return {
      ...type,
      members: type.members.map((member) => withInheritedProperties(context, member)),
    };
  if (type.kind !== "object" || type.bases.length === 0) return type;
  const properties = type.properties.map((property) =>
    isOnlyRequired(property) ? inherited(context, property, type) : property,
  );
  return { ...type, properties };
}

/** Copies a base's property and makes it required. Returns the given property if no base has it. */
function inherited(context: NodeContext, property: Property, { bases }: ObjectType): Property {
  const { name } = property;
  const queue = [...bases];
  for (
    let base = queue.shift(), seen = new Set<string>();
    base !== undefined;
    base = queue.shift()
  ) {
    if (seen.has(base)) continue;
    seen.add(base);
    const start = context.references.pointerOf(base);
    for (const { node, pointer } of partsOf(context.references.nodeOf(base), start)) {
      queue.push(...context.references.of(node, pointer));
      const properties = node["properties"];
      if (isJsonObject(properties) && Object.hasOwn(properties, name))
        return readInherited(context, name, properties[name]!, { pointer, address: base });
    }
  }
  return property;
}

/**
 * Maximum number of properties that may be copied within other copies. Without a limit, a few bases
 * could cause millions of copies.
 */
const maxNested = 10_000;

/**
 * Copies a base's property and makes it required. A copy has no name, so it cannot reference
 * itself.
 */
function readInherited(context: NodeContext, name: string, property: Json, base: Place): Property {
  const pointer = joinPointer(base.pointer, "properties", name);
  if (context.inheriting.has(pointer))
    return context.schema.fail(
      "ERR_REF_CYCLE",
      `Cannot require "${name}" within itself: such a value would be infinite`,
      pointer,
      "Move its type into a separate definition",
    );
  if (context.inheriting.size > 0 && ++context.nested > maxNested)
    return context.schema.fail(
      "ERR_TOO_LARGE",
      `Cannot require "${name}" from a base: ${maxNested} such properties are already nested`,
      pointer,
      "Move its type into a separate definition",
    );
  context.inheriting.add(pointer);
  const read = readProperty(context, name, property, true, base);
  context.inheriting.delete(pointer);
  return read;
}

/**
 * Splits a schema with `allOf` into its parts. The schema's other keywords form an additional part.
 * Without `allOf`, the schema itself is the only part.
 */
function partsOf(
  node: Json,
  pointer: string,
): readonly { readonly node: JsonObject; readonly pointer: string }[] {
  if (!isJsonObject(node)) return [];
  const { allOf: parts, ...beside } = node;
  if (!Array.isArray(parts)) return [{ node, pointer }];
  return [
    ...(parts as readonly Json[]).flatMap((part, index) =>
      isJsonObject(part) ? [{ node: part, pointer: joinPointer(pointer, "allOf", index) }] : [],
    ),
    { node: beside, pointer },
  ];
}
