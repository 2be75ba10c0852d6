/** The programmatic interface to the conformance suite for the Debug Adapter Protocol. */

export { caseChecks, checks, clientChecks, type Check, type Level } from "./checks.js";
export type { Scenario } from "./client/played-session.js";
export { scenarios } from "./client/scenarios.js";
export { playScenario, ScenarioServer, type ClientResult } from "./client/serve-scenarios.js";
export { cases } from "./cases/cases.js";
export type { Case } from "./cases/case.js";
export { readProject, suiteOf, type AdapterEntry } from "./run/adapter-entry.js";
export {
  adapterResults,
  countsOf,
  unexpectedOf,
  type AdapterResults,
  type Counts,
} from "./report/adapter-results.js";
export { reportJunit } from "./report/report-junit.js";
export { reportBadge, reportMarkdown } from "./report/report-markdown.js";
export { reportPages } from "./report/report-page.js";
export { reportText, type TextOptions } from "./report/report-text.js";
export { writeReports, type ReportFiles } from "./report/write-reports.js";
export { languages, openSuite } from "./run/open-suite.js";
export {
  runSuite,
  type CapabilityResult,
  type CheckResult,
  type RunOptions,
  type SuiteResult,
} from "./run/run-suite.js";
export type { AdapterTarget, StartedAdapter } from "./session/adapter-target.js";
export type { AttachSettings, SuiteOptions } from "./session/suite.js";
export type { Language, ProgramName } from "./session/programs.js";
