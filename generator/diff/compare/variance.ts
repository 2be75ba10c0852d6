import type {
  ArrayType,
  Json,
  MapType,
  ObjectType,
  Property,
  Type,
  UnionType,
} from "../../model/types.js";
import { setField } from "../../../runtime/base/own-fields.js";
import { AcceptedValues, closes } from "./accepted-values.js";
import { Effort } from "./effort.js";
import { readings, type Reading } from "./readings.js";
import { freeName, samplePrimitives } from "./sample-primitives.js";
import type { Resolved, Side } from "./side.js";
import { leastJson, smallestObject, smallestValue } from "./smallest-values.js";
import { isSameList } from "./same-structure.js";
import { hasParts, TypePairs } from "./type-pairs.js";
import { Unions } from "./unions.js";

/** Any value, by its kinds. */
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

/** How many objects are tried to find one that no alternative takes. */
const maxCombinations = 256;

/** Longest list that is tried. */
const maxItems = 10_000;

/** How many names that a reader knows are tried as keys. */
const maxNames = 8;

/**
 * Whether what one version writes is what the other one reads: closed(writer) ⊆ reading(reader).
 *
 * A writer writes known names only, in an open list also other values. The answer is a small value that the writer
 * may write and the reader rejects, if there is one. Pairs of types are remembered; on a cycle the pair is taken to
 * be compatible, and the search repeated until nothing changes, which finds every finite value.
 */
export class Variance {
  readonly #writer: Side;
  readonly #reader: Side;
  readonly #reading: Reading;
  readonly #effort: Effort;
  readonly #accepted: AcceptedValues;
  readonly #unions: Unions;
  /** Values that show the difference of a pair. */
  readonly #found = new TypePairs<Json>();
  #visited = new TypePairs<true>();
  #changed = false;

  /**
   * @param reading What the reader lets through. Default: what its schema says.
   * @param effort Is spent by each search; all comparisons of two versions share it.
   */
  constructor(
    writer: Side,
    reader: Side,
    reading: Reading = readings.schema,
    effort = new Effort(),
  ) {
    this.#writer = writer;
    this.#reader = reader;
    this.#reading = reading;
    this.#effort = effort;
    this.#accepted = new AcceptedValues(reader, reading, effort);
    this.#unions = new Unions(reader);
  }

  /** A value of `written` that is none of `read`. */
  counterexample(written: Type, read: Type): Json | undefined {
    for (;;) {
      this.#changed = false;
      this.#visited = new TypePairs();
      const value = this.#search(written, read);
      if (!this.#changed) return value;
    }
  }

  #search(left: Type, right: Type): Json | undefined {
    this.#effort.spend();
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
    // What both lists let through is the same.
    if (written.kind === "enum" && read.kind === "enum" && isSameList(written, read))
      return undefined;
    return this.#firstRejected(this.#samples(written, [read]), read);
  }

  #compareToUnion(written: Resolved, read: UnionType): Json | undefined {
    const alternatives = this.#reader.alternativesOf(read);
    // A forgiving reader takes another alternative than the discriminator's for none.
    const isChosen = this.#reading.forgives && this.#reader.discriminatorOf(read) !== undefined;
    const refused: Json[] = [];
    for (const alternative of alternatives) {
      const value = this.#search(written, alternative);
      if (value !== undefined) refused.push(value);
      else if (!isChosen || alternative.kind !== "object") return undefined;
    }
    // What every alternative refuses is among what some alternative refuses, is simply of another kind, or takes
    // parts of several.
    const samples = this.#samples(written, alternatives);
    const value = this.#firstRejected([...samples, ...refused], read);
    if (value !== undefined) return value;
    return this.#firstRejected(this.#combinations(written, alternatives, refused), read);
  }

  #firstRejected(candidates: readonly Json[], read: Type): Json | undefined {
    return leastJson(candidates.filter((value) => !this.#accepted.has(read, value)));
  }

  /** Values of a type that show where it ends, and where the reader's types end. */
  #samples(written: Resolved, read: readonly Resolved[]): readonly Json[] {
    return hasParts(written)
      ? listed(smallestValue(this.#writer, written))
      : samplePrimitives(written, read);
  }

  #compareLists(written: ArrayType, read: ArrayType): Json | undefined {
    const least = written.minItems ?? 0;
    const item = smallestValue(this.#writer, written.items);
    const lengths = [least, (read.minItems ?? 0) - 1, (read.maxItems ?? Infinity) + 1].filter(
      (length) => length >= least && length <= Math.min(written.maxItems ?? Infinity, 10_000),
    );
    const lists = lengths.flatMap((length): Json[] =>
      length === 0 ? [[]] : item === undefined ? [] : [Array<Json>(length).fill(item)],
    );
    const wrong = this.#firstRejected(lists, { ...read, items: { kind: "any" } });
    if (wrong !== undefined) return wrong;
    const value = this.#search(written.items, read.items);
    if (value === undefined || written.maxItems === 0) return undefined;
    return Array<Json>(Math.max(1, least)).fill(value);
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
        found.push(withField(least(), freeName([...names, ...writes.keys()]), true));
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
      found.push(withField({}, freeName(properties.map(({ name }) => name)), value));
    return leastJson(found);
  }

  /** Values of which each part is refused by another alternative. */
  #combinations(
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

  /** Lists of items that some alternative refuses, of each length at which an alternative ends. */
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
    // An item that no alternative takes shows it in a list of any length.
    const parts = alternatives.flatMap((each) => (each.kind === "array" ? [each.items] : []));
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
    return combined;
  }

  /** Values of a property: the smallest, all that are listed, and what each alternative refuses. */
  #valuesOf(name: string, type: Type, alternatives: readonly Resolved[]): readonly Json[] {
    const read = alternatives.flatMap((each) =>
      each.kind === "object"
        ? this.#reader.propertiesOf(each).filter((property) => property.name === name)
        : each.kind === "map"
          ? [{ type: each.values }]
          : [],
    );
    const ends = read.flatMap((each) => this.#reader.alternativesOf(each.type));
    return distinct([
      ...listed(smallestValue(this.#writer, type)),
      ...read.flatMap((each) => listed(this.#search(type, each.type))),
      ...(read.length < 2
        ? []
        : listed(this.#search(type, this.#unions.of(read.map((each) => each.type))))),
      ...this.#writer
        .alternativesOf(type)
        .flatMap((each) => [...this.#samples(each, ends)].slice(0, 16)),
    ]);
  }
}

function optionalProperty(name: string, type: Type): Property {
  return { name, type, required: false, at: "" };
}

function listed(value: Json | undefined): readonly Json[] {
  return value === undefined ? [] : [value];
}

function distinct(values: readonly Json[]): Json[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

function withField(object: Fields, name: string, value: Json): Fields {
  setField(object, name, value);
  return object;
}
