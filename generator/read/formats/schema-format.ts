import type { Fact } from "../../model/protocol.js";
import type { Json } from "../../model/types.js";

/** A document that a reader gets: a parsed JSON file. */
export interface SchemaDocument {
  /** Path or URL as the user wrote it. */
  readonly name: string;
  readonly value: Json;
}

/**
 * The result of a reader of a schema language.
 *
 * Types are JSON Schemas. They refer to each other as `{ "$ref": "#/definitions/NAME" }`.
 */
export interface ReadSchema {
  /** Types by name. A name is an identifier. */
  readonly definitions: { readonly [name: string]: Json };
  readonly requests: { readonly [name: string]: ReadRequest };
  /** Messages without a response. */
  readonly events: { readonly [name: string]: ReadEvent };
  /** Version of the protocol, if the documents state it. */
  readonly version?: string;
  /** Facts that the documents do not state, so that `diff` does not report their absence as a change. */
  readonly unstated?: readonly Fact[];
  /**
   * The locations of parts, by JSON Pointer, such as `/definitions/Range` or
   * `/requests/initialize`. A part without its own location has that of its parent.
   */
  readonly places?: { readonly [pointer: string]: SchemaPlace };
}

/** An event as a reader of a schema language returns it. */
export interface ReadEvent {
  /** Role that sends it, or `both`. Default: as in the description. */
  readonly sender?: string;
  /** Schema of the arguments. Absent: there are none. */
  readonly arguments?: Json;
  /** Whether the arguments may be left out. Default: false. */
  readonly optional?: boolean;
  /** Capability that the receiver announces: a property; with dots, a nested property. */
  readonly capability?: string;
  /** Capability that the sender announces if it uses the message. */
  readonly senderCapability?: string;
  /**
   * Set if the receiver can ask for the message later: the name for that, and the definition of its
   * options.
   */
  readonly registration?: { readonly method?: string; readonly options?: string };
  readonly docs?: string;
  /** The reason for the deprecation. */
  readonly deprecated?: string;
}

/** A request as a reader of a schema language returns it. */
export interface ReadRequest extends ReadEvent {
  /** Schema of the result. Absent: no result. */
  readonly result?: Json;
  /** Definition of partial results, which may be sent before the response. */
  readonly partialResult?: string;
  /** Definition of the error data in a failure response. */
  readonly errorData?: string;
}

/** A JSON Pointer into the first document, or into another one. */
export type SchemaPlace = string | { readonly document: number; readonly pointer: string };

/** Thrown by a reader that cannot use a document. `place` is the location of the fault. */
export interface SchemaFault {
  readonly message: string;
  readonly place?: SchemaPlace;
  readonly hint?: string;
}

/** Reports a fault. A reader calls it with the problem, and does not continue. */
export type RefuseSchema = (fault: SchemaFault) => never;

/** A reader of a schema language. A module of a user exports it as `readSchema`. */
export type SchemaReader = (
  documents: readonly SchemaDocument[],
  refuse: RefuseSchema,
) => ReadSchema | Promise<ReadSchema>;
