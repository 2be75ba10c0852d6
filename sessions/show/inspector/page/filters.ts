import { rowKinds, severities, type PageSeverity, type RowKind } from "../page-data.js";
import type { Row, SessionStore } from "./session-store.js";

/** The row filters. A filter that is empty or undefined has no effect. */
export interface Filters {
  readonly search: string;
  readonly side: 0 | 1 | undefined;
  readonly kinds: readonly RowKind[];
  readonly name: string;
  readonly session: number | undefined;
  /** Show rows that have a finding with one of these severities. */
  readonly severities: readonly PageSeverity[];
  /** Show requests and responses with at least this response time, in milliseconds. */
  readonly slow: number | undefined;
  /** Show requests that have no response. */
  readonly isUnanswered: boolean;
  /** Rules whose findings are hidden. */
  readonly muted: readonly string[];
}

export const noFilters: Filters = {
  search: "",
  side: undefined,
  kinds: [],
  name: "",
  session: undefined,
  severities: [],
  slow: undefined,
  isUnanswered: false,
  muted: [],
};

/**
 * Returns the numbers of the rows that pass the filters.
 *
 * @param found The rows that match the search. Undefined without a search.
 */
export function rowsThatPass(
  store: SessionStore,
  filters: Filters,
  found: ReadonlySet<number> | undefined,
): readonly number[] {
  const { side, kinds, name, session, severities: wanted, slow, isUnanswered } = filters;
  store.mute(filters.muted);
  const passes = (row: Row): boolean =>
    (side === undefined || row.from === side) &&
    (kinds.length === 0 || kinds.includes(row.kind)) &&
    (name === "" || row.name === name) &&
    (session === undefined || row.session === session) &&
    (wanted.length === 0 ||
      store.findingsOf(row).some(({ severity }) => wanted.includes(severity))) &&
    (slow === undefined || (row.latency ?? -1) >= slow) &&
    (!isUnanswered || store.isOpen(row)) &&
    (found === undefined || found.has(row.number));
  return [...store.rows].filter(passes).map(({ number }) => number);
}

/** The contents of a link's fragment: the filters, the selected message and the panel. */
export interface PageLink {
  readonly filters: Filters;
  /**
   * The selected row. `7` or `SESSION.7` refers to a message by its number. `row-7` refers to a row
   * that does not contain a message.
   */
  readonly message: string;
  readonly panel: string;
}

/** Reads a fragment, given without its `#`. Invalid parts are ignored. */
export function readLink(fragment: string): PageLink {
  const link = new URLSearchParams(fragment);
  const list = <Value extends string>(key: string, choices: readonly Value[]): readonly Value[] =>
    choices.filter((choice) => (link.get(key) ?? "").split(",").includes(choice));
  const side = link.get("side");
  return {
    filters: {
      search: link.get("find") ?? "",
      side: side === "0" ? 0 : side === "1" ? 1 : undefined,
      kinds: list("kind", rowKinds),
      name: link.get("name") ?? "",
      session: numberOf(link.get("session")),
      severities: list("severity", severities),
      slow: numberOf(link.get("slow")),
      isUnanswered: link.has("unanswered"),
      muted: (link.get("mute") ?? "").split(",").filter((rule) => rule !== ""),
    },
    message: link.get("m") ?? "",
    panel: link.get("panel") ?? "",
  };
}

/** Returns the fragment for the page's current state, without `#`. */
export function writeLink({ filters, message, panel }: PageLink): string {
  const link = new URLSearchParams();
  const { search, side, kinds, name, session, slow, isUnanswered } = filters;
  if (message !== "") link.set("m", message);
  if (panel !== "") link.set("panel", panel);
  if (search !== "") link.set("find", search);
  if (side !== undefined) link.set("side", String(side));
  if (kinds.length > 0) link.set("kind", kinds.join(","));
  if (name !== "") link.set("name", name);
  if (session !== undefined) link.set("session", String(session));
  if (filters.severities.length > 0) link.set("severity", filters.severities.join(","));
  if (slow !== undefined) link.set("slow", String(slow));
  if (isUnanswered) link.set("unanswered", "1");
  if (filters.muted.length > 0) link.set("mute", filters.muted.join(","));
  return link.toString().replaceAll("%2C", ",");
}

function numberOf(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
