import type { ValueRules, ValueSchemas } from "../../runtime/configuration/value-schema.js";

/** The configurations that users write to start a program: what a package knows of them. */
export interface Configurations {
  /** Attributes that an editor adds to those of every debugger. */
  readonly common: {
    /** TypeScript of the interface `CommonConfiguration`. */
    readonly declaration: string;
    readonly schemas: ValueSchemas;
  };
  readonly sets: readonly ConfigurationAttributes[];
}

/** The attributes of the configurations of one debugger for one request. */
export interface ConfigurationAttributes {
  /** The type of debugger, which configurations name. */
  readonly type: string;
  /** Such as `launch`. */
  readonly request: string;
  /** What users know the debugger as. */
  readonly label?: string;
  /** Prefix of the names of its types, such as `GoLaunch`. */
  readonly name: string;
  /** TypeScript of its attributes, and of the types that they refer to. */
  readonly declaration: string;
  /** Names that the declaration exports, the attributes first. */
  readonly exports: readonly string[];
  /** Whether the attributes are an interface, and not a union. */
  readonly isInterface: boolean;
  readonly rules: ValueRules;
  /** Attributes that have a default without variables. */
  readonly defaults: readonly string[];
}
