import { createHash } from "node:crypto";
import { isAbsolute, relative } from "node:path";
import { printJson } from "../../print/json-text.js";
import { visible } from "../../base/visible-text.js";
import { rules } from "../compare/rules.js";
import type { Finding, Level, ProtocolDiff } from "../finding.js";
import { groupText } from "./report-annotations.js";
import { subjectText } from "./finding-text.js";
import type { DiffReport } from "./report-text.js";

export interface SarifOptions {
  readonly tool: { readonly version: string; readonly homepage: string };
  /** Paths are relative to it. */
  readonly folder: string;
}

const sarifLevels: Readonly<Record<Level, string>> = {
  breaking: "error",
  risky: "warning",
  lossy: "note",
  safe: "none",
  doc: "none",
};

/** SARIF 2.1.0, for code scanning. */
export function reportSarif(
  { diff, judgement }: DiffReport,
  { tool, folder }: SarifOptions,
): string {
  const used = new Set(judgement.open.map(({ id }) => id));
  const ids = [...rules.keys()].filter((id) => used.has(id));
  const results = judgement.open.map((finding) => {
    const { file, line, column } = finding.after ?? finding.before ?? {};
    return {
      ruleId: finding.id,
      ruleIndex: ids.indexOf(finding.id),
      level: sarifLevels[finding.level],
      message: { text: visible(groupText(subjectText(finding), finding)) },
      locations:
        file === undefined
          ? []
          : [
              {
                physicalLocation: {
                  artifactLocation: locationOf(file, folder),
                  ...(line === undefined
                    ? {}
                    : { region: { startLine: line, startColumn: column ?? 1 } }),
                },
                logicalLocations: [{ fullyQualifiedName: visible(finding.at) }],
              },
            ],
      partialFingerprints: { "wirewright/v1": fingerprintOf(diff, finding) },
    };
  });
  return printJson({
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "wirewright",
            version: tool.version,
            semanticVersion: tool.version,
            informationUri: tool.homepage,
            rules: ids.map((id) => ({
              id,
              shortDescription: { text: rules.get(id)!.title },
              help: { text: `wirewright diff explain ${id}` },
            })),
          },
        },
        automationDetails: { id: `${diff.protocol}/${diff.before}/${diff.after}` },
        results,
      },
    ],
  });
}

/** The place of a file below the root of the sources, or the address of a file elsewhere on the web. */
function locationOf(file: string, folder: string): object {
  if (URL.canParse(file) && /^https:/i.test(file)) return { uri: new URL(file).href };
  const path = isAbsolute(file) ? relative(folder, file) : file;
  return isAbsolute(path)
    ? { uri: `file:///${uriOf(path)}` }
    : { uri: uriOf(path), uriBaseId: "%SRCROOT%" };
}

/** A path as a URI: what stands in its name is no scheme, no query and no fragment. */
function uriOf(path: string): string {
  return path
    .replaceAll("\\", "/")
    .replaceAll(/\p{Cs}/gu, "\ufffd")
    .split("/")
    .map(encodeURIComponent)
    .join("/");
}

/** The same for a finding in each comparison that has it, and for no other one. */
function fingerprintOf({ protocol }: ProtocolDiff, { id, at }: Finding): string {
  return createHash("sha256")
    .update(JSON.stringify([protocol, id, at]))
    .digest("hex");
}
