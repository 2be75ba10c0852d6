import type { Notes } from "../schema/schema-file.js";
import type { Description } from "./description-types.js";
import { readGates } from "./message-notes.js";

/** Collects a description's facts about definitions and properties. */
export function readTypeNotes(description: Description): Notes {
  const { forgives = {}, untyped = "meant", oneOf, formats = false } = description.schema;
  return {
    gates: readGates(description.gates?.properties),
    defaults: new Map(Object.entries(description.defaults ?? {})),
    extensible: new Set(description.extensible),
    annotations: annotationsOf(description),
    forgives,
    untyped,
    overlapping: oneOf === "any",
    formats,
  };
}

/** Returns the names of the additional keywords that do not affect validity. */
export function annotationsOf({ schema }: Description): ReadonlySet<string> {
  return new Set([...(schema.annotations ?? []), ...Object.values(schema.forgives ?? {})]);
}
