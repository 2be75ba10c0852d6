import type {
  ArrayType,
  EnumType,
  Json,
  MapType,
  NumericType,
  ObjectType,
  Type,
} from "../../model/types.js";
import { AcceptedValues } from "./accepted-values.js";
import { Effort } from "./effort.js";
import type { Resolved, Side } from "./side.js";
import { setField } from "../../../runtime/base/own-fields.js";
import { leastJson, smallestObject, smallestValue } from "./smallest-values.js";
import { hasParts, TypePairs } from "./type-pairs.js";

/**
 * Whether what one version writes is what the other one reads: closed(writer) ⊆ open(reader).
 *
 * A writer writes known names only, in an open list also other texts. The answer is a small value that the writer
 * may write and the reader rejects, if there is one. Pairs of types are remembered; on a cycle the pair is taken to
 * be compatible, and the search repeated until nothing changes, which finds every finite value.
 */
export class Variance {
  readonly #writer: Side;
  readonly #reader: Side;
  readonly #closed: boolean;
  readonly #effort: Effort;
  readonly #accepted: AcceptedValues;
  /** Values that show the difference of a pair. */
  readonly #found = new TypePairs<Json>();
  #visited = new TypePairs<true>();
  #changed = false;

  /**
   * @param closed Whether the reader rejects what its schema does not name.
   * @param effort Is spent by each search; all comparisons of two versions share it.
   */
  constructor(writer: Side, reader: Side, closed = false, effort = new Effort()) {
    this.#writer = writer;
    this.#reader = reader;
    this.#closed = closed;
    this.#effort = effort;
    this.#accepted = new AcceptedValues(reader, closed, effort);
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
    const [written, read] = [this.#writer.resolve(left), this.#reader.resolve(right)];
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
    if (read.kind === "union") {
      // What every alternative refuses is among what some alternative refuses, or is simply of another kind.
      const candidates = [
        ...this.#samples(written, read),
        ...read.members.flatMap((member) => listed(this.#search(written, member))),
      ];
      return this.#firstRejected(candidates, read);
    }
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
    return this.#firstRejected(this.#samples(written, read), read);
  }

  #firstRejected(candidates: readonly Json[], read: Type): Json | undefined {
    return leastJson(candidates.filter((value) => !this.#accepted.has(read, value)));
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
    const writes = new Map(this.#writer.propertiesOf(written).map((each) => [each.name, each]));
    const reads = this.#reader.propertiesOf(read);
    const found: Json[] = [];
    const least = (): { [name: string]: Json } => smallestObject(this.#writer, written);
    for (const property of reads) {
      const own = writes.get(property.name);
      if (own === undefined) {
        if (property.required) found.push(least());
        continue;
      }
      if (property.required && !own.required) found.push(least());
      const value = this.#search(own.type, property.type);
      if (value !== undefined) found.push(withField(least(), property.name, value));
    }
    const isClosed = read.extras === "closed" || (this.#closed && reads.length > 0);
    if (isClosed) {
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
    return leastJson(
      properties.flatMap((property) => {
        const value = this.#search(written.values, property.type);
        return value === undefined ? [] : [withField({}, property.name, value)];
      }),
    );
  }

  /** Values of a type that show where it ends, and where the reader's type ends. */
  #samples(written: Resolved, read: Type): readonly Json[] {
    switch (written.kind) {
      case "any":
        return [null, false, 0, 0.5, -1, "", [], {}];
      case "boolean":
        return [false, true];
      case "string": {
        const most = Math.min(written.maxLength ?? 10_000, 10_000);
        const lengths = [written.minLength ?? 0, 1, ...lengthsAround(read), most];
        return lengths
          .filter((length) => length >= (written.minLength ?? 0) && length <= most)
          .map((length) => "x".repeat(length));
      }
      case "integer":
      case "number":
        return numbersOf(written, numericTypes(this.#reader, read));
      case "enum":
        return [
          ...written.values.map(({ value }) => value),
          ...(written.open ? [unlistedValue(written, listedIn(this.#reader, read))] : []),
        ];
      default:
        return listed(smallestValue(this.#writer, written));
    }
  }
}

function listed(value: Json | undefined): readonly Json[] {
  return value === undefined ? [] : [value];
}

function withField(object: { [name: string]: Json }, name: string, value: Json): Json {
  setField(object, name, value);
  return object;
}

function freeName(taken: readonly Json[]): string {
  let name = "other";
  while (taken.includes(name)) name += "_";
  return name;
}

/** The values that a type names. */
function listedIn(side: Side, type: Type): readonly Json[] {
  return side
    .alternativesOf(type)
    .flatMap((each) =>
      each.kind === "literal"
        ? [each.value]
        : each.kind === "enum"
          ? each.values.map(({ value }) => value)
          : [],
    );
}

/** A value that an open list lets through. */
function unlistedValue({ values }: EnumType, read: readonly Json[]): Json {
  const listed = [...values.map(({ value }) => value), ...read];
  if (typeof values[0]?.value !== "number") return freeName(listed);
  let value = 0;
  while (listed.includes(value)) value++;
  return value;
}

function numericTypes(side: Side, type: Type): readonly NumericType[] {
  return side
    .alternativesOf(type)
    .filter((each): each is NumericType => each.kind === "integer" || each.kind === "number");
}

function numbersOf(written: NumericType, read: readonly NumericType[]): readonly number[] {
  const { minimum = -Infinity, maximum = Infinity } = written;
  const edges = read.flatMap((each) => [
    (each.minimum ?? Infinity) - 1,
    (each.maximum ?? -Infinity) + 1,
  ]);
  return [0, minimum, maximum, ...edges, minimum + 0.5, 0.5].filter(
    (value) =>
      Number.isFinite(value) &&
      value >= minimum &&
      value <= maximum &&
      (written.kind === "number" || Number.isInteger(value)),
  );
}

function lengthsAround(read: Type): readonly number[] {
  return read.kind === "string"
    ? [(read.minLength ?? 0) - 1, (read.maxLength ?? Infinity) + 1].filter(Number.isFinite)
    : [];
}
