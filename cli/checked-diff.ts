/** The functions of `diff` that programs call, with checks of their arguments. */
import { readerPolicies } from "../diff/compare/outcomes.js";
import { diffProtocols as compareProtocols } from "../diff/diff-protocols.js";
import type { DiffOptions, ProtocolDiff } from "../diff/finding.js";
import { selectFindings as select, type Selection } from "../diff/select-findings.js";
import { adviseBump as advise, type BumpAdvice } from "../diff/version-bump.js";
import {
  compareVersions as compareEach,
  type RangeComparison,
  type RangeOptions,
} from "../diff/version-range.js";
import { checkArguments, comparison, protocolModel } from "../generator/base/check-arguments.js";
import type { Protocol } from "../generator/model/protocol.js";
import * as option from "../runtime/base/check-options.js";
import { judgingChecks } from "./diff-versions.js";

const diffChecks: option.OptionChecks<DiffOptions> = {
  reader: option.oneOf(...readerPolicies),
  locateBefore: option.callback,
  locateAfter: option.callback,
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
