import { render } from "preact";
import { App } from "./app.js";
import { listenToKeys } from "./keyboard.js";
import { openLive } from "./live-session.js";
import { PageMessages, readPageData } from "./page-messages.js";
import { PageState } from "./page-state.js";
import { SessionStore } from "./session-store.js";

/** Shows the page in its place. */
async function open(): Promise<void> {
  const place = document.getElementById("app")!;
  const isLive = document.getElementById("index") === null;
  const state = isLive
    ? await openLive()
    : new PageState(new SessionStore(await readPageData(document)), new PageMessages(document));
  listenToKeys(state);
  place.textContent = "";
  render(<App state={state} />, place);
  performance.mark("wirewright-open");
  document.documentElement.dataset["ready"] = "yes";
}

open().catch((error: unknown) => {
  document.getElementById("app")!.textContent = `Cannot show the recording: ${String(error)}`;
});
