import { setField } from "../../runtime/base/own-fields.js";
import { InputError } from "../../generator/base/input-error.js";
import { orderByReference } from "../../generator/model/reference-order.js";
import type { ArrayType, Json, ObjectType, StringType, Type } from "../../generator/model/types.js";
import type { TypeLookup } from "./type-lookup.js";

/** Maximum length of an example's JSON, in characters. Nobody could read a longer one. */
const maxLength = 1_000_000;

/** Provides the smallest values of a version's types. */
interface WithSmallest {
  readonly smallest: SmallestValues;
}

/**
 * Returns the value with the shortest JSON that a type accepts, without optional properties, or
 * undefined if the type has no values.
 *
 * @throws InputError `ERR_TOO_LARGE` if the JSON is longer than 1,000,000 characters.
 */
export function smallestValue(side: WithSmallest, type: Type): Json | undefined {
  return side.smallest.of(type);
}

/**
 * Returns the smallest object of a type, or `{}` if the type has no values. The caller may modify
 * the object.
 */
export function smallestObject(side: WithSmallest, type: ObjectType): { [name: string]: Json } {
  return (smallestValue(side, type) ?? {}) as { [name: string]: Json };
}

/** Returns the value with the shortest JSON. If there is a tie, the first one wins. */
export function leastJson(values: readonly Json[]): Json | undefined {
  let least: Json | undefined;
  let length = Infinity;
  for (const value of values) {
    const size = jsonLength(value);
    if (size < length) [least, length] = [value, size];
  }
  return least;
}

/**
 * Builds the smallest values of types. Lengths are determined first, because values can get huge:
 * they double in size with each level if each definition requires the next one twice.
 */
export class SmallestValues {
  readonly #side: TypeLookup;
  /**
   * Length of each definition's smallest value as JSON, or infinity if the definition has no
   * values.
   */
  readonly #lengths: ReadonlyMap<string, number>;

  readonly #hasBounds: boolean;
  /**
   * Whether a length was needed before it was known, in which case the lengths must be computed
   * again.
   */
  #hasGuessed = false;

  /** @param hasBounds Whether to respect minimum array lengths. Default: true. */
  constructor(side: TypeLookup, hasBounds = true) {
    this.#side = side;
    this.#hasBounds = hasBounds;
    const lengths = new Map<string, number>();
    this.#lengths = lengths;
    const types = [...side.definitions.values()].map((each) => ({
      ...each,
      type: side.typeOf(each.name),
    }));
    const { names } = orderByReference(types);
    const settle = (): boolean => {
      let isSettled = true;
      for (const name of names) {
        const length = this.#length(side.typeOf(name));
        if (length >= (lengths.get(name) ?? Infinity)) continue;
        lengths.set(name, length);
        isSettled = false;
      }
      return isSettled;
    };
    settle();
    // A recursive type has values only if one of its alternatives ends the recursion. Repeat until
    // the lengths stop getting shorter.
    if (this.#hasGuessed) while (!settle());
  }

  isInhabited(type: Type): boolean {
    return this.#length(type) !== Infinity;
  }

  of(type: Type): Json | undefined {
    const length = this.#length(type);
    if (length === Infinity) return undefined;
    if (length > maxLength)
      throw new InputError(
        "ERR_TOO_LARGE",
        `Cannot show an example that is ${length} characters long: the limit is ${maxLength}`,
        {},
        "Check for definitions that require each other in several properties, or for a large minimum length",
      );
    return this.#build(type);
  }

  #length(type: Type): number {
    switch (type.kind) {
      case "string":
        return type.pattern === undefined
          ? (type.minLength ?? 0) + 2
          : jsonLength(smallestText(type));
      case "array": {
        const least = this.#hasBounds ? (type.minItems ?? 0) : 0;
        if (least === 0) return 2;
        const { first = [] } = type;
        const others = Math.max(0, least - first.length);
        const lengths = first.slice(0, least).map((item) => this.#length(item) + 1);
        if (others > 0) lengths.push(others * (this.#length(type.items) + 1));
        return lengths.reduce((sum, length) => sum + length, 1);
      }
      case "object": {
        let length = 2;
        for (const { name, type: part, required } of this.#side.propertiesOf(type))
          if (required) length += (length > 2 ? 1 : 0) + jsonLength(name) + 1 + this.#length(part);
        return length;
      }
      case "union":
        return Math.min(...type.members.map((member) => this.#length(member)));
      case "reference":
        return this.#lengthOf(type.name);
      default: {
        const value = plainValue(type);
        return value === undefined ? Infinity : jsonLength(value);
      }
    }
  }

  #lengthOf(name: string): number {
    const length = this.#lengths.get(name);
    if (length === undefined) this.#hasGuessed = true;
    return length ?? Infinity;
  }

  #buildList({ minItems = 0, first = [], items }: ArrayType): Json {
    const list = first.slice(0, minItems).map((item) => this.#build(item));
    const others = minItems - list.length;
    return others === 0 ? list : [...list, ...Array<Json>(others).fill(this.#build(items))];
  }

  #build(type: Type): Json {
    switch (type.kind) {
      case "string":
        return smallestText(type);
      case "array":
        return this.#buildList(type);
      case "object": {
        const value: { [name: string]: Json } = {};
        for (const { name, type: part } of this.#required(type))
          setField(value, name, this.#build(part));
        return value;
      }
      case "union":
      case "reference":
        return this.#build(this.#alternative(type, new Set())!);
      default:
        return plainValue(type)!;
    }
  }

  /**
   * Returns the first alternative whose smallest value is as short as the whole type's. Unions that
   * have already been visited are skipped, so that the recursion ends.
   */
  #alternative(type: Type, passed: Set<Type>): Type | undefined {
    if (type.kind !== "union" && type.kind !== "reference") return type;
    const resolved = this.#side.resolve(type);
    if (resolved.kind !== "union") return resolved;
    if (passed.has(resolved)) return undefined;
    passed.add(resolved);
    const length = this.#length(resolved);
    for (const member of resolved.members) {
      if (this.#length(member) !== length) continue;
      const found = this.#alternative(member, passed);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #required(type: ObjectType): readonly { readonly name: string; readonly type: Type }[] {
    return this.#side.propertiesOf(type).filter(({ required }) => required);
  }
}

/** Returns the smallest value of a type without parts. */
function plainValue(type: Type): Json | undefined {
  switch (type.kind) {
    case "boolean":
      return false;
    case "integer":
    case "number": {
      const { minimum = -Infinity, maximum = Infinity } = type;
      return minimum <= 0 && maximum >= 0 ? 0 : minimum > 0 ? minimum : maximum;
    }
    case "literal":
      return type.value;
    case "enum":
      return type.values[0]?.value;
    case "map":
      return {};
    default:
      return null;
  }
}

function jsonLength(value: Json): number {
  return JSON.stringify(value).length;
}

/**
 * Maximum length of a string to match against a pattern, in UTF-16 code units. Some patterns take
 * twice as long for each additional character.
 */
const maxMatched = 16;

/** Strings to try for a pattern, simplest first. Between them, they match many patterns. */
const simple = [
  "",
  "x",
  "a",
  "A",
  "0",
  "1",
  "a0",
  "A0",
  "-1",
  "0x0",
  "#000000",
  "a-b",
  "a_b",
  "a.b",
  "a:b",
  "/",
  "/a",
  "a/b",
  "1.0",
  "1.0.0",
  "v1.0.0",
  "12:00",
  "12:00:00",
  "2000-01-01",
  "a@b.cd",
  "http://a.b",
  "https://a.b",
  "text/plain",
  "en-US",
];

const expressions = new Map<string, RegExp>();

/**
 * Returns whether a string matches a pattern. Long strings are assumed to match without being
 * checked.
 */
export function isMatching(pattern: string | undefined, text: string): boolean {
  if (pattern === undefined || text.length > maxMatched) return true;
  let expression = expressions.get(pattern);
  if (expression === undefined) expressions.set(pattern, (expression = new RegExp(pattern, "u")));
  return expression.test(text);
}

/**
 * Returns a short string of a type. If none of the known strings matches the pattern, the result is
 * a string of the minimum length.
 */
function smallestText({ minLength = 0, maxLength = Infinity, pattern }: StringType): string {
  const least = "x".repeat(minLength);
  if (pattern === undefined || minLength > maxMatched || isMatching(pattern, least)) return least;
  const found = simple.find(
    (text) => text.length >= minLength && text.length <= maxLength && isMatching(pattern, text),
  );
  return found ?? least;
}

/** Returns the known strings that match a type's pattern. */
export function matchingTexts({
  minLength = 0,
  maxLength = Infinity,
  pattern,
}: StringType): readonly string[] {
  if (pattern === undefined) return [];
  return simple.filter(
    (text) => text.length >= minLength && text.length <= maxLength && isMatching(pattern, text),
  );
}
