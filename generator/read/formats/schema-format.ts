import type { Fact } from "../../model/protocol.js";
import type { Json } from "../../model/types.js";

/** A parsed JSON file that is passed to a reader. */
export interface SchemaDocument {
  /** Path or URL as the user wrote it. */
  readonly name: string;
  readonly value: Json;
}

/**
 * The result that a reader of a schema language returns.
 *
 * Types are JSON Schemas. They refer to each other as `{ "$ref": "#/definitions/NAME" }`.
 */
export interface ReadSchema {
  /** Types by name. The names must be identifiers. */
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
   * `/requests/initialize`. A part that is not listed has the location of its parent.
   */
  readonly places?: { readonly [pointer: string]: SchemaPlace };
}

/** An event as a reader of a schema language returns it. */
export interface ReadEvent {
  /** Role that sends it, or `both`. Default: as in the description. */
  readonly sender?: string;
  /** Schema of the arguments. Absent if the event has no arguments. */
  readonly arguments?: Json;
  /** Whether the arguments may be left out. Default: false. */
  readonly optional?: boolean;
  /**
   * Name of the capability that the receiver must announce. A name with dots is a nested property.
   */
  readonly capability?: string;
  /** Capability that the sender announces if it uses the message. */
  readonly senderCapability?: string;
  /**
   * Set if the receiver can register for the message later: the name to register under, and the
   * definition of the options.
   */
  readonly registration?: { readonly method?: string; readonly options?: string };
  readonly docs?: string;
  /** The reason for the deprecation. */
  readonly deprecated?: string;
}

/** A request as a reader of a schema language returns it. */
export interface ReadRequest extends ReadEvent {
  /** Schema of the result. Absent if the request has no result. */
  readonly result?: Json;
  /** Definition of partial results, which may be sent before the response. */
  readonly partialResult?: string;
  /** Definition of the error data in a failure response. */
  readonly errorData?: string;
}

/** A JSON Pointer into the first document, or into the document with the given index. */
export type SchemaPlace = string | { readonly document: number; readonly pointer: string };

/** Thrown by a reader that cannot use a document. `place` is the location of the fault. */
export interface SchemaFault {
  readonly message: string;
  readonly place?: SchemaPlace;
  readonly hint?: string;
}

/**
 * Rejects a document. A reader calls this function with the fault. It throws, so the reader stops.
 */
export type RefuseSchema = (fault: SchemaFault) => never;

/** A reader of a schema language. A user's module exports it as `readSchema`. */
export type SchemaReader = (
  documents: readonly SchemaDocument[],
  refuse: RefuseSchema,
) => ReadSchema | Promise<ReadSchema>;
