import { statedFields } from "../../base/stated-fields.js";
import { isNever, itemTypeAt, never } from "../../model/type-checks.js";
import type {
  ArrayType,
  Type,
  Check,
  ObjectType,
  Property,
  EnumType,
  NumericType,
  ReferenceType,
  StringType,
  UnionType,
} from "../../model/types.js";
import { isPlain, kindOf, objectOf } from "./plain-types.js";
import { formOf, kindsOf } from "./reference-forms.js";
import { unionOf, withChecks, type NodeContext } from "./schema-node.js";
import { hasCharacters } from "../../../runtime/protocol/message-fields.js";
import { compilePattern, isMultiple } from "../../../runtime/validation/value-checks.js";

/** Maximum number of alternatives to combine when types are intersected. */
const maxCombined = 24;

/**
 * Intersects types: values of the resulting type belong to both of the given types. Constraints
 * that a type cannot express become checks.
 */
export function intersect(context: NodeContext, first: Type, second: Type): Type {
  if (isPlain(first) && kindOf(first) === kindOf(second)) return second;
  if (isPlain(second) && kindOf(first) === kindOf(second)) return first;
  const { checks: firstChecks = [], ...a } = first;
  const { checks: secondChecks = [], ...b } = second;
  const common = intersectStructures(context, a as Type, b as Type);
  return isNever(common) ? never : withChecks(common, [...firstChecks, ...secondChecks]);
}

function intersectStructures(context: NodeContext, a: Type, b: Type): Type {
  if (a.kind === "any") return b;
  if (b.kind === "any") return a;
  if (a.kind === "reference") return intersectReference(context, a, b);
  if (b.kind === "reference") return intersectReference(context, b, a);
  if (a.kind === "union") return intersectUnion(a, b, (each) => intersect(context, each, b));
  if (b.kind === "union") return intersectUnion(b, a, (each) => intersect(context, a, each));
  if (kindOf(a) !== kindOf(b)) return never;
  const common = intersectPrimitives(a, b);
  if (common !== undefined) return common;
  if (a.kind === "array" && b.kind === "array") return intersectArrays(context, a, b);
  if (a.kind === "map" && b.kind === "map")
    return { ...a, values: intersect(context, a.values, b.values) };
  const [object, other] = [objectOf(a), objectOf(b)];
  return object === undefined || other === undefined ? a : intersectObjects(context, object, other);
}

function intersectUnion(
  union: UnionType,
  other: Type,
  intersectMember: (member: Type) => Type,
): Type {
  const { length } = union.members;
  const otherCount = other.kind === "union" ? other.members.length : 1;
  if (length * otherCount > maxCombined ** 2) return also(union, other);
  const common = unionOf(union.members.map(intersectMember).filter((each) => !isNever(each)));
  const count = common.kind === "union" ? common.members.length : 1;
  return count > Math.max(maxCombined, length, otherCount) ? also(union, other) : common;
}

function intersectReference(context: NodeContext, reference: ReferenceType, other: Type): Type {
  const { name } = reference;
  if (other.kind === "reference") {
    if (other.name === name) return reference;
    const forms = [name, other.name].map((each) => formOf(context, each));
    if (forms.every((form) => form === "object"))
      return { kind: "object", bases: [name, other.name], properties: [], extras: "open" };
    const [extended, by] = forms[0] === "alternatives" ? [name, other] : [other.name, reference];
    const isExtended = forms.includes("object") && forms.includes("alternatives");
    return (isExtended ? extend(context, extended, by) : undefined) ?? also(reference, other);
  }
  const kinds = kindsOf(context, name);
  if (other.kind === "union") {
    const members = other.members.filter((each) => {
      const kind = kindOf(each);
      return kind === undefined || kinds.has(kind);
    });
    if (members.length === 0) return never;
    if (members.length === 1) return intersect(context, reference, members[0]!);
    if (members.every(isPlain)) return reference;
    return also(reference, { kind: "union", members });
  }
  if (!kinds.has(kindOf(other)!)) return never;
  if (isPlain(other) && kinds.size === 1) return reference;
  const form = other.kind === "object" ? formOf(context, name) : "other";
  if (form === "object") return derive(context, name, other as ObjectType);
  const extended = form === "alternatives" ? extend(context, name, other) : undefined;
  return extended ?? also(reference, other);
}

function derive(context: NodeContext, base: string, by: ObjectType): Type {
  const type: ObjectType = { kind: "object", bases: [base], properties: [], extras: "open" };
  return intersectObjects(context, type, by);
}

/**
 * Extends each alternative of a definition with an object. Returns undefined if any alternative is
 * not an object.
 */
function extend(context: NodeContext, name: string, by: Type): Type | undefined {
  const type = context.readAlternatives(name);
  if (type.kind === "object" && by.kind === "object") return derive(context, name, by);
  if (type.kind !== "union" || type.members.length > maxCombined) return undefined;
  const isObject = (each: Type): boolean =>
    each.kind === "object" ||
    (each.kind === "reference" && formOf(context, each.name) === "object");
  return type.members.every(isObject) ? intersect(context, type, by) : undefined;
}

function intersectArrays(context: NodeContext, a: ArrayType, b: ArrayType): Type {
  const length = Math.max(a.first?.length ?? 0, b.first?.length ?? 0);
  const first = Array.from({ length }, (_, index) =>
    intersect(context, itemTypeAt(a, index), itemTypeAt(b, index)),
  );
  const least = Math.max(a.minItems ?? 0, b.minItems ?? 0);
  const most = Math.min(a.maxItems ?? Infinity, b.maxItems ?? Infinity);
  if (least > most || first.slice(0, least).some(isNever)) return never;
  return statedFields({
    kind: "array",
    first: length === 0 ? undefined : first,
    items: intersect(context, a.items, b.items),
    minItems: least === 0 ? undefined : least,
    maxItems: most === Infinity ? undefined : most,
  });
}

/**
 * Properties that appear only in a schema's `required` keyword, so that their types are unknown.
 * The value is whether a pattern matches the name.
 */
const onlyRequired = new WeakMap<Property, boolean>();

/** Creates a property that appears only in `required`. */
export function requiredProperty(name: string, pointer: string, isMatched: boolean): Property {
  const property: Property = { name, type: { kind: "any" }, required: true, pointer };
  onlyRequired.set(property, isMatched);
  return property;
}

/** Returns whether a property appears only in `required`, and no pattern matches its name. */
export function isUndeclared(property: Property): boolean {
  return onlyRequired.get(property) === false;
}

/**
 * Returns whether a property appears only in a schema's `required` keyword, so that its type is
 * unknown.
 */
export function isOnlyRequired(property: Property): boolean {
  return onlyRequired.has(property);
}

/**
 * Intersects two object types. The result has the properties of both types and keeps both types'
 * constraints on unnamed properties.
 */
function intersectObjects(context: NodeContext, first: ObjectType, second: ObjectType): Type {
  // Two types cannot be merged if one of them constrains its unnamed properties and has patterns or
  // bases. In that case, which properties are unnamed only becomes clear when a value is checked.
  const restricting = [first, second].filter(restrictsOthers);
  const canMerge =
    restricting.every(({ matching, bases }) => matching === undefined && bases.length === 0) &&
    (!restrictsOthers(first) || second.bases.length === 0) &&
    (!restrictsOthers(second) || first.bases.length === 0);
  if (canMerge) return mergeObjects(context, first, second);
  const { others: _first, matching: _a, ...one } = first;
  const { others: _second, matching: _b, ...two } = second;
  const common = mergeObjects(context, { ...one, extras: "open" }, { ...two, extras: "open" });
  if (isNever(common)) return common;
  return withChecks(
    common,
    restricting.map((each) => ({ kind: "also", type: { ...each, bases: [] } })),
  );
}

function restrictsOthers({ extras, others, matching }: ObjectType): boolean {
  return extras === "closed" || others !== undefined || matching !== undefined;
}

function mergeObjects(context: NodeContext, first: ObjectType, second: ObjectType): Type {
  const [one, two] = [first, second].map(
    ({ properties }) => new Map(properties.map((each) => [each.name, each])),
  ) as [Map<string, Property>, Map<string, Property>];
  const properties = [...new Set([...one.keys(), ...two.keys()])].map((name) => {
    const property = mergeProperties(context, one.get(name), two.get(name));
    const bound = !one.has(name) ? othersOf(first) : !two.has(name) ? othersOf(second) : undefined;
    return bound === undefined
      ? property
      : { ...property, type: intersect(context, property.type, bound) };
  });
  if (properties.some(({ required, type }) => required && isNever(type))) return never;
  const others =
    first.others === undefined || second.others === undefined
      ? (first.others ?? second.others)
      : intersect(context, first.others, second.others);
  const isClosed =
    [first, second].some(({ extras }) => extras === "closed") ||
    (others !== undefined && isNever(others));
  const matching = [...(first.matching ?? []), ...(second.matching ?? [])];
  return statedFields({
    kind: "object",
    bases: [...new Set([...first.bases, ...second.bases])],
    properties,
    extras: isClosed ? "closed" : "open",
    others: isClosed ? undefined : others,
    matching: (first.matching ?? second.matching) === undefined ? undefined : matching,
  });
}

/** Returns the type of an object's unnamed properties, or undefined if it is not constrained. */
function othersOf({ extras, others }: ObjectType): Type | undefined {
  return extras === "closed" ? never : others;
}

function mergeProperties(
  context: NodeContext,
  first: Property | undefined,
  second: Property | undefined,
): Property {
  if (first === undefined || second === undefined) return (first ?? second)!;
  if (isOnlyRequired(first)) return { ...second, required: true };
  if (isOnlyRequired(second)) return { ...first, required: true };
  const type =
    JSON.stringify(first.type) === JSON.stringify(second.type)
      ? second.type
      : intersect(context, first.type, second.type);
  return { ...first, ...second, type, required: first.required || second.required };
}

/**
 * Intersects two types of the same kind. Returns undefined if their values have parts, as objects
 * do.
 */
export function intersectPrimitives(a: Type, b: Type): Type | undefined {
  if (a.kind === "literal" || a.kind === "enum") return withValues(a, b);
  if (b.kind === "literal" || b.kind === "enum") return withValues(b, a);
  if (a.kind === "string" && b.kind === "string") return intersectStrings(a, b);
  return isNumeric(a) && isNumeric(b) ? intersectNumbers(a, b) : undefined;
}

/**
 * Adds a check to a type that requires its values to have another type as well. Validators apply
 * the check, but TypeScript types do not reflect it.
 */
export function also(type: Type, other: Type): Type {
  return withChecks(type, [{ kind: "also", type: other }]);
}

function isNumeric(type: Type): type is NumericType {
  return type.kind === "integer" || type.kind === "number";
}

/** Reduces an enum or literal to the values that also have another type. */
function withValues(listed: Type, other: Type): Type {
  if (listed.kind === "literal") return accepts(other, listed.value) ? listed : never;
  if (listed.kind !== "enum") return never;
  if (listed.open && isUnbounded(other)) return listed;
  if (listed.open) return other.kind === "enum" && !other.open ? other : also(listed, other);
  const values = listed.values.filter(({ value }) => accepts(other, value));
  if (values.length === listed.values.length) return listed;
  if (values.length === 1) return { kind: "literal", value: values[0]!.value };
  return values.length === 0 ? never : ({ ...listed, values } satisfies EnumType);
}

/** Returns whether a type accepts all strings or all numbers. */
function isUnbounded(type: Type): boolean {
  if (type.kind === "number") return type.minimum === undefined && type.maximum === undefined;
  if (type.kind !== "string") return false;
  const { minLength, maxLength, pattern } = type;
  return [minLength, maxLength, pattern].every((each) => each === undefined);
}

/** Returns whether a type without parts accepts a primitive value. */
export function accepts(type: Type, value: string | number | boolean): boolean {
  return (
    structureAccepts(type, value) && (type.checks ?? []).every((check) => passes(check, value))
  );
}

function structureAccepts(type: Type, value: string | number | boolean): boolean {
  switch (type.kind) {
    case "literal":
      return type.value === value;
    case "enum":
      return type.open || type.values.some((each) => each.value === value);
    case "string":
      return (
        typeof value === "string" &&
        hasCharacters(value, type.minLength ?? 0, type.maxLength ?? Infinity) &&
        (type.pattern === undefined || compilePattern(type.pattern).test(value))
      );
    case "integer":
    case "number":
      return (
        typeof value === "number" &&
        (type.kind === "number" || Number.isInteger(value)) &&
        value >= (type.minimum ?? -Infinity) &&
        value <= (type.maximum ?? Infinity)
      );
    case "boolean":
      return typeof value === "boolean";
    default:
      return false;
  }
}

/** Returns whether a value passes a check. Also returns true if this cannot be determined. */
function passes(check: Check, value: string | number | boolean): boolean {
  if (check.kind === "pattern" && typeof value === "string")
    return compilePattern(check.pattern).test(value);
  if (typeof value !== "number") return true;
  if (check.kind === "multiple") return isMultiple(value, check.of);
  return (
    check.kind !== "between" ||
    (value > (check.above ?? -Infinity) && value < (check.below ?? Infinity))
  );
}

function intersectStrings(a: StringType, b: StringType): Type {
  const least = Math.max(a.minLength ?? 0, b.minLength ?? 0);
  const most = Math.min(a.maxLength ?? Infinity, b.maxLength ?? Infinity);
  if (least > most) return never;
  const [pattern, ...others] = [...new Set([a.pattern, b.pattern])].filter(
    (each) => each !== undefined,
  );
  return withChecks(
    statedFields({
      kind: "string",
      format: a.format ?? b.format,
      minLength: least === 0 ? undefined : least,
      maxLength: most === Infinity ? undefined : most,
      pattern,
    }),
    others.map((each) => ({ kind: "pattern", pattern: each })),
  );
}

function intersectNumbers(a: NumericType, b: NumericType): Type {
  const minimum = Math.max(a.minimum ?? -Infinity, b.minimum ?? -Infinity);
  const maximum = Math.min(a.maximum ?? Infinity, b.maximum ?? Infinity);
  const isInteger = a.kind === "integer" || b.kind === "integer";
  const [least, most] = isInteger ? [Math.ceil(minimum), Math.floor(maximum)] : [minimum, maximum];
  if (least > most) return never;
  return statedFields({
    kind: isInteger ? "integer" : "number",
    format: a.format ?? b.format,
    minimum: least === -Infinity ? undefined : least,
    maximum: most === Infinity ? undefined : most,
  });
}
