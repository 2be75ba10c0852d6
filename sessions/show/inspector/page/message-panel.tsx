import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { durationText, sizeText, timeText } from "../../../../generator/print/amount-text.js";
import type { PageFinding } from "../page-data.js";
import { copyJson, copyLines, copyTest } from "./copy.js";
import { JsonTree } from "./json-tree.js";
import { titleOf } from "./message-list.js";
import { messageOf } from "./page-messages.js";
import type { PageState } from "./page-state.js";
import { countText, numberText, oneLine } from "./page-text.js";
import type { Row } from "./session-store.js";

interface ReadMessage {
  readonly row: number;
  readonly value: unknown;
}

/** The selected message: its kind, its findings and its payload. */
export function MessagePanel({ state }: { readonly state: PageState }): JSX.Element {
  const { store, source } = state;
  void state.version.value;
  void state.shown.value;
  const number = state.selected.value;
  const [read, setRead] = useState<ReadMessage | undefined>(undefined);
  useEffect(() => {
    let isWanted = true;
    const wanted = store.row(number);
    if (wanted !== undefined)
      void messageOf(store, source, wanted).then((text) => {
        if (isWanted && text !== undefined) setRead({ row: number, value: JSON.parse(text) });
      });
    return () => void (isWanted = false);
  }, [number]);
  const row = store.row(number);
  if (row === undefined)
    return (
      <p class="empty">
        {number >= 0 ? "This message is no longer available." : "Select a message."}
      </p>
    );
  const findings = store.findingsOf(row);
  return (
    <article aria-label="Message">
      <header class="message-head">
        <h2>
          <span class={`kind ${row.kind}${row.hasFailed ? " failed" : ""}`}>
            {row.hasFailed ? "failed " : ""}
            {row.kind}
          </span>{" "}
          {titleOf(row)} <small>{oneLine(String(row.id))}</small>
        </h2>
        <Facts row={row} roles={store.head.roles} />
        <Partner state={state} row={row} />
        <CopyButtons state={state} row={row} />
      </header>
      {findings.length === 0 ? null : <Findings state={state} row={number} findings={findings} />}
      {read?.row === number ? (
        <JsonTree
          key={number}
          value={read.value}
          findings={findings}
          unknown={row.unknown ?? []}
          place={state.place.value}
          search={state.filters.value.search}
        />
      ) : null}
    </article>
  );
}

function Facts({ row, roles }: { row: Row; roles: readonly [string, string] }): JSX.Element {
  const { from, time, latency, size, line, kind } = row;
  const facts: (readonly [string, string])[] = [
    [
      "from",
      from === undefined ? "unknown" : `${oneLine(roles[from])} to ${oneLine(roles[1 - from]!)}`,
    ],
    ["number", numberText(row)],
  ];
  if (time !== undefined) facts.push(["time", `${timeText(time)} s`]);
  if (latency !== undefined)
    facts.push([kind === "request" ? "response after" : "after", durationText(latency)]);
  facts.push(["size", sizeText(size)]);
  if (line !== undefined) facts.push(["line", String(line)]);
  return (
    <dl class="facts">
      {facts.map(([name, text]) => (
        <div>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function Partner({ state, row }: { state: PageState; row: Row }): JSX.Element | null {
  const { partner } = row;
  if (partner === undefined) {
    if (row.kind === "request") return <p class="dim">There is no response.</p>;
    return row.kind === "response" ? <p class="dim">Its request is unknown.</p> : null;
  }
  return (
    <p>
      <button type="button" aria-keyshortcuts="r" onClick={() => state.goToPartner()}>
        {row.kind === "request" ? "Go to the response" : "Go to the request"}, {numberText(partner)}
      </button>{" "}
      <span class="dim">{oneLine(partner.summary)}</span>
    </p>
  );
}

interface FindingsProps {
  readonly state: PageState;
  readonly row: number;
  readonly findings: readonly PageFinding[];
}

function Findings({ state, row, findings }: FindingsProps): JSX.Element {
  return (
    <section class="found" aria-label={countText(findings.length, "finding")}>
      <ul>
        {findings.slice(0, 50).map((finding) => (
          <li class={finding.severity}>
            <FindingText finding={finding} />{" "}
            {finding.pointer === "" ? null : (
              <button
                type="button"
                class="link"
                onClick={() => state.select(row, { pointer: finding.pointer })}
              >
                {oneLine(finding.pointer)}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

export function FindingText({ finding }: { finding: PageFinding }): JSX.Element {
  const { severity, rule, outcome, message } = finding;
  return (
    <>
      <b class={`badge ${severity}`}>{severity}</b> <code>{oneLine(rule)}</code>{" "}
      {outcome === undefined ? null : <em>{oneLine(outcome)}: </em>}
      <Sentence text={message} />
    </>
  );
}

/** A sentence in which names enclosed in backticks are rendered as code. */
export function Sentence({ text }: { text: string }): JSX.Element {
  return (
    <>
      {oneLine(text)
        .split("`")
        .map((part, at) => (at % 2 === 1 ? <code>{part}</code> : part))}
    </>
  );
}

function CopyButtons({ state, row }: { state: PageState; row: Row }): JSX.Element {
  const ways = [
    ["JSON", "the message", copyJson],
    ["recording", "the session, for wirewright lint", copyLines],
    ["test", "a test that checks the session", copyTest],
  ] as const;
  const copy = (name: string, make: (typeof ways)[number][2]): void => {
    void make(state.store, state.source, row)
      .then((text) => putOnClipboard(text))
      .then(
        () => (state.notice.value = `Copied as ${name}`),
        () => (state.notice.value = "The browser does not allow the page to copy text"),
      );
  };
  return (
    <p class="copy">
      Copy as{" "}
      {ways.map(([name, what, make]) => (
        <button type="button" title={`Copies ${what}`} onClick={() => copy(name, make)}>
          {name}
        </button>
      ))}
    </p>
  );
}

async function putOnClipboard(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    // The clipboard API may require permission. In a click handler, the old API works without it.
    const isCopied = document.execCommand("copy");
    area.remove();
    if (!isCopied) throw new Error("copy was refused");
  }
}
