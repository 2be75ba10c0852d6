import { computed, signal, useSignalEffect } from "@preact/signals";
import type { JSX, TargetedMouseEvent } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { durationText, timeText } from "../../../../generator/print/amount-text.js";
import { placeOf, type PageState } from "./page-state.js";
import { countText, numberText, oneLine } from "./page-text.js";
import type { Row, SessionStore } from "./session-store.js";

/** Number of rows to draw above and below the visible ones. */
const spare = 12;

/** Row height in pixels: `wide` for one line of text, `narrow` for two lines on a narrow page. */
const heights = { wide: 26, narrow: 46 };

/** The list of messages in order. Only the visible rows are rendered. */
export function MessageList({ state }: { readonly state: PageState }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const view = useMemo(() => viewOf(state), [state]);
  useLayoutEffect(() => {
    const element = box.current!;
    const measure = (): void => {
      view.width.value = element.clientWidth;
      view.room.value = element.clientHeight;
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [view]);
  useSignalEffect(() => {
    const shown = state.shown.value;
    const height = view.height.value;
    const element = box.current!;
    if (state.isFollowing.value && state.store.head.isLive === true) {
      queueMicrotask(() => (element.scrollTop = shown.length * height));
      return;
    }
    // Scroll the list so that the selected row stays visible.
    const place = placeOf(shown, state.selected.value);
    if (shown[place] !== state.selected.value) return;
    queueMicrotask(() => reveal(element, place * height, height));
  });
  const shown = state.shown.value;
  const [from, to] = view.range.value;
  const height = view.height.value;
  const isNarrow = height === heights.narrow;
  const selected = state.store.row(state.selected.value);
  // Reuse the elements of unchanged rows, so that they are not diffed again.
  const drawn = useMemo(
    () => new Map<number, JSX.Element>(),
    [shown, height, state.selected.value, state.version.value],
  );
  const rows: JSX.Element[] = [];
  for (let at = from; at < to; at++) {
    let element = drawn.get(at);
    if (element === undefined) {
      const row = state.store.row(shown[at]!);
      if (row === undefined) continue;
      element = (
        <ListRow
          key={row.number}
          row={row}
          selected={selected}
          top={at * height}
          place={at + 1}
          count={shown.length}
          store={state.store}
        />
      );
      drawn.set(at, element);
    }
    rows.push(element);
  }
  for (const at of drawn.keys()) if (at < from || at >= to) drawn.delete(at);
  const choose = (event: TargetedMouseEvent<HTMLDivElement>): void => {
    const hit = (event.target as Element).closest<HTMLElement>("[data-row]");
    if (hit !== null) state.select(Number(hit.dataset["row"]));
  };
  return (
    <div
      ref={box}
      id="list"
      class={isNarrow ? "rows two-lines" : "rows"}
      role="listbox"
      tabIndex={0}
      aria-label={`Messages: ${countText(shown.length, "row")}`}
      aria-activedescendant={
        selected !== undefined && shown[placeOf(shown, selected.number)] === selected.number
          ? `row-${selected.number}`
          : undefined
      }
      onScroll={(event) => {
        const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
        view.top.value = scrollTop;
        if (state.store.head.isLive === true && scrollTop + clientHeight >= scrollHeight - 4)
          state.isFollowing.value = true;
      }}
      onWheel={() => (state.isFollowing.value = false)}
      onClick={choose}
    >
      <div class="sheet" role="presentation" style={{ height: `${shown.length * height}px` }}>
        {rows}
      </div>
    </div>
  );
}

interface RowProps {
  readonly row: Row;
  readonly selected: Row | undefined;
  readonly top: number;
  readonly place: number;
  readonly count: number;
  readonly store: SessionStore;
}

function ListRow({ row, selected, top, place, count, store }: RowProps): JSX.Element {
  const { number, kind, from, hasFailed, latency, time } = row;
  const isSelected = selected?.number === number;
  const classes = ["row", kind];
  if (from !== undefined) classes.push(from === 0 ? "from-first" : "from-second");
  if (hasFailed) classes.push("failed");
  if (isSelected) classes.push("selected");
  if (selected?.partner === row) classes.push("partner");
  if (selected !== undefined && isBetween(row, selected)) classes.push("waiting");
  if (selected !== undefined && selected.session !== row.session) classes.push("other-session");
  const worst = store.worstOf(row);
  const found = store.findingsOf(row).length;
  const answer = kind === "response" ? (hasFailed ? "failed" : "") : "";
  return (
    <div
      id={`row-${number}`}
      data-row={number}
      class={classes.join(" ")}
      role="option"
      aria-selected={isSelected}
      aria-posinset={place}
      aria-setsize={count}
      style={{ transform: `translateY(${top}px)` }}
    >
      <span class="n">{numberText(row)}</span>
      <span class="t">{time === undefined ? "" : timeText(time)}</span>
      <span class="lane">
        <span class="hid">
          {from === undefined ? "unknown sender" : oneLine(store.head.roles[from])}, {kind}
        </span>
      </span>
      <span class="what">
        <b>{titleOf(row)}</b> <small>{oneLine(String(row.id))}</small>
        {answer === "" ? null : <em>{answer}</em>}
      </span>
      <span class="sum">{oneLine(row.summary)}</span>
      <span class={latency !== undefined && latency >= 1_000 ? "lat slow" : "lat"}>
        {kind === "response" && latency !== undefined ? durationText(latency) : ""}
        {store.isOpen(row) ? "no response" : ""}
      </span>
      <span class="mark">
        {worst === undefined ? null : (
          <i class={worst}>
            {found}
            <span class="hid">
              {" "}
              {found === 1 ? "finding" : "findings"}, {worst}
            </span>
          </i>
        )}
      </span>
    </div>
  );
}

/** Returns the name to show for a row, or its kind if it has no name. */
export function titleOf({ kind, name }: Row): string {
  if (name !== "") return oneLine(name);
  return (
    { other: "no kind", noise: "noise", fault: "fault", text: "text", end: "end" }[
      kind as string
    ] ?? kind
  );
}

/** Returns whether a row lies between the selected request and its response. */
function isBetween(row: Row, { number, partner, session }: Row): boolean {
  return (
    partner !== undefined &&
    row.session === session &&
    row.number >= Math.min(number, partner.number) &&
    row.number <= Math.max(number, partner.number)
  );
}

function viewOf(state: PageState) {
  const top = signal(0);
  const width = signal(0);
  const room = signal(0);
  const height = computed(() => (width.value < 560 ? heights.narrow : heights.wide));
  // Compute the index of the first row separately. Most scroll events move the list by less than a
  // row, which leaves the index unchanged, so the list is not redrawn.
  const first = computed(() => Math.max(0, Math.floor(top.value / height.value) - spare));
  const range = computed((): readonly [number, number] => {
    const { length } = state.shown.value;
    const seen = Math.ceil(room.value / height.value) + 2 * spare;
    const from = Math.min(first.value, Math.max(0, length - seen));
    return [from, Math.min(length, from + seen)];
  });
  return { top, width, room, height, range };
}

/** Scrolls just far enough to show a row. If the row is far away, scrolls it to the middle. */
function reveal(element: HTMLElement, top: number, height: number): void {
  const { scrollTop, clientHeight } = element;
  const isFar = top < scrollTop - clientHeight || top > scrollTop + 2 * clientHeight;
  if (isFar) element.scrollTop = top - clientHeight / 2;
  else if (top < scrollTop) element.scrollTop = top;
  else if (top + height > scrollTop + clientHeight) element.scrollTop = top + height - clientHeight;
}
