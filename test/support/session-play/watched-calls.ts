import assert from "node:assert/strict";
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
      if (!(error instanceof Error)) assert.fail(`${name} rejects with ${String(error)}`);
      if (/^Cannot (?:read|destructure) prop|is not (?:a function|iterable)/.test(error.message))
        assert.fail(`${name}: ${error.stack}`);
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
    assert.fail(`${names.join()} never settles`);
  }

  /** @throws AssertionError if a call has not settled, or has settled too late. */
  assertInTime(): void {
    for (const { name, start, end, limitMs } of this.#calls) {
      if (end === undefined) assert.fail(`${name} never settles`);
      const took = end - start;
      if (took > limitMs + slackMs) assert.fail(`${name} takes ${took} of ${limitMs} ms`);
    }
  }
}
