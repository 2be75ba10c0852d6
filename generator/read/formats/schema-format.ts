import type { Fact } from "../../model/protocol.js";
import type { Json } from "../../model/types.js";

/** A parsed JSON file that is passed to a reader. */
export interface SchemaDocument {
  /** Path or URL, as written by the user. */
  readonly name: string;
  readonly value: Json;
}

/**
 * The result returned by a schema language reader.
 *
 * Types are JSON Schemas, which reference each other as `{ "$ref": "#/definitions/NAME" }`.
 */
export interface ReadSchema {
  /** Types by name. The names must be identifiers. */
  readonly definitions: { readonly [name: string]: Json };
  readonly requests: { readonly [name: string]: ReadRequest };
  /** Messages that have no response. */
  readonly events: { readonly [name: string]: ReadEvent };
  /** Protocol version, if stated in the documents. */
  readonly version?: string;
  /** Facts that the documents do not state. `diff` does not report their absence as a change. */
  readonly unstated?: readonly Fact[];
  /**
   * The locations of parts, keyed by JSON Pointer, such as `/definitions/Range` or
   * `/requests/initialize`. A part that is not listed inherits its parent's location.
   */
  readonly places?: { readonly [pointer: string]: SchemaPlace };
  /** Parts that the reader ignored. With `--strict-schema`, they are errors. */
  readonly warnings?: readonly SchemaFault[];
}

/** An event, as returned by a schema language reader. */
export interface ReadEvent {
  /** Role that sends the event, or `both`. Default: the sender stated in the description. */
  readonly sender?: string;
  /** Schema of the arguments. Absent if the event has no arguments. */
  readonly arguments?: Json;
  /** Whether the arguments may be omitted. Default: false. */
  readonly optional?: boolean;
  /**
   * Name of the capability that the receiver must announce. A name with dots refers to a nested
   * property.
   */
  readonly capability?: string;
  /** Capability that the sender announces if it uses the message. */
  readonly senderCapability?: string;
  /**
   * Present if the receiver can register for the message later: the name to register under, and the
   * definition of the registration options.
   */
  readonly registration?: { readonly method?: string; readonly options?: string };
  readonly docs?: string;
  /** Reason for the deprecation. */
  readonly deprecated?: string;
}

/** A request, as returned by a schema language reader. */
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

/** A part of a document that a reader cannot use. `place` is its location. */
export interface SchemaFault {
  readonly message: string;
  readonly place?: SchemaPlace;
  readonly hint?: string;
}

/**
 * Rejects a document. Readers call this function to report one or more faults. It throws, which
 * stops the reader.
 */
export type RefuseSchema = (...faults: readonly [SchemaFault, ...SchemaFault[]]) => never;

/** A schema language reader. User modules export it as `readSchema`. */
export type SchemaReader = (
  documents: readonly SchemaDocument[],
  refuse: RefuseSchema,
) => ReadSchema | Promise<ReadSchema>;
