import type { Capabilities } from "../../generated/dap/types.js";
import type { CaseSession } from "../session/case-session.js";
import type { ProgramName } from "../session/programs.js";

/** A session that the suite runs to judge some checks. */
export interface Case {
  readonly name: string;
  readonly program: ProgramName;
  /**
   * Ids of the checks that the case judges. If a step fails, the checks that were not judged yet
   * are blocked.
   */
  readonly checks: readonly string[];
  /** Capability that the adapter has to announce. */
  readonly gate?: keyof Capabilities;
  /** Whether the program must be started with `launch`, not with `attach`. */
  readonly launches?: true;
  /** Rules of lint that do not apply to this case. */
  readonly without?: readonly string[];
  readonly run: (s: CaseSession) => Promise<void>;
}
