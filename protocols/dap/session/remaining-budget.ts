import {
  abortReason,
  TimeoutError,
  type AnyFields,
  type RequestOptions,
} from "@wirewright/runtime";
import type { Cut, CutReason, VariableBudget, VariableSnapshot } from "./stop-snapshot.js";
import { requestOptions, type WaitOptions } from "./wait-options.js";

/** The part of a budget that has not been used yet. */
export class RemainingBudget {
  items: number;
  bytes: number;
  readonly depth: number;
  readonly isExpensive: boolean;
  readonly #valueBytes: number;
  readonly #limits: WaitOptions;
  /** Whether a request has used up the remaining time. */
  #isLate = false;

  /** @param limits A timeout for all requests combined, and a signal. */
  constructor(budget: VariableBudget, limits: WaitOptions) {
    const { items = 200, bytes = 65_536, depth = 2, valueBytes = 1_024 } = budget;
    this.items = items;
    this.bytes = bytes;
    this.depth = depth;
    this.isExpensive = budget.expensive === true;
    this.#limits = limits;
    this.#valueBytes = valueBytes;
  }

  /** The limits that apply to the next request. */
  get limits(): RequestOptions {
    return requestOptions(this.#limits);
  }

  /** The limit that has been reached; undefined if some of the budget is left. */
  get spent(): CutReason | undefined {
    if (this.#isLate) return "time";
    return this.items <= 0 ? "items" : this.bytes <= 0 ? "bytes" : undefined;
  }

  /** Creates the snapshot of a variable, shortened to fit the remaining budget. */
  take({ name, value, type }: AnyFields, variablesReference: number): VariableSnapshot {
    const snapshot = {
      name: this.text(name),
      value: this.text(value),
      ...(typeof type === "string" ? { type: this.text(type) } : {}),
    };
    this.items--;
    const isShortened =
      snapshot.name !== textOf(name) ||
      snapshot.value !== textOf(value) ||
      (typeof type === "string" && snapshot.type !== type);
    return { ...snapshot, variablesReference, ...(isShortened ? { isShortened } : {}) };
  }

  /** Shortens a string to fit the remaining budget. */
  text(value: unknown): string {
    const [text, bytes] = shorten(
      textOf(value),
      Math.min(this.#valueBytes, Math.max(0, this.bytes)),
    );
    this.bytes -= bytes;
    return text;
  }

  /**
   * Describes why variables were not read. Returns undefined if the budget itself is the reason.
   *
   * @throws The signal's abort reason, if it is aborted.
   */
  failureOf(error: unknown): Cut | undefined {
    const { signal } = this.#limits;
    if (signal?.aborted === true) throw error ?? abortReason(signal);
    if (error instanceof TimeoutError) {
      this.#isLate = true;
      return undefined;
    }
    return { reason: "failed", message: error instanceof Error ? error.message : String(error) };
  }
}

function textOf(value: unknown): string {
  return typeof value === "string"
    ? value
    : value === undefined
      ? ""
      : (JSON.stringify(value) ?? "");
}

/**
 * Returns the beginning of a string that fits into a number of bytes, and its length in UTF-8. Does
 * not split characters.
 */
function shorten(text: string, maxBytes: number): readonly [text: string, bytes: number] {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    const next = bytes + (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4);
    // A slice would keep the whole string in memory, so copy it.
    if (next > maxBytes) return [JSON.parse(JSON.stringify(text.slice(0, end))) as string, bytes];
    bytes = next;
    end += character.length;
  }
  return [text, bytes];
}
