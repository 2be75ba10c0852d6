import type { Protocol } from "../generator/model/protocol.js";
import type { Definition, Property, Type } from "../generator/model/types.js";
import { compareNames } from "./version-range.js";

/**
 * Marks each message, type, property and enum value with the version that introduced it.
 *
 * @param earlier The earlier versions, oldest first. Anything already present in the oldest version
 * is left unmarked.
 */
export function markFirstVersions(protocol: Protocol, earlier: readonly Protocol[]): Protocol {
  const [oldest] = earlier;
  if (oldest === undefined) return protocol;
  const { since } = compareNames([...earlier, protocol]);
  const versions = new Map(
    since.flatMap(({ at, version }): [string, string][] =>
      version === oldest.version ? [] : [[at, version]],
    ),
  );
  const messages = new Map(
    protocol.messages.map((message) => [
      message.definition,
      versions.get(`${message.kind} ${message.name}`),
    ]),
  );
  const definitionVersion = (name: string): string | undefined => {
    const first = earlier.find(({ definitions }) => definitions.some((each) => each.name === name));
    return first === oldest ? undefined : (first ?? protocol).version;
  };
  const mark = (at: string): { readonly since?: string } => {
    const version = versions.get(at);
    return version === undefined ? {} : { since: version };
  };
  // A value that was added along with its enum does not need a mark of its own.
  const marked = (type: Type, at: string): Type =>
    type.kind === "enum"
      ? {
          ...type,
          values: type.values.map((value) => {
            const { since: first } = mark(`${at} = ${JSON.stringify(value.value)}`);
            return first === undefined || first === versions.get(at)
              ? value
              : { ...value, since: first };
          }),
        }
      : type;
  const definitions = protocol.definitions.map((definition): Definition => {
    const { name, type } = definition;
    const first = messages.get(name) ?? definitionVersion(name);
    const plain = first === undefined ? definition : { ...definition, since: first };
    if (type.kind !== "object") return { ...plain, type: marked(type, name) };
    const properties = type.properties.map((property): Property => {
      const at = `${name}.${property.name}`;
      return { ...property, type: marked(property.type, at), ...mark(at) };
    });
    return { ...plain, type: { ...type, properties } };
  });
  return { ...protocol, definitions };
}
