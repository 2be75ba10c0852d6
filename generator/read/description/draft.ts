import type { Fact } from "../../model/protocol.js";
import type { Json } from "../../model/types.js";
import type { ReadSchema } from "../formats/schema-format.js";
import type { JsonFile } from "../source/json-text.js";
import type { Description } from "./description-types.js";
import { placesInTable } from "./described-file.js";

/** The schema of a protocol version. */
export interface SchemaSource {
  readonly file: JsonFile;
  /** Additional files that belong to the same schema. */
  readonly others?: readonly JsonFile[];
  /** The messages listed in the schema, if its language supports that. */
  readonly messages?: Pick<ReadSchema, "requests" | "events">;
  readonly version: string;
  /** Facts that the schema cannot state. */
  readonly unstated: readonly Fact[];
}

/**
 * A schema and its description while they are being prepared for the model. Each pass transforms
 * one or both.
 */
export interface Draft {
  readonly description: Description;
  readonly source: SchemaSource;
  /** The schema after the passes that have run so far. */
  readonly root: Json;
  /**
   * Maps the JSON Pointers of parts of `root` to the overlays that added them. All other parts come
   * from the source.
   */
  readonly origins: ReadonlyMap<string, JsonFile>;
  /**
   * Maps renamed definitions to their names in the source. Both names are escaped as JSON Pointer
   * segments.
   */
  readonly renamed: ReadonlyMap<string, string>;
  /**
   * The locations of messages that the schema or the description lists, as JSON Pointers by kind
   * and name, such as `request initialize`.
   */
  readonly listed: ReadonlyMap<string, string>;
}

/** Creates the draft for the first pass. */
export function startDraft(description: Description, source: SchemaSource): Draft {
  return {
    description,
    source,
    root: source.file.value,
    origins: new Map(),
    renamed: new Map(),
    listed: placesInTable(description),
  };
}
