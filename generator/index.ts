/**
 * Entry point of the library, which makes the functionality of the commands available to programs.
 */

// Reading protocols
export { bundledProtocols } from "./base/bundled.js";
export {
  formatInputError,
  InputError,
  type InputErrorCode,
  type InputPlace,
} from "./base/input-error.js";
export { openProtocol, type OpenProtocol } from "./library/open-protocol.js";
export { readProtocol, type ProtocolSource, type ReadOptions } from "./read/read-protocol.js";
export { openProtocolSource } from "./read/protocol-source.js";
export type { WarningOptions } from "./read/schema/schema-file.js";
export type { FetchText, InputOptions } from "./read/source/input-source.js";
export { check as checkFormat, type CheckedFile } from "./read/description/check-file.js";
export { readJsonText, type JsonFile } from "./read/source/json-text.js";
export type * from "./read/formats/schema-format.js";
export type * as Model from "./model/model-types.js";
export { flattenProperties } from "./model/properties.js";
export { definitionsByName, eventsOf, receiverOf, requestsOf } from "./model/queries.js";
export { modelDocument, type ModelDocument } from "./model/model-document.js";

// Generating packages
export { generate, type GeneratedPackage, type GenerateOptions } from "./library/generate.js";
export { emitPackage, type EmitOptions } from "./emit/emit-package.js";
export { emitDeclarationsPackage } from "./emit/declarations-package.js";
export { formatPackage, type FormattedPackage } from "./output/format-package.js";
export {
  compareOutput,
  writeOutput,
  type Staleness,
  type WriteOptions,
} from "./output/write-output.js";

export type { Severity } from "./base/severity.js";

// Reading and checking launch configurations
export { readCommentedFile, type CommentedFile } from "./configuration/commented-json.js";
export type {
  ConfigurationFinding,
  ConfigurationRule,
} from "./configuration/configuration-rules.js";
export type {
  ConfigurationSet,
  ConfigurationSource,
  OfferedConfiguration,
  RequestName as ConfigurationRequest,
  SourceNote,
} from "./configuration/configuration-set.js";
export {
  derivedFiles,
  writeDerivedFiles,
  type DerivedFile,
  type DerivedJob,
} from "./configuration/derived-files.js";
export { judgeLaunchFile } from "./configuration/judge-launch-file.js";
export { judgeSource } from "./configuration/judge-source.js";
export { readConfigurations } from "./configuration/read-configurations.js";

// Comparing protocol versions
export {
  diffVersions,
  type DiffVersionsOptions,
  type JudgingOptions,
  type VersionDiff,
} from "./library/diff-versions.js";
export {
  diffRange,
  type DiffRangeOptions,
  type JudgedCell,
  type RangeDiff,
  type SmallStep,
} from "./library/diff-range.js";
export { printDiff, type DiffFormat, type PrintDiffOptions } from "./library/print-diff.js";
export { printRecordingPage, type RecordingPageOptions } from "./library/print-recording-page.js";
export { printRange } from "./library/print-range.js";
export type { Acceptance, Judgement } from "./diff/accepted-findings.js";
export { diffProtocols } from "./diff/diff-protocols.js";
export {
  diffSeverities,
  type CodeExample,
  type DiffNote,
  type DiffOptions,
  type Finding as DiffFinding,
  type FindingPlace,
  type DiffSeverity,
  type ProtocolDiff,
  type Sighting,
  type Witness,
} from "./diff/finding.js";
export type { RenameEvidence } from "./diff/compare/find-renamed.js";
export { groupFindings, type FindingGroup } from "./diff/report/group-findings.js";
export type { ReaderPolicy, ReadOutcome, Verdict } from "./diff/compare/outcomes.js";
export type {
  CompileError,
  Compiles,
  DiffRule,
  DiffRuleInfo,
  SourceVerdict,
} from "./diff/compare/rule-family.js";
export { rules as diffRules, type DiffRuleId } from "./diff/compare/rules.js";
export type { RangeCell } from "./diff/report/range-cells.js";
export type { DiffReport } from "./diff/report/report-text.js";
export type { UncomparedFact } from "./diff/uncompared-facts.js";
export { selectFindings, type Selection } from "./diff/select-findings.js";
export { adviseBump, type Bump, type BumpAdvice } from "./diff/version-bump.js";
export {
  compareVersions,
  type RangeOptions,
  type RangeComparison,
  type RangePair,
  type ReusedName,
  type Since,
} from "./diff/version-range.js";

// Reading and checking recordings
export type { ByteMark } from "./session/entries/recorded-entry.js";
export type { EntryBatch } from "./session/entry-queue.js";
export { lint, type LintFileOptions } from "./library/lint.js";
export { sessionStats, type StatsOptions } from "./library/stats.js";
export type { NameStats, RecordingStats } from "./stats/session-stats.js";
export type { RecordingInputFile } from "./library/recording-files.js";
export { openHost, type OpenHost } from "./library/open-host.js";
export { readHost, type HostRule, type HostTable } from "./lint/host-table.js";
export { listRules } from "./lint/rule-list.js";
export type * as SessionRules from "./lint/table/rule-table.js";
export { LintSession } from "./lint/lint-session.js";
export { type LintedMessage, type LintedProtocol, type LintOptions } from "./lint/lint-options.js";
export { lintRules, type LintFinding, type LintRule } from "./lint/rules.js";
export type { LintRuleInfo } from "./lint/rules/rule-family.js";
export type { CapabilityTest } from "./lint/state/announced-capabilities.js";
export type { LintProfile } from "./lint/state/session-state.js";
export {
  isOneSided,
  openRecording,
  readRecording,
  type OpenRecording,
  type OpenRecordingOptions,
  type RecordedEntry,
  type RecordingFile,
  type RecordingSource,
} from "./session/recording.js";
export { printRecording } from "./session/recording-lines.js";
export type { Fact, Gap } from "./lint/state/knowledge.js";
export type { Unjudged } from "./lint/unjudged.js";
