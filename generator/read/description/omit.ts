import type { Json } from "../../model/types.js";
import { referencesIn } from "../schema/definition-references.js";
import { joinPointer } from "../source/json-text.js";
import { definitionsIn, type Draft } from "./draft.js";

/**
 * Removes the definitions that the description omits, along with any definitions that reference
 * only those. A definition that a remaining one references is kept, and reported as a fault.
 */
export function omitDefinitions(draft: Draft): Draft {
  const { description, source } = draft;
  const schema = definitionsIn(draft.root);
  if (description.schema.omit === undefined || schema === undefined) return draft;
  const { root, container, definitions } = schema;
  const references = new Map(
    Object.entries(definitions).map(([name, node]) => [
      name,
      [...referencesIn(node, joinPointer("", container, name))],
    ]),
  );
  const omitted = leadingOnlyTo(description.schema.omit, references, namesIn(description.messages));
  const remaining = [...references].filter(([name]) => !omitted.has(name));
  const referenced = remaining.flatMap(([name, referred]) =>
    referred.flatMap(({ name: target, pointer }) => {
      if (!omitted.has(target)) return [];
      draft.faults.add(
        "ERR_REF",
        `Cannot omit "${target}": "${name}" references it`,
        source.file.locate(pointer),
        `Either list "${name}" under "omit" in the description as well, or remove "${target}" from it`,
      );
      return [target];
    }),
  );
  const kept = reachable([...remaining.map(([name]) => name), ...referenced], (name) =>
    (references.get(name) ?? []).map((each) => each.name),
  );
  return {
    ...draft,
    root: {
      ...root,
      [container]: Object.fromEntries(
        Object.entries(definitions).filter(([name]) => kept.has(name)),
      ),
    },
  };
}

/**
 * Finds the definitions to remove: the omitted ones, and unused definitions that reference only
 * those.
 */
function leadingOnlyTo(
  omitted: readonly string[],
  references: ReadonlyMap<string, readonly { readonly name: string }[]>,
  needed: ReadonlySet<string>,
): ReadonlySet<string> {
  const names = [...references.keys()];
  const referrers = new Map<string, string[]>(names.map((name) => [name, []]));
  for (const [name, referred] of references)
    for (const { name: target } of referred) referrers.get(target)?.push(name);
  const leading = reachable(omitted, (name) => referrers.get(name) ?? []);
  // Keeping a definition also keeps every definition that it references and every definition that
  // references it. References through omitted definitions are not followed.
  const isOmitted = new Set(omitted);
  const remaining = reachable(
    names.filter((name) => !isOmitted.has(name) && (!leading.has(name) || needed.has(name))),
    (name) =>
      [
        ...(references.get(name) ?? []).map((each) => each.name),
        ...(referrers.get(name) ?? []),
      ].filter((each) => !isOmitted.has(each)),
  );
  return new Set(names.filter((name) => !remaining.has(name)));
}

function reachable(
  start: readonly string[],
  next: (name: string) => readonly string[],
): ReadonlySet<string> {
  const names = new Set(start);
  for (const name of names) for (const each of next(name)) names.add(each);
  return names;
}

/**
 * Collects every word in the description's `messages`, because some of them are definition names.
 */
function namesIn(messages: object): ReadonlySet<string> {
  return new Set(JSON.stringify(messages).match(/[\w$]+/g));
}

/** Removes the descriptions from a schema if the protocol description asks for that. */
export function omitTexts(draft: Draft): Draft {
  return draft.description.schema.texts === "omit"
    ? { ...draft, root: withoutTexts(draft.root) }
    : draft;
}

function withoutTexts(root: Json): Json {
  return JSON.parse(
    JSON.stringify(root, (key, value: unknown) =>
      (key === "description" || key === "title") && typeof value === "string" ? undefined : value,
    ),
  ) as Json;
}
