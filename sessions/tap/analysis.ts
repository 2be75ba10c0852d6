import type { Protocol } from "../../generator/model/protocol.js";
import type { LintFinding } from "../judge/rules.js";
import { CapturedSessions } from "../read/captured-sessions.js";
import type { Observed } from "../read/observed.js";
import type { JsonProtocol } from "../read/session-observer.js";
import type { Redactor } from "../show/redact/redactor.js";
import type { LiveJudge } from "./live-judge.js";
import type { SessionLog } from "./session-log.js";

/** Receives a tap's observations in the analysis thread. `LiveView`, for example, prints them. */
export interface SessionWatcher {
  /** @param session Id of the session, if there are several. */
  observe(observed: Observed, session: number | undefined): void;
  /**
   * Called with findings about the latest observation or, once a session has ended, about the
   * session as a whole.
   */
  find?(finding: LintFinding, session: number | undefined): void;
  /**
   * Called with the number of messages that were skipped because the analysis could not keep up.
   */
  skip?(messages: number): void;
  /** Called after the last session. */
  end?(): void;
}

export interface AnalysisOptions {
  readonly protocol: Protocol | JsonProtocol;
  /**
   * The recording. It contains all messages, including those that are not shown because too many
   * bytes are waiting.
   */
  readonly log?: SessionLog | undefined;
  readonly watchers: readonly SessionWatcher[];
  /**
   * Redacts each message before it reaches the log, the watchers and the judge, replacing the
   * secrets found up to that message. The judge is included because its findings quote messages.
   */
  readonly redactor?: Redactor | undefined;
  /**
   * Opens a reader for a session's dialect. Watchers and the judge receive converted messages, but
   * the log does not.
   */
  readonly openDialect?: (() => (message: object) => object) | undefined;
  /** Opens a session's judge. Undefined if messages are not checked. */
  readonly openJudge?: OpenJudge | undefined;
}

/**
 * Opens a session's judge.
 *
 * @param isFromStart Whether the judge receives the session from its first message on.
 */
export type OpenJudge = (
  onFinding: (finding: LintFinding) => void,
  isFromStart: boolean,
) => LiveJudge;

/**
 * Maximum number of sessions to check at the same time. Any additional sessions are not checked.
 */
const mostJudged = 100;

/** Decodes the bytes of sessions, and records, checks and shows the messages. */
export class Analysis {
  readonly #options: AnalysisOptions;
  readonly #sessions: CapturedSessions;
  readonly #dialects = new Map<number | undefined, (message: object) => object>();
  readonly #judges = new Map<number | undefined, LiveJudge>();
  /**
   * Sessions in which messages were skipped. A judge opened for such a session has not received it
   * from the beginning.
   */
  readonly #cut = new Set<number | undefined>();
  /** Number of sides that have ended, by session. */
  readonly #ended = new Map<number | undefined, number>();
  #isBehind = false;
  #skipped = 0;

  constructor(options: AnalysisOptions) {
    this.#options = options;
    this.#sessions = new CapturedSessions(
      options.protocol,
      (observed, session, body) => {
        if (options.redactor === undefined) this.#take(observed, session, body);
        else this.#take(redacted(observed, options.redactor), session, undefined);
      },
      (text) => {
        throw new Error(text);
      },
      () => this.#parses,
    );
  }

  /**
   * Whether messages need to be parsed. The log does not require this, because it copies the bytes
   * of unchanged messages.
   */
  get #parses(): boolean {
    const { watchers, openJudge, redactor } = this.#options;
    if (redactor !== undefined) return true;
    return !this.#isBehind && (watchers.length > 0 || openJudge !== undefined);
  }

  push(bytes: Uint8Array): void {
    this.#sessions.push(bytes);
  }

  /**
   * Whether so many bytes are waiting that messages are only recorded, rather than also shown and
   * checked.
   */
  set isBehind(isBehind: boolean) {
    if (isBehind === this.#isBehind) return;
    this.#isBehind = isBehind;
    if (isBehind) {
      for (const session of this.#judges.keys()) this.#cut.add(session);
      this.#judges.clear();
    } else this.#tellSkipped();
  }

  /** Ends the judges and watchers after the last session. */
  end(): void {
    this.#tellSkipped();
    for (const judge of this.#judges.values()) judge.end();
    for (const watcher of this.#options.watchers) watcher.end?.();
  }

  #tellSkipped(): void {
    const count = this.#skipped;
    this.#skipped = 0;
    if (count > 0) for (const watcher of this.#options.watchers) watcher.skip?.(count);
  }

  #take(sent: Observed, session: number | undefined, body: Uint8Array | undefined): void {
    const { log, watchers, protocol } = this.#options;
    log?.write(sent, session, body);
    const observed = this.#asProtocol(sent, session);
    if (this.#isBehind && observed.kind !== "end") {
      if (observed.kind === "message") this.#skipped++;
      return;
    }
    for (const watcher of watchers) watcher.observe(observed, session);
    if (observed.kind === "lost") {
      this.#judges.delete(session);
      this.#cut.add(session);
      return;
    }
    if (observed.kind !== "end") {
      this.#judgeOf(session)?.judge(observed);
      return;
    }
    const ended = (this.#ended.get(session) ?? 0) + 1;
    this.#ended.set(session, ended);
    if (ended < protocol.roles.length) return;
    this.#judges.get(session)?.end();
    this.#judges.delete(session);
    this.#dialects.delete(session);
    this.#cut.delete(session);
    this.#ended.delete(session);
  }

  /** Returns the observation with its message converted from the dialect to the protocol. */
  #asProtocol(observed: Observed, session: number | undefined): Observed {
    const { openDialect } = this.#options;
    if (openDialect === undefined || observed.kind !== "message" || this.#isBehind) return observed;
    let read = this.#dialects.get(session);
    if (read === undefined) this.#dialects.set(session, (read = openDialect()));
    return { ...observed, message: read(observed.message) };
  }

  #judgeOf(session: number | undefined): LiveJudge | undefined {
    const { openJudge, watchers } = this.#options;
    const known = this.#judges.get(session);
    if (known !== undefined || openJudge === undefined || this.#judges.size >= mostJudged)
      return known;
    const judge = openJudge((finding) => {
      for (const watcher of watchers) watcher.find?.(finding, session);
    }, !this.#cut.has(session));
    this.#judges.set(session, judge);
    return judge;
  }
}

/**
 * Returns the observation with its secrets replaced with placeholders. The original must not reach
 * any output.
 */
function redacted(observed: Observed, redactor: Redactor): Observed {
  redactor.find(observed);
  return redactor.redacted(observed) as Observed;
}
