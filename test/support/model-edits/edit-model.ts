import type {
  ArrayType,
  Definition,
  EnumType,
  Type,
  UnionType,
} from "../../../generator/model/types.js";
import { freeName } from "../../../generator/model/names.js";
import { never } from "../../../generator/model/type-checks.js";
import type { Random } from "../random.js";
import { type Edit, type Editing, onObject, onProperty, onSlot, slotsOf } from "./slots.js";
import { liftExtending, moveToBase, rename } from "./moved-definitions.js";

/** Edits one definition at random. Returns the edited definitions and the kinds of edits. */
export function editDefinitions(
  random: Random,
  definitions: readonly Definition[],
  targets: readonly string[],
): { readonly definitions: readonly Definition[]; readonly kinds: readonly string[] } {
  const edited = new Map(
    (structuredClone(definitions) as Definition[]).map((each) => [each.name, each]),
  );
  const kinds: string[] = [];
  const count = random.oneIn(3) ? 2 : 1;
  for (let tries = 0; kinds.length < count && tries < 50; tries++) {
    const name = random.pick(targets);
    const definition = edited.get(name);
    if (definition === undefined) continue;
    const kind = random.pick(Object.keys(edits));
    const slots = [...slotsOf(definition)];
    if (edits[kind]!({ random, definitions: edited, definition, slots })) kinds.push(kind);
  }
  for (const definition of edited.values()) liftExtending(definition, edited);
  return { definitions: [...edited.values()], kinds };
}

const names = ["added", "kind", "value", "other1", "startLine"];

function randomType({ random, definitions }: Editing): Type {
  const scalar = (): Type =>
    random.pick<Type>([
      { kind: "string" },
      { kind: "boolean" },
      { kind: "number" },
      { kind: "integer" },
      { kind: "null" },
      { kind: "literal", value: random.pick(["a", "b"]) },
      { kind: "enum", open: random.oneIn(2), values: [{ value: "a" }, { value: "c" }] },
    ]);
  const named = (): Type => ({ kind: "reference", name: random.pick([...definitions.keys()]) });
  switch (random.below(8)) {
    case 0:
      return { kind: "array", items: scalar() };
    case 1:
      return { kind: "map", values: scalar() };
    case 2:
      return tuple([scalar(), scalar()]);
    case 3:
      return { kind: "union", members: [scalar(), tuple([scalar(), scalar()])] };
    case 4:
      return { kind: "union", members: [named(), { kind: "null" }] };
    case 5:
      return named();
    default:
      return scalar();
  }
}

function tuple(first: readonly Type[]): ArrayType {
  const { length } = first;
  return {
    kind: "array",
    first: [...first],
    items: never,
    minItems: length,
    maxItems: length,
  };
}

function shuffled<Item>(random: Random, items: readonly Item[]): Item[] {
  const rest = [...items];
  return items.map(() => rest.splice(random.below(rest.length), 1)[0]!);
}

function withMember(type: Type, member: Type): UnionType {
  return { kind: "union", members: [...(type.kind === "union" ? type.members : [type]), member] };
}

const edits: Readonly<Record<string, Edit>> = {
  add: onObject((type, editing) => {
    const { random } = editing;
    const name = random.pick(names);
    if (type.properties.some((each) => each.name === name)) return false;
    const property = { name, type: randomType(editing), required: random.oneIn(2), pointer: "" };
    type.properties = [...type.properties, property];
    return true;
  }),
  remove: onObject((type, { random }) => {
    const gone = random.below(type.properties.length);
    if (type.properties.length === 0) return false;
    type.properties = type.properties.filter((_, index) => index !== gone);
    return true;
  }),
  retype: onSlot((_, editing) => randomType(editing)),
  "rename a property": onProperty((property, { random }) => {
    property.name = random.pick([`${property.name}Name`, `new${property.name}`, "renamed"]);
    return true;
  }),
  "reorder properties": onObject((type, { random }) => {
    type.properties = shuffled(random, type.properties);
    return true;
  }),
  "reorder alternatives": onSlot((type, { random }) =>
    type.kind === "union" ? { ...type, members: shuffled(random, type.members) } : undefined,
  ),
  "rename a definition": rename,
  inline: onSlot((type, { definitions }) =>
    type.kind === "reference"
      ? (structuredClone(definitions.get(type.name)?.type) as Type | undefined)
      : undefined,
  ),
  extract: onSlot((type, { definitions, definition }) => {
    if (type === definition.type || type.kind === "reference") return undefined;
    const name = freeName(`${definition.name}Part`, definitions);
    definitions.set(name, { kind: "definition", name, type, extensible: false });
    return { kind: "reference", name };
  }),
  "move to a base": onObject(moveToBase),
  "make optional or required": onProperty((property) => {
    property.required = !property.required;
    return true;
  }),
  "widen by an alternative": onSlot((type, editing) => withMember(type, randomType(editing))),
  "widen by null": onSlot((type) => withMember(type, { kind: "null" })),
  "narrow by an alternative": onSlot((type, { random }) => {
    if (type.kind !== "union" || type.members.length < 2) return undefined;
    const gone = random.below(type.members.length);
    return { ...type, members: type.members.filter((_, index) => index !== gone) };
  }),
  "widen a primitive": onSlot((type) =>
    type.kind === "integer"
      ? { kind: "number" }
      : type.kind === "literal" && typeof type.value === "string"
        ? { kind: "string" }
        : type.kind === "enum" && typeof type.values[0]?.value === "string"
          ? { kind: "string" }
          : undefined,
  ),
  "narrow a primitive": onSlot((type) =>
    type.kind === "number"
      ? { kind: "integer" }
      : type.kind === "string"
        ? { kind: "enum", open: false, values: [{ value: "a" }, { value: "b" }] }
        : undefined,
  ),
  "change values": onSlot((type, { random }) => {
    if (type.kind === "literal" && typeof type.value === "string")
      return { kind: "literal", value: `${type.value}2` };
    if (type.kind !== "enum") return undefined;
    const value = typeof type.values[0]?.value === "number" ? 77 : "more";
    return random.pick<() => EnumType>([
      () => ({ ...type, values: [...type.values, { value }] }),
      () => ({
        ...type,
        values: type.values.slice(1).length === 0 ? type.values : type.values.slice(1),
      }),
      () => ({ ...type, open: !type.open && typeof value === "string" }),
    ])();
  }),
  "wrap or unwrap a list": onSlot((type) =>
    type.kind === "array" && type.first === undefined ? type.items : { kind: "array", items: type },
  ),
  "change a tuple": onSlot((type, editing) => {
    if (type.kind !== "array") return undefined;
    if (type.first === undefined) return tuple([type.items, type.items]);
    const { random } = editing;
    const index = random.below(type.first.length);
    return random.pick<() => ArrayType>([
      () => tuple([...type.first!, randomType(editing)]),
      () => tuple(type.first!.map((each, at) => (at === index ? randomType(editing) : each))),
      () => ({ kind: "array", items: type.first![0] ?? { kind: "any" } }),
    ])();
  }),
  "map to object, object to map": onSlot((type, editing) =>
    type.kind === "map"
      ? {
          kind: "object",
          bases: [],
          extras: "open",
          properties: [{ name: "key", type: type.values, required: false, pointer: "" }],
        }
      : type.kind === "object"
        ? { kind: "map", values: randomType(editing) }
        : undefined,
  ),
  "close or open": onObject((type) => {
    if (type.bases.length > 0) return false;
    type.extras = type.extras === "open" ? "closed" : "open";
    return true;
  }),
  bounds: onSlot((type, { random }) => {
    switch (type.kind) {
      case "string": {
        const minLength = random.below(3);
        return { ...type, minLength, maxLength: minLength + 2 };
      }
      case "integer":
      case "number": {
        const minimum = random.below(3) - 1;
        return { ...type, minimum, maximum: minimum + 5 };
      }
      case "array": {
        if (type.first !== undefined) return undefined;
        const minItems = random.below(3);
        return { ...type, minItems, maxItems: minItems + 2 };
      }
      default:
        return undefined;
    }
  }),
};
