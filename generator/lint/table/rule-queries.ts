/**
 * Queries of a rule's tests about the state of a session. A result that may be wrong adds a doubt
 * to the state.
 */
export interface RuleQueries {
  /** Parameters of the request that the message answers, if tables need them. */
  readonly asked: unknown;
  /** Whether the id was introduced and is valid. */
  isKnown(kind: string, id: unknown): boolean;
  /** Whether the id does not refer to a live object. */
  isUnknown(kind: string, id: unknown): boolean;
  /** Whether the session has not introduced the id. */
  isNew(kind: string, id: unknown): boolean;
  /** Whether the session has introduced the id, even if it is no longer valid. */
  isGiven(kind: string, id: unknown): boolean;
  /** Whether the object with the id has ended, and the sender of the message knows that. */
  isEnded(kind: string, id: unknown): boolean;
  /** Whether the id was received before the program resumed. */
  isPast(kind: string, id: unknown): boolean;
}
