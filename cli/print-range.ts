import * as option from "../runtime/base/check-options.js";
import { checkArguments, comparedRange } from "../generator/base/check-arguments.js";
import { paint } from "../generator/base/paint.js";
import { joinAnnotations, joinJunit, joinSarif } from "../diff/report/report-annotations.js";
import {
  reportRangeHtml,
  reportRangeJson,
  reportRangeMarkdown,
  reportRangeText,
} from "../diff/report/report-range.js";
import { adviseBump } from "../diff/version-bump.js";
import type { RangeDiff } from "./diff-range.js";
import {
  diffFormats,
  printChecks,
  printDiff,
  type DiffFormat,
  type PrintDiffOptions,
} from "./print-diff.js";

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
  option.checkOptions("printRange", { format }, { format: option.oneOf(...diffFormats) });
  option.checkOptions("printRange", options, printChecks);
  checkArguments("printRange", { compared: [compared, comparedRange] });
  const { range, cells, schemas } = compared;
  const { expand = false, colours = false, columns = 100 } = options;
  switch (format) {
    case "text":
      return reportRangeText(range, cells, {
        paint: (colour, each) => paint({ colours }, colour, each),
        expand,
        width: columns,
      });
    case "json":
      return reportRangeJson(range, cells);
    case "markdown":
      return reportRangeMarkdown(range, cells);
    case "html":
      return reportRangeHtml(range, cells);
    default: {
      const texts: string[] = [];
      for (const cell of cells) {
        const { diff } = cell;
        const [before, after] = [schemas.get(diff.before)!, schemas.get(diff.after)!];
        const report = { ...cell, bump: adviseBump(diff), before, after };
        texts.push(await printDiff(report, format, options));
      }
      return joinReports[format](texts);
    }
  }
}

const joinReports = { github: joinAnnotations, sarif: joinSarif, junit: joinJunit };
