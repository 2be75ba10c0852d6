import { createHash } from "node:crypto";
import { visible } from "../../generator/base/visible-text.js";
import { printSarif, type SarifResult, type SarifTool } from "../../generator/print/sarif-log.js";
import { rules } from "../compare/rules.js";
import type { Finding, DiffSeverity, ProtocolDiff } from "../finding.js";
import { groupText, inFolder } from "./report-annotations.js";
import { subjectText } from "./finding-text.js";
import type { DiffReport } from "./report-text.js";

interface SarifOptions {
  readonly tool: SarifTool;
  /** The folder that paths in the report are relative to. */
  readonly folder: string;
}

const sarifLevels: Readonly<Record<DiffSeverity, SarifResult["level"]>> = {
  breaking: "error",
  risky: "warning",
  lossy: "note",
  safe: "none",
  doc: "none",
};

/** Renders a report as SARIF 2.1.0, for code scanning. */
export function reportSarif({ diff, findings }: DiffReport, options: SarifOptions): string {
  const used = new Set(findings.map(({ rule }) => rule));
  const ids = [...rules.keys()].filter((id) => used.has(id));
  return printSarif({
    ...options,
    id: `${diff.protocol}/${diff.before}/${diff.after}`,
    rules: new Map(
      ids.map((id) => [id, { title: rules.get(id)!.title, help: `wirewright diff explain ${id}` }]),
    ),
    results: findings.map((finding) => {
      const { file, line, column } = inFolder(finding.after ?? finding.before ?? {});
      return {
        rule: finding.rule,
        level: sarifLevels[finding.severity],
        text: visible(groupText(subjectText(finding), finding)),
        place: file === undefined ? undefined : { file, line, column },
        subject: visible(finding.at),
        fingerprint: fingerprintOf(diff, finding),
      };
    }),
  });
}

/**
 * Returns a finding's fingerprint. It is unique among findings, and stays the same in every
 * comparison of the protocol.
 */
function fingerprintOf({ protocol }: ProtocolDiff, { rule, at }: Finding): string {
  return createHash("sha256")
    .update(JSON.stringify([protocol, rule, at]))
    .digest("hex");
}
