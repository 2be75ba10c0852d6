import type {
  ArrayType,
  EnumType,
  Json,
  MapType,
  NumericType,
  ObjectType,
  Property,
  Type,
  UnionType,
} from "../../generator/model/types.js";
import { setField } from "../../runtime/base/own-fields.js";
import { AcceptedValues, closes, type Reading, readings } from "./accepted-values.js";
import { WorkBudget } from "./work-budget.js";
import type { Side } from "./side.js";
import { type Resolved } from "./type-form.js";
import {
  greatestLength,
  hasParts,
  isAnyItem,
  isSameList,
  itemIndexes,
  TypePairs,
} from "./structure.js";
import { itemTypeAt, itemTypes } from "../../generator/model/type-checks.js";
import { leastJson, smallestObject, smallestValue } from "./side.js";
import { freeNameLike, isMatching, matchingTexts } from "./sample-texts.js";

/** Maximum number of objects to try when looking for one that no alternative accepts. */
const maxCombinations = 256;

/**
 * Maximum number of the reader's property names to try as keys. Also the maximum number of items to
 * try in arrays.
 */
const maxNames = 8;

/** Maximum length of the arrays to try. */
const maxItems = 10_000;

/** A union of all kinds of values, which replaces the type `any` in searches. */
const anything: UnionType = {
  kind: "union",
  members: [
    { kind: "null" },
    { kind: "boolean" },
    { kind: "number" },
    { kind: "string" },
    { kind: "array", items: { kind: "any" } },
    { kind: "map", values: { kind: "any" } },
  ],
};

type Fields = { [name: string]: Json };

/**
 * Determines whether one version accepts everything that the other may write: closed(writer) ⊆
 * reading(reader).
 *
 * A writer uses only property names that it knows, but may write values that an open enum does not
 * list. The result is a small value that the writer may write but the reader rejects, if there is
 * one.
 *
 * Results for pairs of types are cached. A pair that contains itself counts as compatible, and the
 * search is repeated until the results no longer change. This finds every counterexample of finite
 * size.
 */
export class Variance {
  readonly #writer: Side;
  readonly #reader: Side;
  readonly #reading: Reading;
  readonly #budget: WorkBudget;
  readonly #accepted: AcceptedValues;
  readonly #unions: Unions;
  /** Name of a property that a writer adds to open objects. Neither version declares it. */
  readonly #ownName: string;
  /** Values that the writer may write but the reader rejects, by pair of types. */
  readonly #counterexamples = new TypePairs<Json>();
  #visited = new TypePairs<true>();
  #changed = false;

  /**
   * @param reading Which values the reader accepts. Default: those that its schema accepts.
   * @param budget Limits the cost. It is shared by all comparisons of the same two versions.
   */
  constructor(
    writer: Side,
    reader: Side,
    reading: Reading = readings.schema,
    budget = new WorkBudget(),
  ) {
    this.#writer = writer;
    this.#reader = reader;
    this.#reading = reading;
    this.#budget = budget;
    this.#ownName = freeName([...writer.names(), ...reader.names()]);
    this.#accepted = new AcceptedValues(reader, reading, budget, this.#ownName);
    this.#unions = new Unions(reader);
  }

  /** Returns a value that `writerType` allows and `readerType` rejects, or undefined if there is none. */
  counterexample(writerType: Type, readerType: Type): Json | undefined {
    for (;;) {
      this.#changed = false;
      this.#visited = new TypePairs();
      const value = this.#search(writerType, readerType);
      if (!this.#changed) return value;
    }
  }

  #search(written: Type, read: Type): Json | undefined {
    this.#budget.spend();
    const [resolved, readerType] = [this.#writer.resolve(written), this.#reader.resolve(read)];
    const writerType = resolved.kind === "any" ? anything : resolved;
    if (!hasParts(writerType) && !hasParts(readerType))
      return this.#compare(writerType, readerType);
    const counterexample = this.#counterexamples.get(writerType, readerType);
    if (counterexample !== undefined) return counterexample;
    if (this.#visited.get(writerType, readerType) === true) return undefined;
    this.#visited.set(writerType, readerType, true);
    const value = this.#compare(writerType, readerType);
    if (value !== undefined) {
      this.#counterexamples.set(writerType, readerType, value);
      this.#changed = true;
    }
    return value;
  }

  #compare(writerType: Resolved, readerType: Resolved): Json | undefined {
    if (readerType.kind === "any") return undefined;
    if (writerType.kind === "union")
      return leastJson(
        writerType.members.flatMap((member) => listed(this.#search(member, readerType))),
      );
    if (readerType.kind === "union") return this.#compareToUnion(writerType, readerType);
    if (writerType.kind === "array" && readerType.kind === "array")
      return this.#compareLists(writerType, readerType);
    if (writerType.kind === "map" && readerType.kind === "map") {
      const value = this.#search(writerType.values, readerType.values);
      return value === undefined ? undefined : { key: value };
    }
    if (writerType.kind === "object" && readerType.kind === "object")
      return this.#compareObjects(writerType, readerType);
    if (writerType.kind === "object" && readerType.kind === "map")
      return this.#compareToMap(writerType, readerType);
    if (writerType.kind === "map" && readerType.kind === "object")
      return this.#compareFromMap(writerType, readerType);
    // There is nothing to search for if the two enums accept the same values.
    if (
      writerType.kind === "enum" &&
      readerType.kind === "enum" &&
      isSameList(writerType, readerType)
    )
      return undefined;
    return this.#firstRejected(this.#samples(writerType, [readerType]), readerType);
  }

  #compareToUnion(writerType: Resolved, readerType: UnionType): Json | undefined {
    const alternatives = this.#reader.alternativesOf(readerType);
    // A forgiving reader uses only the alternative that the discriminator selects.
    const isChosen =
      this.#reading.forgives && this.#reader.discriminatorOf(readerType) !== undefined;
    const refused: Json[] = [];
    for (const alternative of alternatives) {
      const value = this.#search(writerType, alternative);
      if (value !== undefined) refused.push(value);
      else if (!isChosen || alternative.kind !== "object") return undefined;
    }
    // Try values that one alternative rejects, then values of other kinds, and finally combinations
    // of parts that different alternatives reject.
    const samples = this.#samples(writerType, alternatives);
    const value = this.#firstRejected([...samples, ...refused], readerType);
    if (value !== undefined) return value;
    return this.#firstRejected(this.#combinedValues(writerType, alternatives, refused), readerType);
  }

  #firstRejected(candidates: readonly Json[], readerType: Type): Json | undefined {
    return leastJson(candidates.filter((value) => !this.#accepted.has(readerType, value)));
  }

  #samples(writerType: Resolved, readerTypes: readonly Resolved[]): readonly Json[] {
    return hasParts(writerType)
      ? listed(smallestValue(this.#writer, writerType))
      : samplePrimitives(writerType, readerTypes);
  }

  #compareLists(writerType: ArrayType, readerType: ArrayType): Json | undefined {
    const least = writerType.minItems ?? 0;
    const most = Math.min(greatestLength(writerType), 10_000);
    const lengths = [least, (readerType.minItems ?? 0) - 1, greatestLength(readerType) + 1].filter(
      (length) => length >= least && length <= most,
    );
    const lists = lengths.flatMap((length) => listed(this.#smallestList(writerType, length)));
    const wrong = this.#firstRejected(lists, {
      kind: "array",
      items: { kind: "any" },
      first: readerType.first && [],
      minItems: readerType.minItems ?? 0,
      maxItems: greatestLength(readerType),
    });
    if (wrong !== undefined) return wrong;
    return leastJson(
      itemIndexes(writerType, readerType).flatMap((index): Json[] => {
        const value = this.#search(itemTypeAt(writerType, index), itemTypeAt(readerType, index));
        if (value === undefined) return [];
        if (isAnyItem(writerType, readerType)) return [Array<Json>(Math.max(1, least)).fill(value)];
        const list = this.#smallestList(writerType, Math.max(index + 1, least));
        return list === undefined
          ? []
          : [[...list.slice(0, index), value, ...list.slice(index + 1)]];
      }),
    );
  }

  /** Returns the smallest array of a given length, or undefined if an item's type has no values. */
  #smallestList(writerType: ArrayType, length: number): Json[] | undefined {
    const item = (index: number): Json | undefined =>
      smallestValue(this.#writer, itemTypeAt(writerType, index));
    const { first = [] } = writerType;
    const start = Array.from({ length: Math.min(length, first.length) }, (_, index) => item(index));
    const rest = length > start.length ? item(first.length) : null;
    const list = [...start, ...Array<Json | undefined>(length - start.length).fill(rest)];
    return list.every((each) => each !== undefined) ? list : undefined;
  }

  #compareObjects(writerType: ObjectType, readerType: ObjectType): Json | undefined {
    if (!this.#writer.isInhabited(writerType)) return undefined;
    const writes = new Map(this.#writer.propertiesOf(writerType).map((each) => [each.name, each]));
    const reads = this.#reader.propertiesOf(readerType);
    const rejected: Json[] = [];
    const least = (): Fields => smallestObject(this.#writer, writerType);
    for (const property of reads) {
      const writerProperty = writes.get(property.name);
      if (property.required && writerProperty?.required !== true) rejected.push(least());
      const value =
        writerProperty === undefined ? undefined : this.#search(writerProperty.type, property.type);
      if (value !== undefined) rejected.push(withField(least(), property.name, value));
    }
    const unnamed = this.#reader.unnamedPartsOf(readerType);
    for (const [pattern, { type }] of this.#writer.unnamedPartsOf(writerType)) {
      const readType = unnamed.get(pattern)?.type;
      const name = freeNameLike(pattern, [...writes.keys(), ...reads.map((each) => each.name)]);
      const value = readType === undefined ? undefined : this.#search(type, readType);
      if (name !== undefined && value !== undefined) rejected.push(withField(least(), name, value));
    }
    if (closes(this.#reading, readerType, reads.length)) {
      const names = new Set(reads.map(({ name }) => name));
      for (const property of writes.values()) {
        const value = names.has(property.name)
          ? undefined
          : smallestValue(this.#writer, property.type);
        if (value !== undefined) rejected.push(withField(least(), property.name, value));
      }
      if (readerType.extras === "closed" && writerType.extras === "open")
        rejected.push(withField(least(), this.#ownName, true));
    }
    return leastJson(rejected);
  }

  #compareToMap(writerType: ObjectType, readerType: MapType): Json | undefined {
    if (!this.#writer.isInhabited(writerType)) return undefined;
    return leastJson(
      this.#writer.propertiesOf(writerType).flatMap((property) => {
        const value = this.#search(property.type, readerType.values);
        return value === undefined
          ? []
          : [withField(smallestObject(this.#writer, writerType), property.name, value)];
      }),
    );
  }

  #compareFromMap(writerType: MapType, readerType: ObjectType): Json | undefined {
    const properties = this.#reader.propertiesOf(readerType);
    if (properties.some((property) => property.required)) return {};
    const rejected = properties.flatMap((property) => {
      const value = this.#search(writerType.values, property.type);
      return value === undefined ? [] : [withField({}, property.name, value)];
    });
    const value = smallestValue(this.#writer, writerType.values);
    if (value !== undefined && closes(this.#reading, readerType, properties.length))
      rejected.push(withField({}, freeKey(properties.map(({ name }) => name)), value));
    return leastJson(rejected);
  }

  /**
   * Returns values that combine parts, each of which is rejected by a different alternative.
   *
   * @param refused For each alternative, a value that it rejects.
   */
  #combinedValues(
    writerType: Resolved,
    alternatives: readonly Resolved[],
    refused: readonly Json[],
  ): readonly Json[] {
    if (writerType.kind === "array") return this.#combinedLists(writerType, alternatives, refused);
    if (writerType.kind === "map") {
      const named = alternatives.flatMap((each) =>
        each.kind === "object" ? this.#reader.propertiesOf(each).map(({ name }) => name) : [],
      );
      const names = new Set([...named.slice(0, maxNames), "key0", "key1"]);
      const properties = [...names].map((name) => optionalProperty(name, writerType.values));
      const object: ObjectType = { kind: "object", bases: [], extras: "open", properties };
      return this.#combinedObjects(object, alternatives);
    }
    return writerType.kind === "object" && this.#writer.isInhabited(writerType)
      ? this.#combinedObjects(writerType, alternatives)
      : [];
  }

  #combinedLists(
    writerType: ArrayType,
    alternatives: readonly Resolved[],
    refused: readonly Json[],
  ): readonly Json[] {
    const least = writerType.minItems ?? 0;
    const most = Math.min(writerType.maxItems ?? Infinity, maxItems);
    const items = distinct(
      refused.flatMap((each) => (Array.isArray(each) ? (each as Json[]) : [])),
    );
    // If all alternatives reject the same item, an array of that item is enough.
    const parts = alternatives.flatMap((each) => (each.kind === "array" ? itemTypes(each) : []));
    const [all] = listed(this.#search(writerType.items, this.#unions.of(parts)));
    const few =
      all !== undefined
        ? [all]
        : items.length > 0
          ? items
          : listed(smallestValue(this.#writer, writerType.items));
    const ends = alternatives.flatMap((each) =>
      each.kind === "array" ? [(each.minItems ?? 0) - 1, (each.maxItems ?? -1) + 1] : [],
    );
    const lengths = new Set([Math.min(Math.max(few.length, least), most), ...ends]);
    return [...lengths]
      .filter((length) => length >= Math.max(1, least) && length <= most && few.length > 0)
      .flatMap((length) => {
        const mixed = Array.from({ length }, (_, index) => few[index % few.length]!);
        return [mixed, ...few.slice(0, maxNames).map((item) => Array<Json>(length).fill(item))];
      });
  }

  #combinedObjects(writerType: ObjectType, alternatives: readonly Resolved[]): readonly Json[] {
    let combined: Fields[] = [{}];
    for (const { name, type, required } of this.#writer.propertiesOf(writerType)) {
      const values = this.#valuesOf(name, type, alternatives);
      const wide: (Json | undefined)[] = required ? [...values] : [undefined, ...values];
      const few = wide.slice(0, Math.max(1, Math.floor(maxCombinations / combined.length)));
      combined = combined.flatMap((object) =>
        few.map((value) => (value === undefined ? object : withField({ ...object }, name, value))),
      );
    }
    combined.push(this.#mostRefused(writerType, alternatives));
    const isClosed = alternatives.some(
      (each) => each.kind === "object" && each.extras === "closed",
    );
    if (writerType.extras === "closed" || !isClosed) return combined;
    return [
      ...combined,
      ...combined.map((object) => withField({ ...object }, this.#ownName, true)),
    ];
  }

  /**
   * Builds an object in which each property, where possible, has a value that at least one
   * alternative rejects.
   */
  #mostRefused(writerType: ObjectType, alternatives: readonly Resolved[]): Fields {
    const object: Fields = {};
    for (const { name, type, required } of this.#writer.propertiesOf(writerType)) {
      const [refused] = this.#typesOf(name, alternatives).flatMap((readerType) =>
        listed(this.#search(type, readerType)),
      );
      const value = refused ?? (required ? smallestValue(this.#writer, type) : undefined);
      if (value !== undefined) withField(object, name, value);
    }
    return object;
  }

  #typesOf(name: string, alternatives: readonly Resolved[]): readonly Type[] {
    return alternatives.flatMap((each) =>
      each.kind === "object"
        ? this.#reader
            .propertiesOf(each)
            .filter((property) => property.name === name)
            .map(({ type }) => type)
        : each.kind === "map"
          ? [each.values]
          : [],
    );
  }

  #valuesOf(name: string, type: Type, alternatives: readonly Resolved[]): readonly Json[] {
    const readerType = this.#typesOf(name, alternatives);
    const ends = readerType.flatMap((each) => this.#reader.alternativesOf(each));
    return distinct([
      ...listed(smallestValue(this.#writer, type)),
      ...readerType.flatMap((each) => listed(this.#search(type, each))),
      ...(readerType.length < 2 ? [] : listed(this.#search(type, this.#unions.of(readerType)))),
      ...this.#writer
        .alternativesOf(type)
        .flatMap((each) => [...this.#samples(each, ends)].slice(0, 16)),
    ]);
  }
}

function listed(value: Json | undefined): readonly Json[] {
  return value === undefined ? [] : [value];
}

function withField(object: Fields, name: string, value: Json): Fields {
  setField(object, name, value);
  return object;
}

function optionalProperty(name: string, type: Type): Property {
  return { name, type, required: false, pointer: "" };
}

function distinct(values: readonly Json[]): Json[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/**
 * Creates each union of a version's types only once, so that recursive types lead to a finite
 * number of unions.
 */
class Unions {
  readonly #side: Side;
  readonly #ids = new Map<Type, number>();
  readonly #unions = new Map<string, UnionType>();

  constructor(side: Side) {
    this.#side = side;
  }

  /** Returns the union of all alternatives of several types. */
  of(types: readonly Type[]): UnionType {
    const members = new Set<Type>();
    for (const type of types)
      for (const { resolved } of this.#side.membersOf(type)) members.add(resolved);
    const key = [...members]
      .map((member) => this.#idOf(member))
      .sort((a, b) => a - b)
      .join();
    let union = this.#unions.get(key);
    if (union === undefined)
      this.#unions.set(key, (union = { kind: "union", members: [...members] }));
    return union;
  }

  #idOf(type: Type): number {
    let id = this.#ids.get(type);
    if (id === undefined) this.#ids.set(type, (id = this.#ids.size));
    return id;
  }
}

/** Maximum length of a sample string. */
const longestText = 10_000;

/**
 * Returns values near the limits of a type without parts, and near the limits of a reader's types.
 */
function samplePrimitives(writerType: Resolved, readerTypes: readonly Resolved[]): readonly Json[] {
  switch (writerType.kind) {
    case "null":
      return [null];
    case "boolean":
      return [false, true];
    case "literal":
      return [writerType.value];
    case "string": {
      const most = Math.min(writerType.maxLength ?? longestText, longestText);
      const lengths = [writerType.minLength ?? 0, 1, ...readerTypes.flatMap(lengthsAround), most];
      const listed = listedIn(readerTypes);
      const texts = lengths
        .filter((length) => length >= (writerType.minLength ?? 0) && length <= most)
        .flatMap((length): readonly Json[] => textsOf(length, listed))
        .concat(listed.filter((value) => isWithin(value, writerType.minLength ?? 0, most)));
      if (writerType.pattern === undefined) return texts;
      const isOwn = (value: Json): boolean => isMatching(writerType.pattern, String(value));
      return [...texts.filter(isOwn), ...matchingTexts(writerType)];
    }
    case "integer":
    case "number":
      return numbersOf(writerType, readerTypes);
    case "enum":
      return [
        ...writerType.values.map(({ value }) => value),
        ...(writerType.open ? otherValues(writerType, listedIn(readerTypes)) : []),
        ...(writerType.open && typeof writerType.values[0]?.value === "string"
          ? otherTexts(writerType, readerTypes)
          : []),
      ];
    default:
      return [];
  }
}

function freeName(names: readonly Json[]): string {
  let name = "other";
  while (names.includes(name)) name += "_";
  return name;
}

function freeKey(names: readonly string[]): string {
  let name = "key";
  while (names.includes(name)) name += "_";
  return name;
}

/**
 * Returns the simplest string of a given length. If an enum lists that string, the result also
 * contains one that no enum lists.
 */
function textsOf(length: number, listed: readonly Json[]): readonly string[] {
  const text = "x".repeat(length);
  if (!listed.includes(text)) return [text];
  const other = [..."abcdefghijklmnopqrstuvwyz0123456789"]
    .map((character) => character.repeat(length))
    .find((each) => !listed.includes(each));
  return other === undefined ? [text] : [text, other];
}

function listedIn(types: readonly Resolved[]): readonly Json[] {
  return types.flatMap((each) =>
    each.kind === "literal"
      ? [each.value]
      : each.kind === "enum"
        ? each.values.map(({ value }) => value)
        : [],
  );
}

function isWithin(value: Json, least: number, most: number): boolean {
  if (typeof value !== "string") return false;
  const { length } = [...value];
  return length >= least && length <= most;
}

/**
 * Returns values that an open enum accepts although it may not list them: one that no enum lists,
 * and the ones that readers list.
 */
function otherValues({ values }: EnumType, listedByReader: readonly Json[]): readonly Json[] {
  const listed = [...values.map(({ value }) => value), ...listedByReader];
  const kind = typeof (values[0]?.value ?? "");
  const others = listedByReader.filter((value) => typeof value === kind);
  if (kind !== "number") return [freeName(listed), ...others];
  let value = 0;
  while (listed.includes(value)) value++;
  return [value, ...others];
}

/**
 * Returns strings that an open enum accepts, with lengths just outside the readers' limits. If
 * there are several reader types, strings of length 1 are included.
 */
function otherTexts({ values }: EnumType, readerTypes: readonly Resolved[]): readonly string[] {
  const listed = [...listedIn(readerTypes), ...values.map(({ value }) => value)];
  const lengths = [...(readerTypes.length > 1 ? [1] : []), ...readerTypes.flatMap(lengthsAround)];
  return lengths
    .filter((length) => length >= 0 && length <= longestText)
    .flatMap((length) => textsOf(length, listed));
}

function numbersOf(writerType: NumericType, readerTypes: readonly Resolved[]): readonly number[] {
  const { minimum = -Infinity, maximum = Infinity } = writerType;
  const listed = listedIn(readerTypes);
  // Finds the value nearest to a bound, just outside it, that no enum lists.
  const beyond = (bound: number, step: 1 | -1): number => {
    let value = bound + step;
    while (listed.includes(value)) value += step;
    return value;
  };
  const edges = readerTypes.flatMap((each) =>
    each.kind === "integer" || each.kind === "number"
      ? [
          beyond(each.minimum ?? Infinity, -1),
          beyond(each.maximum ?? -Infinity, 1),
          (each.minimum ?? Infinity) - 0.5,
          (each.maximum ?? -Infinity) + 0.5,
        ]
      : [],
  );
  let above = Math.max(0, Math.ceil(minimum));
  while (listed.includes(above)) above++;
  let below = Math.min(0, Math.floor(maximum));
  while (listed.includes(below)) below--;
  const numbers = listed.filter((value) => typeof value === "number");
  return [0, minimum, maximum, ...edges, minimum + 0.5, above, below, 0.5, ...numbers].filter(
    (value) =>
      Number.isFinite(value) &&
      value >= minimum &&
      value <= maximum &&
      (writerType.kind === "number" || Number.isInteger(value)),
  );
}

function lengthsAround(read: Resolved): readonly number[] {
  return read.kind === "string"
    ? [(read.minLength ?? 0) - 1, (read.maxLength ?? Infinity) + 1].filter(Number.isFinite)
    : [];
}
