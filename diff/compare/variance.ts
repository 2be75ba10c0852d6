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
import type { Resolved, Side } from "./side.js";
import {
  greatestLength,
  hasParts,
  isAnyItem,
  isSameList,
  itemIndexes,
  TypePairs,
} from "./structure.js";
import { itemTypeAt, itemTypes } from "../../generator/model/type-checks.js";
import {
  isMatching,
  leastJson,
  matchingTexts,
  smallestObject,
  smallestValue,
} from "./smallest-values.js";

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
  readonly #found = new TypePairs<Json>();
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
    this.#ownName = freeName([...writer.names, ...reader.names]);
    this.#accepted = new AcceptedValues(reader, reading, budget, this.#ownName);
    this.#unions = new Unions(reader);
  }

  /** Returns a value that `written` allows and `read` rejects, or undefined if there is none. */
  counterexample(written: Type, read: Type): Json | undefined {
    for (;;) {
      this.#changed = false;
      this.#visited = new TypePairs();
      const value = this.#search(written, read);
      if (!this.#changed) return value;
    }
  }

  #search(left: Type, right: Type): Json | undefined {
    this.#budget.spend();
    const [resolved, read] = [this.#writer.resolve(left), this.#reader.resolve(right)];
    const written = resolved.kind === "any" ? anything : resolved;
    if (!hasParts(written) && !hasParts(read)) return this.#compare(written, read);
    const known = this.#found.get(written, read);
    if (known !== undefined) return known;
    if (this.#visited.get(written, read) === true) return undefined;
    this.#visited.set(written, read, true);
    const value = this.#compare(written, read);
    if (value !== undefined) {
      this.#found.set(written, read, value);
      this.#changed = true;
    }
    return value;
  }

  #compare(written: Resolved, read: Resolved): Json | undefined {
    if (read.kind === "any") return undefined;
    if (written.kind === "union")
      return leastJson(written.members.flatMap((member) => listed(this.#search(member, read))));
    if (read.kind === "union") return this.#compareToUnion(written, read);
    if (written.kind === "array" && read.kind === "array") return this.#compareLists(written, read);
    if (written.kind === "map" && read.kind === "map") {
      const value = this.#search(written.values, read.values);
      return value === undefined ? undefined : { key: value };
    }
    if (written.kind === "object" && read.kind === "object")
      return this.#compareObjects(written, read);
    if (written.kind === "object" && read.kind === "map") return this.#compareToMap(written, read);
    if (written.kind === "map" && read.kind === "object")
      return this.#compareFromMap(written, read);
    // There is nothing to search for if the two enums accept the same values.
    if (written.kind === "enum" && read.kind === "enum" && isSameList(written, read))
      return undefined;
    return this.#firstRejected(this.#samples(written, [read]), read);
  }

  #compareToUnion(written: Resolved, read: UnionType): Json | undefined {
    const alternatives = this.#reader.alternativesOf(read);
    // A forgiving reader uses only the alternative that the discriminator selects.
    const isChosen = this.#reading.forgives && this.#reader.discriminatorOf(read) !== undefined;
    const refused: Json[] = [];
    for (const alternative of alternatives) {
      const value = this.#search(written, alternative);
      if (value !== undefined) refused.push(value);
      else if (!isChosen || alternative.kind !== "object") return undefined;
    }
    // Try values that one alternative rejects, then values of other kinds, and finally combinations
    // of parts that different alternatives reject.
    const samples = this.#samples(written, alternatives);
    const value = this.#firstRejected([...samples, ...refused], read);
    if (value !== undefined) return value;
    return this.#firstRejected(this.#combinedValues(written, alternatives, refused), read);
  }

  #firstRejected(candidates: readonly Json[], read: Type): Json | undefined {
    return leastJson(candidates.filter((value) => !this.#accepted.has(read, value)));
  }

  /** Returns values near the limits of the written type and of the reader's types. */
  #samples(written: Resolved, read: readonly Resolved[]): readonly Json[] {
    return hasParts(written)
      ? listed(smallestValue(this.#writer, written))
      : samplePrimitives(written, read);
  }

  #compareLists(written: ArrayType, read: ArrayType): Json | undefined {
    const least = written.minItems ?? 0;
    const most = Math.min(greatestLength(written), 10_000);
    const lengths = [least, (read.minItems ?? 0) - 1, greatestLength(read) + 1].filter(
      (length) => length >= least && length <= most,
    );
    const lists = lengths.flatMap((length) => listed(this.#smallestList(written, length)));
    const wrong = this.#firstRejected(lists, {
      kind: "array",
      items: { kind: "any" },
      ...(read.first === undefined ? {} : { first: [] }),
      minItems: read.minItems ?? 0,
      maxItems: greatestLength(read),
    });
    if (wrong !== undefined) return wrong;
    return leastJson(
      itemIndexes(written, read).flatMap((index): Json[] => {
        const value = this.#search(itemTypeAt(written, index), itemTypeAt(read, index));
        if (value === undefined) return [];
        if (isAnyItem(written, read)) return [Array<Json>(Math.max(1, least)).fill(value)];
        const list = this.#smallestList(written, Math.max(index + 1, least));
        return list === undefined
          ? []
          : [[...list.slice(0, index), value, ...list.slice(index + 1)]];
      }),
    );
  }

  /** Returns the smallest array of a given length, or undefined if an item's type has no values. */
  #smallestList(written: ArrayType, length: number): Json[] | undefined {
    const item = (index: number): Json | undefined =>
      smallestValue(this.#writer, itemTypeAt(written, index));
    const { first = [] } = written;
    const start = Array.from({ length: Math.min(length, first.length) }, (_, index) => item(index));
    const rest = length > start.length ? item(first.length) : null;
    const list = [...start, ...Array<Json | undefined>(length - start.length).fill(rest)];
    return list.every((each) => each !== undefined) ? list : undefined;
  }

  #compareObjects(written: ObjectType, read: ObjectType): Json | undefined {
    if (!this.#writer.isInhabited(written)) return undefined;
    const writes = new Map(this.#writer.propertiesOf(written).map((each) => [each.name, each]));
    const reads = this.#reader.propertiesOf(read);
    const found: Json[] = [];
    const least = (): Fields => smallestObject(this.#writer, written);
    for (const property of reads) {
      const own = writes.get(property.name);
      if (property.required && own?.required !== true) found.push(least());
      const value = own === undefined ? undefined : this.#search(own.type, property.type);
      if (value !== undefined) found.push(withField(least(), property.name, value));
    }
    if (closes(this.#reading, read, reads.length)) {
      const names = new Set(reads.map(({ name }) => name));
      for (const own of writes.values()) {
        const value = names.has(own.name) ? undefined : smallestValue(this.#writer, own.type);
        if (value !== undefined) found.push(withField(least(), own.name, value));
      }
      if (read.extras === "closed" && written.extras === "open")
        found.push(withField(least(), this.#ownName, true));
    }
    return leastJson(found);
  }

  #compareToMap(written: ObjectType, read: MapType): Json | undefined {
    if (!this.#writer.isInhabited(written)) return undefined;
    return leastJson(
      this.#writer.propertiesOf(written).flatMap((property) => {
        const value = this.#search(property.type, read.values);
        return value === undefined
          ? []
          : [withField(smallestObject(this.#writer, written), property.name, value)];
      }),
    );
  }

  #compareFromMap(written: MapType, read: ObjectType): Json | undefined {
    const properties = this.#reader.propertiesOf(read);
    if (properties.some((property) => property.required)) return {};
    const found = properties.flatMap((property) => {
      const value = this.#search(written.values, property.type);
      return value === undefined ? [] : [withField({}, property.name, value)];
    });
    const value = smallestValue(this.#writer, written.values);
    if (value !== undefined && closes(this.#reading, read, properties.length))
      found.push(withField({}, freeKey(properties.map(({ name }) => name)), value));
    return leastJson(found);
  }

  /**
   * Returns values that combine parts, each of which is rejected by a different alternative.
   *
   * @param refused For each alternative, a value that it rejects.
   */
  #combinedValues(
    written: Resolved,
    alternatives: readonly Resolved[],
    refused: readonly Json[],
  ): readonly Json[] {
    if (written.kind === "array") return this.#combinedLists(written, alternatives, refused);
    if (written.kind === "map") {
      const named = alternatives.flatMap((each) =>
        each.kind === "object" ? this.#reader.propertiesOf(each).map(({ name }) => name) : [],
      );
      const names = new Set([...named.slice(0, maxNames), "key0", "key1"]);
      const properties = [...names].map((name) => optionalProperty(name, written.values));
      const object: ObjectType = { kind: "object", bases: [], extras: "open", properties };
      return this.#combinedObjects(object, alternatives);
    }
    return written.kind === "object" && this.#writer.isInhabited(written)
      ? this.#combinedObjects(written, alternatives)
      : [];
  }

  /**
   * Builds arrays from rejected items. Each array is either just long enough to hold all of these
   * items, or just outside an alternative's length limits.
   */
  #combinedLists(
    written: ArrayType,
    alternatives: readonly Resolved[],
    refused: readonly Json[],
  ): readonly Json[] {
    const least = written.minItems ?? 0;
    const most = Math.min(written.maxItems ?? Infinity, maxItems);
    const items = distinct(
      refused.flatMap((each) => (Array.isArray(each) ? (each as Json[]) : [])),
    );
    // If all alternatives reject the same item, an array of that item is enough.
    const parts = alternatives.flatMap((each) => (each.kind === "array" ? itemTypes(each) : []));
    const [all] = listed(this.#search(written.items, this.#unions.of(parts)));
    const few =
      all !== undefined
        ? [all]
        : items.length > 0
          ? items
          : listed(smallestValue(this.#writer, written.items));
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

  #combinedObjects(written: ObjectType, alternatives: readonly Resolved[]): readonly Json[] {
    let combined: Fields[] = [{}];
    for (const { name, type, required } of this.#writer.propertiesOf(written)) {
      const values = this.#valuesOf(name, type, alternatives);
      const wide: (Json | undefined)[] = required ? [...values] : [undefined, ...values];
      const few = wide.slice(0, Math.max(1, Math.floor(maxCombinations / combined.length)));
      combined = combined.flatMap((object) =>
        few.map((value) => (value === undefined ? object : withField({ ...object }, name, value))),
      );
    }
    combined.push(this.#mostRefused(written, alternatives));
    const isClosed = alternatives.some(
      (each) => each.kind === "object" && each.extras === "closed",
    );
    if (written.extras === "closed" || !isClosed) return combined;
    return [
      ...combined,
      ...combined.map((object) => withField({ ...object }, this.#ownName, true)),
    ];
  }

  /**
   * Builds an object in which each property, where possible, has a value that at least one
   * alternative rejects.
   */
  #mostRefused(written: ObjectType, alternatives: readonly Resolved[]): Fields {
    const object: Fields = {};
    for (const { name, type, required } of this.#writer.propertiesOf(written)) {
      const [refused] = this.#typesOf(name, alternatives).flatMap((read) =>
        listed(this.#search(type, read)),
      );
      const value = refused ?? (required ? smallestValue(this.#writer, type) : undefined);
      if (value !== undefined) withField(object, name, value);
    }
    return object;
  }

  /** Returns the types that the alternatives declare for a property. */
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

  /**
   * Returns values to try for a property: the smallest value, a value that each alternative
   * rejects, and values near the limits.
   */
  #valuesOf(name: string, type: Type, alternatives: readonly Resolved[]): readonly Json[] {
    const read = this.#typesOf(name, alternatives);
    const ends = read.flatMap((each) => this.#reader.alternativesOf(each));
    return distinct([
      ...listed(smallestValue(this.#writer, type)),
      ...read.flatMap((each) => listed(this.#search(type, each))),
      ...(read.length < 2 ? [] : listed(this.#search(type, this.#unions.of(read)))),
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
function samplePrimitives(written: Resolved, read: readonly Resolved[]): readonly Json[] {
  switch (written.kind) {
    case "null":
      return [null];
    case "boolean":
      return [false, true];
    case "literal":
      return [written.value];
    case "string": {
      const most = Math.min(written.maxLength ?? longestText, longestText);
      const lengths = [written.minLength ?? 0, 1, ...read.flatMap(lengthsAround), most];
      const listed = listedIn(read);
      const texts = lengths
        .filter((length) => length >= (written.minLength ?? 0) && length <= most)
        .flatMap((length): readonly Json[] => textsOf(length, listed))
        .concat(listed.filter((value) => isWithin(value, written.minLength ?? 0, most)));
      if (written.pattern === undefined) return texts;
      const isOwn = (value: Json): boolean => isMatching(written.pattern, String(value));
      return [...texts.filter(isOwn), ...matchingTexts(written)];
    }
    case "integer":
    case "number":
      return numbersOf(written, read);
    case "enum":
      return [
        ...written.values.map(({ value }) => value),
        ...(written.open ? otherValues(written, listedIn(read)) : []),
        ...(written.open && typeof written.values[0]?.value === "string"
          ? otherTexts(written, read)
          : []),
      ];
    default:
      return [];
  }
}

function freeName(taken: readonly Json[]): string {
  let name = "other";
  while (taken.includes(name)) name += "_";
  return name;
}

function freeKey(taken: readonly string[]): string {
  let name = "key";
  while (taken.includes(name)) name += "_";
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

/** Returns the values of all enums and literals among the types. */
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
function otherValues({ values }: EnumType, read: readonly Json[]): readonly Json[] {
  const listed = [...values.map(({ value }) => value), ...read];
  const kind = typeof (values[0]?.value ?? "");
  const others = read.filter((value) => typeof value === kind);
  if (kind !== "number") return [freeName(listed), ...others];
  let value = 0;
  while (listed.includes(value)) value++;
  return [value, ...others];
}

/**
 * Returns strings that an open enum accepts, with lengths just outside the readers' limits. If
 * there are several reader types, strings of length 1 are included.
 */
function otherTexts({ values }: EnumType, read: readonly Resolved[]): readonly string[] {
  const listed = [...listedIn(read), ...values.map(({ value }) => value)];
  const lengths = [...(read.length > 1 ? [1] : []), ...read.flatMap(lengthsAround)];
  return lengths
    .filter((length) => length >= 0 && length <= longestText)
    .flatMap((length) => textsOf(length, listed));
}

function numbersOf(written: NumericType, read: readonly Resolved[]): readonly number[] {
  const { minimum = -Infinity, maximum = Infinity } = written;
  const listed = listedIn(read);
  // Finds the value nearest to a bound, just outside it, that no enum lists.
  const beyond = (bound: number, step: 1 | -1): number => {
    let value = bound + step;
    while (listed.includes(value)) value += step;
    return value;
  };
  const edges = read.flatMap((each) =>
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
      (written.kind === "number" || Number.isInteger(value)),
  );
}

function lengthsAround(read: Resolved): readonly number[] {
  return read.kind === "string"
    ? [(read.minLength ?? 0) - 1, (read.maxLength ?? Infinity) + 1].filter(Number.isFinite)
    : [];
}
