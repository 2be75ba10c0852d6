import type {
  ArrayType,
  Json,
  MapType,
  ObjectType,
  Type,
  UnionType,
} from "../../generator/model/types.js";
import { setField } from "../../runtime/base/own-fields.js";
import { AcceptedValues, closes } from "./accepted-values.js";
import { CombinedValues } from "./combined-values.js";
import { WorkBudget } from "./work-budget.js";
import { readings, type Reading } from "./readings.js";
import { freeKey, freeName, samplePrimitives } from "./sample-primitives.js";
import type { Resolved, Side } from "./side.js";
import { greatestLength, isAnyItem, itemIndexes } from "./list-items.js";
import { itemTypeAt } from "../../generator/model/type-checks.js";
import { leastJson, smallestObject, smallestValue } from "./smallest-values.js";
import { isSameList } from "./same-structure.js";
import { hasParts, TypePairs } from "./type-pairs.js";

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
  readonly #combined: CombinedValues;
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
    this.#combined = new CombinedValues(writer, reader, {
      ownName: this.#ownName,
      find: (written, read) => this.#search(written, read),
      samples: (written, read) => this.#samples(written, read),
    });
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
    return this.#firstRejected(this.#combined.of(written, alternatives, refused), read);
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
}

function listed(value: Json | undefined): readonly Json[] {
  return value === undefined ? [] : [value];
}

function withField(object: Fields, name: string, value: Json): Fields {
  setField(object, name, value);
  return object;
}
