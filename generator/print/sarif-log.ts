import { createHash } from "node:crypto";
import { isAbsolute, relative } from "node:path";
import { printJson } from "./json-text.js";
import type { PrintedFinding } from "./printed-finding.js";

/** One run in a SARIF log. */
interface SarifRun {
  readonly tool: SarifTool;
  /** The folder to which paths are relative. */
  readonly folder: string;
  /** Id that distinguishes this run from runs about other subjects. */
  readonly id: string;
  /** The rules that have findings, by id. */
  readonly rules: ReadonlyMap<string, SarifRule>;
  readonly results: readonly PrintedFinding[];
}

export interface SarifTool {
  readonly version: string;
  readonly homepage: string;
}

interface SarifRule {
  readonly title: string;
  /** Command that explains the rule. */
  readonly help: string;
}

/** Computes a result's fingerprint from the parts that distinguish it from other results. */
export function fingerprintOf(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/**
 * Prints SARIF 2.1.0 for code scanning. The caller must already have escaped invisible characters
 * in texts.
 */
export function printSarif(...runs: readonly SarifRun[]): string {
  return printJson({
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: runs.map(runOf),
  });
}

function runOf({ tool, folder, id, rules, results }: SarifRun): object {
  const ids = [...rules.keys()];
  return {
    tool: {
      driver: {
        name: "wirewright",
        version: tool.version,
        semanticVersion: tool.version,
        informationUri: tool.homepage,
        rules: [...rules].map(([rule, { title, help }]) => ({
          id: rule,
          shortDescription: { text: title },
          help: { text: help },
        })),
      },
    },
    automationDetails: { id },
    results: results.map(({ rule, level, text, place, subject, fingerprint, count }) => ({
      ruleId: rule,
      ruleIndex: ids.indexOf(rule),
      level,
      message: { text },
      locations: place === undefined ? [] : [locationOf(place, subject, folder)],
      occurrenceCount: count,
      partialFingerprints: { "wirewright/v1": fingerprint },
    })),
  };
}

function locationOf(
  { file, ...place }: NonNullable<PrintedFinding["place"]>,
  subject: string,
  folder: string,
): object {
  return {
    physicalLocation: {
      artifactLocation: artifactOf(file, folder),
      region: regionOf(place),
    },
    logicalLocations: [{ fullyQualifiedName: subject }],
  };
}

function regionOf({
  line,
  column,
  byte,
}: Omit<NonNullable<PrintedFinding["place"]>, "file">): object | undefined {
  if (line !== undefined) return { startLine: line, startColumn: column ?? 1 };
  return byte === undefined ? undefined : { byteOffset: byte };
}

/**
 * Returns a file's location: a URI relative to the root folder, an absolute URI, or a web address.
 */
function artifactOf(file: string, folder: string): object {
  if (URL.canParse(file) && /^https:/i.test(file)) return { uri: new URL(file).href };
  const path = isAbsolute(file) ? relative(folder, file) : file;
  return isAbsolute(path)
    ? { uri: `file:///${uriOf(path)}` }
    : { uri: uriOf(path), uriBaseId: "%SRCROOT%" };
}

/**
 * Converts a path to a URI, escaping characters that would otherwise start a scheme, a query or a
 * fragment.
 */
function uriOf(path: string): string {
  return path
    .replaceAll("\\", "/")
    .replaceAll(/\p{Cs}/gu, "\ufffd")
    .split("/")
    .map(encodeURIComponent)
    .join("/");
}
