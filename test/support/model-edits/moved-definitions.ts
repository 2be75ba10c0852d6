import { freeName } from "../../../generator/model/names.js";
import type { Definition, ObjectType } from "../../../generator/model/types.js";
import { type Editable, type Editing, slotsBelow } from "./slots.js";

/**
 * Moves inline objects that extend other objects into definitions of their own, as the schema
 * readers do, because only interfaces can extend.
 */
export function liftExtending(
  definition: Editable<Definition>,
  definitions: Map<string, Definition>,
): void {
  for (const slot of slotsBelow(definition.type)) {
    const type = slot.get();
    if (type.kind !== "object" || type.bases.length === 0) continue;
    const name = freeName(`${definition.name}Inline`, definitions);
    definitions.set(name, { kind: "definition", name, type, extensible: false });
    slot.set({ kind: "reference", name });
  }
}

/** Renames a definition and all references to it. */
export function rename({ definitions, definition }: Editing): boolean {
  const [old, name] = [definition.name, freeName(`${definition.name}New`, definitions)];
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

export function moveToBase(
  type: Editable<ObjectType>,
  { random, definitions, definition }: Editing,
): boolean {
  if (type.extras === "closed" || type.properties.length === 0) return false;
  const property = random.pick(type.properties);
  const name = freeName(`${definition.name}Base`, definitions);
  const base: ObjectType = { kind: "object", bases: [], properties: [property], extras: "open" };
  definitions.set(name, { kind: "definition", name, type: base, extensible: false });
  type.bases = [...type.bases, name];
  type.properties = type.properties.filter((each) => each !== property);
  return true;
}
