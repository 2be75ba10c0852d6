import type { LintFinding } from "../lint/rules.js";
import type { Observed } from "../session/observed.js";

/**
 * Receives the observations of a tap's sessions, in the thread of the analysis: the printer is one
 * of them.
 */
export interface SessionWatcher {
  /** @param session Number of the session, if there are several. */
  observe(observed: Observed, session: number | undefined): void;
  /** Called with findings about the last observation, or about the whole session after its end. */
  find?(finding: LintFinding, session: number | undefined): void;
  /** Called with a number of messages that were not observed, because the analysis could not keep up. */
  skip?(messages: number): void;
  /** Called after the last session. */
  end?(): void;
}
