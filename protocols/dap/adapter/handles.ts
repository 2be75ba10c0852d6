/** Something that says when the program resumes. */
export interface Resuming {
  /** Calls a function before the handler of a request that resumes the program. */
  onResume(run: () => void): void;
}

/** The largest reference that the protocol allows. */
const maxReference = 2 ** 31 - 1;

/**
 * References for values that a client asks for later, such as `variablesReference`.
 *
 * They are forgotten when the program resumes, as the protocol says. A reference is not used for
 * another value afterwards, so that a late request cannot get the wrong one.
 *
 * @example
 *   const handles = new Handles<Scope>(connection); // in the session of an adapter
 *   const variablesReference = handles.add(scope);
 */
export class Handles<Value> {
  readonly #values = new Map<number, Value>();
  #last = 0;

  /** @param session Forgets the values when its program resumes. Default: only `reset` does. */
  constructor(session?: Resuming) {
    session?.onResume(() => this.reset());
  }

  /** Keeps a value. Returns its reference, which is never 0. */
  add(value: Value): number {
    this.#last = this.#last === maxReference ? 1 : this.#last + 1;
    this.#values.set(this.#last, value);
    return this.#last;
  }

  /** The value of a reference; undefined if it has no value, or no longer has one. */
  get(reference: number): Value | undefined {
    return this.#values.get(reference);
  }

  /** Forgets all values. */
  reset(): void {
    this.#values.clear();
  }
}
