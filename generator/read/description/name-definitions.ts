import { statedFields } from "../../base/stated-fields.js";
import { freeName, isIdentifier, isReservedWord, pascalCase } from "../../model/names.js";
import { withNames } from "../schema/definition-references.js";
import { joinPointer } from "../source/json-text.js";
import type { Description } from "./description-types.js";
import { definitionsIn, schemaFileOf, type Draft } from "./draft.js";

/** A draft whose definitions have the names of types. */
interface NamedDefinitions {
  readonly draft: Draft;
  /** The new names of definitions, by their names in the schema. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * Gives each definition a name that a type can have: the one that the description states under
 * `names`, or an identifier made from the definition's own name. `Partial<Foo>` becomes
 * `PartialFoo`.
 */
export function nameDefinitions(draft: Draft): NamedDefinitions {
  const { description, source } = draft;
  const schema = definitionsIn(draft.root);
  const { container = "definitions", definitions = {}, root = {} } = schema ?? {};
  const pointerOf = (name: string): string => joinPointer("", container, name);
  const all = Object.keys(definitions);
  const names = newNames(all, description.schema.names ?? {}, (code, message, name) =>
    draft.faults.add(
      code,
      message,
      schemaFileOf(draft).locate(pointerOf(name)),
      `Change it under "names" in the description's schema`,
    ),
  );
  if (names.size === 0) return { draft, names };
  const { [container]: _, ...others } = root;
  const named = all.map((name) => [names.get(name) ?? name, withNames(definitions[name]!, names)]);
  const places = new Map(draft.places);
  for (const [name, type] of names) {
    const [old, renamed] = [pointerOf(name), pointerOf(type)];
    places.set(renamed, { file: source.file, pointer: old });
    for (const [pointer, place] of draft.places)
      if (`${pointer}/`.startsWith(`${old}/`))
        places.set(renamed + pointer.slice(old.length), place);
  }
  return {
    draft: {
      ...draft,
      root: {
        ...(withNames(others, names) as object),
        [container]: Object.fromEntries(named),
      },
      places,
      description: inDescription(description, names),
    },
    names,
  };
}

type Fail = (code: "ERR_NAME" | "ERR_NAME_COLLISION", message: string, name: string) => void;

function newNames(
  all: readonly string[],
  stated: Readonly<Record<string, string>>,
  fail: Fail,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const isFree = (name: string): boolean => isIdentifier(name) && !isReservedWord(name);
  const taken = new Set(all.filter((name) => isFree(name) && !Object.hasOwn(stated, name)));
  for (const name of all) {
    if (!Object.hasOwn(stated, name)) continue;
    const type = stated[name]!;
    if (!isFree(type))
      fail("ERR_NAME", `Cannot use ${JSON.stringify(type)} as a type name: it is reserved`, name);
    else if (taken.has(type))
      fail("ERR_NAME_COLLISION", `Cannot name two definitions "${type}"`, name);
    else names.set(name, type);
    taken.add(type);
  }
  for (const name of all) {
    if (taken.has(name) || names.has(name)) continue;
    const pascal = pascalCase(name);
    const type = freeName(isFree(pascal) ? pascal : `Type${pascal}`, taken);
    taken.add(type);
    names.set(name, type);
  }
  return names;
}

/** The keys of a description's messages and capabilities whose values are names of definitions. */
const nameKeys = new Set([
  "params",
  "result",
  "partialResult",
  "errorData",
  "options",
  "error",
  "type",
]);

/** Replaces the names of definitions in a description. */
function inDescription(description: Description, names: ReadonlyMap<string, string>): Description {
  const named = (text: string): string => {
    const [, name = text, optional = ""] = /^(.*?)(\??)$/s.exec(text) ?? [];
    const type = names.get(text) ?? names.get(name);
    return type === undefined ? text : `${type}${names.has(text) ? "" : optional}`;
  };
  const within = <Part>(part: Part): Part =>
    part === undefined
      ? part
      : (JSON.parse(
          JSON.stringify(part, (key, value: unknown) =>
            nameKeys.has(key) && typeof value === "string" ? named(value) : value,
          ),
        ) as Part);
  const addressOf = (address: string): string => {
    const name = [...names.keys()].find((each) => address.startsWith(`${each}/`));
    return name === undefined ? address : `${names.get(name)!}${address.slice(name.length)}`;
  };
  const addressed = <Value>(
    parts: Readonly<Record<string, Value>>,
  ): Readonly<Record<string, Value>> =>
    Object.fromEntries(
      Object.entries(parts).map(([address, value]) => [addressOf(address), value]),
    );
  const { messages, capabilities, extensible, gates, defaults, limits, references } = description;
  return statedFields({
    ...description,
    messages: messages.by === "table" ? within(messages) : messages,
    capabilities: within(capabilities),
    extensible: extensible?.map(named),
    defaults: defaults && addressed(defaults),
    limits: limits && addressed(limits),
    gates: gates && statedFields({ ...gates, properties: addressed(gates.properties ?? {}) }),
    references:
      references &&
      Object.fromEntries(
        Object.entries(references).map(([kind, { places, definitions, ...rest }]) => [
          kind,
          statedFields({
            ...rest,
            places: places?.map(addressOf),
            definitions: definitions?.map(named),
          }),
        ]),
      ),
  });
}
