import { escapeText } from "../base/visible-text.js";

/**
 * Prints data as JSON that is safe to show in a terminal. Escaping invisible characters does not
 * change the data to which the JSON parses.
 */
export function printJson(value: unknown): string {
  return escapeText(JSON.stringify(value, null, 2));
}

/**
 * Prints a machine-readable report in JSON: its kind, its format version and its content.
 *
 * @param version The format version, which is incremented whenever a change could break readers of
 * the previous one.
 */
export function printReport(report: string, version: number, content: object): string {
  return printJson({ report, reportVersion: version, ...content });
}
