import type { Fact, Protocol } from "../generator/model/protocol.js";

/** A fact that cannot be compared, because at least one version does not state it. */
export interface UncomparedFact {
  readonly fact: Fact;
  readonly unstatedBy: "before" | "after" | "both";
}

/**
 * The names used for the facts in reports. Discriminators are not reported, because messages can be
 * distinguished without them.
 */
const names: Readonly<Record<Exclude<Fact, "discriminators">, string>> = {
  docs: "descriptions",
  deprecation: "deprecations",
  ranges: "ranges and formats",
  integers: "whole numbers",
  extras: "closed objects",
  "open-values": "values of open lists",
  gates: "required capabilities",
};

/**
 * Returns the facts that cannot be compared. Descriptions and deprecations are left out if neither
 * version states them.
 */
export function uncomparedFacts(before: Protocol, after: Protocol): readonly UncomparedFact[] {
  const [old, now] = [new Set(before.unstated), new Set(after.unstated)];
  return (Object.keys(names) as (keyof typeof names)[]).flatMap((fact): UncomparedFact[] => {
    const [byOld, byNew] = [old.has(fact), now.has(fact)];
    if (byOld && byNew)
      return fact === "docs" || fact === "deprecation" ? [] : [{ fact, unstatedBy: "both" }];
    if (!byOld && !byNew) return [];
    return [{ fact, unstatedBy: byOld ? "before" : "after" }];
  });
}

/**
 * Returns up to three sentences: one each for the facts missing from the old version, from the new
 * version, and from both.
 */
export function uncomparedTexts({
  uncompared,
  before,
  after,
}: {
  readonly uncompared: readonly UncomparedFact[];
  readonly before: string;
  readonly after: string;
}): readonly string[] {
  const ends = {
    before: `${before} does not state`,
    after: `${after} does not state`,
    both: "neither version states",
  };
  return (["before", "after", "both"] as const).flatMap((side) => {
    const own = uncompared.filter(({ unstatedBy }) => unstatedBy === side);
    if (own.length === 0) return [];
    const listed = own.map(({ fact }) => names[fact as keyof typeof names]);
    return [`Not compared: ${listed.join(", ")}, which ${ends[side]}.`];
  });
}
