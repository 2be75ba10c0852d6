import { judgeFindings, type Acceptance, type Judgement } from "../diff/accepted-findings.js";
import { readerPolicies, type ReaderPolicy } from "../diff/compare/outcomes.js";
import { rules } from "../diff/compare/rules.js";
import { diffProtocols } from "../diff/diff-protocols.js";
import {
  diffSeverities,
  type DiffSeverity,
  type Finding,
  type ProtocolDiff,
} from "../diff/finding.js";
import type { RangeCell } from "../diff/report/report-range.js";
import type { DiffReport } from "../diff/report/diff-report.js";
import { onlyFor, selectFindings } from "../diff/select-findings.js";
import { adviseBump, checkClaim, type BumpAdvice } from "../diff/version-bump.js";
import { compareVersions, type RangeComparison } from "../diff/version-range.js";
import { checkArguments } from "../generator/base/check-arguments.js";
import type { InputError } from "../generator/base/input-error.js";
import { defaultProtocol } from "../generator/base/bundled.js";
import { openProtocolSource } from "../generator/read/protocol-source.js";
import { describedVersions, readProtocolSource } from "../generator/read/read-protocol.js";
import type { JsonFile } from "../generator/read/source/json-text.js";
import { unknownVersion } from "../generator/read/open-schema-source.js";
import * as option from "../runtime/base/check-options.js";
import { argumentError } from "./argument-error.js";

/** Options that determine which findings are selected and how severe they are. */
export interface JudgingOptions {
  /**
   * Name or path of the protocol description to use for schemas and declarations. Default: `dap`.
   */
  readonly protocol?: string;
  /** How readers treat unexpected values. Default: `tolerant`. */
  readonly reader?: ReaderPolicy;
  /** Select only findings about this pairing of versions, such as `new-client/old-adapter`. */
  readonly pair?: string;
  /** Rate severities from the point of view of this role, which moves to the new version. */
  readonly side?: string;
  /** Like `side`, but omits findings that affect only other roles. */
  readonly part?: string;
  /**
   * Severities by rule. They override the severities that follow from the verdicts. `off` drops a
   * rule's findings.
   */
  readonly severity?: Readonly<Record<string, DiffSeverity | "off">>;
  /** Accepted findings. */
  readonly accept?: readonly Acceptance[];
  /**
   * The date against which the expiry of acceptances is checked, as `YYYY-MM-DD`. Default: today,
   * in UTC.
   */
  readonly today?: string;
}

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

export const judgingChecks: option.OptionChecks<JudgingOptions> = {
  protocol: option.text,
  reader: option.oneOf(...readerPolicies),
  pair: option.text,
  side: option.text,
  part: option.text,
  severity: option.recordOf(option.oneOf(...diffSeverities, "off"), rules),
  accept: option.listOf(acceptance),
  today: day,
};

/** Options for `diffVersions`. */
export interface DiffVersionsOptions extends JudgingOptions {
  /**
   * The intended version step, in a form that `adviseBump` accepts. Default: the step between the
   * two versions.
   */
  readonly claimed?: string;
  /**
   * Select only findings that affect a recorded session, given as one file or as one file per
   * direction.
   */
  readonly session?: readonly string[];
  /**
   * Compile the TypeScript code in a file, a folder or a tsconfig.json with the types of both
   * versions, and select only the errors that are new. Cannot be combined with `session`.
   */
  readonly code?: string;
  /** Overlay files to merge into both versions, in this order. */
  readonly overlays?: readonly string[];
  /** Called for each warning about one of the versions. */
  readonly onWarning?: (warning: InputError) => void;
}

const versionsChecks: option.OptionChecks<DiffVersionsOptions> = {
  ...judgingChecks,
  claimed: option.text,
  session: option.listOf(option.text),
  code: option.text,
  overlays: option.listOf(option.text),
  onWarning: option.callback,
};

/**
 * The comparison of two versions: the findings, the version step, and the schemas that the findings
 * refer to.
 */
export interface VersionDiff extends DiffReport {
  readonly before: JsonFile;
  readonly after: JsonFile;
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
  const { protocol = defaultProtocol(), reader = "tolerant", session, code, claimed } = options;
  const { overlays, onWarning } = options;
  if (before === "-" && after === "-")
    throw argumentError("Cannot read both versions from standard input");
  if (session !== undefined && code !== undefined)
    throw argumentError(
      "Cannot filter by a session and by code at the same time",
      "Give one of them",
    );
  const beforeSource = await openProtocolSource(before, protocol, { overlays, onWarning });
  const afterSource = await openProtocolSource(after, protocol, { overlays, onWarning });
  const compared = diffProtocols(beforeSource.protocol, afterSource.protocol, { reader });
  if (claimed !== undefined) checkClaim(claimed, compared, true);
  const diff = selectFor(compared, options);
  const versions = [beforeSource.protocol, afterSource.protocol] as const;
  const errors =
    code === undefined
      ? undefined
      : rated(
          await (await import("../diff/diff-code.js")).diffCode(code, ...versions, onWarning),
          options.severity?.["code.error"],
        );
  const judged = judgeFindings(
    [...diff.findings, ...(errors ?? [])],
    options.accept ?? [],
    options.today ?? today(),
  );
  const affecting = async (): Promise<readonly Finding[]> => {
    if (errors !== undefined) return judged.findings.filter((each) => errors.includes(each));
    if (session === undefined) return judged.findings;
    const { findingsInSession } = await import("./findings-in-session.js");
    return findingsInSession(session, ...versions, judged.findings);
  };
  return {
    diff,
    bump: adviseBump(diff, claimed),
    ...judged,
    findings: await affecting(),
    seenIn: session?.join(" "),
    compiled: code,
    before: beforeSource.schema,
    after: afterSource.schema,
  };
}

/**
 * Selects the findings that the options ask for, and adjusts their severities.
 *
 * @throws InputError `ERR_ARGUMENT` for a pair or a side that does not exist.
 */
function selectFor(
  diff: ProtocolDiff,
  { pair, side, part, severity }: JudgingOptions,
): ProtocolDiff {
  const requireOneOf = (
    name: string,
    value: string | undefined,
    allowed: readonly string[],
  ): void => {
    if (value === undefined || allowed.includes(value)) return;
    throw argumentError(`Cannot use the ${name} "${value}"`, `Allowed: ${allowed.join(", ")}`);
  };
  requireOneOf("pair", pair, [...diff.pairs, "both"]);
  requireOneOf("side", part ?? side, diff.roles);
  const selected = selectFindings(diff, {
    pair: pair === "both" ? undefined : pair,
    side: part ?? side,
    severity,
  });
  return part === undefined ? selected : onlyFor(selected, part);
}

function rated(
  findings: readonly Finding[],
  severity: DiffSeverity | "off" = "breaking",
): readonly Finding[] {
  return severity === "off" ? [] : findings.map((finding) => ({ ...finding, severity }));
}

/** Returns the current date in UTC, so that an acceptance expires everywhere at the same moment. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** Options for `diffRange`. */
export interface DiffRangeOptions extends JudgingOptions {
  /** Whether to keep each pair's findings, rather than only their number. Default: true. */
  readonly findings?: boolean;
  /** Called after each pair with the number of pairs compared so far and the total. */
  readonly onProgress?: (done: number, all: number) => void;
}

const rangeChecks: option.OptionChecks<DiffRangeOptions> = {
  ...judgingChecks,
  findings: option.flag,
  onProgress: option.callback,
};

/** The comparisons of all pairs of versions in a range. */
export interface RangeDiff {
  readonly range: RangeComparison;
  /** The pairs with their findings, in order. Empty if findings are not kept. */
  readonly cells: readonly JudgedCell[];
  /** Number of selected findings in all pairs, by severity. */
  readonly counts: Readonly<Record<DiffSeverity, number>>;
  /** Acceptances that match no finding in any pair. */
  readonly stale: readonly Acceptance[];
  /** Pairs whose version step is too small for the changes. */
  readonly smallSteps: readonly SmallStep[];
  /** All findings. If several have the same rule and location, only one of them is included. */
  readonly findings: readonly Finding[];
  /** The schemas that findings refer to, by version. */
  readonly schemas: ReadonlyMap<string, JsonFile>;
}

/** A version step that is too small for the changes between the two versions. */
export interface SmallStep {
  readonly diff: ProtocolDiff;
  readonly bump: BumpAdvice;
}

/** A pair's findings, along with the decisions about them. */
export interface JudgedCell extends RangeCell, Judgement {}

/**
 * Compares each version in a range with each later one.
 * @param range `FROM..TO`. If `FROM` is omitted, the range starts at the first version. If `TO` is
 * omitted, it ends at the last.
 * @throws InputError if the range does not exist. TypeError for an unknown option.
 */
export async function diffRange(range: string, options: DiffRangeOptions = {}): Promise<RangeDiff> {
  option.checkOptions("diffRange", options, rangeChecks);
  checkArguments("diffRange", { range: [range, option.text] });
  const { protocol = defaultProtocol(), accept = [], findings: keepsFindings = true } = options;
  const versions = await describedVersions(protocol);
  const [from, to] = rangeEnds(range, versions, protocol);
  const sources = await Promise.all(
    versions
      .slice(versions.indexOf(from), versions.indexOf(to) + 1)
      .map((version) => readProtocolSource(protocol, { version })),
  );
  const stale = new Set(accept);
  const smallSteps: SmallStep[] = [];
  const findings = new Map<string, Finding>();
  const cells: JudgedCell[] = [];
  const judge = (complete: ProtocolDiff): ProtocolDiff => {
    const diff = selectFor(complete, options);
    const judgement = judgeFindings(diff.findings, accept, options.today ?? today());
    const unused = new Set(judgement.stale);
    for (const acceptance of accept) if (!unused.has(acceptance)) stale.delete(acceptance);
    for (const finding of diff.findings) findings.set(`${finding.rule} ${finding.at}`, finding);
    const bump = adviseBump(diff);
    if (bump.suffices === false) smallSteps.push({ diff, bump });
    if (keepsFindings) cells.push({ diff, ...judgement });
    return { ...diff, findings: judgement.findings };
  };
  const comparison = compareVersions(
    sources.map((source) => source.protocol),
    { reader: options.reader, select: judge, onProgress: options.onProgress },
  );
  const counts = { breaking: 0, risky: 0, lossy: 0, safe: 0, doc: 0 };
  for (const pair of comparison.pairs)
    for (const severity of Object.keys(counts) as DiffSeverity[])
      counts[severity] += pair.counts[severity];
  return {
    range: comparison,
    cells,
    counts,
    stale: [...stale],
    smallSteps,
    findings: [...findings.values()],
    schemas: new Map(sources.map((source) => [source.protocol.version, source.schema])),
  };
}

function rangeEnds(
  range: string,
  versions: readonly string[],
  protocol: string,
): readonly [string, string] {
  const [from = "", to = ""] = range.split("..");
  const ends = [from === "" ? versions[0]! : from, to === "" ? versions.at(-1)! : to] as const;
  for (const end of ends) {
    if (versions.includes(end)) continue;
    throw unknownVersion(end, versions, protocol);
  }
  if (!range.includes("..") || versions.indexOf(ends[0]) > versions.indexOf(ends[1]))
    throw argumentError(
      `Cannot use "${range}" as a range`,
      `Write the older version first, as in ${versions[0]}..${versions.at(-1)}`,
    );
  return ends;
}
