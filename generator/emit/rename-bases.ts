import { freeName } from "../model/names.js";
import type { Bases, Protocol } from "../model/protocol.js";
import type { PackageNames } from "./modules/package-names.js";

/** Names of global types that can be used without an import, whether in a browser or in Node. */
const globalTypes: ReadonlySet<string> = new Set(["Event", "Notification", "Request", "Response"]);

/**
 * Renames the base types of messages so that they differ from global types, for example to
 * `RequestMessage` instead of `Request`. Otherwise, a program that forgets to import `Request`
 * would still compile, but with the type that `fetch` uses.
 */
export function renameBases(protocol: Protocol): Protocol {
  const { bases } = protocol;
  const definitionNames = new Set(protocol.definitions.map(({ name }) => name));
  const names = new Map<unknown, string>();
  for (const name of [bases.request, bases.event, bases.response])
    if (name !== undefined && globalTypes.has(name) && !definitionNames.has(`${name}Message`))
      names.set(name, `${name}Message`);
  return renameDefinitions(protocol, names);
}

/**
 * Renames the definitions in a schema whose name, check or validator would have a name that the
 * package needs for something else: `Validator` becomes `ValidatorType`.
 *
 * @param taken The other names that the package exports.
 */
export function renameTaken(
  protocol: Protocol,
  packageNames: PackageNames,
  taken: ReadonlySet<string>,
): Protocol {
  const all = new Set([...taken, ...protocol.definitions.map(({ name }) => name)]);
  const names = new Map<unknown, string>();
  for (const { name, pointer } of protocol.definitions) {
    const exported = [name, packageNames.check(name), packageNames.validator(name)];
    if (pointer === undefined || !exported.some((each) => taken.has(each))) continue;
    const type = freeName(`${name}Type`, all);
    all.add(type);
    names.set(name, type);
  }
  return renameDefinitions(protocol, names);
}

function renameDefinitions(protocol: Protocol, names: ReadonlyMap<unknown, string>): Protocol {
  if (names.size === 0) return protocol;
  const { bases } = protocol;
  const renamed = <Name>(name: Name): Name => (names.get(name) ?? name) as Name;
  return {
    ...protocol,
    bases: Object.fromEntries(
      Object.entries(bases).map(([kind, name]) => [kind, renamed(name)]),
    ) as unknown as Bases,
    definitions: protocol.definitions.map((definition) => {
      const { name, type } = definition;
      return { ...definition, name: renamed(name), type: inType(type, renamed) };
    }),
    messages: protocol.messages.map((message) => inType(message, renamed)),
    capabilities: protocol.capabilities.map((each) => inType(each, renamed)),
  };
}

/** Keys whose values are names of definitions. */
const definitionKeys = new Set([
  "definition",
  "responseDefinition",
  "partialResult",
  "errorData",
  "options",
]);

/**
 * Returns a copy of part of a model with its references renamed. If there are no references to
 * rename, returns the part itself.
 */
function inType<Part>(part: Part, renamed: <Name>(name: Name) => Name): Part {
  if (typeof part !== "object" || part === null) return part;
  const isReference = (part as { readonly kind?: unknown }).kind === "reference";
  const entries = Object.entries(part).map(([key, value]): [string, unknown] => [
    key,
    (isReference && key === "name") || definitionKeys.has(key)
      ? renamed(value as unknown)
      : key === "bases"
        ? inNames(value as readonly string[], renamed)
        : inType(value as unknown, renamed),
  ]);
  if (entries.every(([key, value]) => value === (part as Record<string, unknown>)[key]))
    return part;
  return (
    Array.isArray(part) ? entries.map(([, value]) => value) : Object.fromEntries(entries)
  ) as Part;
}

function inNames(names: readonly string[], renamed: (name: string) => string): readonly string[] {
  return names.some((name) => renamed(name) !== name) ? names.map(renamed) : names;
}
