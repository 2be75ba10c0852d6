import { isNever, never } from "../../model/type-checks.js";
import type {
  ArrayType,
  Type,
  Check,
  ObjectType,
  Property,
  EnumType,
  NumericType,
  StringType,
} from "../../model/types.js";
import { isPlain, kindOf, objectOf } from "./plain-types.js";
import { formOf, kindsOf } from "./reference-forms.js";
import { unionOf, withChecks, type NodeContext } from "./schema-node.js";
import { hasCharacters } from "../../../runtime/protocol/message-fields.js";
import { compilePattern, isMultiple } from "../../../runtime/validation/value-checks.js";

/** Maximum number of alternatives to combine when types are intersected. */
const maxCombined = 24;

/**
 * A function that rereads a definition that has alternatives, so that each alternative can be
 * extended.
 */
type Alternatives = (name: string) => Type | undefined;

/**
 * Intersects types: values of the resulting type belong to both of the given types. Constraints
 * that a type cannot express become checks.
 */
export class TypeIntersector {
  readonly #context: NodeContext;
  readonly #alternatives: Alternatives;

  constructor(context: NodeContext, alternatives: Alternatives) {
    this.#context = context;
    this.#alternatives = alternatives;
  }

  intersect(first: Type, second: Type): Type {
    if (isPlain(first) && kindOf(first) === kindOf(second)) return second;
    if (isPlain(second) && kindOf(first) === kindOf(second)) return first;
    const { checks: firstChecks = [], ...a } = first;
    const { checks: secondChecks = [], ...b } = second;
    const common = this.#structures(a as Type, b as Type);
    return isNever(common) ? never : withChecks(common, [...firstChecks, ...secondChecks]);
  }

  #structures(a: Type, b: Type): Type {
    if (a.kind === "any") return b;
    if (b.kind === "any") return a;
    if (a.kind === "reference") return this.#reference(a.name, a, b);
    if (b.kind === "reference") return this.#reference(b.name, b, a);
    if (a.kind === "union") return this.#union(a.members, b, (each) => this.intersect(each, b), a);
    if (b.kind === "union") return this.#union(b.members, a, (each) => this.intersect(a, each), b);
    if (kindOf(a) !== kindOf(b)) return never;
    const common = intersectPrimitives(a, b);
    if (common !== undefined) return common;
    if (a.kind === "array" && b.kind === "array") return this.#arrays(a, b);
    if (a.kind === "map" && b.kind === "map")
      return { ...a, values: this.intersect(a.values, b.values) };
    const [object, other] = [objectOf(a), objectOf(b)];
    return object === undefined || other === undefined
      ? a
      : intersectObjects(object, other, (one, two) => this.intersect(one, two));
  }

  #union(
    members: readonly Type[],
    other: Type,
    intersectMember: (member: Type) => Type,
    union: Type,
  ): Type {
    const otherCount = other.kind === "union" ? other.members.length : 1;
    if (members.length * otherCount > maxCombined ** 2) return also(union, other);
    const common = unionOf(members.map(intersectMember).filter((each) => !isNever(each)));
    const count = common.kind === "union" ? common.members.length : 1;
    return count > Math.max(maxCombined, members.length, otherCount) ? also(union, other) : common;
  }

  #reference(name: string, reference: Type, other: Type): Type {
    if (other.kind === "reference") {
      if (other.name === name) return reference;
      const forms = [name, other.name].map((each) => formOf(this.#context, each));
      if (forms.every((form) => form === "object"))
        return { kind: "object", bases: [name, other.name], properties: [], extras: "open" };
      const [extended, by] = forms[0] === "alternatives" ? [name, other] : [other.name, reference];
      if (forms.includes("object") && forms.includes("alternatives"))
        return this.#extended(extended, by) ?? also(reference, other);
      return also(reference, other);
    }
    const kinds = kindsOf(this.#context, name);
    if (other.kind === "union") {
      const members = other.members.filter((each) => {
        const kind = kindOf(each);
        return kind === undefined || kinds.has(kind);
      });
      if (members.length === 0) return never;
      if (members.length === 1) return this.intersect(reference, members[0]!);
      if (members.every(isPlain)) return reference;
      return also(reference, { kind: "union", members });
    }
    const kind = kindOf(other)!;
    if (!kinds.has(kind)) return never;
    if (isPlain(other) && kinds.size === 1) return reference;
    const form = formOf(this.#context, name);
    if (other.kind === "object" && form === "object") return this.#derived(name, other);
    const extended =
      form === "alternatives" && other.kind === "object" ? this.#extended(name, other) : undefined;
    return extended ?? also(reference, other);
  }

  #derived(base: string, by: ObjectType): Type {
    const type: ObjectType = { kind: "object", bases: [base], properties: [], extras: "open" };
    return intersectObjects(type, by, (one, two) => this.intersect(one, two));
  }

  /**
   * Extends each alternative of a definition with an object. Returns undefined if any alternative
   * is not an object.
   */
  #extended(name: string, by: Type): Type | undefined {
    const type = this.#alternatives(name);
    if (type?.kind === "object" && by.kind === "object") return this.#derived(name, by);
    if (type?.kind !== "union" || type.members.length > maxCombined) return undefined;
    const isObject = (each: Type): boolean =>
      each.kind === "object" ||
      (each.kind === "reference" && formOf(this.#context, each.name) === "object");
    return type.members.every(isObject) ? this.intersect(type, by) : undefined;
  }

  #arrays(a: ArrayType, b: ArrayType): Type {
    const length = Math.max(a.first?.length ?? 0, b.first?.length ?? 0);
    const first = Array.from({ length }, (_, index) =>
      this.intersect(a.first?.[index] ?? a.items, b.first?.[index] ?? b.items),
    );
    const least = Math.max(a.minItems ?? 0, b.minItems ?? 0);
    const most = Math.min(a.maxItems ?? Infinity, b.maxItems ?? Infinity);
    if (least > most || first.slice(0, least).some(isNever)) return never;
    return {
      kind: "array",
      ...(length === 0 ? {} : { first }),
      items: this.intersect(a.items, b.items),
      ...(least === 0 ? {} : { minItems: least }),
      ...(most === Infinity ? {} : { maxItems: most }),
    };
  }
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
function intersectObjects(
  first: ObjectType,
  second: ObjectType,
  intersect: (first: Type, second: Type) => Type,
): Type {
  const checks: Check[] = [];
  // Two types cannot be merged if one of them constrains its unnamed properties and has patterns or
  // bases. In that case, which properties are unnamed only becomes clear when a value is checked.
  const canMerge = [first, second].every(
    (each) => !restrictsOthers(each) || (each.matching === undefined && each.bases.length === 0),
  );
  const isOtherOpen = !restrictsOthers(first) || second.bases.length === 0;
  const isFirstOpen = !restrictsOthers(second) || first.bases.length === 0;
  if (canMerge && isOtherOpen && isFirstOpen) return merged(first, second, intersect);
  for (const each of [first, second])
    if (restrictsOthers(each)) checks.push({ kind: "also", type: { ...each, bases: [] } });
  const { others: _first, matching: _a, ...one } = first;
  const { others: _second, matching: _b, ...two } = second;
  const common = merged({ ...one, extras: "open" }, { ...two, extras: "open" }, intersect);
  return isNever(common) ? common : { ...common, checks: [...(common.checks ?? []), ...checks] };
}

function restrictsOthers({ extras, others, matching }: ObjectType): boolean {
  return extras === "closed" || others !== undefined || matching !== undefined;
}

function merged(
  first: ObjectType,
  second: ObjectType,
  intersect: (first: Type, second: Type) => Type,
): Type {
  const byName = new Map<string, Property>();
  const [one, two] = [first, second].map(
    ({ properties }) => new Map(properties.map((each) => [each.name, each])),
  );
  for (const name of new Set([...one!.keys(), ...two!.keys()])) {
    const property = mergedProperty(one!.get(name), two!.get(name), intersect);
    const bound = !one!.has(name)
      ? othersOf(first)
      : !two!.has(name)
        ? othersOf(second)
        : undefined;
    byName.set(
      name,
      bound === undefined ? property : { ...property, type: intersect(property.type, bound) },
    );
  }
  const properties = [...byName.values()];
  if (properties.some(({ required, type }) => required && isNever(type))) return never;
  const others =
    first.others === undefined || second.others === undefined
      ? (first.others ?? second.others)
      : intersect(first.others, second.others);
  const isClosed =
    first.extras === "closed" ||
    second.extras === "closed" ||
    (others !== undefined && isNever(others));
  return {
    kind: "object",
    bases: [...new Set([...first.bases, ...second.bases])],
    properties,
    extras: isClosed ? "closed" : "open",
    ...(others === undefined || isClosed ? {} : { others }),
    ...(first.matching === undefined && second.matching === undefined
      ? {}
      : { matching: [...(first.matching ?? []), ...(second.matching ?? [])] }),
  };
}

/** Returns the type of an object's unnamed properties, or undefined if it is not constrained. */
function othersOf({ extras, others }: ObjectType): Type | undefined {
  return extras === "closed" ? never : others;
}

function mergedProperty(
  first: Property | undefined,
  second: Property | undefined,
  intersect: (first: Type, second: Type) => Type,
): Property {
  if (first === undefined || second === undefined) return (first ?? second)!;
  if (isOnlyRequired(first)) return { ...second, required: true };
  if (isOnlyRequired(second)) return { ...first, required: true };
  const type =
    JSON.stringify(first.type) === JSON.stringify(second.type)
      ? second.type
      : intersect(first.type, second.type);
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
function accepts(type: Type, value: string | number | boolean): boolean {
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
  const format = a.format ?? b.format;
  return withChecks(
    {
      kind: "string",
      ...(format === undefined ? {} : { format }),
      ...(least === 0 ? {} : { minLength: least }),
      ...(most === Infinity ? {} : { maxLength: most }),
      ...(pattern === undefined ? {} : { pattern }),
    },
    others.map((each) => ({ kind: "pattern", pattern: each })),
  );
}

function intersectNumbers(a: NumericType, b: NumericType): Type {
  const minimum = Math.max(a.minimum ?? -Infinity, b.minimum ?? -Infinity);
  const maximum = Math.min(a.maximum ?? Infinity, b.maximum ?? Infinity);
  const isInteger = a.kind === "integer" || b.kind === "integer";
  const [least, most] = isInteger ? [Math.ceil(minimum), Math.floor(maximum)] : [minimum, maximum];
  if (least > most) return never;
  const format = a.format ?? b.format;
  return {
    kind: isInteger ? "integer" : "number",
    ...(format === undefined ? {} : { format }),
    ...(least === -Infinity ? {} : { minimum: least }),
    ...(most === Infinity ? {} : { maximum: most }),
  };
}
