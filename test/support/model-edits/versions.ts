import type { Protocol } from "../../../generator/model/protocol.js";
import { flattenProperties } from "../../../generator/model/properties.js";
import { definitionsByName } from "../../../generator/model/queries.js";
import { isNever, typesIn } from "../../../generator/model/type-checks.js";
import type {
  ArrayType,
  EnumType,
  LiteralType,
  ObjectType,
  Type,
} from "../../../generator/model/types.js";

export type Constant = LiteralType["value"];

/**
 * A protocol version: its definitions by name. `Payload` is its message's payload. Objects have no
 * bases, and tuples say in `maxItems` that they end.
 */
export type Version = ReadonlyMap<string, Type>;

/** Returns the types of a protocol, for readers that do not use the model's queries. */
export function versionOf(protocol: Protocol, payload: Type): Version {
  const definitions = definitionsByName(protocol);
  const plain = (type: Type): Type => {
    switch (type.kind) {
      case "array":
        return { ...type, ...plainItems(type) };
      case "map":
        return { kind: "map", values: plain(type.values) };
      case "object":
        return { ...type, bases: [], properties: plainProperties(type) };
      case "union":
        return { kind: "union", members: type.members.map(plain) };
      default:
        return { ...type };
    }
  };
  const plainItems = ({ first, items, maxItems = Infinity }: ArrayType): Partial<ArrayType> => ({
    ...(first === undefined ? {} : { first: first.map(plain) }),
    ...(isNever(items)
      ? { items: { kind: "any" }, maxItems: Math.min(first?.length ?? 0, maxItems) }
      : { items: plain(items) }),
  });
  const plainProperties = (type: ObjectType): ObjectType["properties"] =>
    flattenProperties(definitions, type).map((each) => ({ ...each, type: plain(each.type) }));
  return new Map([
    ...protocol.definitions.map(({ name, type }) => [name, plain(type)] as const),
    ["Payload", plain(payload)] as const,
  ]);
}

/** A type that is neither a reference nor a union. */
export type PlainType = Exclude<Type, { kind: "union" | "reference" }>;

/** Returns a type's alternatives without duplicates. */
export function flatten(version: Version, type: Type): readonly PlainType[] {
  const seen = new Set<Type>();
  const plain: PlainType[] = [];
  const visit = (each: Type): void => {
    if (seen.has(each)) return;
    seen.add(each);
    if (each.kind === "reference") visit(version.get(each.name)!);
    else if (each.kind === "union") each.members.forEach(visit);
    else plain.push(each);
  };
  visit(type);
  return plain;
}

/** Returns the values that a literal or an enum lists. */
export function listedValues(type: LiteralType | EnumType): readonly Constant[] {
  return type.kind === "literal" ? [type.value] : type.values.map(({ value }) => value);
}

/** Returns whether a type lists strings, but accepts others, too. */
export function isOpen(type: LiteralType | EnumType): boolean {
  return type.kind === "enum" && type.open;
}

/** Returns whether any value matches a type. None does if an object must contain itself. */
export function isPossible(version: Version, type: Type, passed: readonly Type[] = []): boolean {
  if (passed.includes(type)) return false;
  const isPartPossible = (part: Type): boolean => isPossible(version, part, [...passed, type]);
  switch (type.kind) {
    case "reference":
      return isPartPossible(version.get(type.name)!);
    case "union":
      return type.members.some(isPartPossible);
    case "object":
      return type.properties.every((each) => !each.required || isPartPossible(each.type));
    default:
      return true;
  }
}

/** Returns whether a definition refers only to itself. */
export function isEndless(version: Version): boolean {
  const leadsTo = (type: Type, passed: readonly string[]): boolean => {
    if (type.kind === "union") return type.members.some((each) => leadsTo(each, passed));
    if (type.kind !== "reference") return false;
    const { name } = type;
    return passed.includes(name) || leadsTo(version.get(name)!, [...passed, name]);
  };
  return [...version].some(([name, type]) => leadsTo(type, [name]));
}

/** Returns one string for each open enum in a version, made up of all the enum's values. */
export function openLists(version: Version): ReadonlySet<string> {
  const keys = [...version.values()]
    .flatMap((type) => [...typesIn(type)])
    .filter(({ kind }) => kind === "enum" || kind === "union")
    .map((type) => openListKey(flatten(version, type)));
  return new Set(keys.filter((key) => key !== undefined));
}

/**
 * Joins all enum values in the alternatives into one string if any of the enums is open; returns
 * undefined otherwise. It does not matter how the values are distributed over the enums, because
 * the alternatives accept the same values either way.
 */
export function openListKey(alternatives: readonly PlainType[]): string | undefined {
  const lists = alternatives
    .filter((each) => each.kind === "literal" || each.kind === "enum")
    .filter((each) => typeof listedValues(each)[0] === "string");
  if (!lists.some(isOpen)) return undefined;
  return JSON.stringify([...new Set(lists.flatMap(listedValues))].sort());
}
