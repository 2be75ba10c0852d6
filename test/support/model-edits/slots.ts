import type {
  ArrayType,
  Definition,
  ObjectType,
  Property,
  Type,
} from "../../../generator/model/types.js";
import type { Random } from "../random.js";

/** Makes the properties of a part of the model writable, for edits in a copy. */
export type Editable<Part> = { -readonly [Key in keyof Part]: Part[Key] };

/** A location in a definition that holds a type. */
interface Slot {
  readonly get: () => Type;
  readonly set: (type: Type) => void;
}

export interface Editing {
  readonly random: Random;
  /** A copy of the definitions whose types are changed in place. */
  readonly definitions: Map<string, Definition>;
  readonly definition: Editable<Definition>;
  readonly slots: readonly Slot[];
}

/** Makes an edit. Returns false if the definition has no suitable location. */
export type Edit = (editing: Editing) => boolean;

export function* slotsOf(definition: Editable<Definition>): Generator<Slot> {
  const slot: Slot = {
    get: () => definition.type,
    set: (type) => {
      definition.type = type;
    },
  };
  yield slot;
  yield* slotsBelow(definition.type);
}

export function* slotsBelow(type: Type): Generator<Slot> {
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

/** Changes a random slot whose type the edit supports. */
export function onSlot(change: (type: Type, editing: Editing) => Type | undefined): Edit {
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
export function onObject(change: (type: Editable<ObjectType>, editing: Editing) => boolean): Edit {
  return (editing) => {
    const objects = editing.slots.flatMap((slot) => {
      const type = slot.get();
      return type.kind === "object" ? [type as Editable<ObjectType>] : [];
    });
    return objects.length > 0 && change(editing.random.pick(objects), editing);
  };
}

/** Changes a random property. */
export function onProperty(
  change: (property: Editable<Property>, editing: Editing) => boolean,
): Edit {
  return onObject(
    ({ properties }, editing) =>
      properties.length > 0 &&
      change(editing.random.pick(properties) as Editable<Property>, editing),
  );
}
