import { acceptFindings, type Acceptance } from "../diff/accepted-findings.js";
import type { Finding, ProtocolDiff } from "../diff/finding.js";
import { faultOfClaim, type BumpAdvice } from "../diff/version-bump.js";
import { InputError } from "../base/input-error.js";
import { visible } from "../base/visible-text.js";
import type { Terminal } from "../base/terminal.js";
import { printJson } from "../print/json-text.js";
import { today } from "../library/diff-versions.js";
import { readPresentAcceptances, type DiffSettings } from "./diff-settings.js";

/** The findings that make the call fail. */
interface Failures {
  readonly findings: boolean;
  /** Version steps that are too small, as `smallStepText` says it. */
  readonly smallSteps: readonly string[];
  readonly stale: readonly Acceptance[];
}

/** The exit status. Prints anything that the report does not contain. */
export function statusOf({ findings, smallSteps, stale }: Failures, terminal: Terminal): number {
  for (const each of smallSteps) terminal.error(`The version step is too small: ${visible(each)}`);
  for (const { id, at } of stale)
    terminal.error(`Accepted, but not found: ${visible(`${id} ${at}`)}`);
  return findings || smallSteps.length > 0 || stale.length > 0 ? 1 : 0;
}

/** The version step that was taken, and the one that is required. */
export function smallStepText({
  diff: { before, after },
  bump,
}: {
  readonly diff: ProtocolDiff;
  readonly bump: BumpAdvice;
}): string {
  return `${before} to ${after} is "${bump.claimed}", and the changes need "${bump.needed}"`;
}

/** Adds the findings that would fail to a file of acceptances. */
export async function writeAccepted(
  path: string,
  findings: readonly Finding[],
  { failOn, acceptances }: DiffSettings,
  terminal: Terminal,
): Promise<number> {
  const severity = failOn === "never" ? "breaking" : failOn;
  const existing = unique([...(await readPresentAcceptances(path)), ...acceptances]);
  const accept = acceptFindings(findings, severity, existing, today());
  const { writeTextFile } = await import("../output/write-output.js");
  await writeTextFile(path, `${printJson({ accept })}\n`);
  const added = accept.filter((each) => !existing.includes(each)).length;
  terminal.error(
    `${visible(path)}: ${accept.length} accepted, ${added} of them new; give each its reason`,
  );
  return 0;
}

/**
 * Refuses to judge the step between two texts that are not versions. @param isGiven Whether the
 * user named the claim.
 */
export function refuseClaim(claim: string, { before }: ProtocolDiff, isGiven: boolean): void {
  const fault = faultOfClaim(before, claim);
  if (fault === undefined || (fault === "backwards" && !isGiven)) return;
  const messages = {
    "no-number": isGiven
      ? `Cannot use --claimed "${claim}"`
      : `Cannot judge the step to "${claim}": it is not a version number`,
    "no-old-number": `Cannot judge the step to ${claim}: the old side, "${before}", has no version number`,
    backwards: `Cannot use --claimed "${claim}": it is not later than the old version`,
  };
  throw new InputError(
    "ERR_ARGUMENT",
    messages[fault],
    {},
    isGiven && fault !== "no-old-number"
      ? "Give a version such as 1.72.0, two such as 1.71.0..1.72.0, or major, minor or patch"
      : "Give both versions, --claimed 1.71.0..1.72.0, or the step, --claimed minor",
  );
}

/** The first of each rule and place. */
function unique(acceptances: readonly Acceptance[]): readonly Acceptance[] {
  const seen = new Set<string>();
  return acceptances.filter(({ id, at }) => {
    const size = seen.size;
    return seen.add(`${id} ${at}`).size > size;
  });
}
