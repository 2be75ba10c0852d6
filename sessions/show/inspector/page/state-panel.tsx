import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ShownState, StateItem } from "../../exchanges/shown-state.js";
import { titleOf } from "./message-list.js";
import type { PageState } from "./page-state.js";
import { countText, numberText, oneLine } from "./page-text.js";
import type { Row, SessionStore } from "./session-store.js";
import { stateAt } from "./state-reader.js";

/** Number of objects in a group that are shown initially. */
const atOnce = 30;

/** Shows the state of the session after the selected message. */
export function StatePanel({ state }: { readonly state: PageState }): JSX.Element {
  const { store, source } = state;
  const number = state.selected.value;
  void state.version.value;
  const row = store.row(number);
  const [read, setRead] = useState<{ row: number; state: ShownState } | undefined>(undefined);
  useEffect(() => {
    const stop = new AbortController();
    void stateAt(store, source, number, stop.signal).then((found) => {
      if (found !== undefined && !stop.signal.aborted) setRead({ row: number, state: found });
    });
    return () => stop.abort();
  }, [number]);
  if (row === undefined)
    return <p class="empty">Select a message to see the state of its session at that moment.</p>;
  if (read?.row !== number) return <p class="empty">Reading the preceding messages …</p>;
  const isPartial = hasGapBefore(store, number);
  const open = openAt(store, row);
  return (
    <section class="state" aria-label="State">
      <h2>
        After {numberText(row)} {titleOf(row)}
      </h2>
      {isPartial ? (
        <p class="dim">Earlier messages are not on the page, so the state may be incomplete.</p>
      ) : null}
      <Program state={state} shown={read.state} />
      <Group title="In flight" count={open.length}>
        {open.map((request) => (
          <li class={request === row ? "new" : ""}>
            <RowLink state={state} row={request.number} /> <b>{titleOf(request)}</b>{" "}
            <span class="dim">{oneLine(request.summary)}</span>
          </li>
        ))}
      </Group>
      {read.state.groups.map(({ title, threads }, at) => (
        <Group title={oneLine(title)} count={read.state.items[at]!.size}>
          {[...read.state.items[at]!.values()].map((item) => (
            <Item
              state={state}
              item={item}
              isNew={item.row === number}
              status={threads === true ? threadText(read.state, item.id) : ""}
            />
          ))}
        </Group>
      ))}
      {[...read.state.announced].map(([role, flags]) => (
        <Group title={`Capabilities: ${oneLine(role)}`} count={flags.size}>
          {[...flags].map(([flag, value]) => (
            <li class={value === false ? "dim" : ""}>
              {oneLine(flag)}
              {value === true ? "" : `: ${flagText(value)}`}
            </li>
          ))}
        </Group>
      ))}
    </section>
  );
}

/** Shows whether the program is running, and since when. */
function Program({ state, shown }: { state: PageState; shown: ShownState }): JSX.Element | null {
  const { stops, runs, ranAt } = shown.program;
  const since = Math.max(ranAt, ...runs.values());
  if (stops.size === 0 && since < 0) return null;
  if (stops.size === 0)
    return (
      <p>
        <b class="status">running</b> since <RowLink state={state} row={since} />
      </p>
    );
  return (
    <ul class="stops">
      {[...stops].map(([thread, row]) => (
        <li>
          <b class="status stopped">stopped</b>{" "}
          {thread === "" ? "all threads" : `thread ${oneLine(thread)}`}{" "}
          <span class="dim">{oneLine(state.store.row(row)?.summary ?? "")}</span>{" "}
          <RowLink state={state} row={row} />
        </li>
      ))}
    </ul>
  );
}

function threadText({ program: { stops, runs, ranAt } }: ShownState, thread: string): string {
  if (stops.has(thread) || (stops.has("") && !runs.has(thread))) return "stopped";
  return ranAt >= 0 || runs.has(thread) || stops.size > 0 ? "running" : "";
}

interface GroupProps {
  readonly title: string;
  readonly count: number;
  readonly children: readonly JSX.Element[];
}

/** A list with a title. Renders nothing if the list is empty. */
function Group({ title, count, children }: GroupProps): JSX.Element | null {
  const [shown, setShown] = useState(atOnce);
  if (count === 0) return null;
  return (
    <section aria-label={title}>
      <h3>
        {title} <small>{count.toLocaleString("en")}</small>
      </h3>
      <ul>{children.slice(0, shown)}</ul>
      {count <= shown ? null : (
        <button type="button" class="link" onClick={() => setShown(shown + 10 * atOnce)}>
          Show more
        </button>
      )}
    </section>
  );
}

interface ItemProps {
  readonly state: PageState;
  readonly item: StateItem;
  readonly isNew: boolean;
  readonly status: string;
}

function Item({ state, item, isNew, status }: ItemProps): JSX.Element {
  const { id, texts, of, scope, row } = item;
  const owner = of === "" ? [] : [`thread ${of}`];
  // The scope starts with a message selector, which is not shown.
  const belongs = scope.split(" ").slice(2).join(" ");
  const parts = [...owner, ...(belongs === "" ? [] : [shortPath(belongs)]), ...texts.values()];
  return (
    <li class={isNew ? "new" : ""}>
      <RowLink state={state} row={row} /> <b>{oneLine(id)}</b> {oneLine(parts.join(", "))}
      {status === "" ? null : <span class={`status ${status}`}> {status}</span>}
    </li>
  );
}

/** A button that selects a message in the list. The panel stays open. */
function RowLink({ state, row }: { state: PageState; row: number }): JSX.Element | null {
  const shown = state.store.row(row);
  if (shown === undefined) return null;
  const number = numberText(shown);
  return (
    <button
      type="button"
      class="link at"
      aria-label={`Message ${number}`}
      onClick={() => state.select(row)}
    >
      #{number}
    </button>
  );
}

/** Returns the requests of a row's session that are still pending after it. */
function openAt(store: SessionStore, { number, session }: Row): readonly Row[] {
  return [...store.rows].filter(
    (row) =>
      row.session === session &&
      row.number <= number &&
      row.kind === "request" &&
      (store.isOpen(row) || (row.partner?.number ?? -1) > number),
  );
}

/** Returns whether any rows before the given one are missing from the page. */
function hasGapBefore(store: SessionStore, number: number): boolean {
  return [...store.rows].findIndex((row) => row.number === number) !== number;
}

function flagText(value: unknown): string {
  if (Array.isArray(value)) return countText(value.length, "item");
  return oneLine((JSON.stringify(value) ?? "").slice(0, 100));
}

/** Shortens a long path to its last part. */
function shortPath(path: string): string {
  return path.length > 60 ? `…${path.slice(-59)}` : path;
}
