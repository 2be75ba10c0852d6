import type { Faults } from "../../base/faults.js";
import { statedFields } from "../../base/stated-fields.js";
import type { Protocol } from "../../model/protocol.js";
import type { Definition, Property, Type } from "../../model/types.js";
import type { Description } from "../description/description-types.js";
import { joinPointer, type JsonFile } from "../source/json-text.js";

/** A protocol whose properties and definitions are marked with their kinds of references. */
interface MarkedReferences {
  readonly protocol: Protocol;
  /**
   * The references in the description whose names occur in the protocol, such as
   * `properties threadId`.
   */
  readonly found: ReadonlySet<string>;
}

/** The keys under which a description lists references. */
const parts = ["properties", "places", "definitions"] as const;
type Part = (typeof parts)[number];

/** Marks a protocol's properties and definitions that are references. */
export function readReferences(
  protocol: Protocol,
  { references: described }: Description,
): MarkedReferences {
  if (described === undefined) return { protocol, found: new Set() };
  const names = new Set<string>();
  const kinds = new Set<string>();
  const kindOf = kindsByName(described);
  const find = (part: Part, name: string): string | undefined => {
    const kind = kindOf.get(`${part} ${name}`);
    if (kind === undefined) return undefined;
    names.add(`${part} ${name}`);
    kinds.add(kind);
    return kind;
  };
  const property = (owner: string, each: Property): Property => {
    // Boolean properties whose names happen to match are skipped. For example, a flag that shows
    // lines is not a reference to a line.
    const named = each.type.kind === "boolean" ? undefined : find("properties", each.name);
    const reference = find("places", `${owner}/${each.name}`) ?? named;
    const type = marked(each.type, `${owner}/${each.name}`);
    return statedFields({ ...each, type, reference });
  };
  /** Marks the references in an object's properties, and in those of inline objects. */
  const marked = (type: Type, owner: string): Type =>
    type.kind === "object"
      ? { ...type, properties: type.properties.map((each) => property(owner, each)) }
      : type;
  const definitions = protocol.definitions.map((definition): Definition =>
    statedFields({
      ...definition,
      reference: find("definitions", definition.name),
      type: marked(definition.type, definition.name),
    }),
  );
  // Kinds of references that do not occur in this version are left out.
  const references = Object.entries(described)
    .filter(([name]) => kinds.has(name))
    .map(([name, { docs, except, expires }]) => statedFields({ name, docs, except, expires }));
  return { protocol: { ...protocol, definitions, references }, found: names };
}

/**
 * Maps names, such as `properties threadId`, to kinds of references. If several kinds list the same
 * name, the first kind wins.
 */
function kindsByName(
  described: NonNullable<Description["references"]>,
): ReadonlyMap<string, string> {
  const kinds = new Map<string, string>();
  for (const [kind, each] of Object.entries(described))
    for (const part of parts)
      for (const name of each[part] ?? [])
        if (!kinds.has(`${part} ${name}`)) kinds.set(`${part} ${name}`, kind);
  return kinds;
}

/** Checks that all properties and definitions that a description lists as references exist. */
export function checkReferences(
  found: ReadonlySet<string>,
  { references = {} }: Description,
  file: JsonFile,
  faults: Faults,
): void {
  for (const [kind, each] of Object.entries(references))
    for (const part of parts)
      for (const [index, name] of (each[part] ?? []).entries())
        if (!found.has(`${part} ${name}`))
          faults.add(
            "ERR_DESCRIPTION",
            `Cannot find "${name}"`,
            file.locate(joinPointer("", "references", kind, part, index)),
          );
}
