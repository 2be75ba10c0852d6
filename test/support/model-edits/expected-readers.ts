import type { ArrayType, Type } from "../../../generator/model/types.js";
import {
  flatten,
  isOpen,
  isPossible,
  listedValues,
  type Constant,
  type PlainType,
  type Version,
} from "./versions.js";

/** How a value may affect a tolerant reader, from best to worst. */
export const verdicts = ["ok", "lost", "degraded", "rejected"] as const;
export type Verdict = (typeof verdicts)[number];

/**
 * Returns how a value affects a tolerant reader. Such a reader loses part of the value if it finds
 * an unlisted enum value, a fraction, an alternative with an unknown discriminator, or an unknown
 * field in a closed object. It does not check bounds, and ignores other unknown fields. `other` is
 * the field that the writer adds.
 *
 * @param takesOwn Whether a dictionary accepts that field regardless of the type of its values, and
 * whether an object without known fields accepts all fields. A comparison may assume either.
 */
export function readTolerantly(
  version: Version,
  type: Type,
  value: unknown,
  takesOwn = true,
): Verdict {
  return verdicts[new TolerantReader(version, takesOwn).rank(type, value)]!;
}

class TolerantReader {
  readonly #version: Version;
  readonly #takesOwn: boolean;

  constructor(version: Version, takesOwn: boolean) {
    this.#version = version;
    this.#takesOwn = takesOwn;
  }

  /** Returns the verdict's index in `verdicts`. */
  rank(type: Type, value: unknown): number {
    const alternatives = flatten(this.#version, type);
    const [first] = alternatives;
    if (alternatives.length === 1) return this.#rankPlain(first!, value);
    const chosen = chooseByField(this.#version, alternatives, value);
    if (chosen?.length === 0) return 2;
    return Math.min(3, ...(chosen ?? alternatives).map((each) => this.#rankPlain(each, value)));
  }

  #rankPlain(type: PlainType, value: unknown): number {
    switch (type.kind) {
      case "any":
        return 0;
      case "null":
        return value === null ? 0 : 3;
      case "boolean":
        return typeof value === "boolean" ? 0 : 3;
      case "string":
        return typeof value === "string" ? 0 : 3;
      case "integer":
      case "number":
        if (typeof value !== "number") return 3;
        return type.kind === "number" || Number.isInteger(value) ? 0 : 2;
      case "literal":
      case "enum": {
        const values = listedValues(type);
        if (typeof value !== typeof values[0]) return 3;
        return isOpen(type) || values.includes(value as Constant) ? 0 : 2;
      }
      case "array":
        if (!Array.isArray(value) || !isOfTuple(type, value)) return 3;
        return Math.max(
          0,
          ...value.map((item, index) => this.rank(type.first?.[index] ?? type.items, item)),
        );
      case "map":
        if (!isObject(value)) return 3;
        return Math.max(
          0,
          ...Object.entries(value).map(([name, each]) =>
            this.#takesOwn && this.#isOwn(name, each) ? 0 : this.rank(type.values, each),
          ),
        );
      case "object": {
        if (!isObject(value)) return 3;
        const properties = new Map(type.properties.map((each) => [each.name, each]));
        const isLacking = [...properties.values()].some(
          ({ name, required }) => required && !Object.hasOwn(value, name),
        );
        if (isLacking) return 3;
        return Math.max(
          0,
          ...Object.entries(value).map(([name, each]) => {
            const property = properties.get(name);
            if (property !== undefined) return this.rank(property.type, each);
            if (type.extras === "closed") return 2;
            const isAny = properties.size === 0 && this.#takesOwn;
            return this.#isOwn(name, each) || isAny ? 0 : 1;
          }),
        );
      }
    }
  }

  #isOwn(name: string, value: unknown): boolean {
    return name === "other" && value === true;
  }
}

/**
 * Returns whether an array's length is allowed if the type is a tuple. The length of other arrays is
 * not checked.
 */
function isOfTuple(
  { first, minItems = 0, maxItems = Infinity }: ArrayType,
  { length }: readonly unknown[],
): boolean {
  return first === undefined || (length >= minItems && length <= maxItems);
}

/**
 * Returns the objects selected by a value's discriminator. The result is empty if the
 * discriminator's value is unknown, and undefined if there is no discriminator.
 */
function chooseByField(
  version: Version,
  alternatives: readonly PlainType[],
  value: unknown,
): readonly PlainType[] | undefined {
  if (!isObject(value) || alternatives.some(({ kind }) => kind === "any")) return undefined;
  const objects = alternatives.filter(
    (each) => each.kind === "map" || (each.kind === "object" && isPossible(version, each)),
  );
  if (objects.length < 2) return undefined;
  const constants = objects.map((each) => constantsOf(version, each));
  const names = [...constants[0]!.keys()]
    .filter((name) => constants.every((each) => each.has(name)))
    .map((name): readonly [string, number] => [
      name,
      new Set(constants.map((each) => each.get(name))).size,
    ])
    .filter(([, count]) => count > 1)
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  const [name] = names[0] ?? [];
  if (name === undefined || !Object.hasOwn(value, name)) return undefined;
  return objects.filter((_, index) => constants[index]!.get(name) === value[name]);
}

function constantsOf(version: Version, type: PlainType): ReadonlyMap<string, Constant> {
  if (type.kind !== "object") return new Map();
  return new Map(
    type.properties.flatMap(({ name, required, type: part }) => {
      const [only, ...others] = flatten(version, part);
      if (!required || others.length > 0) return [];
      if ((only?.kind !== "literal" && only?.kind !== "enum") || isOpen(only)) return [];
      const values = listedValues(only);
      return values.length === 1 ? [[name, values[0]!] as const] : [];
    }),
  );
}

export function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
