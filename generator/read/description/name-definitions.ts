import type { Faults } from "../../base/faults.js";
import { freeName, isIdentifier, isReservedWord, pascalCase } from "../../model/names.js";
import type { Json } from "../../model/types.js";
import { joinPointer, type JsonFile } from "../source/json-text.js";
import type { Description } from "./description-types.js";
import { definitionsIn } from "./draft.js";

/** A schema whose definitions have the names of types, with its description. */
interface NamedDefinitions {
  readonly file: JsonFile;
  readonly description: Description;
  /** The new names of definitions, by their names in the schema. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * Gives each definition a name that a type can have: the one that the description states under
 * `names`, or an identifier made from the definition's own name. `Partial<Foo>` becomes
 * `PartialFoo`.
 */
export function nameDefinitions(
  file: JsonFile,
  description: Description,
  faults: Faults,
): NamedDefinitions {
  const schema = definitionsIn(file.value);
  const all = Object.keys(schema?.definitions ?? {});
  const names = newNames(all, description.schema.names ?? {}, (code, message, name) => {
    const at = file.locate(joinPointer("", schema?.container ?? "definitions", name));
    faults.add(code, message, at, `Change it under "names" in the description's schema`);
  });
  if (schema === undefined || names.size === 0) return { file, description, names };
  const { container, definitions, root } = schema;
  const inReferences = new RegExp(`^#/${container.replace("$", "\\$")}/([^/]*)`);
  const inSchema = (part: Json): Json =>
    JSON.parse(
      JSON.stringify(part, (key, value: unknown) =>
        key === "$ref" && typeof value === "string"
          ? value.replace(inReferences, (whole, segment: string) => {
              const name = names.get(nameIn(segment));
              return name === undefined ? whole : `#/${container}/${name}`;
            })
          : value,
      ),
    ) as Json;
  const { [container]: _, ...others } = root;
  const oldNames = new Map([...names].map(([name, type]) => [type, name]));
  return {
    file: {
      name: file.name,
      value: {
        ...(inSchema(others) as object),
        [container]: Object.fromEntries(
          Object.entries(definitions).map(([name, node]) => [
            names.get(name) ?? name,
            inSchema(node),
          ]),
        ),
      },
      locate(pointer) {
        const [, start = "", type = "", rest = ""] =
          /^(\/[^/]*\/)([^/]*)(.*)$/s.exec(pointer) ?? [];
        const name = start === `/${container}/` ? oldNames.get(type) : undefined;
        return file.locate(
          name === undefined ? pointer : `${joinPointer("", container, name)}${rest}`,
        );
      },
    },
    description: inDescription(description, names),
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

/** Returns the definition name in a segment of a reference. */
function nameIn(segment: string): string {
  let text = segment;
  try {
    text = decodeURIComponent(segment);
  } catch {
    // The reader of references reports the invalid escape.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
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
  return {
    ...description,
    messages: messages.by === "table" ? within(messages) : messages,
    ...(capabilities === undefined ? {} : { capabilities: within(capabilities) }),
    ...(extensible === undefined ? {} : { extensible: extensible.map(named) }),
    ...(defaults === undefined ? {} : { defaults: addressed(defaults) }),
    ...(limits === undefined ? {} : { limits: addressed(limits) }),
    ...(gates?.properties === undefined
      ? {}
      : { gates: { ...gates, properties: addressed(gates.properties) } }),
    ...(references === undefined
      ? {}
      : {
          references: Object.fromEntries(
            Object.entries(references).map(([kind, { places, definitions, ...rest }]) => [
              kind,
              {
                ...rest,
                ...(places === undefined ? {} : { places: places.map(addressOf) }),
                ...(definitions === undefined ? {} : { definitions: definitions.map(named) }),
              },
            ]),
          ),
        }),
  };
}
