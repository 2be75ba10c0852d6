import type { Protocol } from "./protocol.js";
import { definitionsByName, resolve } from "./queries.js";
import { itemTypes } from "./type-checks.js";
import type { Definition, Definitions, Property, Type } from "./types.js";

/** A name that was removed and later reintroduced with a different meaning. */
export interface ReusedName {
  /** The name, such as `Source.path`. */
  readonly at: string;
  readonly before: { readonly version: string; readonly type: string };
  readonly after: { readonly version: string; readonly type: string };
}

/** The version that introduced a name. */
export interface Since {
  readonly kind: "message" | "property" | "value";
  readonly at: string;
  readonly version: string;
  /** The last version that has the name. Absent if the latest version still has it. */
  readonly until?: string;
}

/** The names used in several versions: when each one appeared, and which ones changed meaning. */
export interface NameHistory {
  readonly reused: readonly ReusedName[];
  readonly since: readonly Since[];
}

/** Compares the names used in all versions. `protocols` must be in version order. */
export function compareNames(protocols: readonly Protocol[]): NameHistory {
  const traces = new Map<string, Trace>();
  protocols.forEach((protocol, index) => {
    for (const [at, kind, type] of namesOf(protocol)) {
      let trace = traces.get(at);
      if (trace === undefined) traces.set(at, (trace = { kind, types: [] }));
      trace.types[index] = type;
    }
  });
  const versions = protocols.map(({ version }) => version);
  const reused: ReusedName[] = [];
  const since = [...traces].map(([at, { kind, types }]): Since => {
    const places = [...versions.keys()].filter((index) => types[index] !== undefined);
    places.forEach((place, index) => {
      const last = places[index - 1];
      if (last === undefined || place === last + 1 || types[last] === types[place]) return;
      reused.push({
        at,
        before: { version: versions[last]!, type: types[last]! },
        after: { version: versions[place]!, type: types[place]! },
      });
    });
    const last = places.at(-1)!;
    return {
      kind,
      at,
      version: versions[places[0]!]!,
      ...(last === versions.length - 1 ? {} : { until: versions[last]! }),
    };
  });
  return { reused, since };
}

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
      const address = `${name}.${property.name}`;
      return { ...property, type: marked(property.type, address), ...mark(address) };
    });
    return { ...plain, type: { ...type, properties } };
  });
  return { ...protocol, definitions };
}

interface Trace {
  readonly kind: Since["kind"];
  /**
   * The type of the message, property or value in each version. Undefined for versions that lack
   * it.
   */
  readonly types: (string | undefined)[];
}

/**
 * Yields the names of a protocol's messages, properties and enum values, along with their types.
 */
function* namesOf(
  protocol: Protocol,
): Generator<readonly [at: string, kind: Since["kind"], type: string]> {
  for (const { kind, name, sender } of protocol.messages)
    yield [`${kind} ${name}`, "message", `${kind} of ${sender}`];
  const definitions = definitionsByName(protocol);
  for (const { name, type } of protocol.definitions) {
    if (type.kind === "enum")
      for (const { value } of type.values)
        yield [`${name} = ${JSON.stringify(value)}`, "value", typeof value];
    if (type.kind !== "object") continue;
    for (const property of type.properties) {
      const address = `${name}.${property.name}`;
      const resolved = resolve(definitions, property.type);
      yield [address, "property", shape(definitions, property.type)];
      if (property.type.kind === "enum" && resolved.kind === "enum")
        for (const { value } of resolved.values)
          yield [`${address} = ${JSON.stringify(value)}`, "value", typeof value];
    }
  }
}

/**
 * Returns the structure of a type, ignoring its bounds and listed values, since these may change
 * without altering the meaning of a name.
 */
function shape(definitions: Definitions, type: Type): string {
  const resolved = resolve(definitions, type);
  switch (resolved.kind) {
    case "integer":
    case "number":
      return "number";
    case "enum":
      return typeof resolved.values[0]?.value;
    case "literal":
      return typeof resolved.value;
    case "array":
      return resolved.first === undefined
        ? `${shape(definitions, resolved.items)}[]`
        : `[${itemTypes(resolved)
            .map((item) => shape(definitions, item))
            .join(", ")}]`;
    case "object":
      return type.kind === "reference" ? type.name : "object";
    case "union":
      return [...new Set(resolved.members.map((member) => shape(definitions, member)))]
        .sort()
        .join(" | ");
    default:
      return resolved.kind;
  }
}
