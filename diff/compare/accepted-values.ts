import type { Json, ObjectType, Type } from "../../generator/model/types.js";
import { WorkBudget } from "./work-budget.js";
import { greatestLength, TypePairs } from "./structure.js";
import { itemTypeAt } from "../../generator/model/type-checks.js";
import { isMatching } from "./sample-texts.js";
import type { Side } from "./side.js";

/** How strictly a reader checks the values that it reads. */
export interface Reading {
  /** Whether the reader rejects properties that an object's schema does not declare. */
  readonly closesObjects: boolean;
  /** Whether the reader treats open enums as closed, accepting only the listed values. */
  readonly closesLists: boolean;
  /** Whether the reader enforces ranges and lengths. */
  readonly enforcesBounds: boolean;
  /** Whether the reader accepts fractions where integers are expected. */
  readonly readsFractions?: boolean;
  /**
   * Whether the reader copes with an unexpected value by dropping only the part that contains it.
   * Such a value is an unlisted value of the same primitive type, a fraction instead of an integer,
   * an unknown property of a closed object, or an alternative with an unknown discriminator.
   */
  readonly forgives: boolean;
}

/**
 * The kinds of readers, from the strictest to the most tolerant. Three of them show how a value
 * affects a tolerant reader: `forgiving` rejects values that break it, `exact` also rejects values
 * that degrade it, and `attentive` also rejects values that it would partly ignore. `fractional`
 * is `exact`, but has no integers, like TypeScript.
 */
export const readings = {
  strict: { closesObjects: true, closesLists: true, enforcesBounds: true, forgives: false },
  schema: { closesObjects: false, closesLists: false, enforcesBounds: true, forgives: false },
  attentive: { closesObjects: true, closesLists: false, enforcesBounds: false, forgives: false },
  exact: { closesObjects: false, closesLists: false, enforcesBounds: false, forgives: false },
  fractional: {
    closesObjects: false,
    closesLists: false,
    enforcesBounds: false,
    forgives: false,
    readsFractions: true,
  },
  forgiving: { closesObjects: false, closesLists: false, enforcesBounds: false, forgives: true },
} as const satisfies Readonly<Record<string, Reading>>;

export type ReadingName = keyof typeof readings;

type Fields = { readonly [name: string]: Json };

/**
 * Determines which values a reader accepts. Verdicts on arrays and objects are cached, so that
 * alternatives that differ only deep inside are not checked over and over.
 */
export class AcceptedValues {
  readonly #side: Side;
  readonly #reading: Reading;
  readonly #budget: WorkBudget;
  readonly #ownName: string | undefined;
  readonly #verdicts = new TypePairs<boolean>();

  /**
   * @param ownName Name of a property that a writer may add to open objects even though no schema
   * defines it.
   */
  constructor(side: Side, reading: Reading, budget = new WorkBudget(), ownName?: string) {
    this.#side = side;
    this.#reading = reading;
    this.#budget = budget;
    this.#ownName = ownName;
  }

  /**
   * Returns whether the reader accepts a value.
   * @param value Must not be modified after the call, because the verdict on it is cached.
   */
  has(type: Type, value: Json): boolean {
    this.#budget.spend();
    if (type.kind === "union" || type.kind === "reference") {
      const discriminated = this.#hasDiscriminated(type, value);
      if (discriminated !== undefined) return discriminated;
      return this.#side.alternativesOf(type).some((each) => this.has(each, value));
    }
    if (typeof value !== "object" || value === null || type.kind === "any")
      return isAcceptedPlain(type, value, this.#reading);
    let verdict = this.#verdicts.get(value, type);
    if (verdict === undefined)
      this.#verdicts.set(value, type, (verdict = this.#hasParts(type, value)));
    return verdict;
  }

  /**
   * Returns whether a forgiving reader accepts an object based on its discriminator: either the
   * alternative that the discriminator selects accepts the object, or the discriminator selects
   * none. Returns undefined for other readers, and for values without a discriminator.
   */
  #hasDiscriminated(type: Type, value: Json): boolean | undefined {
    if (!this.#reading.forgives || typeof value !== "object" || value === null || isList(value))
      return undefined;
    const discriminator = this.#side.discriminatorOf(type);
    if (discriminator === undefined || !Object.hasOwn(value, discriminator.name)) return undefined;
    const objects = discriminator.objects.get((value as Fields)[discriminator.name]);
    return objects === undefined || objects.some((each) => this.has(each, value));
  }

  #hasParts(type: Type, value: object): boolean {
    if (isList(value))
      return (
        type.kind === "array" &&
        // A tuple's length is part of its type, so check it for every reader.
        ((!this.#reading.enforcesBounds && type.first === undefined) ||
          isWithin(value.length, type.minItems ?? 0, greatestLength(type))) &&
        value
          .slice(0, greatestLength(type))
          .every((item, index) => this.has(itemTypeAt(type, index), item))
      );
    const fields = value as Fields;
    if (type.kind === "map")
      return Object.values(fields).every((each) => this.has(type.values, each));
    return type.kind === "object" && this.#hasObject(type, fields);
  }

  #hasObject(type: ObjectType, value: Fields): boolean {
    const properties = this.#side.propertiesOf(type);
    const areAccepted = properties.every((property) =>
      Object.hasOwn(value, property.name)
        ? this.has(property.type, value[property.name]!)
        : !property.required,
    );
    if (!areAccepted) return false;
    const names = new Set(properties.map(({ name }) => name));
    const unnamed = [...this.#side.unnamedPartsOf(type)];
    const typesOf = (name: string): readonly Type[] => {
      const matching = unnamed.filter(([pattern]) => pattern !== "" && isMatching(pattern, name));
      return (matching.length > 0 ? matching : unnamed.filter(([pattern]) => pattern === "")).map(
        ([, each]) => each.type,
      );
    };
    if (
      unnamed.length > 0 &&
      !Object.entries(value).every(
        ([name, each]) => names.has(name) || typesOf(name).every((part) => this.has(part, each)),
      )
    )
      return false;
    if (!closes(this.#reading, type, properties.length)) return true;
    return Object.keys(value).every(
      (name) => names.has(name) || (type.extras === "open" && name === this.#ownName),
    );
  }
}

/**
 * Returns whether a reader rejects unknown properties in an object.
 *
 * @param properties Number of properties that the object declares.
 */
export function closes(reading: Reading, { extras }: ObjectType, properties: number): boolean {
  if (reading.forgives) return false;
  // An object type that declares no properties accepts any property.
  return extras === "closed" || (reading.closesObjects && properties > 0);
}

function isAcceptedPlain(type: Type, value: Json, reading: Reading): boolean {
  const { closesLists, enforcesBounds, forgives, readsFractions = forgives } = reading;
  switch (type.kind) {
    case "any":
      return true;
    case "null":
      return value === null;
    case "boolean":
      return typeof value === "boolean";
    case "string":
      return (
        typeof value === "string" &&
        (!enforcesBounds ||
          (isWithin([...value].length, type.minLength ?? 0, type.maxLength ?? Infinity) &&
            isMatching(type.pattern, value)))
      );
    case "integer":
    case "number":
      return (
        typeof value === "number" &&
        (type.kind === "number" || readsFractions || Number.isInteger(value)) &&
        (!enforcesBounds || isWithin(value, type.minimum ?? -Infinity, type.maximum ?? Infinity))
      );
    case "literal":
      return forgives ? typeof value === typeof type.value : value === type.value;
    case "enum":
      return forgives || (type.open && !closesLists)
        ? type.values.some((each) => typeof each.value === typeof value)
        : type.values.some((each) => each.value === value);
    default:
      return false;
  }
}

function isList(value: object): value is readonly Json[] {
  return Array.isArray(value);
}

function isWithin(value: number, least: number, greatest: number): boolean {
  return value >= least && value <= greatest;
}
