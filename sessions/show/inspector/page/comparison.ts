import { batch, computed, signal } from "@preact/signals";
import type { PageComparison, PageData } from "../page-data.js";
import { PageMessages } from "./page-messages.js";
import { PageState } from "./page-state.js";
import { SessionStore } from "./session-store.js";

/** How a pair of messages differs. */
export const differences = ["missing", "new", "failed", "slower", "changed", "moved"] as const;
export type Difference = (typeof differences)[number];

export interface ComparedPair {
  /**
   * A request's or event's rows in both recordings. A row is -1 if that recording lacks the
   * message.
   */
  readonly left: number;
  readonly right: number;
  readonly differences: readonly Difference[];
}

/**
 * A response counts as slower if it took more than `slowerTimes` times as long as in the first
 * recording, and more than `slowerMs` milliseconds longer.
 */
const slowerTimes = 1.5;
const slowerMs = 5;

/** Two recordings side by side, along with the filters and the selection. */
export class Comparison {
  readonly left: PageState;
  readonly right: PageState;
  readonly pairs: readonly ComparedPair[];
  readonly counts: Readonly<Record<Difference, number>>;
  /** Which kinds of differences to show. If empty, all pairs are shown. */
  readonly wanted = signal<readonly Difference[]>([]);
  /** A substring that a pair's name must contain for the pair to be shown. */
  readonly search = signal("");
  /** Index of the selected pair among all pairs, or -1 if none is selected. */
  readonly selected = signal(-1);
  /** Text that describes the last action to screen readers. */
  readonly notice = signal("");
  /** Indices of the shown pairs. */
  readonly shown = computed((): Int32Array => {
    const { value: wanted } = this.wanted;
    const text = this.search.value.toLowerCase();
    const places: number[] = [];
    for (const [place, pair] of this.pairs.entries()) {
      if (wanted.length > 0 && !wanted.some((each) => pair.differences.includes(each))) continue;
      if (text !== "" && !this.#textOf(pair).includes(text)) continue;
      places.push(place);
    }
    return Int32Array.from(places);
  });

  constructor(data: PageData, { other, pairs }: PageComparison, page: Document) {
    this.left = new PageState(new SessionStore(data), new PageMessages(page), false);
    this.right = new PageState(new SessionStore(other), new PageMessages(page, "other"), false);
    this.pairs = pairs.map(([left, right, differs]) => ({
      left,
      right,
      differences: this.#differencesOf(left, right, differs),
    }));
    const counts = { missing: 0, new: 0, failed: 0, slower: 0, changed: 0, moved: 0 };
    for (const pair of this.pairs) for (const each of pair.differences) counts[each]++;
    this.counts = counts;
  }

  select(place: number): void {
    const pair = this.pairs[place];
    if (pair === undefined) return;
    batch(() => {
      this.selected.value = place;
      this.left.selected.value = pair.left;
      this.right.selected.value = pair.right;
    });
  }

  /** Moves the selection by a number of shown pairs. */
  move(step: number): void {
    const shown = this.shown.value;
    if (shown.length === 0) return;
    const at = this.selected.value < 0 ? -1 : this.#placeInShown();
    this.select(shown[Math.min(shown.length - 1, Math.max(0, at + step))]!);
  }

  /** Selects the next or previous pair with a difference. */
  goToDifference(step: 1 | -1): void {
    const shown = this.shown.value;
    for (let at = this.#placeInShown() + step; at >= 0 && at < shown.length; at += step)
      if (this.pairs[shown[at]!]!.differences.length > 0) return this.select(shown[at]!);
    this.notice.value = `There is no difference ${step === 1 ? "after" : "before"} this message`;
  }

  #placeInShown(): number {
    const shown = this.shown.value;
    const { value: selected } = this.selected;
    const at = shown.findIndex((place) => place >= selected);
    return at < 0 || selected < 0 ? -1 : at;
  }

  #textOf({ left, right }: ComparedPair): string {
    const [a, b] = [this.left.store.row(left), this.right.store.row(right)];
    return [a?.name, a?.summary, b?.name, b?.summary].join(" ").toLowerCase();
  }

  #differencesOf(left: number, right: number, differs: number): readonly Difference[] {
    if (right < 0) return ["missing"];
    if (left < 0) return ["new"];
    const [a, b] = [this.left.store.row(left), this.right.store.row(right)];
    const failed = (state: PageState, partner = -1): boolean => state.store.hasFailed(partner);
    const found: Difference[] = [];
    if (failed(this.left, a?.partner) !== failed(this.right, b?.partner)) found.push("failed");
    const [before, after] = [a?.latency, b?.latency];
    if (
      before !== undefined &&
      after !== undefined &&
      after > before * slowerTimes &&
      after > before + slowerMs
    )
      found.push("slower");
    if ((differs & 3) !== 0) found.push("changed");
    if ((differs & 4) !== 0) found.push("moved");
    return found;
  }
}
