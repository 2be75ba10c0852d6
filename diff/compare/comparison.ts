import type { Type, UnionType } from "../../generator/model/types.js";
import { readings, type ReadingName } from "./accepted-values.js";
import { FoundChanges, type Site } from "./change.js";
import type { Direction, ReaderPolicy } from "./outcomes.js";
import type { Side } from "./side.js";
import { StructureMatcher } from "./structure.js";
import { Variance } from "./variance.js";
import { WorkBudget } from "./work-budget.js";

/** Searches for values that one version writes but the other rejects. */
type Variances = Readonly<Record<Direction, Variance>>;

interface ComparisonOptions {
  /** How readers treat unexpected values. Default: `tolerant`. */
  readonly reader?: ReaderPolicy;
  /** Limits the cost of the comparison. */
  readonly budget?: WorkBudget;
}

/**
 * The state of a comparison of two versions, shared by the functions that each compare one kind of
 * type.
 */
export abstract class Comparison {
  readonly before: Side;
  readonly after: Side;
  readonly structure: StructureMatcher;
  readonly reader: ReaderPolicy;
  /** Finds example values for the kind of reader that the user chose. */
  readonly byReaders: Variances;
  protected readonly budget: WorkBudget;
  readonly #variances = new Map<ReadingName, Variances>();
  readonly #unions = new Map<Type, UnionType[]>();
  /** Results of `compareOnce`. */
  readonly #comparedOnce = new Map<object, Map<object, FoundChanges>>();

  constructor(
    before: Side,
    after: Side,
    { reader = "tolerant", budget = new WorkBudget() }: ComparisonOptions = {},
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

  /**
   * Calls `compare` only once for each pair. Later calls for the same pair return the result of the
   * first.
   */
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

  /** Compares two types and adds the differences to `found`. */
  abstract compare(found: FoundChanges, before: Type, after: Type, site: Site): void;
}
