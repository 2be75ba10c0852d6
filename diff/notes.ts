import type { Message } from "../generator/model/protocol.js";
import type { DefinitionPairs } from "./compare/definition-pairs.js";
import { reachedFrom, type Side, type Versions } from "./compare/side.js";
import type { DiffNote } from "./finding.js";

/**
 * Lists the definitions that were renamed, and the types that messages use in only one of the
 * versions. Messages and their payloads are left out, because findings already cover them.
 */
export function notesOf(pairs: DefinitionPairs, { before, after }: Versions): readonly DiffNote[] {
  const compared = { before: new Set<string>(), after: new Set<string>() };
  for (const pair of pairs) {
    compared.before.add(pair.before);
    compared.after.add(pair.after);
  }
  const renamed = [...pairs].filter(
    (pair) => !after.definitions.has(pair.before) && !before.definitions.has(pair.after),
  );
  const added = usedTypes(after).filter(
    (name) => !compared.after.has(name) && !before.definitions.has(name),
  );
  const removed = usedTypes(before).filter(
    (name) => !compared.before.has(name) && !after.definitions.has(name),
  );
  return [
    ...renamed.map((pair): DiffNote => ({
      rule: "definition.renamed",
      before: pair.before,
      after: pair.after,
    })),
    ...added.map((name): DiffNote => ({ rule: "definition.added", after: name })),
    ...removed.map((name): DiffNote => ({ rule: "definition.removed", before: name })),
  ];
}

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

/** Returns a line for each renamed type, one for all new types, and one for all removed types. */
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
