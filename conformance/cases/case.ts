import type { Capabilities } from "../../generated/dap/types.js";
import type { CaseSession } from "../session/case-session.js";
import type { ProgramName } from "../session/programs.js";

/** A session that the suite drives, to judge some checks. */
export interface Case {
  readonly name: string;
  readonly program: ProgramName;
  /** The checks that it judges. Those that it has not judged when a step fails are blocked. */
  readonly checks: readonly string[];
  /** Capability that the adapter has to announce. */
  readonly gate?: keyof Capabilities;
  /** Whether the suite must be able to launch the program: `attach` will not do. */
  readonly launches?: true;
  /** Rules of lint that do not apply to this case. */
  readonly without?: readonly string[];
  readonly run: (s: CaseSession) => Promise<void>;
}
