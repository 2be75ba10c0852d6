import type { Fact } from "../../model/protocol.js";
import type { Json } from "../../model/types.js";
import type { JsonFile } from "../source/json-text.js";
import type { Description } from "./description-types.js";

/** The schema that a protocol is read from. */
export interface SchemaSource {
  readonly file: JsonFile;
  readonly version: string;
  /** Facts of which it says nothing. */
  readonly unstated: readonly Fact[];
}

/** A schema with its description, on their way to a model: each pass completes one or both. */
export interface Draft {
  readonly description: Description;
  readonly source: SchemaSource;
  /** The schema as the passes have left it. */
  readonly root: Json;
  /** Overlay that a part of `root` came from, by JSON Pointer; the rest came from the source. */
  readonly origins: ReadonlyMap<string, JsonFile>;
}

/** A description with its schema as the file has it. */
export function startDraft(description: Description, source: SchemaSource): Draft {
  return { description, source, root: source.file.value, origins: new Map() };
}
