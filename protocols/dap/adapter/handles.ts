/** Announces requests that resume the program. */
export interface Resuming {
  /** Calls a function before each handler for a request that resumes the program. */
  onResume(run: () => void): void;
}

/** The largest reference allowed by the protocol. */
const maxReference = 2 ** 31 - 1;

/**
 * References to values that a client will ask for later, such as `variablesReference`.
 *
 * The values are forgotten when the program resumes, as the protocol requires. A reference is never
 * reused for another value, so a late request cannot get the wrong one.
 *
 * @example
 *   const handles = new Handles<Scope>(connection); // in the session of an adapter
 *   const variablesReference = handles.add(scope);
 */
export class Handles<Value> {
  readonly #values = new Map<number, Value>();
  #last = 0;

  /**
   * @param session The session to watch. When its program resumes, the values are forgotten.
   * Without a session, only `reset` forgets them.
   */
  constructor(session?: Resuming) {
    session?.onResume(() => this.reset());
  }

  /** Stores a value. Returns its reference, which is never 0. */
  add(value: Value): number {
    this.#last = this.#last === maxReference ? 1 : this.#last + 1;
    this.#values.set(this.#last, value);
    return this.#last;
  }

  /**
   * Returns the value for a reference, or undefined if the reference is unknown or its value was
   * forgotten.
   */
  get(reference: number): Value | undefined {
    return this.#values.get(reference);
  }

  /** Forgets all values. */
  reset(): void {
    this.#values.clear();
  }
}
