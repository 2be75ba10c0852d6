import { judgeFindings, type Acceptance, type Judgement } from "../diff/accepted-findings.js";
import type { Finding, Level, ProtocolDiff } from "../diff/finding.js";
import { joinAnnotations, joinJunit, joinSarif } from "../diff/report/join-reports.js";
import type { RangeCell } from "../diff/report/range-cells.js";
import { reportRangeHtml } from "../diff/report/report-range-html.js";
import { reportRangeJson } from "../diff/report/report-json.js";
import { reportRangeMarkdown, reportRangeText } from "../diff/report/report-range.js";
import type { DiffReport } from "../diff/report/report-text.js";
import { onlyFor, selectFindings } from "../diff/select-findings.js";
import { adviseBump } from "../diff/version-bump.js";
import { compareVersions, type RangeComparison } from "../diff/version-range.js";
import { InputError } from "../base/input-error.js";
import { describedVersions, readProtocolSource } from "../read/read-protocol.js";
import type { JsonFile } from "../read/source/json-text.js";
import { unknownVersion } from "../read/unknown-version.js";
import { renderReport, type Format } from "./diff-report.js";
import { smallStepText } from "./diff-outcome.js";
import { selectionOf, type DiffSettings, type FailLevel } from "./diff-settings.js";
import { paint } from "../base/paint.js";
import type { Terminal } from "../base/terminal.js";

export interface RangeOptions {
  readonly format: Format;
  /** Lowest level to show, if the user gave one. */
  readonly from: Level | undefined;
  /** Whether to show the findings of each pair, where the format can do without. */
  readonly expand: boolean;
  readonly terminal: Pick<Terminal, "colours" | "columns">;
  readonly onProgress: (text: string) => void;
  /** `YYYY-MM-DD`. */
  readonly today: string;
}

/** A range that was compared and judged. */
export interface JudgedRange {
  readonly text: string;
  /** Findings that count, by level. */
  readonly counts: Readonly<Record<Level, number>>;
  /** Acceptances that no pair has a finding for. */
  readonly stale: readonly Acceptance[];
  /** Pairs whose version step is too small, as `smallStepText` says it. */
  readonly smallSteps: readonly string[];
  /** Every finding, once for each rule and place. */
  readonly findings: readonly Finding[];
}

/** Compares all versions of a range with each other. */
export async function compareRange(
  range: string,
  settings: DiffSettings,
  options: RangeOptions,
): Promise<JudgedRange> {
  const { protocol, acceptances } = settings;
  const known = await describedVersions(protocol);
  const [from, to] = rangeEnds(range, known, protocol);
  const sources = await Promise.all(
    known
      .slice(known.indexOf(from), known.indexOf(to) + 1)
      .map((version) => readProtocolSource(protocol, { version, modules: false })),
  );
  const schemas = new Map(sources.map((source) => [source.protocol.version, source.schema]));
  const stale = new Set(acceptances);
  const smallSteps: string[] = [];
  const findings = new Map<string, Finding>();
  const cells: JudgedCell[] = [];
  const judge = (diff: ProtocolDiff): ProtocolDiff => {
    const chosen = selectFindings(diff, selectionOf(settings, diff));
    const selected = settings.part === undefined ? chosen : onlyFor(chosen, settings.part);
    const judgement = judgeFindings(selected.findings, acceptances, options.today);
    const unused = new Set(judgement.stale);
    for (const each of acceptances) if (!unused.has(each)) stale.delete(each);
    for (const each of selected.findings) findings.set(`${each.id} ${each.at}`, each);
    const bump = adviseBump(selected);
    if (bump.suffices === false) smallSteps.push(smallStepText(selected, bump));
    if (options.expand || !isBrief(options.format))
      cells.push({ diff: selected, open: judgement.open, judgement });
    return { ...selected, findings: judgement.open };
  };
  const compared = compareVersions(
    sources.map((source) => source.protocol),
    {
      reader: settings.reader,
      select: judge,
      onProgress: (done, all) => options.onProgress(done < all ? `${done} of ${all} pairs` : ""),
    },
  );
  const counts = { breaking: 0, risky: 0, lossy: 0, safe: 0, doc: 0 };
  for (const pair of compared.pairs)
    for (const level of Object.keys(counts) as Level[]) counts[level] += pair.counts[level];
  return {
    text: await renderRange(compared, cells, {
      ...options,
      failOn: settings.failOn,
      schemaOf: (version) => schemas.get(version)!,
    }),
    counts,
    stale: [...stale],
    smallSteps,
    findings: [...findings.values()],
  };
}

/** How a range is printed. */
export interface RangeRendering extends Pick<
  RangeOptions,
  "format" | "from" | "expand" | "terminal"
> {
  readonly failOn: FailLevel;
  readonly schemaOf: (version: string) => JsonFile;
}

/** The findings of a pair, and what was decided about them. */
export interface JudgedCell extends RangeCell {
  readonly judgement: Judgement;
}

/** Formats that say something without the findings of each pair. */
function isBrief(format: Format): boolean {
  return format === "text" || format === "json" || format === "markdown";
}

/** @param cells Those of all pairs, in their order; none if only the matrix is to be printed. */
export async function renderRange(
  range: RangeComparison,
  cells: readonly JudgedCell[],
  { format, expand, from, terminal, failOn, schemaOf }: RangeRendering,
): Promise<string> {
  switch (format) {
    case "text":
      return reportRangeText(range, cells, {
        paint: (colour, each) => paint(terminal, colour, each),
        expand,
        width: terminal.columns,
      });
    case "json":
      return reportRangeJson(range, cells);
    case "markdown":
      return reportRangeMarkdown(range, cells);
    case "html":
      return reportRangeHtml(range, cells);
    default: {
      const texts: string[] = [];
      for (const { diff, judgement } of cells) {
        const report: DiffReport = { diff, bump: adviseBump(diff), judgement };
        texts.push(
          await renderReport(report, format, {
            before: schemaOf(diff.before),
            after: schemaOf(diff.after),
            failOn: failOn === "never" ? "breaking" : failOn,
            from,
            expand,
            terminal,
          }),
        );
      }
      return joinReports(format, texts);
    }
  }
}

function joinReports(format: "github" | "sarif" | "junit", texts: readonly string[]): string {
  switch (format) {
    case "github":
      return joinAnnotations(texts);
    case "sarif":
      return joinSarif(texts);
    case "junit":
      return joinJunit(texts);
  }
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
      `Cannot take "${range}" for a range`,
      {},
      `Write the older version first, as in ${known[0]}..${known.at(-1)}`,
    );
  return ends;
}
