import type {
  ArrayType,
  EnumType,
  EnumValue,
  NumericType,
  StringType,
  Type,
} from "../../generator/model/types.js";

/** A type that is not a reference. */
export type Resolved = Exclude<Type, { kind: "reference" }>;

/**
 * An alternative of a union or of a union nested in it. If the alternative is a definition, `type`
 * is a reference to it.
 */
export interface Alternative {
  readonly type: Type;
  readonly resolved: Exclude<Resolved, { kind: "union" }>;
}

/** The kinds of JSON values, except null. */
export type JsonKind = "boolean" | "text" | "number" | "list" | "object";

/**
 * The values that a type accepts, by kind, regardless of how the schema expresses the type.
 *
 * If possible, the part for a kind is a single type: all listed values form one enum, leaving out
 * those that another part already contains. Otherwise, it is a union.
 */
export interface TypeForm {
  readonly any: boolean;
  readonly null: boolean;
  readonly parts: ReadonlyMap<JsonKind, Type>;
}

/** Determines the form of a type from its alternatives. */
export function readForm(alternatives: readonly Alternative[]): TypeForm {
  if (alternatives.length === 1) return formOfOne(alternatives[0]!);
  const alternativesOf = (kind: JsonKind): readonly Alternative[] =>
    alternatives.filter((each) => kindOf(each.resolved) === kind);
  const parts = new Map<JsonKind, Type>();
  const add = (kind: JsonKind, part: Type | undefined): void => {
    if (part !== undefined) parts.set(kind, part);
  };
  const primitives = (kind: JsonKind): readonly Resolved[] =>
    alternativesOf(kind).map(({ resolved }) => resolved);
  add("boolean", booleanPart(primitives("boolean")));
  add("text", primitivePart(primitives("text"), holdsText));
  add("number", primitivePart(primitives("number"), holdsNumber));
  add("list", listPart(primitives("list")));
  add("object", unionOf(alternativesOf("object").map((each) => each.type)));
  return {
    any: alternatives.some(({ resolved }) => resolved.kind === "any"),
    null: alternatives.some(({ resolved }) => resolved.kind === "null"),
    parts,
  };
}

function formOfOne({ type, resolved }: Alternative): TypeForm {
  const kind = kindOf(resolved);
  return {
    any: resolved.kind === "any",
    null: resolved.kind === "null",
    parts: new Map(kind === undefined ? [] : [[kind, kind === "object" ? type : resolved]]),
  };
}

/**
 * Returns the kind of a type's values, or undefined for null and for a type that accepts any value.
 */
function kindOf(type: Resolved): JsonKind | undefined {
  switch (type.kind) {
    case "boolean":
      return "boolean";
    case "string":
      return "text";
    case "integer":
    case "number":
      return "number";
    case "literal":
      return kindOfValue(type.value);
    case "enum":
      return kindOfValue(type.values[0]?.value ?? "");
    case "array":
      return "list";
    case "object":
    case "map":
      return "object";
    default:
      return undefined;
  }
}

function kindOfValue(value: string | number | boolean): JsonKind {
  return typeof value === "string" ? "text" : typeof value === "number" ? "number" : "boolean";
}

function booleanPart(types: readonly Resolved[]): Type | undefined {
  const values = new Set(types.map((type) => (type.kind === "literal" ? type.value : undefined)));
  return values.size > 1 || values.has(undefined) ? { kind: "boolean" } : types[0];
}

/**
 * Combines the string types or the numeric types in a union. The result contains the ranges that
 * are not part of another range, and the listed values that lie outside these ranges.
 */
function primitivePart(
  types: readonly Resolved[],
  holds: (range: StringType | NumericType, other: Resolved) => boolean,
): Type | undefined {
  if (types.length <= 1) return types[0];
  const ranges = types.filter(
    (type): type is StringType | NumericType =>
      type.kind === "string" || type.kind === "integer" || type.kind === "number",
  );
  const widest = ranges.filter(
    (range, index) =>
      !ranges.some(
        (other, place) =>
          place !== index && holds(other, range) && (!holds(range, other) || place < index),
      ),
  );
  const lists = types.flatMap((type): readonly EnumType[] => listOf(type));
  const isOpen = lists.some(({ open }) => open);
  const values = new Map<string | number, EnumValue>();
  for (const list of lists)
    for (const value of list.values)
      if (!values.has(value.value) && !widest.some((range) => holds(range, literal(value.value))))
        values.set(value.value, value);
  // An open enum accepts any value. Keep all of its listed values, because a strict reader accepts
  // only those and the ranges.
  if (isOpen && !widest.some(isUnbounded)) {
    const all = new Map(lists.flatMap((list) => list.values.map((each) => [each.value, each])));
    return unionOf([...widest, { kind: "enum", open: true, values: [...all.values()] }]);
  }
  const [only] = values.values();
  const listed: Type | undefined =
    only === undefined
      ? undefined
      : values.size === 1
        ? literal(only.value)
        : { kind: "enum", open: false, values: [...values.values()] };
  return unionOf([...widest, ...(listed === undefined ? [] : [listed])]);
}

function literal(value: string | number): Resolved & { kind: "literal" } {
  return { kind: "literal", value };
}

function listOf(type: Resolved): readonly EnumType[] {
  if (type.kind === "enum") return [type];
  if (type.kind !== "literal" || typeof type.value === "boolean") return [];
  return [{ kind: "enum", open: false, values: [{ value: type.value }] }];
}

/** Returns whether a type accepts all strings or all numbers. */
export function isUnbounded(type: Type): boolean {
  return type.kind === "string"
    ? (type.minLength ?? 0) === 0 && type.maxLength === undefined && type.pattern === undefined
    : type.kind === "number" && type.minimum === undefined && type.maximum === undefined;
}

function holdsText(range: StringType | NumericType, other: Resolved): boolean {
  if (range.kind !== "string") return false;
  const { minLength: least = 0, maxLength: most = Infinity, pattern } = range;
  if (other.kind === "string")
    return (
      (pattern === undefined || other.pattern === pattern) &&
      (other.minLength ?? 0) >= least &&
      (other.maxLength ?? Infinity) <= most
    );
  if (other.kind !== "literal" || typeof other.value !== "string") return false;
  const { length } = [...other.value];
  return pattern === undefined && length >= least && length <= most;
}

function holdsNumber(range: StringType | NumericType, other: Resolved): boolean {
  if (range.kind === "string") return false;
  const { minimum: least = -Infinity, maximum: most = Infinity } = range;
  if (other.kind === "integer" || other.kind === "number")
    return (
      (range.kind === "number" || other.kind === "integer") &&
      (other.minimum ?? -Infinity) >= least &&
      (other.maximum ?? Infinity) <= most
    );
  if (other.kind !== "literal" || typeof other.value !== "number") return false;
  const isOfKind = range.kind === "number" || Number.isInteger(other.value);
  return isOfKind && other.value >= least && other.value <= most;
}

/** Combines the array types in a union, without duplicates. */
function listPart(types: readonly Resolved[]): Type | undefined {
  const lists = types.filter((type): type is ArrayType => type.kind === "array");
  const texts = lists.map((list) => JSON.stringify(list));
  return unionOf(lists.filter((_, index) => texts.indexOf(texts[index]!) === index));
}

function unionOf(members: readonly Type[]): Type | undefined {
  return members.length <= 1 ? members[0] : { kind: "union", members };
}
