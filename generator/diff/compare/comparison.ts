import type { Type } from "../../model/types.js";
import type { FoundChanges, Site } from "./change.js";
import type { ReaderPolicy } from "./outcomes.js";
import type { ReadingName } from "./readings.js";
import type { StructureMatcher } from "./same-structure.js";
import type { Side } from "./side.js";
import type { Variance } from "./variance.js";

/**
 * Searches for values that one version writes and the other rejects. `forward`: the old version
 * writes. `backward`: the new version writes.
 */
export interface Variances {
  readonly forward: Variance;
  readonly backward: Variance;
}

/** The state of a comparison of two versions, for the functions that compare one kind of type. */
export interface Comparison {
  readonly before: Side;
  readonly after: Side;
  readonly structure: StructureMatcher;
  readonly reader: ReaderPolicy;
  /** Finds example values for the chosen kind of reader. */
  readonly byReaders: Variances;
  /** Returns the search for a kind of reader. Its results determine the kind of a change. */
  by(reading: ReadingName): Variances;
  /**
   * The union of some types. Returns the same object for the same types, because facts are cached
   * by object identity.
   */
  unionOf(members: readonly Type[]): Type;
  /** Compares two types, and adds the differences to `found`. */
  compare(found: FoundChanges, before: Type, after: Type, site: Site): void;
  /**
   * Compares two types like `compare`, but each pair only once. Later calls for the same pair
   * return the first result.
   */
  compareOnce(before: object, after: object, compare: (found: FoundChanges) => void): FoundChanges;
}
