import { InputError } from "../generator/base/input-error.js";
import type { ProtocolDiff } from "./finding.js";

export const bumps = ["none", "patch", "minor", "major"] as const;
/** The part of a version number to increase. */
export type Bump = (typeof bumps)[number];

/**
 * Advice on the version step that a package generated from the schema requires under semantic
 * versioning (semver.org).
 */
export interface BumpAdvice {
  /** The version step required by the effects on messages. */
  readonly wire: Bump;
  /** The version step required by the effects on users' TypeScript code. */
  readonly source: Bump;
  readonly needed: Bump;
  /**
   * The claimed step: the one that the caller passed or, by default, the step between the two
   * versions. Absent if a version number is missing.
   */
  readonly claimed?: Bump;
  /** Whether the claimed step is large enough. */
  readonly suffices?: boolean;
}

/** Determines which version step (major, minor or patch) the changes require. */
export function adviseBump(diff: ProtocolDiff, claim?: string): BumpAdvice {
  if (claim !== undefined && faultOfClaim(diff.before, claim) === "no-number")
    checkClaim(claim, diff, true);
  const wire = largest(
    diff.findings.map((finding) => {
      const verdicts = Object.values(finding.wire);
      if (verdicts.includes("rejected")) return "major";
      return finding.severity === "doc" ? "patch" : "minor";
    }),
  );
  const renamed = diff.notes.some(({ rule }) => rule === "definition.renamed");
  const source = largest([
    ...(renamed ? (["major"] as const) : []),
    ...diff.findings.map((finding) => {
      const verdicts = Object.values(finding.source);
      if (verdicts.some(({ compiles }) => !compiles)) return "major";
      return finding.severity === "doc" ? "patch" : "minor";
    }),
  ]);
  const needed = largest([wire, source]);
  const claimed = claimedStep(diff.before, claim ?? diff.after);
  return {
    wire,
    source,
    needed,
    claimed,
    suffices: claimed && bumps.indexOf(claimed) >= bumps.indexOf(needed),
  };
}

function largest(given: readonly Bump[]): Bump {
  return bumps.findLast((bump) => given.includes(bump)) ?? "none";
}

/** Matches a version number, alone or at the end of a package name. */
const versionNumber = /(?:^|@)v?(\d+)\.(\d+)\.(\d+)(?=$|[-+])/;

/**
 * Why a claim cannot be judged.
 *
 * - `no-number`: the claim contains no version number
 * - `no-old-number`: the old version has no version number
 * - `backwards`: the claimed version is not later than the old one
 */
type ClaimFault = "no-number" | "no-old-number" | "backwards";

/** Returns the reason why `adviseBump` cannot judge a claim, or undefined if it can. */
export function faultOfClaim(before: string, claim: string): ClaimFault | undefined {
  if (isBump(claim)) return undefined;
  const [from, to] = endsOf(before, claim);
  if (numbersOf(to) === undefined) return "no-number";
  if (numbersOf(from) === undefined) return claim.includes("..") ? "no-number" : "no-old-number";
  return isLater(from, to) ? undefined : "backwards";
}

/**
 * Throws if a claim cannot be judged.
 *
 * @param isGiven Whether the claim came from the user.
 * @throws InputError `ERR_ARGUMENT`.
 */
export function checkClaim(claim: string, { before }: ProtocolDiff, isGiven: boolean): void {
  const fault = faultOfClaim(before, claim);
  if (fault === undefined || (fault === "backwards" && !isGiven)) return;
  const messages = {
    "no-number": isGiven
      ? `Cannot use the claimed step "${claim}"`
      : `Cannot check the step to "${claim}": it is not a version number`,
    "no-old-number": `Cannot check the step to ${claim}: the old version, "${before}", has no version number`,
    backwards: `Cannot use the claimed step "${claim}": it is not later than the old version`,
  };
  throw new InputError(
    "ERR_ARGUMENT",
    messages[fault],
    {},
    isGiven && fault !== "no-old-number"
      ? "Give a version such as 1.72.0, two versions such as 1.71.0..1.72.0, or major, minor or patch"
      : "Give both versions, such as 1.71.0..1.72.0, or the name of the step, such as minor",
  );
}

function claimedStep(before: string, claim: string): Bump | undefined {
  return isBump(claim) ? claim : stepBetween(...endsOf(before, claim));
}

function isBump(text: string): text is Bump {
  return bumps.some((each) => each === text);
}

function endsOf(before: string, claim: string): readonly [from: string, to: string] {
  const [from = "", to] = claim.split("..");
  return to === undefined ? [before, claim] : [from, to];
}

function numbersOf(text: string): readonly number[] | undefined {
  return versionNumber.exec(text)?.slice(1).map(Number);
}

function stepBetween(before: string, after: string): Bump | undefined {
  const [beforeNumbers, afterNumbers] = [numbersOf(before), numbersOf(after)];
  if (beforeNumbers === undefined || afterNumbers === undefined) return undefined;
  const index = afterNumbers.findIndex((part, index) => part !== beforeNumbers[index]);
  if (index < 0) return "none";
  const steps: readonly Bump[] =
    beforeNumbers[0] === 0 ? ["major", "major", "minor"] : ["major", "minor", "patch"];
  return steps[index];
}

function isLater(before: string, after: string): boolean {
  const [beforeNumbers = [], afterNumbers = []] = [numbersOf(before), numbersOf(after)];
  const index = afterNumbers.findIndex((part, place) => part !== beforeNumbers[place]);
  return index < 0 || afterNumbers[index]! > beforeNumbers[index]!;
}
