/**
 * How long the suite waits for an adapter. The deadline grows with the longest wait that ended well,
 * because a slow adapter, or a busy machine, is not a fault.
 */
export class Pace {
  /** The shortest deadline, in milliseconds. */
  readonly #timeoutMs: number;
  #slowestMs = 0;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Maximum duration of a step, in milliseconds. */
  get deadlineMs(): number {
    const wanted = Math.max(this.#timeoutMs, 5 * this.#slowestMs);
    return Math.round(Math.min(wanted, 6 * this.#timeoutMs));
  }

  /** Takes a successful wait into account. */
  observe(ms: number): void {
    this.#slowestMs = Math.max(this.#slowestMs, ms);
  }
}
