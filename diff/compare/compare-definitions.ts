import type { Change, Site } from "./change.js";
import { compiles, type DiffRule, fails, ruleFamily } from "./rule-family.js";
import type { DefinitionPairs } from "./definition-pairs.js";
import type { Side } from "./side.js";

export const definitionRules = ruleFamily({
  "definition.added": {
    title: "Unused type added",
    reason: "Only code can use {after}.",
    oldToNew: "ok",
    newToOld: "ok",
    producer: compiles,
    consumer: compiles,
    mirror: "definition.removed",
  },
  "definition.removed": {
    title: "Unused type removed",
    reason: "Code that imports {before} no longer compiles.",
    oldToNew: "ok",
    newToOld: "ok",
    producer: fails("removed", "direct-use"),
    consumer: fails("removed", "direct-use"),
    mirror: "definition.added",
  },
});

/**
 * Returns the definitions that both versions have but no message contains at the same location in
 * both, for example because the schema leaves a value open. They matter for code, because a package
 * exports them.
 */
export function typesForCode(before: Side, after: Side, pairs: DefinitionPairs): readonly string[] {
  return [...before.definitions.keys()].filter(
    (name) =>
      after.definitions.has(name) &&
      !pairs.has(name) &&
      !before.containsMessage(name) &&
      !after.containsMessage(name),
  );
}

/**
 * Reports definitions outside messages that exist in only one version.
 *
 * @param compared Names of definitions that have already been compared, including renamed ones.
 */
export function compareUnsent(
  before: Side,
  after: Side,
  compared: ReadonlySet<string>,
): readonly Change[] {
  const only = (side: Side, other: Side): readonly string[] =>
    [...side.unsent].filter((name) => !other.definitions.has(name) && !compared.has(name));
  const removed = only(before, after).map((name) =>
    changeOf(definitionRules["definition.removed"], "- ", name, {
      before: before.definitions.get(name)?.pointer,
    }),
  );
  const added = only(after, before).map((name) =>
    changeOf(definitionRules["definition.added"], "+ ", name, {
      after: after.definitions.get(name)?.pointer,
    }),
  );
  return [...removed, ...added];
}

function changeOf(
  rule: DiffRule,
  sign: string,
  name: string,
  { before, after }: { readonly before?: string | undefined; readonly after?: string | undefined },
): Change {
  const site: Site = {
    owner: name,
    label: "",
    steps: [],
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  };
  return { rule, site, change: `${sign}${name}`, old: name, new: name };
}
