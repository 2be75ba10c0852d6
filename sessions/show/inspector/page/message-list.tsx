import type { JSX } from "preact";
import { durationText, timeText } from "../../../../generator/print/amount-text.js";
import type { PageState } from "./page-state.js";
import { countText, numberText, oneLine } from "./page-text.js";
import type { Row, SessionStore } from "./session-store.js";
import { VirtualList } from "./virtual-list.js";

/** The list of messages in order. */
export function MessageList({ state }: { readonly state: PageState }): JSX.Element {
  const { store } = state;
  void state.version.value;
  const shown = state.shown.value;
  const selected = store.row(state.selected.value);
  return (
    <VirtualList
      kind="row"
      label={`Messages: ${countText(shown.length, "row")}`}
      heights={{ wide: 26, narrow: 46 }}
      narrowBelow={560}
      narrowClass="two-lines"
      items={shown}
      selected={state.selected.value}
      classOf={(number) => classesOf(store.row(number)!, selected).join(" ")}
      draw={(number) => <RowCells row={store.row(number)!} store={store} />}
      onSelect={(number) => state.select(number)}
      isFollowing={store.head.isLive === true ? state.isFollowing : undefined}
    />
  );
}

function classesOf(row: Row, selected: Row | undefined): readonly string[] {
  const classes = ["row", row.kind];
  if (row.from !== undefined) classes.push(row.from === 0 ? "from-first" : "from-second");
  if (row.hasFailed) classes.push("failed");
  if (selected === undefined) return classes;
  if (selected === row) classes.push("selected");
  if (selected.partner === row) classes.push("partner");
  if (isBetween(row, selected)) classes.push("waiting");
  return classes;
}

function RowCells({ row, store }: { row: Row; store: SessionStore }): JSX.Element {
  const { kind, from, hasFailed, latency, time } = row;
  const worst = store.worstOf(row);
  const found = store.findingsOf(row).length;
  return (
    <>
      <span class="n">{numberText(row)}</span>
      <span class="t">{time === undefined ? "" : timeText(time)}</span>
      <span class="lane">
        <span class="hid">
          {from === undefined ? "unknown sender" : oneLine(store.head.roles[from])}, {kind}
        </span>
      </span>
      <span class="what">
        <b>{titleOf(row)}</b> <small>{oneLine(String(row.id))}</small>
        {hasFailed ? <em>failed</em> : null}
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
    </>
  );
}

/** Returns the name to show for a row, or its kind if it has no name. */
export function titleOf({ kind, name }: Row): string {
  if (name !== "") return oneLine(name);
  return kind === "other" ? "no kind" : kind;
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
