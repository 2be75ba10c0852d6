import type { InputPlace } from "../generator/base/input-error.js";
import type { Json } from "../generator/model/types.js";
import type { JsonObject } from "../generator/read/source/json-text.js";

/** The values that a configuration's `request` can have. */
export const requestNames = ["launch", "attach"] as const;

/** A configuration's `request`. */
export type RequestName = (typeof requestNames)[number];

/** The attributes available to configurations of a given debug type and request. */
export interface ConfigurationSet {
  /** The debug type, as it appears in a configuration's `type`. */
  readonly type: string;
  readonly request: RequestName;
  /** The debugger's display name. */
  readonly label?: string;
  /** JSON Schema of the attributes, with VS Code's keywords and all definitions. */
  readonly schema: JsonObject;
  /** JSON Pointer to where the attributes are defined in their file. */
  readonly pointer: string;
}

/** An initial configuration that a source offers to users. */
export interface OfferedConfiguration {
  readonly value: Json;
  readonly pointer: string;
}

/** A problem in a source that does not prevent it from being used. */
export interface SourceNote {
  readonly place: InputPlace;
  readonly message: string;
  readonly hint?: string;
}

/** A source of launch configurations: a package.json, a schema, or TypeScript declarations. */
export interface ConfigurationSource {
  /** Path as the user wrote it. */
  readonly file: string;
  readonly sets: readonly ConfigurationSet[];
  readonly offered: readonly OfferedConfiguration[];
  readonly notes: readonly SourceNote[];
  /** All files that were read to load this source. */
  readonly inputs: readonly string[];
  locate(pointer: string): InputPlace;
}
