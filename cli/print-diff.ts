import { isAbsolute, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { checkArguments, comparison } from "../generator/base/check-arguments.js";
import {
  diffSeverities,
  type DiffSeverity,
  type Finding,
  type FindingPlace,
} from "../diff/finding.js";
import * as option from "../runtime/base/check-options.js";
import { reportText, type DiffReport } from "../diff/report/report-text.js";
import { toolFolder, toolHomepage, toolVersion } from "../generator/base/bundled.js";
import type { JsonFile } from "../generator/read/source/json-text.js";
import { paint } from "../generator/base/paint.js";
import type { VersionDiff } from "./diff-versions.js";

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

export const printChecks: option.OptionChecks<PrintDiffOptions> = {
  failOn: option.oneOf(...diffSeverities),
  from: option.oneOf(...diffSeverities),
  expand: option.flag,
  colours: option.flag,
  columns: option.count,
};

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
  const { before, after, ...report } = diff;
  const { failOn = "breaking", from, expand = false, colours = false, columns = 100 } = options;
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
        placed.findings.map((each, index) => [each, report.findings[index]!]),
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
    case "github":
      return (await import("../diff/report/report-annotations.js")).reportGithub(
        placed,
        from ?? "lossy",
      );
    case "sarif":
      return (await import("../diff/report/report-annotations.js")).reportSarif(placed, {
        tool: { version: toolVersion(), homepage: toolHomepage() },
        folder: process.cwd(),
      });
    case "junit":
      return (await import("../diff/report/report-annotations.js")).reportJunit(placed, failOn);
  }
}

function withPlaces(report: DiffReport, before: JsonFile, after: JsonFile): DiffReport {
  const placed = (finding: Finding): Finding => ({
    ...finding,
    ...(finding.before === undefined ? {} : { before: locate(before, finding.before) }),
    ...(finding.after === undefined ? {} : { after: locate(after, finding.after) }),
  });
  return { ...report, findings: report.findings.map(placed) };
}

/**
 * Finds the location of a JSON Pointer in a schema's source. Bundled files get a name that does not
 * depend on where wirewright is installed.
 */
function locate(schema: JsonFile, { pointer }: FindingPlace): FindingPlace {
  const place = schema.locate(pointer);
  const { file = "" } = place;
  const tool = fileURLToPath(toolFolder);
  const fromHere = relative(process.cwd(), file);
  const isBelow = isAbsolute(file) && !fromHere.startsWith("..");
  const name = isBelow ? fromHere : file.startsWith(tool) ? file.slice(tool.length) : file;
  return { pointer, ...place, file: name };
}
