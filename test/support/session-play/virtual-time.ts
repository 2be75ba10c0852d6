/**
 * A timer on the virtual clock. The check itself advances that clock, so time limits are exact and
 * take no real time.
 */
interface Timer {
  readonly at: number;
  readonly elapsed: () => void;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** After this many idle turns of the event loop, everything counts as settled. */
const quietTurns = 4;

/** Replaces `setTimeout` and `performance.now` while a check runs. */
export class VirtualTime {
  now = 0;
  /**
   * A counter that increases with each sign of activity. Code counts as settled once the counter
   * stops changing.
   */
  activity = 0;
  readonly #timers = new Map<number, Timer>();
  #last = 0;

  /** Returns a function that restores the real clock. */
  install(): () => void {
    const { setTimeout: realSet, clearTimeout: realClear } = globalThis;
    Object.assign(globalThis, {
      setTimeout: (elapsed: () => void, milliseconds = 0) => {
        this.activity++;
        this.#timers.set(++this.#last, { at: this.now + Math.max(1, milliseconds), elapsed });
        return this.#last;
      },
      clearTimeout: (timer: number) => void this.#timers.delete(timer),
    });
    Object.defineProperty(performance, "now", { value: () => this.now, configurable: true });
    return () => {
      Object.assign(globalThis, { setTimeout: realSet, clearTimeout: realClear });
      delete (performance as { now?: unknown }).now;
    };
  }

  /** Waits until nothing more happens at the current virtual time. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < quietTurns;) {
      const before = this.activity;
      await turn();
      quiet = this.activity === before ? quiet + 1 : 0;
    }
  }

  /**
   * Advances the clock to the next timer and lets everything settle. Returns false if no timer is
   * due by `until`.
   */
  async advance(until: number): Promise<boolean> {
    await this.settle();
    let next: readonly [number, Timer] | undefined;
    for (const each of this.#timers) if (next === undefined || each[1].at < next[1].at) next = each;
    if (next === undefined || next[1].at > until) return false;
    const [timer, { at, elapsed }] = next;
    this.#timers.delete(timer);
    this.now = Math.max(this.now, at);
    elapsed();
    await this.settle();
    return true;
  }
}
