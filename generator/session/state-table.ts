/**
 * How messages change the state of a session that people look at: threads, breakpoints, frames. It is the part `state`
 * of `session-rules.json`; `schema/session-rules.schema.json` documents each property.
 */
export interface StateTable {
  /** Property of payloads that is the thread which stops or runs again. */
  readonly thread?: string;
  /** Property of an event that is true if all threads have stopped. */
  readonly all?: string;
  readonly groups: readonly StateGroup[];
}

/** Things of one kind, with a title. */
export interface StateGroup {
  readonly title: string;
  /** They mean nothing any more once the program has run on. */
  readonly expires?: true;
  /** They are the threads of the program. */
  readonly threads?: true;
  /** Of the changes that match a message, the first one applies. */
  readonly changes: readonly StateChange[];
}

/** A message by which things come, change or go. Paths lead into its payload. */
export interface StateChange {
  /** Kind and name, such as `success threads` or `event thread`. */
  readonly message: string | readonly string[];
  /** Values, one of which the property has. */
  readonly if?: Readonly<Record<string, readonly unknown[]>>;
  /** List of things. Default: the payload is one. */
  readonly each?: string;
  /** Id of a thing. One without an id is known by its place in the list. */
  readonly id: string;
  /** An id that means nothing. */
  readonly except?: unknown;
  /** What is said of a thing, as in the summaries of a description: `line line`. */
  readonly shows?: readonly string[];
  /** What is said of it by the parameters of the request, in a list at the same places if it has `each`. */
  readonly asked?: { readonly each?: string; readonly shows: readonly string[] };
  /** Parameter of the request that the things belong to, such as a thread. */
  readonly of?: string;
  /** Title of the group of the thing with the id `of`: they belong to what that one belongs to. */
  readonly in?: string;
  /** The message lists all things; or all that its request has asked for with the same values of these parameters. */
  readonly replaces?: readonly string[];
  /** The thing is gone. */
  readonly ends?: true;
}
