import { oncePer, oncePerText } from "../../generator/model/once.js";
import type { Type, UnionType } from "../../generator/model/types.js";
import { readings, type ReadingName } from "./accepted-values.js";
import { FoundChanges, type ChangeDetails, type Site, type Step } from "./change.js";
import type { Direction, ReaderPolicy } from "./outcomes.js";
import type { DiffRule } from "./rule-family.js";
import type { Side, Versions } from "./side.js";
import type { Resolved } from "./type-form.js";
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
  /** The unions that have been built so far, by their first member. */
  readonly #unionsFrom = oncePer((_first: Type): UnionType[] => []);
  readonly #comparedOnce = new TypePairs<FoundChanges>();

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

  /** Follows the references of a type in each version. */
  resolve(before: Type, after: Type): readonly [Resolved, Resolved] {
    return [this.before.resolve(before), this.after.resolve(after)];
  }

  /**
   * Returns the searches for a given kind of reader. Their results determine which kind of change
   * is reported.
   */
  readonly by: (reading: ReadingName) => Variances = oncePerText((reading) => ({
    oldToNew: new Variance(this.before, this.after, readings[reading as ReadingName], this.budget),
    newToOld: new Variance(this.after, this.before, readings[reading as ReadingName], this.budget),
  }));

  /** Calls `compare` only for a pair's first call. Later calls return the result of the first. */
  compareOnce(before: object, after: object, compare: (found: FoundChanges) => void): FoundChanges {
    let found = this.#comparedOnce.get(before, after);
    if (found === undefined) {
      found = new FoundChanges();
      compare(found);
      this.#comparedOnce.set(before, after, found);
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
    const unions = this.#unionsFrom(first);
    let union = unions.find(
      (each) =>
        each.members.length === members.length &&
        each.members.every((member, index) => member === members[index]),
    );
    if (union === undefined) unions.push((union = { kind: "union", members }));
    return union;
  }
}

/** Both versions, a location at which their types are compared, and the changes found there. */
export class Scope {
  readonly types: Comparison;
  readonly site: Site;
  readonly found: FoundChanges;

  constructor(types: Comparison, site: Site, found = new FoundChanges()) {
    this.types = types;
    this.site = site;
    this.found = found;
  }

  /** Reports a change at this location. */
  report(rule: DiffRule, details: ChangeDetails): void {
    this.found.changes.push({ rule, site: this.site, ...details });
  }

  /** Returns a scope that differs in parts of its location. */
  at(site: Partial<Site>): Scope {
    return new Scope(this.types, { ...this.site, ...site }, this.found);
  }

  /** Returns the scope of a part, or of an alternative if the label is empty. */
  below(label: string, step: Step): Scope {
    const { site } = this;
    return this.at({ label: `${site.label}${label}`, steps: [...site.steps, step] });
  }

  into(found: FoundChanges): Scope {
    return new Scope(this.types, this.site, found);
  }
}
