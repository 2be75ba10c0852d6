import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { severities, type PageFinding } from "../page-data.js";
import { FindingText, Sentence } from "./message-panel.js";
import { numberText, oneLine } from "./page-text.js";
import type { PageState } from "./page-state.js";
import type { SessionStore } from "./session-store.js";

/** Groups and places that are shown at first, and more of them at each time. */
const atOnce = 100;

interface Group {
  readonly first: PageFinding;
  readonly findings: PageFinding[];
  isVaried: boolean;
}

/** What was found: findings that say the same of the same place are one entry. */
export function FindingsPanel({ state }: { readonly state: PageState }): JSX.Element {
  const { store } = state;
  void state.version.value;
  const [shown, setShown] = useState(atOnce);
  const groups = groupFindings(store);
  const unlisted = Object.entries(store.unlisted);
  if (groups.length === 0) return <p class="empty">Nothing was found.</p>;
  return (
    <section aria-label="Findings">
      <ul class="groups">
        {groups.slice(0, shown).map((group) => (
          <GroupItem key={keyOf(group.first)} {...{ state, group }} />
        ))}
      </ul>
      {groups.length <= shown ? null : (
        <button type="button" onClick={() => setShown(shown + atOnce)}>
          Show more
        </button>
      )}
      {unlisted.length === 0 ? null : (
        <p class="dim">
          Counted, and not listed:{" "}
          {unlisted
            .map(([rule, count]) => `${count.toLocaleString("en")} ${oneLine(rule)}`)
            .join(", ")}
        </p>
      )}
    </section>
  );
}

function GroupItem({ state, group }: { state: PageState; group: Group }): JSX.Element {
  const { first, findings, isVaried } = group;
  const [isOpen, setOpen] = useState(false);
  const [shown, setShown] = useState(atOnce);
  const docs = state.store.rules[first.rule] ?? "";
  return (
    <li class={`group ${first.severity}`}>
      <p>
        {findings.length === 1 ? null : (
          <b class="times">{findings.length.toLocaleString("en")} ×</b>
        )}{" "}
        <FindingText finding={first} />
        {isVaried ? ", and the like" : ""}
      </p>
      {docs === "" || docs === first.text ? null : (
        <p class="dim">
          <Sentence text={docs} />
        </p>
      )}
      <p class="places">
        <Place {...{ state }} finding={first} />
        {findings.length === 1 ? null : (
          <>
            {" … "}
            <Place {...{ state }} finding={findings.at(-1)!} />{" "}
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
      </p>
      {isOpen ? (
        <ul class="places">
          {findings.slice(0, shown).map((finding) => (
            <li>
              <Place {...{ state, finding }} />
            </li>
          ))}
          {findings.length <= shown ? null : (
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

/** Leads to the message of a finding, and to the place in it. */
function Place({ state, finding }: { state: PageState; finding: PageFinding }): JSX.Element {
  const { row, label, pointer, from } = finding;
  const shown = state.store.row(row);
  const text = `${oneLine(from)}: ${oneLine(label)}${pointer === "" ? "" : ` ${oneLine(pointer)}`}`;
  if (shown === undefined) return <span class="dim">{text} (left out of the page)</span>;
  return (
    <button type="button" class="link" onClick={() => state.select(row, { pointer })}>
      #{numberText(shown)} {text}
    </button>
  );
}

function groupFindings({ findings }: SessionStore): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const finding of findings) {
    const key = keyOf(finding);
    const group = groups.get(key);
    if (group === undefined)
      groups.set(key, { first: finding, findings: [finding], isVaried: false });
    else {
      group.findings.push(finding);
      group.isVaried ||= finding.text !== group.first.text;
    }
  }
  const list = [...groups.values()];
  return severities.flatMap((severity) => list.filter(({ first }) => first.severity === severity));
}

/** What findings have in common that are one entry. */
function keyOf({ rule, severity, outcome = "", from, pointer, text }: PageFinding): string {
  const place = pointer.replaceAll(/\/\d+(?=\/|$)/g, "/*");
  return [rule, severity, outcome, from, place, text.replaceAll(/"[^"]*"|\d+/g, "…")].join("\n");
}
