/**
 * Entry point of the library, which makes the functionality of the commands available to programs.
 */

// Reading protocols
export { bundledProtocols } from "../generator/base/bundled.js";
export {
  formatInputError,
  InputError,
  type InputErrorCode,
  type InputPlace,
} from "../generator/base/input-error.js";
export { openProtocol, type OpenProtocol } from "../sessions/judge/open-protocol.js";
export {
  readProtocol,
  type ProtocolSource,
  type ReadOptions,
} from "../generator/read/read-protocol.js";
export { openProtocolSource } from "../generator/read/protocol-source.js";
export type { WarningOptions } from "../generator/read/schema/schema-file.js";
export type { FetchText, InputOptions } from "../generator/read/source/input-source.js";
export {
  check as checkFormat,
  type CheckedFile,
} from "../generator/read/description/check-file.js";
export { readJsonText, type JsonFile } from "../generator/read/source/json-text.js";
export type * from "../generator/read/formats/schema-format.js";
export type * as Model from "../generator/model/model-types.js";
export { flattenProperties } from "../generator/model/properties.js";
export { definitionsByName, eventsOf, receiverOf, requestsOf } from "../generator/model/queries.js";
export { modelDocument, type ModelDocument } from "../generator/model/model-document.js";

// Generating packages
export { generate, type GeneratedPackage, type GenerateOptions } from "./generate.js";
export { emitPackage, type EmitOptions } from "../generator/emit/emit-package.js";
export { emitDeclarationsPackage } from "../generator/emit/declarations-package.js";
export { formatPackage, type FormattedPackage } from "../generator/output/format-package.js";
export {
  compareOutput,
  writeOutput,
  type Staleness,
  type WriteOptions,
} from "../generator/output/write-output.js";

export type { Severity } from "../generator/base/severity.js";

// Reading and checking launch configurations
export { readCommentedFile, type CommentedFile } from "../launch/commented-json.js";
export type { ConfigurationFinding, ConfigurationRule } from "../launch/configuration-rules.js";
export type {
  ConfigurationSet,
  ConfigurationSource,
  OfferedConfiguration,
  RequestName as ConfigurationRequest,
  SourceNote,
} from "../launch/configuration-set.js";
export {
  derivedFiles,
  writeDerivedFiles,
  type DerivedFile,
  type DerivedJob,
} from "../launch/derived-files.js";
export { judgeLaunchFile } from "../launch/judge-launch-file.js";
export { judgeSource } from "../launch/judge-source.js";
export { readConfigurations } from "../launch/read-configurations.js";

// Comparing protocol versions
export { adviseBump, compareVersions, diffProtocols, selectFindings } from "./checked-diff.js";
export {
  diffRange,
  diffVersions,
  type DiffRangeOptions,
  type DiffVersionsOptions,
  type JudgedCell,
  type JudgingOptions,
  type RangeDiff,
  type SmallStep,
  type VersionDiff,
} from "./diff-versions.js";
export { printDiff, printRange, type DiffFormat, type PrintDiffOptions } from "./print-diff.js";
export {
  printRecordingPage,
  type RecordingPageOptions,
} from "../sessions/show/inspector/recording-page.js";
export type { Acceptance, Judgement } from "../diff/accepted-findings.js";
export {
  diffSeverities,
  type DiffNote,
  type DiffOptions,
  type Finding as DiffFinding,
  type FindingPlace,
  type DiffSeverity,
  type ProtocolDiff,
  type Sighting,
  type Witness,
} from "../diff/finding.js";
export type { RenameEvidence } from "../diff/compare/find-renamed.js";
export { groupFindings, type FindingGroup } from "../diff/report/diff-report.js";
export type { ReaderPolicy, ReadOutcome, Verdict } from "../diff/compare/outcomes.js";
export type {
  CompileError,
  Compiles,
  DiffRule,
  SourceVerdict,
} from "../diff/compare/rule-family.js";
export { rules as diffRules, type DiffRuleId } from "../diff/compare/rules.js";
export type { RangeCell } from "../diff/report/report-range.js";
export type { DiffReport } from "../diff/report/diff-report.js";
export type { UncomparedFact } from "../diff/unstated-facts.js";
export type { Selection } from "../diff/select-findings.js";
export type { Bump, BumpAdvice } from "../diff/version-bump.js";
export type { RangeComparison, RangeOptions, RangePair } from "../diff/version-range.js";
export type { ReusedName, Since } from "../generator/model/first-versions.js";

// Reading and checking recordings
export type { ByteMark, EntryBatch } from "../sessions/read/recorded-entry.js";
export { lint, type LintFileOptions } from "../sessions/judge/lint.js";
export { sessionStats, type StatsOptions } from "../sessions/show/stats/session-stats.js";
export type { NameStats, RecordingStats } from "../sessions/show/stats/session-stats.js";
export type { RecordingInputFile } from "../sessions/read/recording-files.js";
export { openHost, type OpenHost } from "../sessions/judge/open-host.js";
export { readHost, type HostRule, type HostTable } from "../sessions/judge/host-table.js";
export { listRules } from "../sessions/judge/rules.js";
export type * as SessionRules from "../sessions/judge/table/rule-table.js";
export { CarriedValues } from "../sessions/judge/table/carried-values.js";
export { LintSession } from "../sessions/judge/lint-session.js";
export {
  type LintedMessage,
  type LintedProtocol,
  type LintOptions,
} from "../sessions/judge/lint-options.js";
export { lintRules, type LintFinding, type LintRule } from "../sessions/judge/rules.js";
export type { LintRuleInfo } from "../sessions/judge/rule-family.js";
export type { CapabilityTest } from "../sessions/judge/capabilities.js";
export type { LintProfile } from "../sessions/judge/session-state.js";
export {
  isOneSided,
  openRecording,
  readRecording,
  type OpenRecording,
  type OpenRecordingOptions,
  type RecordedEntry,
  type RecordingFile,
  type RecordingSource,
} from "../sessions/read/recording.js";
export type { JsonObject } from "../generator/read/source/json-text.js";
export type { LogSource, LogSummary } from "../sessions/read/log/log-summary.js";
export { printRecording } from "../sessions/read/recorded-lines.js";
export type { Fact, Gap } from "../sessions/judge/knowledge.js";
export type { Unjudged } from "../sessions/judge/kept-findings.js";
