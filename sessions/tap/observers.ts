import type { Protocol } from "../../generator/model/protocol.js";
import { readProtocol, readVersionName } from "../../generator/read/read-protocol.js";
import { readHost } from "../judge/host-table.js";
import { listRules, type LintFinding } from "../judge/rules.js";
import { readSessionRules } from "../judge/session-rules.js";
import { readerOfDialect } from "../read/message-dialect.js";
import type { Observed } from "../read/observed.js";
import { LivePage } from "../show/inspector/live-page.js";
import { servePage, type PageAddresses } from "../show/inspector/page-server.js";
import { Redactor } from "../show/redact/redactor.js";
import type { AnalysisSettings } from "./analysis-options.js";
import type { AnalysisOptions, SessionWatcher } from "./analysis.js";
import { LiveJudge } from "./live-judge.js";
import { LiveOutput } from "./live-output.js";
import { LiveView } from "./live-view.js";
import { MessageFilter } from "./message-filter.js";

const stderr = 2;

/** The parts of a tap that deal with messages. A tap that only copies bytes does not have them. */
export interface Observers extends Pick<
  AnalysisOptions,
  "protocol" | "watchers" | "openDialect" | "openJudge" | "redactor"
> {
  readonly output?: LiveOutput | undefined;
  readonly view?: LiveView | undefined;
  readonly page?: LivePage | undefined;
  /** URLs of the page that shows the sessions. */
  readonly addresses?: PageAddresses | undefined;
}

/**
 * Reads the protocol and opens the outputs named in the settings.
 *
 * @throws InputError for invalid settings.
 */
export async function openObservers(settings: AnalysisSettings): Promise<Observers> {
  const { protocol: name, version } = readVersionName(settings.protocol);
  const { schema } = settings;
  const protocol = await readProtocol(name, { version, schema });
  const rules = await readSessionRules(name, version);
  const host = settings.host === undefined ? undefined : await readHost(settings.host, name);
  const output = settings.view && new LiveOutput(stderr);
  const view =
    output &&
    new LiveView(protocol, (line) => output.print(line), {
      ...settings.view,
      filter: new MessageFilter(protocol, settings.view!.filters),
    });
  const { redaction } = settings.recording ?? {};
  const redactor = redaction && new Redactor(protocol, redaction);
  const page =
    settings.page === undefined
      ? undefined
      : new LivePage(
          { ...protocol, sessionRules: rules },
          titleOf(settings.page, redactor),
          listRules(rules, host),
        );
  const server = page && (await servePage(0, page.handlers));
  return {
    protocol,
    output,
    view,
    page,
    redactor,
    addresses: server && { address: server.address, once: server.once },
    watchers: [view, page && new PageWatcher(page)].filter((watcher) => watcher !== undefined),
    openDialect: openDialect(protocol, settings.dialect),
    openJudge: settings.judges
      ? (onFinding, isFromStart) => new LiveJudge(protocol, { rules, host }, onFinding, isFromStart)
      : undefined,
  };
}

/**
 * Returns a function that opens readers for a dialect.
 *
 * @throws InputError `ERR_ARGUMENT` if the protocol has no such dialect.
 */
function openDialect(protocol: Protocol, name: string | undefined): Observers["openDialect"] {
  if (name === undefined) return undefined;
  readerOfDialect(protocol, name);
  return () => readerOfDialect(protocol, name);
}

/** Returns the page title. It is redacted, because it may be a path that contains a user name. */
function titleOf(text: string, redactor: Redactor | undefined): string {
  redactor?.find(text);
  return redactor?.redactedText(text) ?? text;
}

/** Shows the sessions of a tap on a page. */
class PageWatcher implements SessionWatcher {
  readonly #page: LivePage;

  constructor(page: LivePage) {
    this.#page = page;
  }

  observe(observed: Observed, session: number | undefined): void {
    const { time, from } = observed;
    const origin = { time, from, session };
    switch (observed.kind) {
      case "message":
        this.#page.push({ ...origin, offset: observed.offset, message: observed.message });
        return;
      case "stderr":
        this.#page.push({ ...origin, printed: observed.text });
        return;
      case "end":
        this.#page.push({ ...origin, ended: observed.how });
        return;
      case "noise":
        this.#page.push({ ...origin, fault: { code: "ERR_NOISE", message: observed.text } });
        return;
      case "lost":
        this.#page.miss(session);
        this.#page.push({ ...origin, fault: { code: observed.code, message: observed.text } });
        return;
      case "fault":
        this.#page.push({ ...origin, fault: { code: observed.code, message: observed.text } });
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
