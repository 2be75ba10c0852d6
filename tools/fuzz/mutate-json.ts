import { replaced, type Material, type Mutate } from "./mutate-bytes.js";
import type { Random } from "./random.js";
import type { Target } from "./target.js";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The location of a value: its container and its key within it. */
interface Place {
  readonly holder: Json[] | { [key: string]: Json };
  readonly key: number | string;
}

const numbers = [
  0,
  -0,
  1,
  -1,
  2,
  0.5,
  1.5,
  -1.5,
  1e-7,
  1e21,
  1e308,
  5e-324,
  255,
  256,
  511,
  512,
  513,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31),
  -(2 ** 31) - 1,
  2 ** 32,
  2 ** 53 - 1,
  2 ** 53,
  2 ** 53 + 2,
];
const texts = [
  "",
  "a",
  "__proto__",
  "constructor",
  "toString",
  "length",
  "\u0000",
  "\u202e",
  "\ud800",
];

/**
 * Mutates the tree of a JSON input. Occasionally, and always if the input is not JSON, mutates the
 * bytes instead.
 */
export function mutateJson(
  material: Material,
  mutateBytes: Mutate,
  names: readonly string[],
  { format, values: whole = [] }: Pick<Target, "format" | "values">,
): Mutate {
  return (input, random) => {
    if (random.oneIn(format === "mixed" ? 2 : 12)) return mutateBytes(input, random);
    const root = parseJson(input);
    if (root === undefined) return mutateBytes(input, random);
    const box = { root };
    for (let rounds = 1 + random.below(1 << random.below(3)); rounds > 0; rounds--)
      changeOnce(box, random, material, names, whole);
    const bytes = Buffer.from(JSON.stringify(box.root));
    return bytes.length > material.maxLength ? input : new Uint8Array(bytes);
  };
}

export function parseJson(bytes: Uint8Array): Json | undefined {
  try {
    return JSON.parse(Buffer.from(bytes).toString()) as Json;
  } catch {
    return undefined;
  }
}

/** Returns the locations of all values in a tree, including the root. */
function placesOf(box: { root: Json }): Place[] {
  const places: Place[] = [];
  const holders: Place["holder"][] = [box];
  for (let holder = holders.pop(); holder !== undefined; holder = holders.pop()) {
    for (const key of Array.isArray(holder) ? holder.keys() : Object.keys(holder)) {
      places.push({ holder, key });
      const value = get({ holder, key });
      if (typeof value === "object" && value !== null) holders.push(value);
    }
  }
  return places;
}

function get({ holder, key }: Place): Json {
  return (holder as Record<number | string, Json>)[key]!;
}

function set({ holder, key }: Place, value: Json): void {
  Object.defineProperty(holder, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

function copyOf(value: Json): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

function changeOnce(
  box: { root: Json },
  random: Random,
  material: Material,
  names: readonly string[],
  whole: readonly unknown[],
): void {
  const places = placesOf(box);
  const place = random.pick(places);
  const value = get(place);
  switch (random.below(14)) {
    case 0:
    case 1:
      set(place, scalarNear(value, random, material, names));
      return;
    case 2:
      // Change numbers and strings more often than replacing them.
      if (typeof value === "object") set(place, random.pick([null, true, [], {}, 0, ""]));
      else set(place, scalarNear(value, random, material, names));
      return;
    case 3:
      set(place, copyOf(get(random.pick(places))));
      return;
    case 4:
    case 5:
      if (Array.isArray(place.holder)) place.holder.splice(place.key as number, 1);
      else if (place.holder !== box) delete place.holder[place.key];
      return;
    case 6:
    case 7: {
      // Inserts a copy of a random value into an array or object.
      const holder = typeof value === "object" && value !== null ? value : place.holder;
      if (holder === (box as unknown)) return;
      const added = copyOf(get(random.pick(places)));
      if (Array.isArray(holder)) holder.splice(random.below(holder.length + 1), 0, added);
      else set({ holder, key: nameFrom(random, places, names) }, added);
      return;
    }
    case 8: {
      if (Array.isArray(place.holder) || place.holder === (box as unknown)) return;
      delete place.holder[place.key];
      set({ holder: place.holder, key: nameFrom(random, places, names) }, value);
      return;
    }
    case 9:
      set(place, random.oneIn(2) ? [value] : { [nameFrom(random, places, names)]: value });
      return;
    case 10: {
      const anotherInput = parseJson(material.anotherInput(random));
      if (anotherInput === undefined) return;
      set(place, copyOf(get(random.pick(placesOf({ root: anotherInput })))));
      return;
    }
    case 11:
      if (whole.length > 0) set(place, copyOf(random.pick(whole) as Json));
      return;
    case 12: {
      let deep = value;
      const isList = random.oneIn(2);
      const key = nameFrom(random, places, names);
      for (let level = random.length(300); level > 0; level--)
        deep = isList ? [deep] : { [key]: deep };
      if (JSON.stringify(deep).length < material.maxLength) set(place, deep);
      return;
    }
    default: {
      const holder = place.holder;
      if (!Array.isArray(holder)) return;
      const [moved] = holder.splice(place.key as number, 1);
      holder.splice(random.below(holder.length + 1), 0, moved!);
    }
  }
}

function nameFrom(random: Random, places: readonly Place[], names: readonly string[]): string {
  if (random.oneIn(10)) return random.pick(texts);
  if (random.oneIn(3) || names.length === 0) return String(random.pick(places).key);
  return random.pick(names);
}

function scalarNear(
  value: Json,
  random: Random,
  material: Material,
  names: readonly string[],
): Json {
  if (random.oneIn(6)) return random.pick<Json>([null, true, false, random.pick(numbers), ""]);
  if (typeof value === "number")
    return random.pick([random.pick(numbers), value + 1, value - 1, -value, value / 2]);
  if (typeof value === "boolean") return !value;
  if (random.oneIn(3) && names.length > 0) return random.pick(names);
  const text = typeof value === "string" ? value : "";
  if (random.oneIn(4)) return random.pick(texts);
  const token = random.pick(material.tokens) ?? new Uint8Array(0);
  const bytes = new Uint8Array(Buffer.from(text));
  return Buffer.from(
    replaced(bytes, random.below(bytes.length), random.below(bytes.length + 1), token),
  ).toString();
}
