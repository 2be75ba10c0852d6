import type { EvaluatedParts } from "../../runtime/validation/value-checks.js";
import { statedFields } from "../base/stated-fields.js";
import type { ArrayType, Check, Definitions, Evaluated, ObjectType, Type } from "./types.js";

/** The empty union: no value has this type. */
export const never: Type = { kind: "union", members: [] };

/** Returns whether a type has no values. */
export function isNever(type: Type): boolean {
  return type.kind === "union" && type.members.length === 0;
}

/**
 * Returns all checks on a type. For an object, these include the checks on its unnamed properties.
 */
export function checksOf(type: Type): readonly Check[] {
  const { checks = [] } = type;
  return type.kind === "object" ? [...othersOf(type), ...checks] : checks;
}

/** Returns the checks on an object's unnamed properties. */
function othersOf({ properties, extras, matching = [], others }: ObjectType): readonly Check[] {
  const patterns = matching.map(({ pattern }) => pattern);
  const names = properties.map(({ name }) => name);
  const rest = others ?? (extras === "closed" && patterns.length > 0 ? never : undefined);
  const checks = matching.map(({ pattern, type }): Check => ({ kind: "matching", pattern, type }));
  if (rest !== undefined) checks.push({ kind: "others", names, patterns, type: rest });
  return checks.filter((check) => !typesOfCheck(check).every(isAnything));
}

/** Returns whether a type accepts every value. */
export function isAnything(type: Type): boolean {
  return type.kind === "any" && type.checks === undefined;
}

/**
 * Returns whether a type's structure alone does not exclude `undefined`, which stands for an absent
 * value. Such a type needs a separate test for presence.
 */
export function acceptsAbsence(type: Type, definitions: Definitions): boolean {
  const visited = new Set<string>();
  const accepts = (each: Type): boolean => {
    if (each.kind === "union") return each.members.length === 0 || each.members.some(accepts);
    if (each.kind !== "reference") return each.kind === "any";
    const target = visited.has(each.name) ? undefined : definitions.get(each.name);
    visited.add(each.name);
    return target !== undefined && accepts(target.type);
  };
  return accepts(type);
}

/** Returns whether an object may have only the properties that it names. */
export function isClosed({ extras, matching = [] }: ObjectType): boolean {
  return extras === "closed" && matching.length === 0;
}

/**
 * Returns whether an object type constrains its values in ways other than by the types of its named
 * properties.
 */
export function hasWholeChecks(type: ObjectType): boolean {
  return isClosed(type) || checksOf(type).length > 0;
}

/** Returns whether an object type explicitly allows properties that it does not name. */
export function expectsOthers({ others, matching = [], checks = [] }: ObjectType): boolean {
  return (
    others !== undefined ||
    matching.length > 0 ||
    // Kinds of checks that may name additional properties.
    checks.some(({ kind }) => kind === "also" || kind === "unevaluated")
  );
}

/**
 * Returns whether a type accepts all strings. A `format` on its own does not exclude any string.
 */
export function takesAllTexts(type: Type): boolean {
  return (
    type.kind === "string" &&
    type.pattern === undefined &&
    (type.minLength ?? 0) === 0 &&
    type.maxLength === undefined &&
    (type.checks ?? []).length === 0
  );
}

/** Returns the types that an array's items may have. */
export function itemTypes({ first = [], items }: ArrayType): readonly Type[] {
  return [...first, items];
}

/** Returns the type of the array item at an index. */
export function itemTypeAt({ first = [], items }: ArrayType, index: number): Type {
  return first[index] ?? items;
}

/** Returns the types of an object's unnamed properties. */
export function unnamedTypes({ others, matching = [] }: ObjectType): readonly Type[] {
  return [...matching.map(({ type }) => type), ...(others === undefined ? [] : [others])];
}

/** Lists the types that a check references. */
export function typesOfCheck(check: Check): readonly Type[] {
  switch (check.kind) {
    case "also":
    case "not":
    case "contains":
    case "names":
    case "dependent":
    case "matching":
    case "others":
      return [check.type];
    case "one-of":
      return check.types;
    case "if":
      return [check.if, check.then, check.else];
    case "unevaluated":
      return [check.type, ...check.evaluated.flatMap(typesOfEvaluated)];
    default:
      return [];
  }
}

/** Lists the types that a check compares with the value itself, rather than only with its parts. */
export function typesOfWhole(check: Check): readonly Type[] {
  switch (check.kind) {
    case "also":
    case "not":
    case "dependent":
    case "one-of":
    case "if":
      return typesOfCheck(check);
    case "unevaluated":
      return check.evaluated.flatMap(typesOfEvaluated);
    default:
      return [];
  }
}

/** Converts a value's evaluated parts to the form that checks use. Omits empty entries. */
export function evaluatedParts<Test>(
  { names, patterns, items, all, containing, when, unless, more }: Evaluated,
  testOf: (type: Type) => Test,
): EvaluatedParts<Test> {
  return statedFields<EvaluatedParts<Test>>({
    names: names.length === 0 ? undefined : names,
    patterns: patterns.length === 0 ? undefined : patterns,
    items: items === 0 ? undefined : items,
    all: all ? true : undefined,
    containing: containing && testOf(containing),
    when: when && testOf(when),
    unless: unless && testOf(unless),
    more: more.length === 0 ? undefined : more.map((each) => evaluatedParts(each, testOf)),
  });
}

function typesOfEvaluated({ containing, when, unless, more }: Evaluated): readonly Type[] {
  return [
    ...[containing, when, unless].filter((each) => each !== undefined),
    ...more.flatMap(typesOfEvaluated),
  ];
}

/** Returns the types of a value's parts, without those that occur only in conditions. */
export function partTypes(type: Type): readonly Type[] {
  switch (type.kind) {
    case "array":
      return itemTypes(type);
    case "map":
      return [type.values];
    case "union":
      return type.members;
    case "object":
      return [...type.properties.map((property) => property.type), ...unnamedTypes(type)];
    default:
      return [];
  }
}

/** Lists a type and all types nested in it. Does not follow references to definitions. */
export function typesIn(type: Type): readonly Type[] {
  const types: Type[] = [];
  addTypesIn(type, types);
  return types;
}

function addTypesIn(type: Type, types: Type[]): void {
  types.push(type);
  for (const part of partTypes(type)) addTypesIn(part, types);
  if (type.checks === undefined) return;
  for (const check of type.checks) for (const part of typesOfCheck(check)) addTypesIn(part, types);
}
