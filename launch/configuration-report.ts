import type { Severity } from "../generator/base/severity.js";
import { visible } from "../generator/base/visible-text.js";
import { printReport } from "../generator/print/json-text.js";
import {
  printAnnotations,
  severityCounts,
  severityLevels,
  type PrintedFinding,
} from "../generator/print/printed-finding.js";
import { fingerprintOf, printSarif, type SarifTool } from "../generator/print/sarif-log.js";
import { configurationRules, type ConfigurationFinding } from "./configuration-rules.js";

/** Output formats for a report about configurations. */
export const configurationFormats = ["text", "json", "github", "sarif"] as const;

/** The findings in a configuration file. */
export interface ConfigurationReport {
  readonly file: string;
  /** The files that the configurations were checked against. */
  readonly against: readonly string[];
  readonly counts: Readonly<Record<Severity, number>>;
  readonly findings: readonly ConfigurationFinding[];
}

/** Maximum length of a value quoted in a finding, in characters. */
const shownValue = 80;

export function reportOf(
  file: string,
  against: readonly string[],
  findings: readonly ConfigurationFinding[],
): ConfigurationReport {
  const count = (severity: Severity): number =>
    findings.filter((each) => each.severity === severity).length;
  return {
    file,
    against,
    counts: { error: count("error"), warning: count("warning"), info: count("info") },
    findings,
  };
}

/** Prints a human-readable report. */
export function printConfigurationText(
  { file, against, counts, findings }: ConfigurationReport,
  paint: (severity: Severity, text: string) => string,
): string {
  const width = Math.max(0, ...findings.map(({ rule }) => rule.length));
  const head = `${visible(file)}   by ${against.map(visible).join(", ")}   ${severityCounts(counts)}`;
  return [
    head,
    ...findings.map(
      (finding) =>
        `${paint(finding.severity, finding.severity.padEnd(7))}  ${finding.rule.padEnd(width)}  ${placeText(finding)}\n  ${findingText(finding)}`,
    ),
  ].join("\n");
}

/** Formats a finding's location as `file:line:column pointer`. */
export function placeText({ place }: ConfigurationFinding): string {
  const { file = "", line, column, pointer = "" } = place;
  const position = line === undefined ? "" : `:${line}:${column ?? 1}`;
  return `${visible(file)}${position}${pointer === "" ? "" : ` ${visible(pointer)}`}`;
}

/** Returns a finding's message, including the value and the hint. */
export function findingText(finding: ConfigurationFinding): string {
  const { message, value, hint } = finding;
  const json = "value" in finding ? (JSON.stringify(value) ?? "undefined") : undefined;
  const shown =
    json === undefined || json.length <= shownValue ? json : `${json.slice(0, shownValue - 1)}…`;
  const received = shown === undefined ? "" : `, received ${shown}`;
  return visible(`${message}${received}${hint === undefined ? "" : `. ${hint}`}`);
}

/** Version of the JSON report format, which is described in `schema/formats/lint-report.schema.json`. */
const reportVersion = 1;

/** Prints a machine-readable report in JSON. */
export function printConfigurationJson(report: ConfigurationReport): string {
  return printReport("configuration", reportVersion, report);
}

/** Prints workflow commands, whose messages GitHub shows next to the affected lines. */
export function printConfigurationGithub({ findings }: ConfigurationReport): string {
  return printAnnotations(findings.map(printed));
}

/** Prints SARIF 2.1.0 for code scanning. Paths are relative to `folder`. */
export function printConfigurationSarif(
  { findings }: ConfigurationReport,
  tool: SarifTool,
  folder: string,
): string {
  const used = [...new Set(findings.map(({ rule }) => rule))].sort();
  return printSarif({
    tool,
    folder,
    id: "lint/configuration",
    rules: new Map(
      used.map((id) => [
        id,
        { title: configurationRules[id].docs, help: `wirewright lint --explain ${id}` },
      ]),
    ),
    results: findings.map(printed),
  });
}

function printed(finding: ConfigurationFinding): PrintedFinding {
  const { rule, severity, place, message } = finding;
  const { file = "", line = 1, column, pointer = "" } = place;
  return {
    rule,
    level: severityLevels[severity],
    text: findingText(finding),
    place: { file, line, column },
    subject: visible(pointer),
    fingerprint: fingerprintOf([rule, pointer, message]),
  };
}
