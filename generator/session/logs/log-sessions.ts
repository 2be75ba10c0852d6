/** Numbers the sessions of a log by the names that it gives them. The first one has no number. */
export class LogSessions {
  readonly #numbers = new Map<string, number>();

  /** Number of a session from 2; undefined for the first. */
  numberOf(name: string): number | undefined {
    let number = this.#numbers.get(name);
    if (number === undefined) {
      number = this.#numbers.size + 1;
      // A forged log may have any number of names.
      if (number <= mostSessions) this.#numbers.set(name, number);
    }
    return number === 1 ? undefined : number;
  }
}

/** Maximum number of sessions. */
const mostSessions = 1_000;
