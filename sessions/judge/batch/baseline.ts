import { check } from "../../../generator/read/description/check-file.js";
import { printJson } from "../../../generator/print/json-text.js";
import { readJsonInput } from "../../../generator/read/source/input-source.js";
import type { BatchFinding } from "./batch-findings.js";

/** Fingerprints of the findings in a baseline. */
export type Baseline = ReadonlySet<string>;

interface BaselineFile {
  readonly findings: readonly { readonly fingerprint: string }[];
}

/**
 * Reads a baseline.
 *
 * @throws InputError `ERR_READ`, or `ERR_CONFIG` with the location of the fault.
 */
export async function readBaseline(path: string): Promise<Baseline> {
  const file = await readJsonInput(path);
  check(file, "lint-baseline", "ERR_CONFIG");
  const { findings } = file.value as unknown as BaselineFile;
  return new Set(findings.map(({ fingerprint }) => fingerprint));
}

/**
 * Prints findings as a baseline. Each finding has its fingerprint and, for reviewers, its severity,
 * adapter, rule and message.
 */
export function printBaseline(findings: readonly BatchFinding[]): string {
  const list = findings.map(({ fingerprint, adapter, first: { rule, severity, message } }) => ({
    fingerprint,
    severity,
    ...(adapter === "" ? {} : { adapter }),
    rule,
    text: message,
  }));
  return `${printJson({ findings: list })}\n`;
}
