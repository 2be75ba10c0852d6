import type { LintFinding } from "../judge/rules.js";
import type { Observed } from "../read/observed.js";

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
