import type { Type } from "../../model/types.js";
import type { FoundChanges, Site } from "./change.js";
import type { ReaderPolicy } from "./outcomes.js";
import type { ReadingName } from "./readings.js";
import type { StructureMatcher } from "./same-structure.js";
import type { Side } from "./side.js";
import type { Variance } from "./variance.js";

/** Values that one version writes and the other rejects: old to new, and new to old. */
export interface Variances {
  readonly forward: Variance;
  readonly backward: Variance;
}

/** A comparison of two versions, for the functions that compare one kind of type. */
export interface Comparison {
  readonly before: Side;
  readonly after: Side;
  readonly structure: StructureMatcher;
  readonly reader: ReaderPolicy;
  /** By kinds of readers, for examples. */
  readonly byReaders: Variances;
  /** By one reader, for the kind of a change. */
  by(reading: ReadingName): Variances;
  /**
   * A union of types. Returns the same object for the same types, because facts are cached by
   * identity.
   */
  unionOf(members: readonly Type[]): Type;
  /** Compares two types, and adds the differences to `found`. */
  compare(found: FoundChanges, before: Type, after: Type, site: Site): void;
  /** Each pair is compared once; later calls get the same result. */
  compareOnce(before: object, after: object, compare: (found: FoundChanges) => void): FoundChanges;
}
