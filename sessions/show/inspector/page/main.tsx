import { render } from "preact";
import { App } from "./app.js";
import { Comparison } from "./comparison.js";
import { ComparisonPage, listenToComparison } from "./comparison-page.js";
import { listenToKeys } from "./keyboard.js";
import { openLive } from "./live-session.js";
import { PageMessages, readPageData } from "./page-messages.js";
import { PageState } from "./page-state.js";
import { SessionStore } from "./session-store.js";

/** Renders the page into its element. */
async function open(): Promise<void> {
  const place = document.getElementById("app")!;
  const data = document.getElementById("index") === null ? undefined : await readPageData(document);
  if (data?.comparison !== undefined) {
    const comparison = new Comparison(data, data.comparison, document);
    listenToComparison(comparison);
    place.textContent = "";
    render(<ComparisonPage comparison={comparison} />, place);
  } else {
    const state =
      data === undefined
        ? await openLive()
        : new PageState(new SessionStore(data), new PageMessages(document));
    listenToKeys(state);
    place.textContent = "";
    render(<App state={state} />, place);
  }
  performance.mark("wirewright-open");
  document.documentElement.dataset["ready"] = "yes";
}

open().catch((error: unknown) => {
  document.getElementById("app")!.textContent = `Cannot show the recording: ${String(error)}`;
});
