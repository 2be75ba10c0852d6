/**
 * Assigns ids to a log's sessions according to their names in the log. The first session has no id.
 */
export class LogSessions {
  readonly #numbers = new Map<string, number>();

  /** Returns a session's id, starting at 2, or undefined for the first session. */
  numberOf(name: string): number | undefined {
    let number = this.#numbers.get(name);
    if (number === undefined) {
      number = this.#numbers.size + 1;
      // Limit the number of sessions, because a forged log could contain any number of names.
      if (number <= mostSessions) this.#numbers.set(name, number);
    }
    return number === 1 ? undefined : number;
  }
}

/** Maximum number of sessions that are distinguished. */
const mostSessions = 1_000;
