/** The programmatic interface: what the commands do, without the command line. */
export { emitDeclarationsPackage } from "./emit/declarations-package.js";
export { emitPackage, type EmitOptions } from "./emit/emit-package.js";
export { generate, type GeneratedPackage, type GenerateOptions } from "./cli/generate.js";
export { readCommentedFile, type CommentedFile } from "./configuration/commented-json.js";
export type { ConfigurationFinding } from "./configuration/configuration-rules.js";
export type { ConfigurationSet, ConfigurationSource } from "./configuration/configuration-set.js";
export {
  derivedFiles,
  writeDerivedFiles,
  type DerivedFile,
  type DerivedJob,
} from "./configuration/derived-files.js";
export { judgeLaunchFile } from "./configuration/judge-launch-file.js";
export { judgeSource } from "./configuration/judge-source.js";
export { readConfigurations } from "./configuration/read-configurations.js";
export { diffProtocols } from "./diff/diff-protocols.js";
export type { DiffOptions } from "./diff/finding.js";
export type * from "./diff/finding.js";
export { groupFindings, type FindingGroup } from "./diff/report/group-findings.js";
export type { ReaderPolicy, ReadOutcome, Verdict } from "./diff/compare/outcomes.js";
export type { DiffRule } from "./diff/compare/rule-family.js";
export { rules } from "./diff/compare/rules.js";
export { selectFindings, type Selection } from "./diff/select-findings.js";
export { adviseBump, type Bump, type BumpAdvice } from "./diff/version-bump.js";
export { compareVersions, type RangeComparison } from "./diff/version-range.js";
export {
  formatInputError,
  InputError,
  type InputErrorCode,
  type InputPlace,
} from "./base/input-error.js";
export { readHost, type HostTable } from "./lint/host-table.js";
export { listRules } from "./lint/rule-list.js";
export { readSessionRules } from "./lint/session-rules.js";
export type { RuleTable } from "./lint/table/rule-table.js";
export { LintSession, type LintedMessage, type LintOptions } from "./lint/lint-session.js";
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
export { lintRules, type LintFinding, type LintRule, type LintSeverity } from "./lint/rules.js";
export type { LintProfile } from "./lint/state/session-state.js";
export type * from "./model/protocol.js";
export type * from "./model/types.js";
export { flattenProperties } from "./model/properties.js";
export { definitionsByName, eventsOf, receiverOf, requestsOf } from "./model/queries.js";
export { bundledProtocols } from "./base/bundled.js";
export { openProtocolSource } from "./read/protocol-source.js";
export { readProtocol, type ProtocolSource, type ReadOptions } from "./read/read-protocol.js";
export { modelDocument, modelVersion, type ModelDocument } from "./model/model-document.js";
export type * from "./read/formats/schema-format.js";
export { formatPackage, type FormattedPackage } from "./output/format-package.js";
export { compareOutput, writeOutput, type Staleness } from "./output/write-output.js";
