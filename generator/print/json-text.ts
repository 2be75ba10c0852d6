import { escapeText } from "../base/visible-text.js";

/** Prints data as JSON that is safe to show, and that parses to the same data. */
export function printJson(value: unknown): string {
  return escapeText(JSON.stringify(value, null, 2));
}

/**
 * Prints a report for programs: its kind, the version of its form, and its content.
 *
 * @param version Grows when a reader of the previous form could fail.
 */
export function printReport(report: string, version: number, content: object): string {
  return printJson({ report, reportVersion: version, ...content });
}
