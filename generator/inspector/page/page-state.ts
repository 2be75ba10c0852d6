import { batch, computed, effect, signal } from "@preact/signals";
import { noFilters, readLink, rowsThatPass, writeLink, type Filters } from "./filters.js";
import type { MessageSource } from "./page-messages.js";
import { numberText } from "./page-text.js";
import { searchMessages, type SearchProgress } from "./search-messages.js";
import { isMessageKind, type SessionStore } from "./session-store.js";

/** What is beside the list, or instead of it where there is no room for both. */
export const panels = ["list", "message", "findings", "timing"] as const;
export type Panel = (typeof panels)[number];

/** Milliseconds after the last key until a search begins. */
const searchDelay = 150;

/** What the page shows at present. What a link can say is in the fragment of its address. */
export class PageState {
  readonly store: SessionStore;
  readonly source: MessageSource;
  /** Changes when the store does. */
  readonly version = signal(0);
  readonly filters = signal<Filters>(noFilters);
  readonly search = signal<SearchProgress | undefined>(undefined);
  /** Row that is shown; -1 for none. */
  readonly selected = signal(-1);
  readonly panel = signal<Panel>("list");
  /** Place in the message that was asked for; the number makes each time a new one. */
  readonly place = signal<{ readonly pointer: string; readonly times: number } | undefined>(
    undefined,
  );
  /** Whether the list and a panel stand beside each other. */
  readonly isWide = signal(true);
  /** The panel that is seen: beside the list there is always one. */
  readonly shownPanel = computed((): Panel => {
    if (this.panel.value !== "list" || !this.isWide.value) return this.panel.value;
    if (this.selected.value >= 0) return "message";
    return this.hasFindings.value ? "findings" : "timing";
  });
  readonly hasFindings = computed(() => {
    void this.version.value;
    return this.store.findings.length > 0;
  });
  /** Whether the list follows the newest message of a live session. */
  readonly isFollowing = signal(true);
  readonly isOver = signal(false);
  readonly isHelpOpen = signal(false);
  /** What was done last, for those who do not see it. */
  readonly said = signal("");
  readonly shown = computed(() => {
    void this.version.value;
    const { filters, search } = this;
    const isSearching = filters.value.search !== "";
    return rowsThatPass(
      this.store,
      filters.value,
      isSearching ? (search.value?.found ?? new Set()) : undefined,
    );
  });
  #searching = new AbortController();
  #searched = "";

  constructor(store: SessionStore, source: MessageSource) {
    this.store = store;
    this.source = source;
    this.#readLink();
    const narrow = matchMedia("(max-width: 60rem)");
    const fit = (): void => void (this.isWide.value = !narrow.matches);
    narrow.addEventListener("change", fit);
    fit();
    addEventListener("popstate", () => this.#readLink());
    effect(() => this.#search(this.filters.value.search));
    effect(() => this.#writeLink(this.filters.value));
  }

  /** Filters anew. */
  filter(change: Partial<Filters>): void {
    this.filters.value = { ...this.filters.value, ...change };
  }

  /** Shows a row, and remembers the one before for the way back. */
  select(
    row: number,
    { pointer, isQuiet = false }: { pointer?: string; isQuiet?: boolean } = {},
  ): void {
    if (!this.store.has(row)) return;
    const isNew = row !== this.selected.value;
    batch(() => {
      this.selected.value = row;
      this.place.value =
        pointer === undefined ? undefined : { pointer, times: (this.place.value?.times ?? 0) + 1 };
      if (!isQuiet) this.panel.value = "message";
      else if (this.isWide.value) this.panel.value = "message";
      this.isFollowing.value = false;
    });
    if (isNew) this.#writeLink(this.filters.value, !isQuiet);
  }

  show(panel: Panel): void {
    this.panel.value = panel;
    this.#writeLink(this.filters.value, true);
  }

  /** Shows the row so many places away among those that pass the filters. */
  move(step: number): void {
    const shown = this.shown.value;
    if (shown.length === 0) return;
    const at = placeOf(shown, this.selected.value);
    const next = this.selected.value < 0 ? 0 : Math.min(shown.length - 1, Math.max(0, at + step));
    this.select(shown[next]!, { isQuiet: true });
  }

  /** Goes to the request of a response, or to the response to a request. */
  goToPartner(): void {
    const row = this.store.row(this.selected.value);
    if (row === undefined || row.partner < 0) return;
    this.select(row.partner);
  }

  /** Goes to the next row with a finding, or to the one before. */
  goToFinding(step: 1 | -1): void {
    const shown = this.shown.value;
    let at = placeOf(shown, this.selected.value);
    if (step === 1 && shown[at] !== this.selected.value) at--;
    for (at += step; at >= 0 && at < shown.length; at += step) {
      const [first] = this.store.findingsOf(shown[at]!);
      if (first !== undefined) return this.select(shown[at]!, { pointer: first.pointer });
    }
    this.said.value = step === 1 ? "No finding comes after this" : "No finding comes before this";
  }

  /** Tells that the store has changed. */
  changed(): void {
    this.version.value++;
  }

  #search(text: string): void {
    if (text === this.#searched) return;
    this.#searched = text;
    this.#searching.abort();
    this.#searching = new AbortController();
    const { signal: stop } = this.#searching;
    this.search.value = undefined;
    if (text === "") return;
    const begin = (): void => {
      if (stop.aborted) return;
      void searchMessages(this.store, this.source, text, stop, ({ found, done }) => {
        this.search.value = { found, done };
      });
    };
    setTimeout(begin, searchDelay);
  }

  #readLink(): void {
    const { filters, message, panel } = readLink(location.hash.slice(1));
    batch(() => {
      this.filters.value = filters;
      this.selected.value = this.#rowOf(message);
      const known = panels.find((each) => each === panel);
      if (known !== undefined) this.panel.value = known;
      else if (this.selected.value >= 0) this.panel.value = "message";
    });
  }

  #writeLink(filters: Filters, isStep = false): void {
    const row = this.store.row(this.selected.peek());
    const message =
      row === undefined ? "" : isMessageKind(row.kind) ? numberText(row) : `row-${row.number}`;
    const panel = this.panel.peek();
    const fragment = writeLink({
      filters,
      message,
      panel: panel === "message" || panel === "list" ? "" : panel,
    });
    const address = fragment === "" ? location.pathname + location.search : `#${fragment}`;
    if (`#${fragment}` === location.hash || (fragment === "" && location.hash === "")) return;
    if (isStep) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
  }

  #rowOf(message: string): number {
    const [, row] = /^row-(\d{1,9})$/.exec(message) ?? [];
    if (row !== undefined) return this.store.has(Number(row)) ? Number(row) : -1;
    const [, session = "0", index] = /^(?:(\d{1,9})\.)?(\d{1,9})$/.exec(message) ?? [];
    return index === undefined ? -1 : this.store.find(Number(session), Number(index));
  }
}

/** Place of a row in a sorted list, or of the first one after it. */
export function placeOf(rows: Int32Array, row: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]! < row) low = middle + 1;
    else high = middle;
  }
  return low;
}
