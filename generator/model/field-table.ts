import { statedFields } from "../base/stated-fields.js";
import { flattenProperties } from "./properties.js";
import type { Message, Protocol } from "./protocol.js";
import { definitionsByName } from "./queries.js";
import type { Definition, Property, Type } from "./types.js";

/** A property that is a reference or leads to an object that contains references. */
export interface FieldStep {
  /** Kind of reference, if the property is one. */
  readonly kind?: string;
  /** A value that means "no reference". */
  readonly except?: string | number;
  /** Definition of the object, if the property is not itself a reference. */
  readonly to?: string;
  /** Set if the property is an array of references or objects. */
  readonly list?: true;
}

/** Where references occur in a protocol's messages. */
export interface FieldTable {
  /** Message definitions, keyed by kind and name. */
  readonly roots: {
    readonly [kind in "request" | "event" | "response"]: { readonly [name: string]: string };
  };
  /** Properties that are or contain references, keyed by definition and property name. */
  readonly objects: { readonly [definition: string]: { readonly [property: string]: FieldStep } };
  /** Definitions whose objects are themselves references, with their kind of reference. */
  readonly whole: { readonly [definition: string]: string };
}

/** Finds where references occur, by message, definition and property. */
export function fieldTableOf(protocol: Protocol): FieldTable {
  const { references = [] } = protocol;
  const definitions = definitionsByName(protocol);
  const reached = reachable(protocol, definitions);
  const stepsOf = (name: string): Readonly<Record<string, FieldStep>> => {
    const { type } = definitions.get(name)!;
    if (type.kind !== "object") return {};
    return Object.fromEntries(
      flattenProperties(definitions, type).flatMap((property) => {
        const step = stepOf(property);
        return step === undefined ? [] : [[property.name, step]];
      }),
    );
  };
  const stepOf = ({ type, reference }: Property): FieldStep | undefined => {
    const { items, list } = itemsOf(type);
    const more = list ? { list } : {};
    if (reference !== undefined) {
      const { except } = references.find(({ name }) => name === reference)!;
      return statedFields({ kind: reference, except, ...more });
    }
    return items.kind === "reference" && reached.has(items.name)
      ? { to: items.name, ...more }
      : undefined;
  };
  const roots: Record<Message["kind"] | "response", Record<string, string>> = {
    request: {},
    event: {},
    response: {},
  };
  for (const message of protocol.messages) {
    if (reached.has(message.definition)) roots[message.kind][message.name] = message.definition;
    if (message.kind === "request" && message.responseDefinition !== undefined)
      if (reached.has(message.responseDefinition))
        roots.response[message.name] = message.responseDefinition;
  }
  return {
    roots,
    objects: Object.fromEntries([...reached].sort().map((name) => [name, stepsOf(name)] as const)),
    whole: Object.fromEntries(
      protocol.definitions.flatMap(({ name, reference }) =>
        reference === undefined ? [] : [[name, reference]],
      ),
    ),
  };
}

/** Finds the definitions that contain a reference at any depth. */
function reachable(
  protocol: Protocol,
  definitions: ReadonlyMap<string, Definition>,
): ReadonlySet<string> {
  const reached = new Set<string>();
  for (let isGrowing = true; isGrowing;) {
    isGrowing = false;
    for (const { name, type } of protocol.definitions) {
      if (reached.has(name) || type.kind !== "object") continue;
      const refers = flattenProperties(definitions, type).some(({ type: own, reference }) => {
        const { items } = itemsOf(own);
        return (
          reference !== undefined ||
          (items.kind === "reference" &&
            (reached.has(items.name) || definitions.get(items.name)?.reference !== undefined))
        );
      });
      if (!refers && definitions.get(name)?.reference === undefined) continue;
      reached.add(name);
      isGrowing = true;
    }
  }
  return reached;
}

/** Returns the type of a value without null or, for an array, the type of its items. */
export function itemsOf(type: Type): { readonly items: Type; readonly list?: true } {
  const value = withoutNull(type);
  return value.kind === "array" ? { items: value.items, list: true } : { items: value };
}

/** Returns a type without null. */
function withoutNull(type: Type): Type {
  if (type.kind !== "union") return type;
  const members = type.members.filter(({ kind }) => kind !== "null");
  return members.length === 1 ? members[0]! : { kind: "union", members };
}
