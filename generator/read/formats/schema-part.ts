import { getField } from "../../../runtime/base/own-fields.js";
import type { Json } from "../../model/types.js";
import { isJsonObject, joinPointer, type JsonObject } from "../source/json-text.js";
import type {
  ReadEvent,
  ReadRequest,
  ReadSchema,
  RefuseSchema,
  SchemaDocument,
  SchemaPlace,
} from "./schema-format.js";

/** A part of a document, with its location. It may be absent. */
export class SchemaPart {
  readonly value: Json | undefined;
  readonly place: Exclude<SchemaPlace, string>;
  readonly #refuse: RefuseSchema;

  constructor(value: Json | undefined, place: Exclude<SchemaPlace, string>, refuse: RefuseSchema) {
    this.value = value;
    this.place = place;
    this.#refuse = refuse;
  }

  /** The fields of an object. Empty for other values. */
  get fields(): JsonObject {
    return isJsonObject(this.value) ? this.value : {};
  }

  /** Returns a part of this part. */
  at(key: string | number): SchemaPart {
    const pointer = joinPointer(this.place.pointer, key);
    const value = getField(this.value, String(key)) as Json | undefined;
    return new SchemaPart(value, { ...this.place, pointer }, this.#refuse);
  }

  /** Returns a part that has the same location but another value. */
  with(value: Json): SchemaPart {
    return new SchemaPart(value, this.place, this.#refuse);
  }

  /** Returns the items of an array. Without an array, there are none, and other values are refused. */
  list(key: string): readonly SchemaPart[] {
    const list = this.at(key);
    const value = list.value ?? [];
    if (!Array.isArray(value)) return list.fail(`Cannot read "${key}": it must be an array`);
    return value.map((_, index) => list.at(index));
  }

  /** Returns the items of an array, which must be objects. */
  objects(key: string): readonly SchemaPart[] {
    const items = this.list(key);
    for (const item of items)
      if (!isJsonObject(item.value)) item.fail("Cannot read a value that is not an object");
    return items;
  }

  /** Refuses the part. */
  fail(message: string, hint?: string): never {
    return this.#refuse({ message, place: this.place, hint });
  }
}

/** Returns documents as parts that can be refused. */
export function partsOf(
  documents: readonly SchemaDocument[],
  refuse: RefuseSchema,
): readonly SchemaPart[] {
  return documents.map(
    ({ value }, document) => new SchemaPart(value, { document, pointer: "" }, refuse),
  );
}

/** The definitions and messages that a reader has found so far, with their locations. */
export class FoundParts {
  readonly definitions = new Map<string, Json>();
  readonly requests = new Map<string, ReadRequest>();
  readonly events = new Map<string, ReadEvent>();
  readonly #places = new Map<string, SchemaPlace>();

  define(name: string, schema: Json, { place }: SchemaPart): void {
    this.definitions.set(name, schema);
    this.#places.set(joinPointer("", "definitions", name), place);
  }

  add(
    kind: "requests" | "events",
    name: string,
    message: ReadRequest,
    { place }: SchemaPart,
  ): void {
    this[kind].set(name, message);
    this.#places.set(joinPointer("", kind, name), place);
  }

  /**
   * Creates the schema of an object.
   *
   * @param read Reads a property.
   * @param pointer The object's location in a definition. Set only if its properties have locations
   * of their own.
   */
  object(
    listed: readonly SchemaPart[],
    read: (property: SchemaPart) => readonly [name: string, schema: Json],
    pointer?: string,
  ): JsonObject {
    const required: string[] = [];
    const properties = listed.map((property) => {
      const [name, schema] = read(property);
      if (property.fields["optional"] !== true) required.push(name);
      if (pointer !== undefined)
        this.#places.set(joinPointer(pointer, "properties", name), property.place);
      return [name, schema];
    });
    return {
      type: "object",
      properties: Object.fromEntries(properties) as JsonObject,
      ...(required.length === 0 ? {} : { required }),
    };
  }

  schema(): Pick<ReadSchema, "definitions" | "requests" | "events" | "places"> {
    return {
      definitions: Object.fromEntries(this.definitions),
      requests: Object.fromEntries(this.requests),
      events: Object.fromEntries(this.events),
      places: Object.fromEntries(this.#places),
    };
  }
}
