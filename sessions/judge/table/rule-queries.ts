/**
 * Answers the questions that a rule's tests ask about the session. If an answer may be wrong, the
 * reason is added to the state's doubt.
 */
export interface RuleQueries {
  /** Parameters of the request that the message answers, if rules need them. */
  readonly asked: unknown;
  /** Returns whether the session has introduced the id, and the id is still valid. */
  isKnown(kind: string, id: unknown): boolean;
  /** Returns whether the id does not refer to a live object. */
  isUnknown(kind: string, id: unknown): boolean;
  /** Returns whether the session has not introduced the id. */
  isNew(kind: string, id: unknown): boolean;
  /** Returns whether the session has introduced the id, even if it is no longer valid. */
  isGiven(kind: string, id: unknown): boolean;
  /**
   * Returns whether the object identified by the id has ended and the message's sender must already
   * know that.
   */
  isEnded(kind: string, id: unknown): boolean;
  /** Returns whether the id is from before the program resumed. */
  isPast(kind: string, id: unknown): boolean;
}
