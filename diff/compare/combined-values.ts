import { itemTypes } from "../../generator/model/type-checks.js";
import type { ArrayType, Json, ObjectType, Property, Type } from "../../generator/model/types.js";
import { setField } from "../../runtime/base/own-fields.js";
import type { Resolved, Side } from "./side.js";
import { smallestValue } from "./smallest-values.js";
import { Unions } from "./unions.js";

type Fields = { [name: string]: Json };

/** Maximum number of objects to try when looking for one that no alternative accepts. */
const maxCombinations = 256;

/**
 * Maximum number of the reader's property names to try as keys. Also the maximum number of items to
 * try in arrays.
 */
const maxNames = 8;

/** Maximum length of the arrays to try. */
const maxItems = 10_000;

/** Finds values that can serve as parts of a combined value. */
export interface PartSearch {
  /** Name of a property that a writer may add even though no schema defines it. */
  readonly ownName: string;
  /** Finds a value that `written` allows and `read` rejects. */
  find(written: Type, read: Type): Json | undefined;
  /** Returns values near the limits of the written type and of the reader's types. */
  samples(written: Resolved, read: readonly Resolved[]): readonly Json[];
}

/**
 * Looks for values that all of the reader's alternatives reject, by combining parts that different
 * alternatives reject.
 */
export class CombinedValues {
  readonly #writer: Side;
  readonly #reader: Side;
  readonly #search: PartSearch;
  readonly #unions: Unions;

  constructor(writer: Side, reader: Side, search: PartSearch) {
    this.#writer = writer;
    this.#reader = reader;
    this.#search = search;
    this.#unions = new Unions(reader);
  }

  /**
   * Returns values that combine parts, each of which is rejected by a different alternative.
   *
   * @param refused For each alternative, a value that it rejects.
   */
  of(
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
    const [all] = listed(this.#search.find(written.items, this.#unions.of(parts)));
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
      ...combined.map((object) => withField({ ...object }, this.#search.ownName, true)),
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
        listed(this.#search.find(type, read)),
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
      ...read.flatMap((each) => listed(this.#search.find(type, each))),
      ...(read.length < 2 ? [] : listed(this.#search.find(type, this.#unions.of(read)))),
      ...this.#writer
        .alternativesOf(type)
        .flatMap((each) => [...this.#search.samples(each, ends)].slice(0, 16)),
    ]);
  }
}

function optionalProperty(name: string, type: Type): Property {
  return { name, type, required: false, pointer: "" };
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
