import type { Random } from "../random.js";

/** The shape of a value, regardless of how a schema writes it. */
export type Shape =
  | { readonly kind: "any" | "null" | "boolean" }
  | { readonly kind: "text"; readonly least?: number; readonly most?: number }
  | {
      readonly kind: "integer" | "number";
      readonly least?: number;
      readonly most?: number;
    }
  | { readonly kind: "values"; readonly open: boolean; readonly values: readonly Constant[] }
  | {
      readonly kind: "list";
      /** The shapes of the items, if the array is a tuple. */
      readonly first?: readonly Shape[];
      readonly items: Shape;
      readonly least?: number;
      readonly most?: number;
    }
  | { readonly kind: "map"; readonly values: Shape }
  | ObjectShape
  | { readonly kind: "union"; readonly members: readonly Shape[] }
  | { readonly kind: "reference"; readonly name: string };

export type Constant = string | number | boolean;

export interface ObjectShape {
  readonly kind: "object";
  readonly fields: readonly Field[];
  /** Name of the base: a definition whose fields the object also has. */
  readonly base?: string;
  /**
   * Whether the object forbids other fields. Never true if there is a base, because that would
   * forbid the base's fields.
   */
  readonly closed: boolean;
}

export interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly shape: Shape;
}

/** A protocol version: its definitions by name. `Payload` is its message's payload. */
export type Version = ReadonlyMap<string, Shape>;

const fieldNames = ["a", "b", "c", "kind", "line", "startLine"];
const texts = ["a", "b", "c", "d"];
const numbers = [0, 1, 2, 5];

/** Creates a version with a few definitions, which may contain themselves and each other. */
export function createVersion(random: Random): Version {
  const names = ["One", "Two", "Three", "Four"].slice(0, 1 + random.below(4));
  const version = new Map<string, Shape>();
  // A base has no base of its own, and allows additional fields.
  version.set("Base", { ...createObject(random, [], 1, false), closed: false });
  for (const name of names) version.set(name, createShape(random, names, 3));
  version.set("Payload", createObject(random, names, 3));
  return version;
}

export function createShape(random: Random, names: readonly string[], depth: number): Shape {
  const choice = random.below(depth <= 0 ? 9 : 18);
  switch (choice) {
    case 0:
      return { kind: random.pick(["any", "null", "boolean", "boolean"]) };
    case 1:
    case 2:
      return { kind: "text", ...createBounds(random, 0, 3) };
    case 3:
      return { kind: "integer", ...createBounds(random, -1, 5) };
    case 4:
      return { kind: "number", ...createBounds(random, -1, 5) };
    case 5:
    case 6:
    case 7:
      return createValues(random);
    case 8:
    case 9:
      return names.length === 0
        ? { kind: "boolean" }
        : { kind: "reference", name: random.pick(names) };
    case 10:
    case 11:
      return {
        kind: "list",
        items: createShape(random, names, depth - 1),
        ...createBounds(random, 0, 2),
      };
    case 12:
      return { kind: "map", values: createShape(random, names, depth - 1) };
    case 13:
    case 14:
      return createObject(random, names, depth);
    case 15:
      return createAlternatives(random, names, depth);
    default:
      return {
        kind: "union",
        members: Array.from({ length: 2 + random.below(2) }, () =>
          createShape(random, names, depth - 1),
        ),
      };
  }
}

function createBounds(
  random: Random,
  from: number,
  to: number,
): { readonly least?: number; readonly most?: number } {
  if (!random.oneIn(3)) return {};
  const least = from + random.below(to - from + 1);
  const most = least + random.below(to - least + 1);
  return random.pick([{ least }, { most }, { least, most }]);
}

function createValues(random: Random): Shape {
  if (random.oneIn(8)) return { kind: "values", open: false, values: [random.oneIn(2)] };
  const all: readonly Constant[] = random.oneIn(4) ? numbers : texts;
  const open = all === texts && random.oneIn(3);
  const values = all.filter(() => random.oneIn(2));
  return { kind: "values", open, values: values.length === 0 ? [all[0]!] : values };
}

function createObject(
  random: Random,
  names: readonly string[],
  depth: number,
  mayDerive = true,
): ObjectShape {
  const own = fieldNames.filter(() => random.oneIn(3));
  const fields = (own.length === 0 ? ["a"] : own).map((name) =>
    createField(random, names, depth, name),
  );
  const closed = random.oneIn(12);
  const derives = mayDerive && random.oneIn(5);
  return derives
    ? { kind: "object", fields, closed: false, base: "Base" }
    : { kind: "object", fields, closed };
}

export function createField(
  random: Random,
  names: readonly string[],
  depth: number,
  name = random.pick(fieldNames),
): Field {
  return { name, required: random.oneIn(2), shape: createShape(random, names, depth - 1) };
}

/** Creates a union of objects that differ in the constant value of the field `kind`. */
function createAlternatives(random: Random, names: readonly string[], depth: number): Shape {
  const members = texts.slice(0, 2 + random.below(3)).map((value): Shape => {
    const object = createObject(random, names, depth - 1, false);
    const kind: Field = {
      name: "kind",
      required: true,
      shape: { kind: "values", open: false, values: [value] },
    };
    return {
      ...object,
      closed: false,
      fields: [kind, ...object.fields.filter(({ name }) => name !== "kind")],
    };
  });
  return { kind: "union", members };
}
