import type { Random } from "../random.js";
import {
  createField,
  createShape,
  type Constant,
  type Field,
  type Shape,
  type Version,
} from "./shapes.js";

/**
 * Derives the next version from a version, either with one to three changes or by writing the same
 * types in an equivalent form.
 */
export function nextVersion(random: Random, version: Version): Version {
  let next = version;
  for (let changes = random.below(4); changes > 0; changes--) next = changeOne(random, next);
  return random.oneIn(3) ? renameDefinition(random, next) : next;
}

function changeOne(random: Random, version: Version): Version {
  const names = [...version.keys()].filter((name) => name !== "Base" && name !== "Payload");
  const name = random.pick([...version.keys()]);
  const changed = changeShape(random, version.get(name)!, name === "Base" ? [] : names);
  // A message's payload and another type's base must remain objects.
  if ((name === "Base" || name === "Payload") && changed.kind !== "object") return version;
  // A base must not have a base of its own, and must allow additional fields.
  if (name === "Base" && (JSON.stringify(changed).includes('"base"') || isClosed(changed)))
    return version;
  return new Map([...version, [name, changed]]);
}

function isClosed(shape: Shape): boolean {
  return shape.kind === "object" && shape.closed;
}

/** Changes a shape or, more often, one of its parts. */
function changeShape(random: Random, shape: Shape, names: readonly string[]): Shape {
  const isPart = !random.oneIn(3);
  switch (shape.kind) {
    case "object":
      return isPart && shape.fields.length > 0
        ? {
            ...shape,
            fields: changeAt(random, shape.fields, (each) => changeField(random, each, names)),
          }
        : changeObject(random, shape, names);
    case "union":
      return isPart
        ? {
            ...shape,
            members: changeAt(random, shape.members, (each) => changeShape(random, each, names)),
          }
        : changeUnion(random, shape.members, names);
    case "list":
      if (isPart) return { ...shape, items: changeShape(random, shape.items, names) };
      return random.oneIn(2) ? shape.items : changeBounds(random, shape);
    case "map":
      return isPart ? { ...shape, values: changeShape(random, shape.values, names) } : other();
    case "text":
    case "integer":
    case "number":
      return isPart ? changeBounds(random, shape) : other();
    case "values":
      return isPart ? changeValues(random, shape.values, shape.open) : other();
    default:
      return other();
  }
  function other(): Shape {
    const next = createShape(random, names, 2);
    return random.pick<Shape>([
      next,
      { kind: "list", items: shape },
      { kind: "union", members: [shape, { kind: "null" }] },
      { kind: "union", members: [next, shape] },
    ]);
  }
}

function changeAt<Item>(
  random: Random,
  items: readonly Item[],
  change: (item: Item) => Item,
): readonly Item[] {
  const at = random.below(items.length);
  return items.map((item, index) => (index === at ? change(item) : item));
}

function changeField(random: Random, field: Field, names: readonly string[]): Field {
  return random.oneIn(4)
    ? { ...field, required: !field.required }
    : { ...field, shape: changeShape(random, field.shape, names) };
}

function changeObject(
  random: Random,
  shape: Shape & { kind: "object" },
  names: readonly string[],
): Shape {
  const { fields } = shape;
  const added = createField(random, names, 2);
  const isNew = fields.every(({ name }) => name !== added.name);
  switch (random.below(4)) {
    case 0:
      return isNew ? { ...shape, fields: [added, ...fields] } : shape;
    case 1:
      return fields.length > 1 ? { ...shape, fields: fields.slice(1) } : shape;
    case 2:
      return isNew
        ? { ...shape, fields: changeAt(random, fields, (each) => ({ ...each, name: added.name })) }
        : { ...shape, closed: shape.base === undefined && !shape.closed };
    default:
      return { ...shape, fields: [...fields].reverse() };
  }
}

function changeUnion(random: Random, members: readonly Shape[], names: readonly string[]): Shape {
  switch (random.below(3)) {
    case 0:
      return { kind: "union", members: [createShape(random, names, 2), ...members] };
    case 1: {
      const rest = members.slice(1);
      return rest.length === 1 ? rest[0]! : { kind: "union", members: rest };
    }
    default:
      return { kind: "union", members: [...members].reverse() };
  }
}

function changeBounds<Bounded extends Shape & { least?: number; most?: number }>(
  random: Random,
  shape: Bounded,
): Shape {
  const { least: _least, most: _most, ...rest } = shape;
  const least = random.below(3);
  const bounds = random.pick([
    {},
    { least },
    { most: least + random.below(3) },
    { least, most: least },
  ]);
  const changed = { ...rest, ...bounds } as Shape;
  if (changed.kind === "integer" && random.oneIn(3)) return { ...changed, kind: "number" };
  if (changed.kind === "number" && random.oneIn(3)) return { ...changed, kind: "integer" };
  return changed;
}

function changeValues(random: Random, values: readonly Constant[], open: boolean): Shape {
  const [first] = values;
  if (typeof first === "string" && random.oneIn(3)) return { kind: "values", open: !open, values };
  if (values.length > 1 && random.oneIn(2))
    return { kind: "values", open, values: values.slice(1) };
  const added: Constant =
    typeof first === "string"
      ? random.pick(["a", "b", "c", "d", "e"])
      : typeof first === "number"
        ? random.below(6)
        : first !== true;
  const all = new Set(random.oneIn(3) ? [added] : [...values, added]);
  return { kind: "values", open: open && typeof first === "string", values: [...all] };
}

/** Renames a definition and all references to it. */
function renameDefinition(random: Random, version: Version): Version {
  const names = [...version.keys()].filter((name) => name !== "Base" && name !== "Payload");
  const old = random.pick(names);
  const now = `${old}Too`;
  return new Map(
    [...version].map(([name, shape]) => [
      name === old ? now : name,
      JSON.parse(JSON.stringify(shape), (_, value: unknown) =>
        isReferenceTo(value, old) ? { kind: "reference", name: now } : value,
      ) as Shape,
    ]),
  );
}

function isReferenceTo(value: unknown, name: string): boolean {
  const { kind, name: target } = (value ?? {}) as { kind?: unknown; name?: unknown };
  return kind === "reference" && target === name;
}
