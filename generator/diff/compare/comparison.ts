import type { Json, Type } from "../../model/types.js";
import type { ChangeDetails, Site } from "./change.js";
import type { DiffRuleId } from "./rules.js";
import type { StructureMatcher } from "./same-structure.js";
import type { Side } from "./side.js";
import type { Variance } from "./variance.js";

/** A comparison of two versions, as those see it that compare one kind of type. */
export interface Comparison {
  readonly before: Side;
  readonly after: Side;
  readonly structure: StructureMatcher;
  /** What the old version writes and the new one does not read, and the reverse: for examples. */
  readonly forward: Variance;
  readonly backward: Variance;
  report(site: Site, id: DiffRuleId, details?: ChangeDetails): void;
  reportTypes(
    site: Site,
    id: DiffRuleId,
    before: Type,
    after: Type,
    oldToNew?: { readonly value?: Json },
    newToOld?: { readonly value?: Json },
  ): void;
  compare(before: Type, after: Type, site: Site): void;
  /** Hands on what a comparison of these two finds; at the second time, what it found at the first. */
  compareOnce(before: object, after: object, compare: () => void): void;
  /** What has no elementary change of its own is wider, narrower or something else. */
  compareByVariance(site: Site, before: Type, after: Type): void;
}
