import { isNever, never } from "../../model/type-checks.js";
import type {
  ArrayType,
  Check,
  EnumType,
  NumericType,
  StringType,
  Type,
} from "../../model/types.js";
import { isMultiple, compilePattern } from "../../../runtime/validation/value-checks.js";
import { hasCharacters } from "../../../runtime/protocol/message-fields.js";
import { isPlain, kindOf, objectOf } from "./plain-types.js";
import { formOf, kindsOf } from "./reference-forms.js";
import { meetObjects } from "./meet-objects.js";
import { unionOf, withChecks, type NodeContext } from "./schema-node.js";

/** Largest number of alternatives that the alternatives of two types are combined to. */
const maxCombined = 24;

/** Reads a definition with alternatives again, so that each of them can be extended. */
export type Alternatives = (name: string) => Type | undefined;

/** The type of the values that are of two types. What types cannot express is checked. */
export class TypeMeeting {
  readonly #context: NodeContext;
  readonly #alternatives: Alternatives;

  constructor(context: NodeContext, alternatives: Alternatives) {
    this.#context = context;
    this.#alternatives = alternatives;
  }

  meet(first: Type, second: Type): Type {
    if (isPlain(first) && kindOf(first) === kindOf(second)) return second;
    if (isPlain(second) && kindOf(first) === kindOf(second)) return first;
    const { checks: firstChecks = [], ...a } = first;
    const { checks: secondChecks = [], ...b } = second;
    const met = this.#structures(a as Type, b as Type);
    return isNever(met) ? never : withChecks(met, [...firstChecks, ...secondChecks]);
  }

  #structures(a: Type, b: Type): Type {
    if (a.kind === "any") return b;
    if (b.kind === "any") return a;
    if (a.kind === "reference") return this.#reference(a.name, a, b);
    if (b.kind === "reference") return this.#reference(b.name, b, a);
    if (a.kind === "union") return this.#union(a.members, b, (each) => this.meet(each, b), a);
    if (b.kind === "union") return this.#union(b.members, a, (each) => this.meet(a, each), b);
    if (kindOf(a) !== kindOf(b)) return never;
    if (a.kind === "literal" || a.kind === "enum") return withValues(a, b);
    if (b.kind === "literal" || b.kind === "enum") return withValues(b, a);
    if (a.kind === "string" && b.kind === "string") return meetStrings(a, b);
    if (a.kind === "array" && b.kind === "array") return this.#arrays(a, b);
    if (isNumeric(a) && isNumeric(b)) return meetNumbers(a, b);
    if (a.kind === "map" && b.kind === "map")
      return { ...a, values: this.meet(a.values, b.values) };
    const [object, other] = [objectOf(a), objectOf(b)];
    return object === undefined || other === undefined
      ? a
      : meetObjects(object, other, (one, two) => this.meet(one, two));
  }

  #union(
    members: readonly Type[],
    other: Type,
    meetMember: (member: Type) => Type,
    union: Type,
  ): Type {
    const others = other.kind === "union" ? other.members.length : 1;
    if (members.length * others > maxCombined ** 2) return also(union, other);
    const met = unionOf(members.map(meetMember).filter((each) => !isNever(each)));
    const count = met.kind === "union" ? met.members.length : 1;
    return count > Math.max(maxCombined, members.length, others) ? also(union, other) : met;
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
      if (members.length === 1) return this.meet(reference, members[0]!);
      if (members.every(isPlain)) return reference;
      return also(reference, { kind: "union", members });
    }
    const kind = kindOf(other)!;
    if (!kinds.has(kind)) return never;
    if (isPlain(other) && kinds.size === 1) return reference;
    const form = formOf(this.#context, name);
    if (other.kind === "object" && form === "object") {
      const base: Type = { kind: "object", bases: [name], properties: [], extras: "open" };
      return meetObjects(base, other, (one, two) => this.meet(one, two));
    }
    const extended =
      form === "alternatives" && other.kind === "object" ? this.#extended(name, other) : undefined;
    return extended ?? also(reference, other);
  }

  /** The alternatives of a definition, each extended by an object; undefined if one of them is no object. */
  #extended(name: string, by: Type): Type | undefined {
    const type = this.#alternatives(name);
    if (type?.kind !== "union" || type.members.length > maxCombined) return undefined;
    const isObject = (each: Type): boolean =>
      each.kind === "object" ||
      (each.kind === "reference" && formOf(this.#context, each.name) === "object");
    return type.members.every(isObject) ? this.meet(type, by) : undefined;
  }

  #arrays(a: ArrayType, b: ArrayType): Type {
    const length = Math.max(a.first?.length ?? 0, b.first?.length ?? 0);
    const first = Array.from({ length }, (_, index) =>
      this.meet(a.first?.[index] ?? a.items, b.first?.[index] ?? b.items),
    );
    const least = Math.max(a.minItems ?? 0, b.minItems ?? 0);
    const most = Math.min(a.maxItems ?? Infinity, b.maxItems ?? Infinity);
    if (least > most || first.slice(0, least).some(isNever)) return never;
    return {
      kind: "array",
      ...(length === 0 ? {} : { first }),
      items: this.meet(a.items, b.items),
      ...(least === 0 ? {} : { minItems: least }),
      ...(most === Infinity ? {} : { maxItems: most }),
    };
  }
}

/** A type whose values are of another one, too, which only validators know. */
function also(type: Type, other: Type): Type {
  return withChecks(type, [{ kind: "also", type: other }]);
}

function isNumeric(type: Type): type is NumericType {
  return type.kind === "integer" || type.kind === "number";
}

/** The listed values that are of another type. */
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

/** Whether all texts or all numbers are of a type. */
function isUnbounded(type: Type): boolean {
  if (type.kind === "number") return type.minimum === undefined && type.maximum === undefined;
  if (type.kind !== "string") return false;
  const { minLength, maxLength, pattern } = type;
  return [minLength, maxLength, pattern].every((each) => each === undefined);
}

/** Whether a primitive value is of a type without parts. */
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

/** Whether a value passes a check; true if that is not certain. */
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

function meetStrings(a: StringType, b: StringType): Type {
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

function meetNumbers(a: NumericType, b: NumericType): Type {
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
