import * as option from "../runtime/base/check-options.js";
import { checkArguments } from "../generator/base/check-arguments.js";
import { defaultProtocol } from "../generator/base/bundled.js";
import { InputError } from "../generator/base/input-error.js";
import { judgeFindings, type Acceptance, type Judgement } from "../diff/accepted-findings.js";
import type { Finding, DiffSeverity, ProtocolDiff } from "../diff/finding.js";
import type { RangeCell } from "../diff/report/report-range.js";
import { adviseBump, type BumpAdvice } from "../diff/version-bump.js";
import { compareVersions, type RangeComparison } from "../diff/version-range.js";
import { describedVersions, readProtocolSource } from "../generator/read/read-protocol.js";
import type { JsonFile } from "../generator/read/source/json-text.js";
import { unknownVersion } from "../generator/read/open-schema-source.js";
import { chosenFindings, judgingChecks, today, type JudgingOptions } from "./diff-versions.js";

/** Options for `diffRange`. */
export interface DiffRangeOptions extends JudgingOptions {
  /** Whether to keep each pair's findings, rather than only their number. Default: true. */
  readonly findings?: boolean;
  /** Called after each pair with the number of pairs compared so far and the total. */
  readonly onProgress?: (done: number, all: number) => void;
}

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

const checks: option.OptionChecks<DiffRangeOptions> = {
  ...judgingChecks,
  findings: option.flag,
  onProgress: option.callback,
};

/**
 * Compares each version in a range with each later one.
 * @param range `FROM..TO`. If `FROM` is omitted, the range starts at the first version. If `TO` is
 * omitted, it ends at the last.
 * @throws InputError if the range does not exist. TypeError for an unknown option.
 */
export async function diffRange(range: string, options: DiffRangeOptions = {}): Promise<RangeDiff> {
  option.checkOptions("diffRange", options, checks);
  checkArguments("diffRange", { range: [range, option.text] });
  const { protocol = defaultProtocol(), accept = [], findings: isKept = true } = options;
  const known = await describedVersions(protocol);
  const [from, to] = rangeEnds(range, known, protocol);
  const sources = await Promise.all(
    known
      .slice(known.indexOf(from), known.indexOf(to) + 1)
      .map((version) => readProtocolSource(protocol, { version, modules: false })),
  );
  const stale = new Set(accept);
  const smallSteps: SmallStep[] = [];
  const findings = new Map<string, Finding>();
  const cells: JudgedCell[] = [];
  const judge = (whole: ProtocolDiff): ProtocolDiff => {
    const diff = chosenFindings(whole, options);
    const judgement = judgeFindings(diff.findings, accept, options.today ?? today());
    const unused = new Set(judgement.stale);
    for (const each of accept) if (!unused.has(each)) stale.delete(each);
    for (const each of diff.findings) findings.set(`${each.rule} ${each.at}`, each);
    const bump = adviseBump(diff);
    if (bump.suffices === false) smallSteps.push({ diff, bump });
    if (isKept) cells.push({ diff, ...judgement });
    return { ...diff, findings: judgement.findings };
  };
  const compared = compareVersions(
    sources.map((source) => source.protocol),
    {
      ...(options.reader === undefined ? {} : { reader: options.reader }),
      select: judge,
      ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
    },
  );
  const counts = { breaking: 0, risky: 0, lossy: 0, safe: 0, doc: 0 };
  for (const pair of compared.pairs)
    for (const severity of Object.keys(counts) as DiffSeverity[])
      counts[severity] += pair.counts[severity];
  return {
    range: compared,
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
  known: readonly string[],
  protocol: string,
): readonly [string, string] {
  const [from = "", to = ""] = range.split("..");
  const ends = [from === "" ? known[0]! : from, to === "" ? known.at(-1)! : to] as const;
  for (const end of ends) {
    if (known.includes(end)) continue;
    throw unknownVersion(end, known, protocol);
  }
  if (!range.includes("..") || known.indexOf(ends[0]) > known.indexOf(ends[1]))
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot use "${range}" as a range`,
      {},
      `Write the older version first, as in ${known[0]}..${known.at(-1)}`,
    );
  return ends;
}
