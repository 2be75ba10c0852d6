import { escapeText } from "../base/visible-text.js";

/**
 * Prints data as JSON that is safe to print in a terminal: invisible characters are escaped. The
 * JSON parses to the same data.
 */
export function printJson(value: unknown): string {
  return escapeText(JSON.stringify(value, null, 2));
}

/**
 * Prints a report as JSON for programs: its kind, the version of its format, and its content.
 *
 * @param version Version of the format. It increases when a reader of the previous version could
 * fail.
 */
export function printReport(report: string, version: number, content: object): string {
  return printJson({ report, reportVersion: version, ...content });
}
