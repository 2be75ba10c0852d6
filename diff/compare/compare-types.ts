import type { Type, UnionType } from "../../generator/model/types.js";
import { FoundChanges, type Site } from "./change.js";
import { reportConditions } from "./compare-conditions.js";
import { compareForms } from "./compare-kinds.js";
import type { Comparison, Variances } from "./comparison.js";
import { WorkBudget } from "./work-budget.js";
import type { ReaderPolicy } from "./outcomes.js";
import { readings, type ReadingName } from "./readings.js";
import { StructureMatcher } from "./same-structure.js";
import type { Resolved, Side } from "./side.js";
import { hasParts, TypePairs } from "./type-pairs.js";
import { reportTypes, typeRules } from "./type-changes.js";
import { Variance } from "./variance.js";

export interface ComparisonOptions {
  /** How readers treat unexpected values. Default: `tolerant`. */
  readonly reader?: ReaderPolicy;
  /** Limits the cost of the comparison. */
  readonly budget?: WorkBudget;
}

export class TypeComparison implements Comparison {
  readonly before: Side;
  readonly after: Side;
  readonly structure: StructureMatcher;
  readonly reader: ReaderPolicy;
  readonly byReaders: Variances;
  readonly #budget: WorkBudget;
  readonly #variances = new Map<ReadingName, Variances>();
  /**
   * The pairs of types that are currently being compared. A nested occurrence of such a pair is
   * skipped, so that recursive inline types do not lead to infinite recursion.
   */
  readonly #open = new TypePairs<true>();
  /**
   * Number of enclosing pairs in which the new definition replaces the old one instead of being its
   * next version.
   */
  #replaced = 0;
  readonly #unions = new Map<Type, UnionType[]>();
  /** Results of `compareOnce`. */
  readonly #known = new Map<object, Map<object, FoundChanges>>();

  constructor(
    before: Side,
    after: Side,
    { reader = "tolerant", budget = new WorkBudget() }: ComparisonOptions = {},
  ) {
    this.before = before;
    this.after = after;
    this.#budget = budget;
    this.structure = new StructureMatcher(before, after, budget);
    this.byReaders = this.by(reader === "strict" ? "strict" : "schema");
    this.reader = reader;
  }

  by(reading: ReadingName): Variances {
    let variances = this.#variances.get(reading);
    if (variances === undefined) {
      const { before, after } = this;
      variances = {
        forward: new Variance(before, after, readings[reading], this.#budget),
        backward: new Variance(after, before, readings[reading], this.#budget),
      };
      this.#variances.set(reading, variances);
    }
    return variances;
  }

  compareOnce(before: object, after: object, compare: (found: FoundChanges) => void): FoundChanges {
    let known = this.#known.get(before);
    if (known === undefined) this.#known.set(before, (known = new Map()));
    let found = known.get(after);
    if (found === undefined) {
      found = new FoundChanges();
      compare(found);
      known.set(after, found);
    }
    return found;
  }

  unionOf(members: readonly Type[]): Type {
    const [first] = members;
    if (first === undefined || members.length === 1) return first ?? { kind: "union", members };
    let known = this.#unions.get(first);
    if (known === undefined) this.#unions.set(first, (known = []));
    let union = known.find(
      (each) =>
        each.members.length === members.length &&
        each.members.every((member, index) => member === members[index]),
    );
    if (union === undefined) known.push((union = { kind: "union", members }));
    return union;
  }

  compare(found: FoundChanges, before: Type, after: Type, site: Site): void {
    this.#budget.spend();
    const areNamed = before.kind === "reference" && after.kind === "reference";
    if (areNamed) {
      const isLinked = this.#isSuccessor(before.name, after.name) || this.#replaced > 0;
      // Conditions that appear next to a reference are not part of the definition it refers to.
      if (isLinked) reportConditions(found, [before], [after], site);
      // Inside a replaced definition, link pairs of definitions instead of comparing them here, so
      // that each pair is compared only once.
      if (isLinked) {
        if (!this.structure.isSame(before, after) || this.#isSuccessor(before.name, after.name))
          found.link(before.name, after.name, site.steps);
        return;
      }
      if (this.structure.isSame(before, after)) return;
      if (this.#areUnrelated(before.name, after.name)) {
        reportTypes(this, found, typeRules["type.changed"], site, before, after);
        return;
      }
    }
    const [old, now] = [this.before.resolve(before), this.after.resolve(after)];
    if (isSamePlain(old, now) || this.#open.get(old, now) === true) return;
    this.#open.set(old, now, true);
    if (areNamed) this.#replaced++;
    compareForms(this, found, before, after, site);
    if (areNamed) this.#replaced--;
    this.#open.delete(old, now);
  }

  /**
   * Returns whether a reference now leads to a definition that has nothing in common with the
   * previous one: both versions have both definitions, the two share no property, and each has
   * required properties.
   */
  #areUnrelated(before: string, after: string): boolean {
    const areKept = this.after.definitions.has(before) && this.before.definitions.has(after);
    const old = this.before.resolve({ kind: "reference", name: before });
    const now = this.after.resolve({ kind: "reference", name: after });
    if (!areKept || old.kind !== "object" || now.kind !== "object") return false;
    const [had, has] = [this.before.propertiesOf(old), this.after.propertiesOf(now)];
    const names = new Set(had.map(({ name }) => name));
    return (
      had.some(({ required }) => required) &&
      has.some(({ required }) => required) &&
      !has.some(({ name }) => names.has(name))
    );
  }

  /**
   * Returns whether the new definition is the next version of the old one, possibly under a
   * different name.
   */
  #isSuccessor(before: string, after: string): boolean {
    return (
      before === after ||
      (!this.after.definitions.has(before) && !this.before.definitions.has(after))
    );
  }
}

/**
 * Quickly checks whether two types without parts are equal, which is by far the most common case.
 */
function isSamePlain(old: Resolved, now: Resolved): boolean {
  if (hasParts(old) || old.kind !== now.kind || old.kind === "enum") return false;
  const names = Object.keys(old) as (keyof Resolved)[];
  return names.length === Object.keys(now).length && names.every((name) => old[name] === now[name]);
}
