import { visible } from "../../generator/base/visible-text.js";
import { severityLevels } from "../../generator/print/printed-finding.js";
import { fingerprintOf, printSarif, type SarifTool } from "../../generator/print/sarif-log.js";
import { keyOfFinding } from "./kept-findings.js";
import type { LintReport } from "./report.js";
import type { LintRule } from "./rules.js";

export interface SarifReportOptions {
  readonly tool: SarifTool;
  /** The folder that paths in the report are relative to. */
  readonly folder: string;
  /** Path of the recording, if it is a single file. */
  readonly file: string | undefined;
  /** The rules, by id. */
  readonly rules: ReadonlyMap<string, LintRule>;
}

/**
 * Prints a report in SARIF 2.1.0 for code scanning. Equal findings are merged into one result with
 * a count.
 */
export function printSarifReport(
  { protocol, version, groups }: LintReport,
  { tool, folder, file, rules }: SarifReportOptions,
): string {
  const used = new Set(groups.map(({ first }) => first.rule));
  return printSarif({
    tool,
    folder,
    id: `lint/${protocol}/${version}`,
    rules: new Map(
      [...rules]
        .filter(([id]) => used.has(id))
        .map(([id, { docs }]) => [id, { title: docs, help: `wirewright lint --explain ${id}` }]),
    ),
    results: groups.map(({ first, count }) => {
      const { rule, severity, index, from, label, pointer, message, line, offset } = first;
      const sender = from === undefined ? "" : ` of the ${from}`;
      const subject = `message ${index}${sender}, ${label}`;
      return {
        rule,
        level: severityLevels[severity],
        text: visible(`${subject}: ${message}`),
        place: file === undefined ? undefined : { file, line, byte: offset },
        subject: visible(pointer === "" ? label : `${label} ${pointer}`),
        // Equal findings in other recordings have the same fingerprint.
        fingerprint: fingerprintOf([protocol, keyOfFinding(first)]),
        count,
      };
    }),
  });
}
