import { ownFieldsOf } from "./flat-shapes.js";
import type { Random } from "../random.js";
import type { Constant, Field, ObjectShape, Shape, Version } from "./shapes.js";

type Schema = { readonly [key: string]: unknown };

/** Writes a version's definitions as JSON Schema, choosing a random notation for each shape. */
export function spellVersion(random: Random, version: Version): Schema {
  const speller = new Speller(random, version);
  return Object.fromEntries(
    [...version].map(([name, shape]) => [
      name,
      name === "Base" ? speller.spellPlainly(shape) : speller.spell(shape),
    ]),
  );
}

class Speller {
  readonly #random: Random;
  readonly #version: Version;
  #inlined = 0;

  constructor(random: Random, version: Version) {
    this.#random = random;
    this.#version = version;
  }

  spell(shape: Shape): Schema {
    const schema = this.spellPlainly(shape);
    if (shape.kind === "union" || shape.kind === "values") return schema;
    // An `anyOf` with one alternative means the same as the alternative itself. So does an `allOf`
    // with one part if that part is a reference.
    if (this.#random.oneIn(12)) return { anyOf: [schema] };
    return schema["$ref"] !== undefined && this.#random.oneIn(4) ? { allOf: [schema] } : schema;
  }

  /** Writes a shape without wrapping it in an `anyOf` or `allOf` with a single part. */
  spellPlainly(shape: Shape): Schema {
    const random = this.#random;
    switch (shape.kind) {
      case "any":
        return random.pick<Schema>([
          {},
          { type: ["array", "boolean", "integer", "null", "number", "object", "string"] },
        ]);
      case "null":
      case "boolean":
        return { type: shape.kind };
      case "text":
        return { type: "string", ...bounds(shape, "Length") };
      case "integer":
      case "number":
        return { type: shape.kind, ...bounds(shape, "imum") };
      case "values":
        return this.#values(shape.values, shape.open);
      case "list":
        return { type: "array", items: this.spell(shape.items), ...bounds(shape, "Items") };
      case "map":
        return { type: "object", additionalProperties: this.spell(shape.values) };
      case "object":
        return this.#object(shape);
      case "union":
        return this.#union(shape.members);
      case "reference":
        return this.#reference(shape.name);
    }
  }

  #values(values: readonly Constant[], open: boolean): Schema {
    const random = this.#random;
    const type = typeof values[0] === "string" ? "string" : undefined;
    if (open) return { type: "string", _enum: values };
    if (values.length === 1)
      return random.pick<Schema>([
        { const: values[0] },
        { enum: values },
        { oneOf: [{ const: values[0] }] },
      ]);
    return random.pick<Schema>([
      { enum: values, ...(type === undefined ? {} : { type }) },
      { oneOf: inDisorder(random, values).map((value) => ({ const: value })) },
      { anyOf: inDisorder(random, values).map((value) => ({ enum: [value] })) },
      { anyOf: [{ enum: values.slice(1) }, { const: values[0] }] },
    ]);
  }

  #object(shape: ObjectShape): Schema {
    const fields = ownFieldsOf(this.#version, shape);
    const own = {
      type: "object",
      properties: Object.fromEntries(
        inDisorder(this.#random, fields).map(({ name, shape: part }) => [name, this.spell(part)]),
      ),
      ...required(fields),
      ...(shape.closed ? { additionalProperties: false } : {}),
    };
    const { base } = shape;
    return base === undefined ? own : { allOf: [{ $ref: `#/definitions/${base}` }, own] };
  }

  #union(members: readonly Shape[]): Schema {
    const random = this.#random;
    const plain = members.map((member) => this.spellPlainly(member));
    const areNames = plain.every(
      (each) => typeof each["type"] === "string" && Object.keys(each).length === 1,
    );
    const types = plain.map((each) => each["type"]);
    if (areNames && new Set(types).size === types.length && random.oneIn(2)) return { type: types };
    return { anyOf: inDisorder(random, plain) };
  }

  #reference(name: string): Schema {
    const target = this.#version.get(name)!;
    const isShort = this.#inlined < 3 && !mentions(target);
    if (!isShort || !this.#random.oneIn(3)) return { $ref: `#/definitions/${name}` };
    this.#inlined++;
    const schema = this.spell(target);
    this.#inlined--;
    return schema;
  }
}

function bounds(
  { least, most }: { readonly least?: number; readonly most?: number },
  what: string,
): Schema {
  return {
    ...(least === undefined ? {} : { [`min${what}`]: least }),
    ...(most === undefined ? {} : { [`max${what}`]: most }),
  };
}

function required(fields: readonly Field[]): Schema {
  const names = fields.flatMap((field) => (field.required ? [field.name] : []));
  return names.length === 0 ? {} : { required: names };
}

function mentions(shape: Shape): boolean {
  return JSON.stringify(shape).includes('"reference"');
}

function inDisorder<Item>(random: Random, items: readonly Item[]): readonly Item[] {
  return items
    .map((item): readonly [number, Item] => [random.next(), item])
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}
