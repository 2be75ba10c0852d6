import type { Type } from "../../generator/model/types.js";
import type { FoundChanges, Site } from "./change.js";
import type { ReaderPolicy } from "./outcomes.js";
import type { ReadingName } from "./readings.js";
import type { StructureMatcher } from "./same-structure.js";
import type { Side } from "./side.js";
import type { Variance } from "./variance.js";

/**
 * Searches for values that one version writes but the other rejects. `forward`: the old version
 * writes. `backward`: the new version writes.
 */
export interface Variances {
  readonly forward: Variance;
  readonly backward: Variance;
}

/**
 * The state of a comparison of two versions, shared by the functions that each compare one kind of
 * type.
 */
export interface Comparison {
  readonly before: Side;
  readonly after: Side;
  readonly structure: StructureMatcher;
  readonly reader: ReaderPolicy;
  /** Finds example values for the kind of reader that the user chose. */
  readonly byReaders: Variances;
  /**
   * Returns the searches for a given kind of reader. Their results determine which kind of change
   * is reported.
   */
  by(reading: ReadingName): Variances;
  /**
   * Returns the union of several types. Always returns the same object for the same types, because
   * facts are cached by object identity.
   */
  unionOf(members: readonly Type[]): Type;
  /** Compares two types and adds the differences to `found`. */
  compare(found: FoundChanges, before: Type, after: Type, site: Site): void;
  /**
   * Calls `compare` only once for each pair. Later calls for the same pair return the result of the
   * first.
   */
  compareOnce(before: object, after: object, compare: (found: FoundChanges) => void): FoundChanges;
}
