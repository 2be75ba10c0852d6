import { isAbsolute, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Finding, FindingPlace, Level } from "../diff/finding.js";
import { reportText, type DiffReport } from "../diff/report/report-text.js";
import { toolFolder, toolHomepage, toolVersion } from "../base/bundled.js";
import type { JsonFile } from "../read/source/json-text.js";
import { paint } from "../base/paint.js";
import type { Terminal } from "../base/terminal.js";

export const formats = ["text", "json", "markdown", "html", "github", "sarif", "junit"] as const;
export type Format = (typeof formats)[number];

export interface ReportOptions {
  readonly before: JsonFile;
  readonly after: JsonFile;
  readonly failOn: Level;
  /** Lowest level to show, if the user gave one. */
  readonly from: Level | undefined;
  readonly expand: boolean;
  readonly terminal: Pick<Terminal, "colours" | "columns">;
}

/** Renders a report. Loads only the code of its format. */
export async function renderReport(
  report: DiffReport,
  format: Format,
  options: ReportOptions,
): Promise<string> {
  const { before, after, failOn, from, expand, terminal } = options;
  if (format === "text")
    return reportText(report, {
      paint: (colour, text) => paint(terminal, colour, text),
      expand,
      from: from ?? "doc",
      width: terminal.columns,
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
    case "html":
      return (await import("../diff/report/report-html.js")).reportHtml(placed);
    case "github":
      return (await import("../diff/report/report-annotations.js")).reportGithub(
        placed,
        from ?? "lossy",
      );
    case "sarif":
      return (await import("../diff/report/report-sarif.js")).reportSarif(placed, {
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
  const { judgement } = report;
  return { ...report, judgement: { ...judgement, open: judgement.open.map(placed) } };
}

/** Finds a place in its source. The file name does not depend on where the tool is installed. */
function locate(schema: JsonFile, { pointer }: FindingPlace): FindingPlace {
  const place = schema.locate(pointer);
  const { file = "" } = place;
  const tool = fileURLToPath(toolFolder);
  const fromHere = relative(process.cwd(), file);
  const isBelow = isAbsolute(file) && !fromHere.startsWith("..");
  const name = isBelow ? fromHere : file.startsWith(tool) ? file.slice(tool.length) : file;
  return { ...place, pointer, file: name };
}
