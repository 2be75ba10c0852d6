import { acceptFindings, type Acceptance } from "../diff/accepted-findings.js";
import type { Finding, ProtocolDiff } from "../diff/finding.js";
import type { BumpAdvice } from "../diff/version-bump.js";
import { visible } from "../generator/base/visible-text.js";
import type { Terminal } from "../generator/base/terminal.js";
import { printJson } from "../generator/print/json-text.js";
import { today } from "./diff-versions.js";
import { readPresentAcceptances, type DiffSettings } from "./diff-settings.js";

/** Why a `diff` call fails. */
interface Failures {
  readonly findings: boolean;
  /** Version steps that are too small, as printed by `smallStepText`. */
  readonly smallSteps: readonly string[];
  readonly stale: readonly Acceptance[];
}

/** Returns the exit status, and prints any reasons for failure that the report does not show. */
export function statusOf({ findings, smallSteps, stale }: Failures, terminal: Terminal): number {
  for (const each of smallSteps) terminal.error(`The version step is too small: ${visible(each)}`);
  for (const { rule, at } of stale)
    terminal.error(`Accepted finding no longer occurs: ${visible(`${rule} ${at}`)}`);
  return findings || smallSteps.length > 0 || stale.length > 0 ? 1 : 0;
}

/** Describes a claimed version step that is too small, along with the required step. */
export function smallStepText({
  diff: { before, after },
  bump,
}: {
  readonly diff: ProtocolDiff;
  readonly bump: BumpAdvice;
}): string {
  return `${before} to ${after} is "${bump.claimed}", but the changes require "${bump.needed}"`;
}

/** Accepts the findings that would cause a failure, by adding them to an acceptance file. */
export async function writeAccepted(
  path: string,
  findings: readonly Finding[],
  { failOn, acceptances }: DiffSettings,
  terminal: Terminal,
): Promise<number> {
  const severity = failOn === "never" ? "breaking" : failOn;
  const existing = unique([...(await readPresentAcceptances(path)), ...acceptances]);
  const accept = acceptFindings(findings, severity, existing, today());
  const { writeTextFile } = await import("../generator/output/write-output.js");
  await writeTextFile(path, `${printJson({ accept })}\n`);
  const added = accept.filter((each) => !existing.includes(each)).length;
  terminal.error(
    `${visible(path)}: ${accept.length} accepted, ${added} of them new; add a reason to each`,
  );
  return 0;
}

/** Keeps only the first acceptance for each rule and location. */
function unique(acceptances: readonly Acceptance[]): readonly Acceptance[] {
  const seen = new Set<string>();
  return acceptances.filter(({ rule, at }) => {
    const size = seen.size;
    return seen.add(`${rule} ${at}`).size > size;
  });
}
