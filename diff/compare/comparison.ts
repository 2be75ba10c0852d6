import type { Type, UnionType } from "../../generator/model/types.js";
import { readings, type ReadingName } from "./accepted-values.js";
import { FoundChanges } from "./change.js";
import type { Direction, ReaderPolicy } from "./outcomes.js";
import type { Side, Versions } from "./side.js";
import { StructureMatcher, TypePairs } from "./structure.js";
import { Variance } from "./variance.js";
import { WorkBudget } from "./work-budget.js";

/** Searches for values that one version writes but the other rejects. */
type Variances = Readonly<Record<Direction, Variance>>;

/** The state of a comparison of two versions. */
export class Comparison implements Versions {
  readonly before: Side;
  readonly after: Side;
  readonly structure: StructureMatcher;
  readonly reader: ReaderPolicy;
  /** Finds example values for the kind of reader that the user chose. */
  readonly byReaders: Variances;
  readonly budget: WorkBudget;
  /**
   * The pairs of types that are currently being compared. A nested occurrence of such a pair is
   * skipped, so that recursive inline types do not lead to infinite recursion.
   */
  readonly open = new TypePairs<true>();
  /**
   * Number of enclosing pairs in which the new definition replaces the old one instead of being its
   * next version.
   */
  replaced = 0;
  readonly #variances = new Map<ReadingName, Variances>();
  readonly #unions = new Map<Type, UnionType[]>();
  readonly #comparedOnce = new Map<object, Map<object, FoundChanges>>();

  /** @param budget Limits the cost of the comparison. */
  constructor(
    before: Side,
    after: Side,
    reader: ReaderPolicy = "tolerant",
    budget = new WorkBudget(),
  ) {
    this.before = before;
    this.after = after;
    this.budget = budget;
    this.structure = new StructureMatcher(before, after, budget);
    this.byReaders = this.by(reader === "strict" ? "strict" : "schema");
    this.reader = reader;
  }

  /**
   * Returns the searches for a given kind of reader. Their results determine which kind of change
   * is reported.
   */
  by(reading: ReadingName): Variances {
    let variances = this.#variances.get(reading);
    if (variances === undefined) {
      const { before, after } = this;
      variances = {
        oldToNew: new Variance(before, after, readings[reading], this.budget),
        newToOld: new Variance(after, before, readings[reading], this.budget),
      };
      this.#variances.set(reading, variances);
    }
    return variances;
  }

  /** Calls `compare` only for a pair's first call. Later calls return the result of the first. */
  compareOnce(before: object, after: object, compare: (found: FoundChanges) => void): FoundChanges {
    let byAfter = this.#comparedOnce.get(before);
    if (byAfter === undefined) this.#comparedOnce.set(before, (byAfter = new Map()));
    let found = byAfter.get(after);
    if (found === undefined) {
      found = new FoundChanges();
      compare(found);
      byAfter.set(after, found);
    }
    return found;
  }

  /**
   * Returns the union of several types. Always returns the same object for the same types, because
   * facts are cached by object identity.
   */
  unionOf(members: readonly Type[]): Type {
    const [first] = members;
    if (first === undefined || members.length === 1) return first ?? { kind: "union", members };
    let unions = this.#unions.get(first);
    if (unions === undefined) this.#unions.set(first, (unions = []));
    let union = unions.find(
      (each) =>
        each.members.length === members.length &&
        each.members.every((member, index) => member === members[index]),
    );
    if (union === undefined) unions.push((union = { kind: "union", members }));
    return union;
  }
}
