import { LivePage } from "../show/inspector/live-page.js";
import { servePage, type PageAddresses } from "../show/inspector/page-server.js";
import { readHost } from "../judge/host-table.js";
import { listRules } from "../judge/rules.js";
import { readSessionRules } from "../judge/session-rules.js";
import type { Protocol } from "../../generator/model/protocol.js";
import { readProtocol, readVersionName } from "../../generator/read/read-protocol.js";
import { Redactor } from "../show/redact/redactor.js";
import { readerOfDialect } from "../read/message-dialect.js";
import type { AnalysisOptions } from "./analysis.js";
import type { AnalysisSettings } from "./analysis-options.js";
import { LiveJudge } from "./live-judge.js";
import { LiveOutput } from "./live-output.js";
import { LiveView } from "./live-view.js";
import { MessageFilter } from "./message-filter.js";
import { PageWatcher } from "./page-watcher.js";

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
  const named = readVersionName(settings.protocol);
  const { schema } = settings;
  const protocol = await readProtocol(named.protocol, {
    ...(named.version === undefined ? {} : { version: named.version }),
    ...(schema === undefined ? {} : { schema }),
    modules: false,
  });
  const rules = await readSessionRules(named.protocol, named.version);
  const host =
    settings.host === undefined ? undefined : await readHost(settings.host, named.protocol);
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
    watchers: [view, page && new PageWatcher(page)].filter((each) => each !== undefined),
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
