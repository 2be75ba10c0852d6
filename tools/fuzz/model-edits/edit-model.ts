import type {
  ArrayType,
  Definition,
  EnumType,
  ObjectType,
  Property,
  Type,
  UnionType,
} from "../../../generator/model/types.js";
import { never } from "../../../generator/model/type-checks.js";
import type { Random } from "../random.js";

/** Types that edits change in place, on a copy. */
type Editable<Part> = { -readonly [Key in keyof Part]: Part[Key] };

/** A place in a definition that has a type. */
interface Slot {
  readonly get: () => Type;
  readonly set: (type: Type) => void;
}

interface Editing {
  readonly random: Random;
  /** A copy, whose types are changed in place. */
  readonly definitions: Map<string, Definition>;
  readonly definition: Editable<Definition>;
  readonly slots: readonly Slot[];
}

/** An edit that was made, or nothing, if the definition has no place for it. */
type Edit = (editing: Editing) => boolean;

/** Edits one of some definitions at random. Returns the definitions, and the kinds of the edits. */
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

/** Gives inline objects that extend others a definition of their own, as readers do: only interfaces can extend. */
function liftExtending(
  definition: Editable<Definition>,
  definitions: Map<string, Definition>,
): void {
  for (const slot of slotsBelow(definition.type)) {
    const type = slot.get();
    if (type.kind !== "object" || type.bases.length === 0) continue;
    const name = freshName(definitions, `${definition.name}Inline`);
    definitions.set(name, { kind: "definition", name, type, extensible: false });
    slot.set({ kind: "reference", name });
  }
}

function* slotsOf(definition: Editable<Definition>): Generator<Slot> {
  const slot: Slot = {
    get: () => definition.type,
    set: (type) => {
      definition.type = type;
    },
  };
  yield slot;
  yield* slotsBelow(definition.type);
}

function* slotsBelow(type: Type): Generator<Slot> {
  const slotOf = function* <Key extends string>(
    holder: { [Name in Key]: Type },
    key: Key,
  ): Generator<Slot> {
    const slot: Slot = {
      get: () => holder[key],
      set: (own) => {
        holder[key] = own as (typeof holder)[Key];
      },
    };
    yield slot;
    yield* slotsBelow(holder[key]);
  };
  if (type.kind === "object")
    for (const property of type.properties) yield* slotOf(property as Editable<Property>, "type");
  if (type.kind === "map") yield* slotOf(type as { values: Type }, "values");
  if (type.kind === "array") {
    yield* slotOf(type as Editable<ArrayType>, "items");
    for (const [index] of (type.first ?? []).entries())
      yield* slotOf(type.first as unknown as { [name: string]: Type }, String(index));
  }
  if (type.kind === "union")
    for (const [index] of type.members.entries())
      yield* slotOf(type.members as unknown as { [name: string]: Type }, String(index));
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
    ...{ kind: "array", first: [...first], items: never },
    ...{ minItems: length, maxItems: length },
  };
}

/** Changes a random slot whose type is of a kind that the edit knows. */
function onSlot(change: (type: Type, editing: Editing) => Type | undefined): Edit {
  return (editing) => {
    const { random, slots } = editing;
    for (let tries = 0; tries < 20; tries++) {
      const slot = random.pick(slots);
      const changed = change(slot.get(), editing);
      if (changed === undefined) continue;
      slot.set(changed);
      return true;
    }
    return false;
  };
}

/** Changes a random object. */
function onObject(change: (type: Editable<ObjectType>, editing: Editing) => boolean): Edit {
  return (editing) => {
    const objects = editing.slots.flatMap((slot) => {
      const type = slot.get();
      return type.kind === "object" ? [type as Editable<ObjectType>] : [];
    });
    return objects.length > 0 && change(editing.random.pick(objects), editing);
  };
}

/** Changes a random property. */
function onProperty(change: (property: Editable<Property>, editing: Editing) => boolean): Edit {
  return onObject(
    ({ properties }, editing) =>
      properties.length > 0 &&
      change(editing.random.pick(properties) as Editable<Property>, editing),
  );
}

function shuffled<Item>(random: Random, items: readonly Item[]): Item[] {
  const rest = [...items];
  return items.map(() => rest.splice(random.below(rest.length), 1)[0]!);
}

function freshName(definitions: ReadonlyMap<string, Definition>, start: string): string {
  let name = start;
  for (let index = 2; definitions.has(name); index++) name = `${start}${index}`;
  return name;
}

/** Calls a definition by another name, wherever it is named. */
function rename({ definitions, definition }: Editing): boolean {
  const [old, name] = [definition.name, freshName(definitions, `${definition.name}New`)];
  const renamed = JSON.parse(
    JSON.stringify([...definitions.values()], (_, value: unknown) => {
      if (typeof value !== "object" || value === null) return value;
      const node = value as { readonly kind?: unknown; readonly name?: unknown; bases?: unknown };
      const named =
        (node.kind === "reference" || node.kind === "definition") && node.name === old
          ? { ...node, name }
          : node;
      return Array.isArray(named.bases)
        ? { ...named, bases: named.bases.map((base: unknown) => (base === old ? name : base)) }
        : named;
    }),
  ) as Definition[];
  definitions.clear();
  for (const each of renamed) definitions.set(each.name, each);
  return true;
}

function moveToBase(
  type: Editable<ObjectType>,
  { random, definitions, definition }: Editing,
): boolean {
  if (type.extras === "closed" || type.properties.length === 0) return false;
  const property = random.pick(type.properties);
  const name = freshName(definitions, `${definition.name}Base`);
  const base: ObjectType = { kind: "object", bases: [], properties: [property], extras: "open" };
  definitions.set(name, { kind: "definition", name, type: base, extensible: false });
  type.bases = [...type.bases, name];
  type.properties = type.properties.filter((each) => each !== property);
  return true;
}

function withMember(type: Type, member: Type): UnionType {
  return { kind: "union", members: [...(type.kind === "union" ? type.members : [type]), member] };
}

const edits: Readonly<Record<string, Edit>> = {
  add: onObject((type, editing) => {
    const { random } = editing;
    const name = random.pick(names);
    if (type.properties.some((each) => each.name === name)) return false;
    const property = { name, type: randomType(editing), required: random.oneIn(2), at: "" };
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
    const name = freshName(definitions, `${definition.name}Part`);
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
          ...{ kind: "object", bases: [], extras: "open" },
          properties: [{ name: "key", type: type.values, required: false, at: "" }],
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
      case "string":
        return { ...type, minLength: random.below(3) };
      case "integer":
      case "number":
        return { ...type, minimum: random.below(3) - 1 };
      case "array":
        return type.first === undefined ? { ...type, minItems: random.below(3) } : undefined;
      default:
        return undefined;
    }
  }),
};

/** The kinds of edits. */
export const editKinds: readonly string[] = Object.keys(edits);
