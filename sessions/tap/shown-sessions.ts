import type { Protocol } from "../../generator/model/protocol.js";
import type { LintOptions } from "../judge/lint-options.js";
import { LintSession } from "../judge/lint-session.js";
import { CarriedValues } from "../judge/table/carried-values.js";
import type { LintFinding } from "../judge/rules.js";
import { readerOfDialect } from "../read/message-dialect.js";
import type { Observed } from "../read/captured-sessions.js";

/** Shows sessions while they run. `LiveView`, for example, prints them. */
export interface SessionWatcher {
  /** @param session Id of the session, if there are several. */
  observe(observed: Observed, session: number | undefined): void;
  /**
   * Called with findings about the latest observation or, once a session has ended, about the
   * session as a whole.
   */
  find(finding: LintFinding, session: number | undefined): void;
  /** Called after the last session. */
  end(): void;
}

export interface ShownSessionsOptions {
  readonly watchers: readonly SessionWatcher[];
  /** Dialect of the messages, which are converted to the protocol. */
  readonly dialect?: string | undefined;
  /** What to check messages against. Undefined if they are not checked. */
  readonly judges?: Pick<LintOptions, "rules" | "host"> | undefined;
}

/**
 * Maximum number of sessions to check at the same time. Any additional sessions are not checked.
 */
const maxJudged = 100;

/** Passes what is observed in sessions, and errors and warnings about it, to watchers. */
export class ShownSessions {
  readonly #protocol: Protocol;
  readonly #options: ShownSessionsOptions;
  readonly #dialects = new Map<number | undefined, (message: object) => object>();
  readonly #judges = new Map<number | undefined, LintSession>();
  readonly #carried = new CarriedValues();
  /** Number of sides that have ended, by session. */
  readonly #ended = new Map<number | undefined, number>();

  /** @throws InputError `ERR_ARGUMENT` if the protocol does not have the dialect. */
  constructor(protocol: Protocol, options: ShownSessionsOptions) {
    this.#protocol = protocol;
    this.#options = options;
    if (options.dialect !== undefined) readerOfDialect(protocol, options.dialect);
  }

  observe(recorded: Observed, session?: number): void {
    const observed = this.#converted(recorded, session);
    for (const watcher of this.#options.watchers) watcher.observe(observed, session);
    if (observed.kind === "message") this.#judgeOf(session)?.push(observed);
    if (observed.kind !== "end") return;
    const ended = (this.#ended.get(session) ?? 0) + 1;
    this.#ended.set(session, ended);
    if (ended < this.#protocol.roles.length) return;
    this.#judges.get(session)?.end();
    this.#judges.delete(session);
    this.#dialects.delete(session);
    this.#ended.delete(session);
  }

  /** Ends the sessions that are still running. */
  end(): void {
    for (const judge of this.#judges.values()) judge.end();
    for (const watcher of this.#options.watchers) watcher.end();
  }

  #converted(observed: Observed, session: number | undefined): Observed {
    const { dialect } = this.#options;
    if (dialect === undefined || observed.kind !== "message") return observed;
    let convert = this.#dialects.get(session);
    if (convert === undefined)
      this.#dialects.set(session, (convert = readerOfDialect(this.#protocol, dialect)));
    return { ...observed, message: convert(observed.message) };
  }

  #judgeOf(session: number | undefined): LintSession | undefined {
    const { judges, watchers } = this.#options;
    const open = this.#judges.get(session);
    if (open !== undefined || judges === undefined || this.#judges.size >= maxJudged) return open;
    const judge = new LintSession(this.#protocol, {
      rules: judges.rules ?? "none",
      host: judges.host,
      isFromStart: true,
      carried: this.#carried,
      onFinding: (finding) => {
        if (finding.severity === "info") return;
        for (const watcher of watchers) watcher.find(finding, session);
      },
    });
    this.#judges.set(session, judge);
    return judge;
  }
}
