import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { groupOf, severities, type PageFinding } from "../page-data.js";
import { FindingText, Sentence } from "./message-panel.js";
import type { PageState } from "./page-state.js";
import { countText, numberText, oneLine } from "./page-text.js";

/**
 * Number of groups and locations that are shown initially, and that are added each time the user
 * asks for more.
 */
const atOnce = 100;

interface Group {
  readonly first: PageFinding;
  readonly findings: PageFinding[];
  isVaried: boolean;
}

/**
 * The list of findings. Findings that have the same text and the same location are combined into
 * one entry.
 */
export function FindingsPanel({ state }: { readonly state: PageState }): JSX.Element {
  const { store } = state;
  void state.version.value;
  void state.shown.value;
  const { muted } = state.filters.value;
  const [shown, setShown] = useState(atOnce);
  const groups = groupFindings(store.findings);
  const others = store.found - store.listed;
  return (
    <section aria-label="Findings">
      {groups.length > 0 ? null : (
        <p class="empty">{muted.length === 0 ? "Nothing was found." : "All findings are muted."}</p>
      )}
      <ul class="groups">
        {groups.slice(0, shown).map((group) => (
          <GroupItem key={groupOf(group.first)} state={state} group={group} />
        ))}
      </ul>
      {groups.length <= shown ? null : (
        <button type="button" onClick={() => setShown(shown + atOnce)}>
          Show more
        </button>
      )}
      {others === 0 ? null : (
        <p class="dim">{countText(others, "finding")} about messages that are not on the page</p>
      )}
      {muted.length === 0 ? null : (
        <p class="muted">
          Muted:{" "}
          {muted.map((rule) => (
            <button type="button" title="Show its findings" onClick={() => state.mute(rule, false)}>
              {oneLine(rule)} ×
            </button>
          ))}
        </p>
      )}
    </section>
  );
}

function GroupItem({ state, group }: { state: PageState; group: Group }): JSX.Element {
  const { first, findings, isVaried } = group;
  const count = findings.length;
  const [isOpen, setOpen] = useState(false);
  const [shown, setShown] = useState(atOnce);
  const docs = state.store.rules[first.rule] ?? "";
  return (
    <li class={`group ${first.severity}`}>
      <p>
        {count === 1 ? null : <b class="times">{count.toLocaleString("en")} ×</b>}{" "}
        <FindingText finding={first} />
        {isVaried ? ", and similar findings" : ""}
      </p>
      {docs === "" || docs === first.message ? null : (
        <p class="dim">
          <Sentence text={docs} />
        </p>
      )}
      <p class="places">
        <Place state={state} finding={first} />
        {count === 1 ? null : (
          <>
            <span>…</span>
            <Place state={state} finding={findings.at(-1)!} />
            <button
              type="button"
              class="link"
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              {isOpen ? "Hide all" : "List all"}
            </button>
          </>
        )}
        <button
          type="button"
          class="mute"
          title="Hide all findings of this rule"
          aria-label={`Mute ${first.rule}`}
          onClick={() => state.mute(first.rule, true)}
        >
          Mute
        </button>
      </p>
      {isOpen ? (
        <ul class="places">
          {findings.slice(0, shown).map((finding) => (
            <li>
              <Place state={state} finding={finding} />
            </li>
          ))}
          {count <= shown ? null : (
            <li>
              <button type="button" class="link" onClick={() => setShown(shown + 10 * atOnce)}>
                Show more
              </button>
            </li>
          )}
        </ul>
      ) : null}
    </li>
  );
}

/** A link to a finding's message, and to the location within it. */
function Place({ state, finding }: { state: PageState; finding: PageFinding }): JSX.Element {
  const { row, label, pointer, from } = finding;
  const shown = state.store.row(row);
  const sender = from === undefined ? "" : `${oneLine(from)}: `;
  const text = `${sender}${oneLine(label)}${pointer === "" ? "" : ` ${oneLine(pointer)}`}`;
  if (shown === undefined) return <span class="dim">{text} (not on the page)</span>;
  return (
    <button type="button" class="link" onClick={() => state.select(row, { pointer })}>
      #{numberText(shown)} {text}
    </button>
  );
}

function groupFindings(findings: readonly PageFinding[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const finding of findings) {
    const key = groupOf(finding);
    const group = groups.get(key);
    if (group === undefined)
      groups.set(key, { first: finding, findings: [finding], isVaried: false });
    else {
      group.findings.push(finding);
      group.isVaried ||= finding.message !== group.first.message;
    }
  }
  const list = [...groups.values()];
  return severities.flatMap((severity) => list.filter(({ first }) => first.severity === severity));
}
