import { render, type JSX, type TargetedKeyboardEvent } from "preact";
import { Comparison, ComparisonPage, listenToComparison } from "./comparison-page.js";
import { FindingsPanel } from "./findings-panel.js";
import { KeyHelp, listenToPage } from "./keyboard.js";
import { openLive } from "./live-session.js";
import { MessageList } from "./message-list.js";
import { MessagePanel } from "./message-panel.js";
import { PageMessages, readPageData } from "./page-messages.js";
import { PageState, panels, type Panel } from "./page-state.js";
import { countText, oneLine } from "./page-text.js";
import { SessionStore } from "./session-store.js";
import { StatePanel } from "./state-panel.js";
import { TimingChart, TimingPanel } from "./timing-panel.js";
import { Toolbar } from "./toolbar.js";
import { WaterfallChart } from "./waterfall-chart.js";

/** Renders the page into its element. */
async function open(): Promise<void> {
  const element = document.getElementById("app")!;
  const data = document.getElementById("index") === null ? undefined : await readPageData(document);
  if (data?.comparison !== undefined) {
    const comparison = new Comparison(data, data.comparison, document);
    listenToComparison(comparison);
    element.textContent = "";
    render(<ComparisonPage comparison={comparison} />, element);
  } else {
    const state =
      data === undefined
        ? await openLive()
        : new PageState(new SessionStore(data), new PageMessages(document));
    listenToPage(state);
    element.textContent = "";
    render(<App state={state} />, element);
  }
  performance.mark("wirewright-open");
  document.documentElement.dataset["ready"] = "yes";
}

open().catch((error: unknown) => {
  document.getElementById("app")!.textContent = `Cannot show the recording: ${String(error)}`;
});

/**
 * The whole page: the list of messages and, next to it, a panel with (for example) the selected
 * message, the findings or the timing.
 */
export function App({ state }: { readonly state: PageState }): JSX.Element {
  const isWide = state.isWide.value;
  const panel = state.shownPanel.value;
  const tabs = panels.filter((name) => !isWide || (name !== "list" && name !== "waterfall"));
  return (
    <div class={isWide ? "page wide" : "page narrow"}>
      <PageHeader state={state} />
      <Toolbar state={state} />
      <main>
        {isWide && state.isFallShown.value ? <WaterfallChart state={state} /> : null}
        <div class="body">
          {isWide ? <ListSide state={state} /> : null}
          <section class="side" aria-label="Details">
            <Tabs state={state} tabs={tabs} panel={panel} />
            <div
              class={`panel ${panel}`}
              role="tabpanel"
              id="panel"
              aria-labelledby={`tab-${panel}`}
              tabIndex={panel === "list" ? -1 : 0}
            >
              {panel === "list" ? <ListSide state={state} /> : null}
              {panel === "message" ? <MessagePanel state={state} /> : null}
              {panel === "waterfall" ? <WaterfallChart state={state} /> : null}
              {panel === "state" ? <StatePanel state={state} /> : null}
              {panel === "findings" ? <FindingsPanel state={state} /> : null}
              {panel === "timing" ? <TimingChart state={state} /> : null}
              {panel === "timing" ? <TimingPanel state={state} /> : null}
            </div>
          </section>
        </div>
      </main>
      <p class="notice" role="status">
        {state.notice.value}
      </p>
      <KeyHelp state={state} />
    </div>
  );
}

function PageHeader({ state }: { readonly state: PageState }): JSX.Element {
  const { store } = state;
  void state.version.value;
  const { title, protocol, version, profile, host, isLive } = store.head;
  const facts = [
    `${protocol} ${version}`,
    `${profile} profile`,
    ...(host === undefined ? [] : [host]),
    countText(store.messages, "message"),
  ];
  const notes = [
    ...store.notes,
    ...(store.dropped === 0
      ? []
      : [`The first ${countText(store.dropped, "row")} were removed to save memory.`]),
  ];
  return (
    <header class="top">
      <h1>{oneLine(title)}</h1>
      <p class="facts-line">
        {isLive !== true ? null : (
          <b class={state.isOver.value ? "live over" : "live"}>
            {state.isOver.value ? "over" : "live"}
          </b>
        )}{" "}
        {oneLine(facts.join(" · "))}
      </p>
      <button
        type="button"
        class="help"
        aria-keyshortcuts="?"
        onClick={() => (state.isHelpOpen.value = true)}
      >
        Keys
      </button>
      {notes.length === 0 ? null : (
        <ul class="notes">
          {notes.map((note) => (
            <li>{oneLine(note)}</li>
          ))}
        </ul>
      )}
    </header>
  );
}

function ListSide({ state }: { readonly state: PageState }): JSX.Element {
  const [first, second] = state.store.head.roles;
  const isEmpty = state.shown.value.length === 0;
  return (
    <section class="list-side" aria-label="Messages">
      <div class="list-head" aria-hidden="true">
        <span class="n">#</span>
        <span class="t">time</span>
        <span class="lane">
          <b>{oneLine(first)}</b>
          <b>{oneLine(second)}</b>
        </span>
        <span class="what">message</span>
        <span class="sum" />
        <span class="lat">after</span>
        <span class="mark" />
      </div>
      <MessageList state={state} />
      {isEmpty ? <p class="empty over-list">No messages match the filters.</p> : null}
    </section>
  );
}

interface TabsProps {
  readonly state: PageState;
  readonly tabs: readonly Panel[];
  readonly panel: Panel;
}

function Tabs({ state, tabs, panel }: TabsProps): JSX.Element {
  void state.version.value;
  void state.shown.value;
  const { length: total } = state.store.findings;
  const titles: Readonly<Record<Panel, string>> = {
    list: "Messages",
    waterfall: "Waterfall",
    state: "State",
    message: "Message",
    findings: total === 0 ? "Findings" : `Findings ${total.toLocaleString("en")}`,
    timing: "Timing",
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>): void => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const next = tabs[(tabs.indexOf(panel) + step + tabs.length) % tabs.length]!;
    state.show(next);
    requestAnimationFrame(() => document.getElementById(`tab-${next}`)?.focus());
  };
  return (
    <div class="tabs" role="tablist" aria-label="Details" onKeyDown={onKeyDown}>
      {tabs.map((tab) => (
        <button
          type="button"
          role="tab"
          id={`tab-${tab}`}
          aria-selected={tab === panel}
          aria-controls="panel"
          tabIndex={tab === panel ? 0 : -1}
          onClick={() => state.show(tab)}
        >
          {titles[tab]}
        </button>
      ))}
    </div>
  );
}
