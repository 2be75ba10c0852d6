import type { ProtocolDiff } from "./finding.js";

export const bumps = ["none", "patch", "minor", "major"] as const;
export type Bump = (typeof bumps)[number];

/** Which new version number a package generated from the schema needs (semver.org). */
export interface BumpAdvice {
  /** What the changes to messages require. */
  readonly wire: Bump;
  /** What the changes to TypeScript code that uses the package require. */
  readonly source: Bump;
  readonly needed: Bump;
  /** The step between the two versions, where both are version numbers. */
  readonly claimed?: Bump;
  /** Whether the claimed step is large enough. */
  readonly suffices?: boolean;
}

/** Works out which version step the changes require. */
export function adviseBump(diff: ProtocolDiff, claimedVersion = diff.after): BumpAdvice {
  const wire = largest(
    diff.findings.map((finding) => {
      const verdicts = Object.values(finding.wire);
      if (verdicts.includes("rejected")) return "major";
      return finding.level === "doc" ? "patch" : "minor";
    }),
  );
  const renamed = diff.notes.some(({ id }) => id === "definition.renamed");
  const source = largest([
    ...(renamed ? (["major"] as const) : []),
    ...diff.findings.map((finding) => {
      const verdicts = Object.values(finding.source);
      if (verdicts.some(({ compiles }) => !compiles)) return "major";
      return finding.level === "doc" ? "patch" : "minor";
    }),
  ]);
  const needed = largest([wire, source]);
  const claimed = stepBetween(diff.before, claimedVersion);
  return {
    wire,
    source,
    needed,
    ...(claimed === undefined
      ? {}
      : { claimed, suffices: bumps.indexOf(claimed) >= bumps.indexOf(needed) }),
  };
}

function largest(given: readonly Bump[]): Bump {
  return bumps.findLast((bump) => given.includes(bump)) ?? "none";
}

const versionNumber = /(?:^|@)v?(\d+)\.(\d+)\.(\d+)/;

export function isVersionNumber(text: string): boolean {
  return versionNumber.test(text);
}

function stepBetween(before: string, after: string): Bump | undefined {
  const [old, now] = [before, after].map((text) => versionNumber.exec(text)?.slice(1).map(Number));
  if (old === undefined || now === undefined) return undefined;
  const index = now.findIndex((part, place) => part !== old[place]);
  if (index < 0) return "none";
  return (["major", "minor", "patch"] as const)[index];
}
