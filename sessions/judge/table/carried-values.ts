import type { CarriedRule } from "./rule-table.js";

/** Maximum number of values to remember for each rule. */
const maxValues = 100;

/** Values that the sessions in a recording hand on to later sessions. */
export class CarriedValues {
  /** The latest values, by rule. Once a session has ended, there is a list, even if it is empty. */
  readonly #values = new Map<CarriedRule, readonly unknown[]>();
  /** The value that the next session hands back, by rule. */
  readonly #awaited = new Map<CarriedRule, unknown>();

  /**
   * Begins a session. Returns the values that it may hand back, or undefined if no session has ended
   * before it, and the value that it is expected to hand back.
   */
  begin(rule: CarriedRule): {
    readonly values: readonly unknown[] | undefined;
    readonly awaited: unknown;
  } {
    const awaited = this.#awaited.get(rule);
    this.#awaited.delete(rule);
    return { values: this.#values.get(rule), awaited };
  }

  /** Adds the value that a session hands on, if it has one. */
  end(rule: CarriedRule, value: unknown): void {
    const values = this.#values.get(rule) ?? [];
    this.#values.set(rule, isHanded(value) ? [...values.slice(1 - maxValues), value] : values);
    if (isHanded(value)) this.#awaited.set(rule, value);
  }
}

/** Returns whether there is a value. Null and false mean that there is none. */
export function isHanded(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}
