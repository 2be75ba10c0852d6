import { batch, computed, signal } from "@preact/signals";
import type { JSX } from "preact";
import { durationText, timeText } from "../../../../generator/print/amount-text.js";
import type { AlignedPair } from "../align-sessions.js";
import type { PageComparison, PageData } from "../page-data.js";
import { listenToKeys } from "./keyboard.js";
import { titleOf } from "./message-list.js";
import { MessagePanel } from "./message-panel.js";
import { PageMessages } from "./page-messages.js";
import { PageState, placeOf } from "./page-state.js";
import { countText, numberText, oneLine } from "./page-text.js";
import { SearchField } from "./search-field.js";
import { SessionStore, type Row } from "./session-store.js";
import { VirtualList } from "./virtual-list.js";

/** How a pair of messages differs. */
const differences = ["missing", "new", "failed", "slower", "changed", "moved"] as const;
type Difference = (typeof differences)[number];

interface ComparedPair extends AlignedPair {
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
  readonly shown = computed((): readonly number[] => {
    const { value: wanted } = this.wanted;
    const text = this.search.value.toLowerCase();
    const indices: number[] = [];
    for (const [index, pair] of this.pairs.entries()) {
      if (wanted.length > 0 && !wanted.some((difference) => pair.differences.includes(difference)))
        continue;
      if (text !== "" && !this.#textOf(pair).includes(text)) continue;
      indices.push(index);
    }
    return indices;
  });

  constructor(data: PageData, { other, pairs }: PageComparison, page: Document) {
    this.left = new PageState(new SessionStore(data), new PageMessages(page), false);
    this.right = new PageState(new SessionStore(other), new PageMessages(page, "other"), false);
    this.pairs = pairs.map((pair) => ({ ...pair, differences: this.#differencesOf(pair) }));
    const counts = { missing: 0, new: 0, failed: 0, slower: 0, changed: 0, moved: 0 };
    for (const pair of this.pairs) for (const difference of pair.differences) counts[difference]++;
    this.counts = counts;
  }

  select(index: number): void {
    const pair = this.pairs[index];
    if (pair === undefined) return;
    batch(() => {
      this.selected.value = index;
      this.left.selected.value = pair.left;
      this.right.selected.value = pair.right;
    });
  }

  /** Moves the selection by a number of shown pairs. */
  move(step: number): void {
    const shown = this.shown.value;
    if (shown.length === 0) return;
    const position = this.#positionInShown();
    this.select(shown[Math.min(shown.length - 1, Math.max(0, position + step))]!);
  }

  /** Selects the next or previous pair with a difference. */
  goToDifference(step: 1 | -1): void {
    const shown = this.shown.value;
    for (
      let position = this.#positionInShown() + step;
      position >= 0 && position < shown.length;
      position += step
    )
      if (this.pairs[shown[position]!]!.differences.length > 0)
        return this.select(shown[position]!);
    this.notice.value = `There is no difference ${step === 1 ? "after" : "before"} this message`;
  }

  #positionInShown(): number {
    const { value: selected } = this.selected;
    return selected < 0 ? -1 : placeOf(this.shown.value, selected);
  }

  #textOf({ left, right }: ComparedPair): string {
    const [a, b] = [this.left.store.row(left), this.right.store.row(right)];
    return [a?.name, a?.summary, b?.name, b?.summary].join(" ").toLowerCase();
  }

  #differencesOf(pair: AlignedPair): readonly Difference[] {
    const { left, right, isChanged, isOtherAnswer, isMoved } = pair;
    if (right < 0) return ["missing"];
    if (left < 0) return ["new"];
    const [a, b] = [this.left.store.row(left), this.right.store.row(right)];
    const differences: Difference[] = [];
    if (hasFailed(a) !== hasFailed(b)) differences.push("failed");
    const [before, after] = [a?.latency, b?.latency];
    if (
      before !== undefined &&
      after !== undefined &&
      after > before * slowerTimes &&
      after > before + slowerMs
    )
      differences.push("slower");
    if (isChanged || isOtherAnswer) differences.push("changed");
    if (isMoved) differences.push("moved");
    return differences;
  }
}

/**
 * The page that compares two recordings. It shows their requests and events side by side, along
 * with both messages of the selected pair.
 */
export function ComparisonPage({ comparison }: { readonly comparison: Comparison }): JSX.Element {
  const { left, right, counts, wanted, search } = comparison;
  const isWide = left.isWide.value;
  const shown = comparison.shown.value.length;
  const [before, after] = [left, right].map(({ store }) => oneLine(store.head.title));
  return (
    <div class={isWide ? "page wide compared" : "page narrow compared"}>
      <header class="top">
        <h1>
          {before} ↔ {after}
        </h1>
        <p class="facts-line">
          {oneLine(`${left.store.head.protocol} ${left.store.head.version}`)} ·{" "}
          {countText(left.store.messages, "message")} ↔ {countText(right.store.messages, "message")}{" "}
          · aligned by the meaning of requests and events
        </p>
      </header>
      <form class="toolbar" role="search" onSubmit={(event) => event.preventDefault()}>
        <SearchField
          label="Search in names and summaries"
          value={search.value}
          onSearch={(text) => (search.value = text)}
        />
        <span class="chips" role="group" aria-label="Differences">
          {differences.map((difference) => {
            const isOn = wanted.value.includes(difference);
            return (
              <button
                type="button"
                class={`chip ${difference}`}
                aria-pressed={isOn}
                disabled={counts[difference] === 0}
                onClick={() =>
                  (wanted.value = isOn
                    ? wanted.value.filter((other) => other !== difference)
                    : [...wanted.value, difference])
                }
              >
                {counts[difference].toLocaleString("en")} {difference}
              </button>
            );
          })}
        </span>
        <output class="count" aria-live="polite">
          {shown.toLocaleString("en")} of {comparison.pairs.length.toLocaleString("en")}
        </output>
      </form>
      <main>
        <div class="body pairs-body">
          <section class="list-side" aria-label="Messages">
            <div class="list-head pair-head" aria-hidden="true">
              <b>{before}</b>
              <b>{after}</b>
            </div>
            <PairList comparison={comparison} />
          </section>
          <section class="two" aria-label="Details">
            <Side state={left} title={before!} />
            <Side state={right} title={after!} />
          </section>
        </div>
      </main>
      <p class="notice" role="status">
        {comparison.notice.value}
      </p>
    </div>
  );
}

function Side({
  state,
  title,
}: {
  readonly state: PageState;
  readonly title: string;
}): JSX.Element {
  return (
    <section class="panel message" aria-label={title} tabIndex={0}>
      <h2 class="side-title">{title}</h2>
      {state.selected.value < 0 ? (
        <p class="empty">This recording has no counterpart to the selected message.</p>
      ) : (
        <MessagePanel state={state} />
      )}
    </section>
  );
}

function PairList({ comparison }: { readonly comparison: Comparison }): JSX.Element {
  const { left, right, pairs } = comparison;
  const shown = comparison.shown.value;
  const selected = comparison.selected.value;
  return (
    <VirtualList
      kind="pair"
      label={`Pairs: ${countText(shown.length, "pair")}`}
      heights={{ wide: 26, narrow: 66 }}
      narrowBelow={700}
      narrowClass="stacked"
      items={shown}
      selected={selected}
      classOf={(index) =>
        ["pair", ...pairs[index]!.differences, index === selected ? "selected" : ""].join(" ")
      }
      draw={(index) => (
        <>
          <PairSide row={left.store.row(pairs[index]!.left)} />
          <span class="marks">{pairs[index]!.differences.join(", ")}</span>
          <PairSide row={right.store.row(pairs[index]!.right)} />
        </>
      )}
      onSelect={(index) => comparison.select(index)}
    />
  );
}

/** Returns whether a request failed. */
function hasFailed(row: Row | undefined): boolean {
  return row?.partner?.hasFailed === true;
}

function PairSide({ row }: { row: Row | undefined }): JSX.Element {
  if (row === undefined) return <span class="cell none">–</span>;
  const isFailed = hasFailed(row);
  return (
    <span class={`cell ${row.kind}${isFailed ? " failed" : ""}`}>
      <span class="n">{numberText(row)}</span>
      <span class="t">{row.time === undefined ? "" : timeText(row.time)}</span>
      <span class="what">
        <b>{titleOf(row)}</b>
        {isFailed ? <em> failed</em> : null}
      </span>
      <span class="sum">{oneLine(row.summary)}</span>
      <span class="lat">{row.latency === undefined ? "" : durationText(row.latency)}</span>
    </span>
  );
}

/** Handles the keyboard shortcuts of the comparison page. */
export function listenToComparison(comparison: Comparison): void {
  const keys: Readonly<Record<string, () => void>> = {
    j: () => comparison.move(1),
    ArrowDown: () => comparison.move(1),
    k: () => comparison.move(-1),
    ArrowUp: () => comparison.move(-1),
    Home: () => comparison.move(-Infinity),
    End: () => comparison.move(Infinity),
    n: () => comparison.goToDifference(1),
    p: () => comparison.goToDifference(-1),
    "/": () => document.getElementById("search")?.focus(),
    Escape: () => document.getElementById("list")?.focus(),
  };
  listenToKeys("button, .two, [role=tree]", (key) =>
    Object.hasOwn(keys, key) ? keys[key] : undefined,
  );
}
