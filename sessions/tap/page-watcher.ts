import type { LivePage } from "../show/inspector/live-page.js";
import type { LintFinding } from "../judge/rules.js";
import type { Observed } from "../read/observed.js";
import type { SessionWatcher } from "./session-watcher.js";

/** Shows the sessions of a tap on a page. */
export class PageWatcher implements SessionWatcher {
  readonly #page: LivePage;

  constructor(page: LivePage) {
    this.#page = page;
  }

  observe(observed: Observed, session: number | undefined): void {
    const { time, from } = observed;
    const place = { time, from, session };
    switch (observed.kind) {
      case "message":
        this.#page.push({ ...place, offset: observed.offset, message: observed.message });
        return;
      case "stderr":
        this.#page.push({ ...place, printed: observed.text });
        return;
      case "end":
        this.#page.push({ ...place, ended: observed.how });
        return;
      case "noise":
        this.#page.push({ ...place, fault: { code: "ERR_NOISE", message: observed.text } });
        return;
      case "lost":
        this.#page.miss(session);
        this.#page.push({ ...place, fault: { code: observed.code, message: observed.text } });
        return;
      case "fault":
        this.#page.push({ ...place, fault: { code: observed.code, message: observed.text } });
    }
  }

  find(finding: LintFinding, session: number | undefined): void {
    this.#page.find(finding, session);
  }

  skip(messages: number): void {
    this.#page.miss();
    this.#page.note(
      `${messages} messages were neither shown nor checked, because the tap could not keep up.`,
    );
  }

  end(): void {
    this.#page.end();
  }
}
