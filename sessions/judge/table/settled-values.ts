import { pointerStep } from "../../../runtime/base/json-pointer.js";
import type { FoundItem } from "./list-checks.js";
import { itemsAt } from "./list-checks.js";
import { valueAt } from "./property-path.js";
import type { SettledRule } from "./rule-table.js";

/** A value set by a request, with its owner and name. */
interface Settled {
  readonly owner: string;
  readonly name: unknown;
  readonly value: unknown;
}

/** Remembers the latest value that was set, until another message may have changed it. */
export class SettledValues {
  readonly #rule: SettledRule;
  #latest: Settled | undefined;

  constructor(rule: SettledRule) {
    this.#rule = rule;
  }

  /** Records a value that was set. */
  set(asked: unknown, body: unknown): void {
    const { name, value } = this.#rule;
    const found = valueAt(body, value);
    this.#latest =
      asked === undefined || found === undefined
        ? undefined
        : { owner: this.#ownerOf(asked), name: valueAt(asked, name), value: found };
  }

  /** Forgets the value, because it may have changed. */
  forget(): void {
    this.#latest = undefined;
  }

  /**
   * Finds the item whose value differs from the one set by a request. Returns undefined if there is
   * no such item.
   */
  different(asked: unknown, body: unknown): FoundItem | undefined {
    const { each, name, value } = this.#rule;
    const latest = this.#latest;
    if (latest === undefined || asked === undefined || this.#ownerOf(asked) !== latest.owner)
      return undefined;
    const own = itemsAt(body, each).filter((item) => valueAt(item.value, name) === latest.name);
    const found = valueAt(own[0]?.value, value);
    // The response is ignored if several items have this name, because it is unknown which item's
    // value was set.
    if (own.length !== 1 || found === undefined || found === latest.value) return undefined;
    return {
      value: `${found} instead of ${latest.value}`,
      place: own[0]!.place + pointerStep(value),
    };
  }

  #ownerOf(asked: unknown): string {
    return JSON.stringify(this.#rule.same.map((path) => valueAt(asked, path) ?? null));
  }
}
