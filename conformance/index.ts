/** The conformance suite of the Debug Adapter Protocol, for programs. */

export { caseChecks } from "./checks/case-checks.js";
export type { Check, Level } from "./checks/check.js";
export { checks } from "./checks/checks.js";
export { cases } from "./cases/cases.js";
export type { Case } from "./cases/case.js";
export { countsOf, reportText } from "./report/report-text.js";
export { languages, openSuite, type SuiteOptions } from "./run/open-suite.js";
export { runSuite, type CheckResult, type RunOptions, type SuiteResult } from "./run/run-suite.js";
export type { AdapterTarget } from "./session/adapter-target.js";
export type { Language, ProgramName } from "./session/programs.js";
