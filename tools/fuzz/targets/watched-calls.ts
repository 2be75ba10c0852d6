import { OracleFailure } from "../target.js";
import type { VirtualTime } from "./virtual-time.js";

/** Milliseconds of virtual time within which everything must have settled. */
const longestMs = 3_600_000;
const slackMs = 5;

interface Call {
  readonly name: string;
  readonly start: number;
  readonly limitMs: number;
  end: number | undefined;
}

/** Checks that calls settle in time, each with either a result or an expected error. */
export class WatchedCalls {
  readonly #time: VirtualTime;
  readonly #calls: Call[] = [];

  constructor(time: VirtualTime) {
    this.#time = time;
  }

  /** Watches a call. Resolves to its result, or to undefined if the call rejects. */
  watch(name: string, limitMs: number, promise: Promise<unknown>): Promise<unknown> {
    const call: Call = { name, start: this.#time.now, limitMs, end: undefined };
    this.#calls.push(call);
    const settle = (value: unknown): unknown => {
      call.end = this.#time.now;
      this.#time.activity++;
      return value;
    };
    return promise.then(settle, (error: unknown) => {
      if (!(error instanceof Error))
        throw new OracleFailure("settles", `${name} rejects with ${String(error)}`, "reason");
      if (/^Cannot (?:read|destructure) prop|is not (?:a function|iterable)/.test(error.message))
        throw new OracleFailure("settles", `${name}: ${error.stack}`, `${name} ${error.message}`);
      settle(undefined);
      return undefined;
    });
  }

  /** Advances the virtual time until a call has settled. Resolves to the call's result. */
  async until(promise: Promise<unknown>): Promise<unknown> {
    let settled: { readonly value: unknown } | undefined;
    let failed: { readonly error: unknown } | undefined;
    promise.then(
      (value) => (settled = { value }),
      (error: unknown) => (failed = { error }),
    );
    await this.#time.settle();
    while (settled === undefined && failed === undefined)
      if (!(await this.#time.advance(this.#time.now + longestMs))) break;
    if (failed !== undefined) throw failed.error;
    if (settled !== undefined) return settled.value;
    const names = this.#calls.filter(({ end }) => end === undefined).map(({ name }) => name);
    throw new OracleFailure("settles", `${names.join()} never settles`, names.join());
  }

  /** @throws OracleFailure if a call has not settled, or has settled too late. */
  assertInTime(): void {
    for (const { name, start, end, limitMs } of this.#calls) {
      if (end === undefined) throw new OracleFailure("settles", `${name} never settles`, name);
      const took = end - start;
      if (took > limitMs + slackMs)
        throw new OracleFailure(
          "settles",
          `${name} takes ${took} of ${limitMs} ms`,
          `late ${name}`,
        );
    }
  }
}
