import type { Json } from "../../model/types.js";
import type { Draft } from "./draft.js";

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
