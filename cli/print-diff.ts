import { isAbsolute, relative } from "node:path";
import { fileURLToPath } from "node:url";
import {
  diffSeverities,
  type DiffSeverity,
  type Finding,
  type FindingPlace,
} from "../diff/finding.js";
import type { DiffReport } from "../diff/report/diff-report.js";
import { reportText } from "../diff/report/report-text.js";
import { adviseBump } from "../diff/version-bump.js";
import { toolFolder, toolHomepage, toolVersion } from "../generator/base/bundled.js";
import { checkArguments, comparedRange, comparison } from "../generator/base/check-arguments.js";
import { paint } from "../generator/base/paint.js";
import type { JsonFile } from "../generator/read/source/json-text.js";
import * as option from "../runtime/base/check-options.js";
import type { VersionDiff, RangeDiff } from "./diff-versions.js";

export const diffFormats = [
  "text",
  "json",
  "markdown",
  "html",
  "github",
  "sarif",
  "junit",
] as const;
/** The output formats for a comparison. */
export type DiffFormat = (typeof diffFormats)[number];

/** Options for printing a comparison. */
export interface PrintDiffOptions {
  /**
   * Lowest severity at which a finding counts as a failure in JUnit reports. Default: `breaking`.
   */
  readonly failOn?: DiffSeverity;
  /**
   * Lowest severity to show in text and annotations. Default: all severities in text, `lossy` and
   * higher in annotations.
   */
  readonly from?: DiffSeverity | undefined;
  /** Whether text output lists every member of a group. Default: false. */
  readonly expand?: boolean;
  /** Whether text output is coloured. Default: false. */
  readonly colours?: boolean;
  /** Width of text output, in characters. Default: 100. */
  readonly columns?: number;
}

const printChecks: option.OptionChecks<PrintDiffOptions> = {
  failOn: option.oneOf(...diffSeverities),
  from: option.oneOf(...diffSeverities),
  expand: option.flag,
  colours: option.flag,
  columns: option.count,
};

function checkPrinting(caller: string, format: DiffFormat, options: PrintDiffOptions): void {
  option.checkOptions(caller, { format }, { format: option.oneOf(...diffFormats) });
  option.checkOptions(caller, options, printChecks);
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
  checkPrinting("printDiff", format, options);
  checkArguments("printDiff", { diff: [diff, comparison] });
  const { before, after, ...report } = diff;
  const { from, expand = false, colours = false, columns = 100 } = options;
  if (format === "text")
    return reportText(report, {
      paint: (colour, text) => paint({ colours }, colour, text),
      expand,
      lowest: from ?? "doc",
      width: columns,
      locate: (finding) =>
        finding.after === undefined
          ? finding.before && locate(before, finding.before)
          : locate(after, finding.after),
    });
  const placed = withPlaces(report, before, after);
  switch (format) {
    case "json":
      return (await import("../diff/report/report-json.js")).reportJson(placed);
    case "markdown":
      return (await import("../diff/report/report-markdown.js")).reportMarkdown(placed);
    case "html": {
      const sources = new Map(
        placed.findings.map((finding, index) => [finding, report.findings[index]!]),
      );
      const { reportHtml, schemaExcerpt } = await import("../diff/report/report-html.js");
      return reportHtml(placed, {
        rulesPage: `${toolHomepage().replace(/#.*/, "")}/blob/main/docs/reference/diff-rules.md`,
        excerptsOf: (finding) => [
          schemaExcerpt(before, sources.get(finding)?.before?.pointer),
          schemaExcerpt(after, sources.get(finding)?.after?.pointer),
        ],
      });
    }
    default:
      return annotate([placed], format, options);
  }
}

/** Prints reports for other programs. */
async function annotate(
  reports: readonly DiffReport[],
  format: "github" | "sarif" | "junit",
  { from = "lossy", failOn = "breaking" }: PrintDiffOptions,
): Promise<string> {
  const print = await import("../diff/report/report-annotations.js");
  if (format === "github") return print.reportGithub(reports, from);
  if (format === "junit") return print.reportJunit(reports, failOn);
  const tool = { version: toolVersion(), homepage: toolHomepage() };
  return print.reportSarif(reports, tool, process.cwd());
}

function withPlaces(report: DiffReport, before: JsonFile, after: JsonFile): DiffReport {
  const placed = (finding: Finding): Finding => ({
    ...finding,
    before: finding.before && locate(before, finding.before),
    after: finding.after && locate(after, finding.after),
  });
  return { ...report, findings: report.findings.map(placed) };
}

/**
 * Finds the location of a JSON Pointer in a schema's source. Bundled files get a name that does not
 * depend on where wirewright is installed.
 */
function locate(schema: JsonFile, written: FindingPlace): FindingPlace {
  // A place in users' code is not a place in the schema.
  if (written.file !== undefined) return written;
  const { pointer } = written;
  const location = schema.locate(pointer);
  const { file = "" } = location;
  const tool = fileURLToPath(toolFolder);
  const fromHere = relative(process.cwd(), file);
  const isBelow = isAbsolute(file) && !fromHere.startsWith("..");
  const name = isBelow ? fromHere : file.startsWith(tool) ? file.slice(tool.length) : file;
  return { pointer, ...location, file: name };
}

/** Returns whether reports in this format omit the findings for individual pairs. */
export function isBrief(format: DiffFormat): boolean {
  return format === "text" || format === "json" || format === "markdown";
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
  checkPrinting("printRange", format, options);
  checkArguments("printRange", { compared: [compared, comparedRange] });
  const { range, cells, schemas } = compared;
  const { expand = false, colours = false, columns = 100 } = options;
  switch (format) {
    case "text":
      return (await import("../diff/report/report-range.js")).reportRangeText(range, cells, {
        paint: (colour, text) => paint({ colours }, colour, text),
        expand,
        width: columns,
      });
    case "json":
      return (await import("../diff/report/report-range.js")).reportRangeJson(range, cells);
    case "markdown":
      return (await import("../diff/report/report-range.js")).reportRangeMarkdown(range, cells);
    case "html":
      return (await import("../diff/report/report-range.js")).reportRangeHtml(range, cells);
    default: {
      const reports = cells.map((cell) => {
        const { before, after } = cell.diff;
        const report = { ...cell, bump: adviseBump(cell.diff) };
        return withPlaces(report, schemas.get(before)!, schemas.get(after)!);
      });
      return annotate(reports, format, options);
    }
  }
}
