import type { Message } from "../model/protocol.js";
import type { DefinitionPairs } from "./compare/definition-pairs.js";
import { reachedFrom, type Side } from "./compare/side.js";
import type { DiffNote } from "./finding.js";

/**
 * Lists the types that messages use in only one version. Leaves out messages and their payloads,
 * because findings report them.
 */
export function unpairedTypes(pairs: DefinitionPairs, old: Side, now: Side): readonly DiffNote[] {
  const before = new Set([...pairs].map((pair) => pair.before));
  const after = new Set([...pairs].map((pair) => pair.after));
  const added = usedTypes(now).filter((name) => !after.has(name) && !old.definitions.has(name));
  const removed = usedTypes(old).filter((name) => !before.has(name) && !now.definitions.has(name));
  return [
    ...added.map((name): DiffNote => ({ rule: "definition.added", after: name })),
    ...removed.map((name): DiffNote => ({ rule: "definition.removed", before: name })),
  ];
}

/** Names of the types that messages contain, in the order of the schema. */
function usedTypes({ definitions, messages }: Side): readonly string[] {
  const parts = new Set([...messages.values()].flatMap(partsOf));
  const used = reachedFrom(definitions, parts);
  return [...definitions.values()]
    .filter(
      ({ name, pointer }) =>
        used.has(name) && !parts.has(name) && !pointer?.includes("/properties/"),
    )
    .map(({ name }) => name);
}

/** The definitions of a message, of its response and of their payloads. */
function partsOf(message: Message): readonly string[] {
  const { definition, payload } = message;
  const { responseDefinition, result } = message.kind === "request" ? message : {};
  const carried = [payload, result].flatMap((each) =>
    each?.type.kind === "reference" ? [each.type.name] : [],
  );
  return [
    definition,
    ...(responseDefinition === undefined ? [] : [responseDefinition]),
    ...carried,
  ];
}

/** Prints one line for each kind of note: renamed types, new types and removed types. */
export function noteTexts(notes: readonly DiffNote[]): readonly string[] {
  const named = (id: DiffNote["rule"]): readonly string[] =>
    notes.flatMap((note) => (note.rule === id ? [note.after ?? note.before ?? ""] : []));
  const listed = (title: string, names: readonly string[]): readonly string[] =>
    names.length === 0 ? [] : [`${title}: ${names.join(", ")}`];
  return [
    ...notes.flatMap(({ rule, before, after }) =>
      rule === "definition.renamed"
        ? [`Renamed: ${before} → ${after}, which affects only code`]
        : [],
    ),
    ...listed("New types", named("definition.added")),
    ...listed("Removed types", named("definition.removed")),
  ];
}
