import { batch, computed, effect, signal } from "@preact/signals";
import { groupOf } from "../page-data.js";
import { noFilters, readLink, rowsThatPass, writeLink, type Filters } from "./filters.js";
import type { MessageSource } from "./page-messages.js";
import { numberText } from "./page-text.js";
import { searchMessages, type SearchProgress } from "./search-messages.js";
import { isMessageKind, type SessionStore } from "./session-store.js";
import type { TimeAxis, TimeRange } from "./time-axis.js";

/** The panels next to the list. On a narrow page, a panel replaces the list. */
export const panels = ["list", "waterfall", "message", "state", "findings", "timing"] as const;
export type Panel = (typeof panels)[number];

/** Milliseconds from the last keystroke to the start of a search. */
const searchDelay = 150;

/**
 * The state of the page. Those parts of it that a link can contain are mirrored in the fragment of
 * the page's URL.
 */
export class PageState {
  readonly store: SessionStore;
  readonly source: MessageSource;
  /** A counter that is incremented whenever the store changes. */
  readonly version = signal(0);
  readonly filters = signal<Filters>(noFilters);
  readonly search = signal<SearchProgress | undefined>(undefined);
  /** The selected row, or -1 if none is selected. */
  readonly selected = signal(-1);
  readonly panel = signal<Panel>("list");
  /**
   * The location in the message that the user wants to see. `times` distinguishes repeated requests
   * for the same location.
   */
  readonly place = signal<{ readonly pointer: string; readonly times: number } | undefined>(
    undefined,
  );
  /** Whether the list and a panel are shown side by side. */
  readonly isWide = signal(true);
  /** The visible panel. On a wide page, one is always visible next to the list. */
  readonly shownPanel = computed((): Panel => {
    const isBeside = this.panel.value !== "list" && this.panel.value !== "waterfall";
    if (isBeside || !this.isWide.value) return this.panel.value;
    if (this.selected.value >= 0) return "message";
    return this.hasFindings.value ? "findings" : "timing";
  });
  readonly hasFindings = computed(() => {
    void this.version.value;
    void this.shown.value;
    return this.store.findings.length > 0;
  });
  /** The time range that the waterfall shows, or undefined for the whole range. */
  readonly zoom = signal<TimeRange | undefined>(undefined);
  /** The waterfall's time axis, if the recording contains times. */
  readonly axis = signal<TimeAxis | undefined>(undefined);
  /** Whether to show the waterfall above the list if there is room for it. */
  readonly isFallShown = signal(true);
  /** Whether the list keeps scrolling to the newest message of a live session. */
  readonly isFollowing = signal(true);
  readonly isOver = signal(false);
  readonly isHelpOpen = signal(false);
  /** Text that describes the last action to screen readers. */
  readonly notice = signal("");
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

  readonly #isLinked: boolean;

  /** @param isLinked Whether to read the state from the page's URL and write changes back to it. */
  constructor(store: SessionStore, source: MessageSource, isLinked = true) {
    this.store = store;
    this.source = source;
    this.#isLinked = isLinked;
    if (isLinked) this.#readLink();
    const narrow = matchMedia("(max-width: 60rem)");
    const fit = (): void => void (this.isWide.value = !narrow.matches);
    narrow.addEventListener("change", fit);
    fit();
    if (isLinked) addEventListener("popstate", () => this.#readLink());
    effect(() => this.#search(this.filters.value.search));
    effect(() => this.#writeLink(this.filters.value));
  }

  /** Changes the given filters. */
  filter(change: Partial<Filters>): void {
    this.filters.value = { ...this.filters.value, ...change };
  }

  /** Selects a row. The browser's back button returns to the previously selected row. */
  select(
    row: number,
    { pointer, isQuiet = false }: { pointer?: string; isQuiet?: boolean } = {},
  ): void {
    if (this.store.row(row) === undefined) return;
    const isNew = row !== this.selected.value;
    batch(() => {
      this.selected.value = row;
      this.place.value =
        pointer === undefined ? undefined : { pointer, times: (this.place.value?.times ?? 0) + 1 };
      // If the state panel is open, leave it open so that it shows the state after the new message.
      if (this.panel.value !== "state" || (pointer !== undefined && !isQuiet))
        if (!isQuiet || this.isWide.value) this.panel.value = "message";
      this.isFollowing.value = false;
    });
    if (isNew) this.#writeLink(this.filters.value, !isQuiet);
  }

  show(panel: Panel): void {
    this.panel.value = panel;
    this.#writeLink(this.filters.value, true);
  }

  /** Moves the selection by a number of rows, counting only those that pass the filters. */
  move(step: number): void {
    const shown = this.shown.value;
    if (shown.length === 0) return;
    const position = this.selected.value < 0 ? -1 : placeOf(shown, this.selected.value);
    const next = Math.min(shown.length - 1, Math.max(0, position + step));
    this.select(shown[next]!, { isQuiet: true });
  }

  /** Goes from a response to its request, or from a request to its response. */
  goToPartner(): void {
    const partner = this.store.row(this.selected.value)?.partner;
    if (partner !== undefined) this.select(partner.number);
  }

  /**
   * Goes to the next or previous row that has a finding.
   *
   * @param isOther Whether to skip rows with the same findings as the selected row.
   */
  goToFinding(step: 1 | -1, isOther = false): void {
    const { store } = this;
    const shown = this.shown.value;
    const currentGroups = new Set(isOther ? this.#groupsOf(this.selected.value) : []);
    let position = placeOf(shown, this.selected.value);
    if (step === 1 && shown[position] !== this.selected.value) position--;
    for (position += step; position >= 0 && position < shown.length; position += step) {
      const row = shown[position]!;
      const findings = store.findingsOf(store.row(row)!);
      if (findings.length === 0) continue;
      if (isOther && this.#groupsOf(row).every((group) => currentGroups.has(group))) continue;
      const finding =
        findings.find((candidate) => !currentGroups.has(groupOf(candidate))) ?? findings[0];
      return this.select(row, { pointer: finding?.pointer ?? "" });
    }
    const [what, where] = [isOther ? "other finding" : "finding", step === 1 ? "after" : "before"];
    this.notice.value = `There is no ${what} ${where} this message`;
  }

  #groupsOf(row: number): readonly string[] {
    const found = this.store.row(row);
    return found === undefined ? [] : this.store.findingsOf(found).map(groupOf);
  }

  /** Hides a rule's findings, or shows them again. */
  mute(rule: string, isMuted: boolean): void {
    const otherRules = this.filters.value.muted.filter((muted) => muted !== rule);
    this.filter({ muted: isMuted ? [...otherRules, rule] : otherRules });
    this.notice.value = isMuted ? `${rule} is muted` : `${rule} is shown`;
  }

  /**
   * Zooms the waterfall in or out.
   *
   * @param around The time that stays in place on the screen.
   */
  zoomBy(factor: number, around?: number): void {
    const axis = this.axis.value;
    if (axis === undefined) return;
    const { whole } = axis;
    const range = axis.zoomed(this.zoom.value ?? whole, factor, around);
    this.zoom.value = range.begin <= whole.begin && range.end >= whole.end ? undefined : range;
  }

  zoomTo(begin: number, end: number): void {
    this.zoom.value = { begin, end: Math.max(end, begin + 1e-3) };
    // Enlarge the range if it is smaller than the minimum.
    this.zoomBy(1);
  }

  zoomAll(): void {
    this.zoom.value = undefined;
  }

  /** Zooms to the span from the selected message's request to its response, with a margin. */
  zoomToSelected(): void {
    const row = this.store.row(this.selected.value);
    if (row?.time === undefined) return;
    const other = row.partner?.time ?? row.time;
    const [begin, end] = [Math.min(row.time, other), Math.max(row.time, other)];
    const margin = Math.max((end - begin) / 2, 5);
    this.zoomTo(begin - margin, end + margin);
  }

  /** Moves the waterfall by a fraction of its visible range. */
  pan(share: number): void {
    if (this.axis.value !== undefined && this.zoom.value !== undefined)
      this.zoom.value = this.axis.value.moved(this.zoom.value, share);
  }

  /** Redraws the page. Called when the store has changed. */
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
      const named = panels.find((candidate) => candidate === panel);
      if (named !== undefined) this.panel.value = named;
      else if (this.selected.value >= 0) this.panel.value = "message";
    });
  }

  #writeLink(filters: Filters, isStep = false): void {
    if (!this.#isLinked) return;
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
    if (row !== undefined) return this.store.row(Number(row))?.number ?? -1;
    if (message === "") return -1;
    for (const each of this.store.rows)
      if (isMessageKind(each.kind) && numberText(each) === message) return each.number;
    return -1;
  }
}

/**
 * Returns the index of a row in a sorted array or, if it is not in the array, the index of the next
 * row.
 */
export function placeOf(rows: readonly number[], row: number): number {
  const place = rows.findIndex((other) => other >= row);
  return place < 0 ? rows.length : place;
}
