/** Assigns ids to the sessions of a log, by their names in the log. The first session has no id. */
export class LogSessions {
  readonly #numbers = new Map<string, number>();

  /** Id of a session, from 2. Undefined for the first session. */
  numberOf(name: string): number | undefined {
    let number = this.#numbers.get(name);
    if (number === undefined) {
      number = this.#numbers.size + 1;
      // Limit the number of sessions, because a forged log may contain any number of names.
      if (number <= mostSessions) this.#numbers.set(name, number);
    }
    return number === 1 ? undefined : number;
  }
}

/** Maximum number of sessions to distinguish. */
const mostSessions = 1_000;
