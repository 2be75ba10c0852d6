import type { Json } from "../../model/types.js";
import { isJsonObject } from "../source/json-text.js";
import type { Draft } from "./draft.js";

/** Removes the definitions of a schema that its description leaves out. */
export function omitDefinitions(draft: Draft): Draft {
  const { root, description } = draft;
  const omitted = new Set(description.schema.omit);
  if (omitted.size === 0 || !isJsonObject(root)) return draft;
  const container = Object.hasOwn(root, "$defs") ? "$defs" : "definitions";
  const definitions = root[container];
  if (!isJsonObject(definitions)) return draft;
  const kept = Object.entries(definitions).filter(([name]): boolean => !omitted.has(name));
  const remaining: Json = Object.fromEntries(kept);
  return { ...draft, root: { ...root, [container]: remaining } };
}
