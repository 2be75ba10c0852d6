import type { Definition, ObjectType, Property, Type } from "../../../generator/model/types.js";
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

/** Lists the location of a definition's type, and those below it. */
export function slotsOf(definition: Definition): Generator<Slot> {
  return slotsIn(definition, ["type"]);
}

export function* slotsBelow(type: Type): Generator<Slot> {
  if (type.kind === "object")
    for (const property of type.properties) yield* slotsIn(property, ["type"]);
  if (type.kind === "map") yield* slotsIn(type, ["values"]);
  if (type.kind === "array") {
    yield* slotsIn(type, ["items"]);
    yield* slotsIn(type.first ?? []);
  }
  if (type.kind === "union") yield* slotsIn(type.members);
}

/** Lists the locations in an object or array, each followed by those below it. */
function* slotsIn(holder: object, keys: readonly string[] = Object.keys(holder)): Generator<Slot> {
  const types = holder as { [key: string]: Type };
  for (const key of keys) {
    yield { get: () => types[key]!, set: (type) => void (types[key] = type) };
    yield* slotsBelow(types[key]!);
  }
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
