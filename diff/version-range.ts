import { compareNames, type ReusedName, type Since } from "../generator/model/first-versions.js";
import type { Protocol } from "../generator/model/protocol.js";
import { diffProtocols } from "./diff-protocols.js";
import {
  type DiffOptions,
  diffSeverities,
  type DiffSeverity,
  type ProtocolDiff,
} from "./finding.js";

/**
 * A comparison of every pair of versions in a range. Comparing only neighbours would not be enough,
 * because several harmless steps can add up to a breaking one.
 */
export interface RangeComparison {
  readonly protocol: string;
  readonly versions: readonly string[];
  /** The comparisons of each version with each later version. */
  readonly pairs: readonly RangePair[];
  /** Names that were removed and later reintroduced with a different meaning. */
  readonly reused: readonly ReusedName[];
  /** The version that introduced each message, property and enum value. */
  readonly since: readonly Since[];
}

/** Two versions in a range, and how severe the differences between them are. */
export interface RangePair {
  readonly before: string;
  readonly after: string;
  readonly worst: DiffSeverity | "none";
  readonly counts: Readonly<Record<DiffSeverity, number>>;
  /** Whether the differences are worse than those in any single step between the two versions. */
  readonly worseThanSteps: boolean;
}

/** Options for comparing several versions. */
export interface RangeOptions extends DiffOptions {
  /**
   * Called after each pair, with the number of pairs compared so far and the total number of pairs.
   */
  readonly onProgress?: (done: number, all: number) => void;
  /** Selects which findings of a pair to count. Default: all of them. */
  readonly select?: (diff: ProtocolDiff) => ProtocolDiff;
}

/** Compares each version with each later one. */
export function compareVersions(
  protocols: readonly Protocol[],
  options: RangeOptions = {},
): RangeComparison {
  const { onProgress, select = (diff) => diff, ...diffOptions } = options;
  const pairs: RangePair[] = [];
  const all = (protocols.length * (protocols.length - 1)) / 2;
  protocols.forEach((before, index) => {
    for (const after of protocols.slice(index + 1)) {
      const { findings } = select(diffProtocols(before, after, diffOptions));
      const count = (severity: DiffSeverity): number =>
        findings.filter((finding) => finding.severity === severity).length;
      const counts = Object.fromEntries(
        diffSeverities.map((severity) => [severity, count(severity)]),
      ) as Record<DiffSeverity, number>;
      const worst = diffSeverities.find((severity) => counts[severity] > 0) ?? "none";
      pairs.push({
        before: before.version,
        after: after.version,
        worst,
        counts,
        worseThanSteps: false,
      });
      onProgress?.(pairs.length, all);
    }
  });
  const versions = protocols.map(({ version }) => version);
  return {
    protocol: protocols[0]?.name ?? "",
    versions,
    pairs: pairs.map((pair) => ({
      ...pair,
      worseThanSteps: isWorseThanSteps(pair, pairs, versions),
    })),
    ...compareNames(protocols),
  };
}

/**
 * Returns whether the differences between a pair are worse than those in any of the steps between
 * them. This can happen because a later step may reintroduce a removed name with a different
 * meaning.
 */
function isWorseThanSteps(
  pair: RangePair,
  pairs: readonly RangePair[],
  versions: readonly string[],
): boolean {
  const [first, last] = [versions.indexOf(pair.before), versions.indexOf(pair.after)];
  const rank = ({ worst }: RangePair): number =>
    worst === "none" ? diffSeverities.length : diffSeverities.indexOf(worst);
  const steps = pairs.filter(({ before, after }) => {
    const place = versions.indexOf(before);
    return place >= first && place < last && versions[place + 1] === after;
  });
  return steps.every((step) => rank(step) > rank(pair));
}
