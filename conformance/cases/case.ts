import type { CaseSession } from "../session/case-session.js";
import type { ProgramName } from "../session/programs.js";

/** A session that the suite runs to evaluate certain checks. */
export interface Case {
  readonly name: string;
  readonly program: ProgramName;
  /**
   * Ids of the checks that the case judges. If a step fails, all checks that have not been judged
   * yet are blocked. The case runs only if the adapter announces the capability that the first one
   * requires.
   */
  readonly checks: readonly string[];
  /** Whether the program must be started with `launch` rather than `attach`. */
  readonly launches?: true;
  /** Whether the case itself breaks a rule of the protocol, so that a crash is not held against it. */
  readonly breaksRules?: true;
  /** Lint rules that do not apply to this case. */
  readonly without?: readonly string[];
  readonly run: (s: CaseSession) => Promise<void>;
}
