/**
 * Questions of a rule's tests about the state of a session. An answer that may be wrong adds to the
 * doubt of the state.
 */
export interface RuleQueries {
  /** Parameters of the request that the message answers, as far as tables need them. */
  readonly asked: unknown;
  /** The id was given and is alive. */
  isKnown(kind: string, id: unknown): boolean;
  /** The id is not that of a live object. */
  isUnknown(kind: string, id: unknown): boolean;
  /** The session has not given the id. */
  isNew(kind: string, id: unknown): boolean;
  /** The session has given the id, alive or not. */
  isGiven(kind: string, id: unknown): boolean;
  /** Its object has ended, and the sender of the message knows that. */
  isEnded(kind: string, id: unknown): boolean;
  /** It was given before the program ran on. */
  isPast(kind: string, id: unknown): boolean;
}
