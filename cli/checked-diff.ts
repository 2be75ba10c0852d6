/**
 * The functions that compare versions, as programs call them. They check all arguments, so the
 * commands need not.
 */
import type { Acceptance } from "../diff/accepted-findings.js";
import { readerPolicies } from "../diff/compare/outcomes.js";
import { rules } from "../diff/compare/rules.js";
import { diffProtocols as compareProtocols } from "../diff/diff-protocols.js";
import { diffSeverities, type DiffOptions, type ProtocolDiff } from "../diff/finding.js";
import { selectFindings as select, type Selection } from "../diff/select-findings.js";
import { adviseBump as advise, type BumpAdvice } from "../diff/version-bump.js";
import {
  compareVersions as compareEach,
  type RangeComparison,
  type RangeOptions,
} from "../diff/version-range.js";
import {
  checkArguments,
  comparedRange,
  comparison,
  protocolModel,
} from "../generator/base/check-arguments.js";
import type { Protocol } from "../generator/model/protocol.js";
import * as option from "../runtime/base/check-options.js";
import {
  diffRange as compareRange,
  diffVersions as compareSources,
  type DiffRangeOptions,
  type DiffVersionsOptions,
  type JudgingOptions,
  type RangeDiff,
  type VersionDiff,
} from "./diff-versions.js";
import {
  diffFormats,
  printDiff as print,
  printRange as printAll,
  type DiffFormat,
  type PrintDiffOptions,
} from "./print-diff.js";

const diffChecks: option.OptionChecks<DiffOptions> = {
  reader: option.oneOf(...readerPolicies),
  locateBefore: option.callback,
  locateAfter: option.callback,
};

const day: option.OptionCheck = (value) =>
  typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value)
    ? undefined
    : "a day such as 2026-01-31";

const acceptanceFields = new Set(["rule", "at", "reason", "until"]);

const acceptance: option.OptionCheck = (value) => {
  const expected = option.recordOf(option.text, acceptanceFields)(value);
  if (expected !== undefined) return expected;
  const { rule, at } = value as Partial<Acceptance>;
  return rule === undefined || at === undefined ? 'an object with "rule" and "at"' : undefined;
};

const judgingChecks: option.OptionChecks<JudgingOptions> = {
  protocol: option.text,
  reader: option.oneOf(...readerPolicies),
  pair: option.text,
  side: option.text,
  part: option.text,
  severity: option.recordOf(option.oneOf(...diffSeverities, "off"), rules),
  accept: option.listOf(acceptance),
  today: day,
};

const versionsChecks: option.OptionChecks<DiffVersionsOptions> = {
  ...judgingChecks,
  claimed: option.text,
  session: option.listOf(option.text),
  code: option.text,
  overlays: option.listOf(option.text),
  onWarning: option.callback,
};

const rangeChecks: option.OptionChecks<DiffRangeOptions> = {
  ...judgingChecks,
  findings: option.flag,
  onProgress: option.callback,
};

const printChecks: option.OptionChecks<PrintDiffOptions> = {
  failOn: option.oneOf(...diffSeverities),
  from: option.oneOf(...diffSeverities),
  expand: option.flag,
  colours: option.flag,
  columns: option.count,
};

/**
 * Compares two versions of a protocol. Finds the changes, their effects on code and on peers that
 * use the other version, and an example message for each break.
 *
 * Messages are matched by kind and name; types are matched by location and structure. The order of
 * parts and the names of definitions do not matter. Definitions that no message uses affect only
 * code.
 *
 * @throws InputError `ERR_ARGUMENT` if the protocols have different roles, or if the definition of
 * a role's capabilities was renamed; `ERR_TOO_DEEP` or `ERR_TOO_LARGE` if definitions are nested
 * too deeply or contain each other in too many ways.
 */
export function diffProtocols(
  before: Protocol,
  after: Protocol,
  options: DiffOptions = {},
): ProtocolDiff {
  option.checkOptions("diffProtocols", options, diffChecks);
  checkArguments("diffProtocols", {
    before: [before, protocolModel],
    after: [after, protocolModel],
  });
  return compareProtocols(before, after, options);
}

/** Compares each version with each later one. `protocols` must be in version order. */
export function compareVersions(
  protocols: readonly Protocol[],
  options: RangeOptions = {},
): RangeComparison {
  option.checkOptions("compareVersions", options, {
    ...diffChecks,
    onProgress: option.callback,
    select: option.callback,
  } satisfies option.OptionChecks<RangeOptions>);
  checkArguments("compareVersions", { protocols: [protocols, option.listOf(protocolModel)] });
  return compareEach(protocols, options);
}

/**
 * Reassesses the severity of each finding in a comparison, taking only the selected peers and code
 * into account.
 */
export function selectFindings(diff: ProtocolDiff, selection: Selection): ProtocolDiff {
  option.checkOptions("selectFindings", selection, {
    pair: option.text,
    side: option.text,
    severity: judgingChecks.severity,
  } satisfies option.OptionChecks<Selection>);
  checkArguments("selectFindings", { diff: [diff, comparison] });
  const { pair, side } = selection;
  const choices = { pair: option.oneOf(...diff.pairs), side: option.oneOf(...diff.roles) };
  option.checkOptions("selectFindings", { pair, side }, choices);
  return select(diff, selection);
}

/**
 * Determines which version step (major, minor or patch) the changes require. The result has no
 * `claimed` if the step between the versions cannot be judged.
 * @param claim The intended step: the name of a step, the new version, or both versions as
 * `1.0.0..1.1.0`. Default: the step between the compared versions.
 * @throws InputError `ERR_ARGUMENT` if the claim takes any other form.
 */
export function adviseBump(diff: ProtocolDiff, claim?: string): BumpAdvice {
  checkArguments("adviseBump", { diff: [diff, comparison] });
  return advise(diff, claim);
}

/**
 * Compares two versions of a protocol: reads their sources, then selects and rates the findings.
 * Use `printDiff` to print the result.
 *
 * ```ts
 * const { findings, bump } = await diffVersions("dap@1.70.0", "dap@1.71.0");
 * for (const { severity, rule, message } of findings) console.log(severity, rule, message);
 * ```
 *
 * @param before Source of the old version, in a form that `openProtocolSource` accepts:
 * `dap@1.70.0`, a schema, a package.
 * @param after Source of the new version.
 * @throws InputError if a source, a recording, code or the claimed step cannot be used. TypeError
 * for an unknown option.
 */
export async function diffVersions(
  before: string,
  after: string,
  options: DiffVersionsOptions = {},
): Promise<VersionDiff> {
  option.checkOptions("diffVersions", options, versionsChecks);
  checkArguments("diffVersions", { before: [before, option.text], after: [after, option.text] });
  return compareSources(before, after, options);
}

/**
 * Compares each version in a range with each later one.
 * @param range `FROM..TO`. If `FROM` is omitted, the range starts at the first version. If `TO` is
 * omitted, it ends at the last.
 * @throws InputError if the range does not exist. TypeError for an unknown option.
 */
export async function diffRange(range: string, options: DiffRangeOptions = {}): Promise<RangeDiff> {
  option.checkOptions("diffRange", options, rangeChecks);
  checkArguments("diffRange", { range: [range, option.text] });
  return compareRange(range, options);
}

/**
 * Prints a comparison. Only the code for the selected format is loaded.
 *
 * @param format `text`, `json`, `markdown`, `html`, `github` (annotations), `sarif` or `junit`.
 * @throws TypeError for an unknown format or option.
 */
export async function printDiff(
  diff: VersionDiff,
  format: DiffFormat = "text",
  options: PrintDiffOptions = {},
): Promise<string> {
  option.checkOptions("printDiff", { format }, { format: option.oneOf(...diffFormats) });
  option.checkOptions("printDiff", options, printChecks);
  checkArguments("printDiff", { diff: [diff, comparison] });
  return print(diff, format, options);
}

/**
 * Prints the comparison of a version range.
 *
 * @throws TypeError for an unknown format or option.
 */
export async function printRange(
  compared: Pick<RangeDiff, "range" | "cells" | "schemas">,
  format: DiffFormat = "text",
  options: PrintDiffOptions = {},
): Promise<string> {
  option.checkOptions("printRange", { format }, { format: option.oneOf(...diffFormats) });
  option.checkOptions("printRange", options, printChecks);
  checkArguments("printRange", { compared: [compared, comparedRange] });
  return printAll(compared, format, options);
}
