import type { InputPlace } from "../base/input-error.js";
import type { Json } from "../model/types.js";
import type { AnnotatedRules } from "../model/annotated-schema.js";

/** The requests that a configuration may have. */
export const requestNames = ["launch", "attach"] as const;

/** The `request` of a configuration. */
export type RequestName = (typeof requestNames)[number];

/** The attributes in configurations of one debug type for one request. */
export interface ConfigurationSet {
  /** The debug type, as in the `type` of a configuration. */
  readonly type: string;
  readonly request: RequestName;
  /** Display name of the debugger. */
  readonly label?: string;
  readonly schema: AnnotatedRules;
  /** JSON Pointer to the attributes in their file. */
  readonly pointer: string;
}

/** A configuration that a source offers to users. */
export interface OfferedConfiguration {
  readonly kind: "initial" | "snippet";
  /** Debug type that the configuration is offered for. */
  readonly type: string;
  readonly value: Json;
  readonly pointer: string;
}

/** A problem in a source that does not prevent its use. */
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
  /** All files that were read for this source. */
  readonly inputs: readonly string[];
  locate(pointer: string): InputPlace;
}
