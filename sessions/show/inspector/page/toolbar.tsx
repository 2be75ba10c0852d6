import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { nestSessions, type TreeSession } from "../../exchanges/session-tree.js";
import { rowKinds, severities, type RowKind } from "../page-data.js";
import { noFilters, type Filters } from "./filters.js";
import type { PageState } from "./page-state.js";
import { countText, oneLine } from "./page-text.js";
import { SearchField } from "./search-field.js";

/** Maximum number of message names listed in the filter. */
const maxNames = 500;

const slowChoices = [
  [10, "10 ms"],
  [100, "100 ms"],
  [1_000, "1 s"],
  [10_000, "10 s"],
] as const;

/** The toolbar, with the search field and the filters. */
export function Toolbar({ state }: { readonly state: PageState }): JSX.Element {
  const { store } = state;
  void state.version.value;
  const filters = state.filters.value;
  const { search } = state;
  const isSearching = filters.search !== "" && (search.value?.done ?? 0) < 1;
  const shown = state.shown.value.length;
  const isWide = state.isWide.value;
  const [isOpen, setOpen] = useState(false);
  return (
    <form class="toolbar" role="search" onSubmit={(event) => event.preventDefault()}>
      <SearchField
        label="Search in all messages"
        value={filters.search}
        onSearch={(search) => state.filter({ search })}
      />
      {isWide ? null : (
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Filters
        </button>
      )}
      {isWide || isOpen ? <Choices state={state} /> : null}
      <output class="count" aria-live="polite">
        {isSearching ? `searching, ${Math.round(100 * (search.value?.done ?? 0))} %` : ""}
        {!isSearching && isFiltered(filters)
          ? `${shown.toLocaleString("en")} of ${store.count.toLocaleString("en")}`
          : ""}
      </output>
      {isFiltered(filters) ? (
        <button type="button" onClick={() => (state.filters.value = noFilters)}>
          Show all
        </button>
      ) : null}
    </form>
  );
}

function Choices({ state }: { readonly state: PageState }): JSX.Element {
  const { store } = state;
  const filters = state.filters.value;
  const version = state.version.value;
  const kinds = useMemo(() => kindsOf(state), [version]);
  const names = useMemo(() => store.names, [version]);
  return (
    <>
      <Choice
        label="Side"
        value={filters.side === undefined ? "" : String(filters.side)}
        options={[
          ["", "both sides"],
          ...store.head.roles.map((role, at): Option => [String(at), `from the ${oneLine(role)}`]),
        ]}
        onChoose={(value) =>
          state.filter({ side: value === "" ? undefined : value === "1" ? 1 : 0 })
        }
      />
      <Choice
        label="Kind"
        value={
          filters.kinds.length === 1 ? filters.kinds[0]! : filters.kinds.length > 1 ? "several" : ""
        }
        options={[
          ["", "all kinds"],
          ...kinds.map((kind): Option => [kind, kindText(kind)]),
          ...(filters.kinds.length > 1
            ? [["several", filters.kinds.map(kindText).join(", ")] as const]
            : []),
        ]}
        onChoose={(value) =>
          value !== "several" && state.filter({ kinds: value === "" ? [] : [value as RowKind] })
        }
      />
      <Choice
        label="Name"
        value={filters.name}
        options={[
          ["", "all names"],
          ...names.slice(0, maxNames).map((name): Option => [name, oneLine(name)]),
        ]}
        onChoose={(name) => state.filter({ name })}
      />
      {store.sessions.length < 2 ? null : (
        <Choice
          label="Session"
          value={filters.session === undefined ? "" : String(filters.session)}
          options={[["", countText(store.sessions.length, "session")], ...treeOf(store.sessions)]}
          onChoose={(value) => state.filter({ session: value === "" ? undefined : Number(value) })}
        />
      )}
      <Choice
        label="Response time"
        value={filters.isUnanswered ? "none" : (filters.slow?.toString() ?? "")}
        options={[
          ["", "fast or slow"],
          ...slowChoices.map(([slow, text]): Option => [String(slow), `${text} and slower`]),
          ["none", "without a response"],
        ]}
        onChoose={(value) =>
          state.filter({
            slow: value === "" || value === "none" ? undefined : Number(value),
            isUnanswered: value === "none",
          })
        }
      />
      <span class="chips" role="group" aria-label="Findings">
        {severities.map((severity) => {
          const isOn = filters.severities.includes(severity);
          const count = store.findings.filter((each) => each.severity === severity).length;
          return (
            <button
              type="button"
              class={`chip ${severity}`}
              aria-pressed={isOn}
              disabled={count === 0}
              onClick={() =>
                state.filter({
                  severities: isOn
                    ? filters.severities.filter((each) => each !== severity)
                    : [...filters.severities, severity],
                })
              }
            >
              {countText(count, severity, severity === "info" ? "info" : undefined)}
            </button>
          );
        })}
      </span>
    </>
  );
}

function isFiltered(filters: Filters): boolean {
  return JSON.stringify(filters) !== JSON.stringify(noFilters);
}

type Option = readonly [value: string, text: string];

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly onChoose: (value: string) => void;
}

function Choice({ label, value, options, onChoose }: ChoiceProps): JSX.Element {
  return (
    <select
      aria-label={label}
      class={value === "" ? "" : "set"}
      value={value}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      {options.map(([each, text]) => (
        <option value={each} selected={each === value}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** Returns the kinds of rows that occur in the recording. */
function kindsOf({ store }: PageState): readonly RowKind[] {
  const found = new Set([...store.rows].map(({ kind }) => kind));
  return rowKinds.filter((kind) => found.has(kind));
}

function kindText(kind: RowKind): string {
  const texts: Partial<Record<RowKind, string>> = {
    other: "no kind",
    noise: "noise",
    text: "printed text",
    end: "ends",
  };
  return texts[kind] ?? `${kind}s`;
}

/** Returns the sessions, each listed below its parent. */
function treeOf(sessions: readonly TreeSession[]): readonly Option[] {
  return nestSessions(sessions).map(({ session: { number, summary = "" }, depth }) => {
    const indent = "\u00a0\u00a0".repeat(Math.min(depth, 8)) + (depth > 0 ? "↳ " : "");
    const opening = summary === "" ? "" : `: ${oneLine(summary).slice(0, 60)}`;
    return [String(number), `${indent}session ${number}${opening}`];
  });
}
