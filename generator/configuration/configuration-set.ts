import type { InputPlace } from "../base/input-error.js";
import type { Json } from "../model/types.js";
import type { AnnotatedRules } from "../model/annotated-schema.js";

/** The requests that a configuration can be for. */
export const requestNames = ["launch", "attach"] as const;

/** The request that a configuration is for. */
export type RequestName = (typeof requestNames)[number];

/** The attributes of the configurations of one debugger for one request. */
export interface ConfigurationSet {
  /** The type of debugger, which configurations name. */
  readonly type: string;
  readonly request: RequestName;
  /** The name of the debugger for users. */
  readonly label?: string;
  readonly schema: AnnotatedRules;
  /** JSON Pointer of the attributes in their file. */
  readonly pointer: string;
}

/** A configuration that a source offers to users. */
export interface OfferedConfiguration {
  readonly kind: "initial" | "snippet";
  /** Type of the debugger that offers the configuration. */
  readonly type: string;
  readonly value: Json;
  readonly pointer: string;
}

/** Problems of a source that do not prevent its use. */
export interface SourceNote {
  readonly place: InputPlace;
  readonly message: string;
  readonly hint?: string;
}

/** A source of configurations: a package.json, a schema, or declarations. */
export interface ConfigurationSource {
  /** Path as the user wrote it. */
  readonly file: string;
  readonly sets: readonly ConfigurationSet[];
  readonly offered: readonly OfferedConfiguration[];
  readonly notes: readonly SourceNote[];
  /** Files from which the source was read. */
  readonly inputs: readonly string[];
  locate(pointer: string): InputPlace;
}
