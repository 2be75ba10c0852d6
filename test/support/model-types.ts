import { Side } from "../../diff/compare/side.js";
import type { Protocol } from "../../generator/model/protocol.js";
import type { Property, Type } from "../../generator/model/types.js";
import { readSchema } from "./compared-versions.js";
import { schemaWith } from "./elementary-changes.js";

/** Shorthands for model types. `x?` is an optional property. */
export const any: Type = { kind: "any" };
export const nothing: Type = { kind: "null" };
export const flag: Type = { kind: "boolean" };
export const text: Type = { kind: "string" };
export const number: Type = { kind: "number" };
export const integer: Type = { kind: "integer" };
/** A type that has no values. */
export const never: Type = { kind: "union", members: [] };

type Bound = number | undefined;

export function chars(minLength: Bound, maxLength?: Bound): Type {
  return { kind: "string", ...defined({ minLength, maxLength }) };
}

export function integers(minimum: Bound, maximum?: Bound): Type {
  return { kind: "integer", ...defined({ minimum, maximum }) };
}

export function numbers(minimum: Bound, maximum?: Bound): Type {
  return { kind: "number", ...defined({ minimum, maximum }) };
}

export function literal(value: string | number | boolean): Type {
  return { kind: "literal", value };
}

export function closedEnum(...values: (string | number)[]): Type {
  return { kind: "enum", open: false, values: values.map((value) => ({ value })) };
}

export function openEnum(...values: (string | number)[]): Type {
  return { kind: "enum", open: true, values: values.map((value) => ({ value })) };
}

export function list(items: Type, minItems?: Bound, maxItems?: Bound): Type {
  return { kind: "array", items, ...defined({ minItems, maxItems }) };
}

export function map(values: Type): Type {
  return { kind: "map", values };
}

export type Properties = Readonly<Record<string, Type | (Partial<Property> & { type: Type })>>;

export function object(
  properties: Properties,
  more: { bases?: string[]; closed?: true } = {},
): Type {
  return {
    kind: "object",
    bases: more.bases ?? [],
    extras: more.closed === true ? "closed" : "open",
    properties: Object.entries(properties).map(([name, type]): Property => {
      const property = "kind" in type ? { type } : type;
      return {
        required: !name.endsWith("?"),
        pointer: "",
        ...property,
        name: name.replace("?", ""),
      };
    }),
  };
}

export function union(...members: Type[]): Type {
  return { kind: "union", members };
}

/** Creates an object with a fixed value in its property `kind`. */
export function kind(value: string, more: Properties = {}): Type {
  return object({ kind: literal(value), ...more });
}

export function ref(name: string): Type {
  return { kind: "reference", name };
}

const protocol = await readSchema(schemaWith(undefined, "adapter"));

/** Creates a protocol version with these definitions and no messages. */
export function protocolWith(
  definitions: Readonly<Record<string, Type>>,
  more: Partial<Protocol> = {},
): Protocol {
  return {
    ...protocol,
    messages: [],
    definitions: Object.entries(definitions).map(([name, type]) => ({
      kind: "definition",
      name,
      type,
      extensible: false,
    })),
    ...more,
  };
}

export function sideWith(
  definitions: Readonly<Record<string, Type>> = {},
  more: Partial<Protocol> = {},
): Side {
  return new Side(protocolWith(definitions, more));
}

function defined<Bounds extends object>(bounds: Bounds): { [Name in keyof Bounds]: number } {
  const known = Object.entries(bounds).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as { [Name in keyof Bounds]: number };
}
