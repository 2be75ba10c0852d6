import type { Json, Type } from "../../model/types.js";
import { FoundChanges, type Site } from "./change.js";
import { compareKinds } from "./compare-kinds.js";
import type { Comparison, Variances } from "./comparison.js";
import { Effort } from "./effort.js";
import { StructureMatcher } from "./same-structure.js";
import type { Side } from "./side.js";
import { reportTypes, typeRules } from "./type-changes.js";
import { TypePairs } from "./type-pairs.js";
import { Variance } from "./variance.js";

export interface ComparisonOptions {
  /** Readers reject what their schema does not name. Default: false. */
  readonly closed?: boolean;
  /** What the comparison may cost. */
  readonly effort?: Effort;
}

/** Compares types of two versions. */
export class TypeComparison implements Comparison {
  readonly before: Side;
  readonly after: Side;
  readonly structure: StructureMatcher;
  readonly byReaders: Variances;
  readonly bySchema: Variances;
  readonly #effort: Effort;
  /** Pairs that are being compared. Inline types, too, can lead back to themselves. */
  readonly #open = new TypePairs<true>();
  readonly #withoutNulls = new Map<Type, Type>();
  /** What `compareOnce` found. */
  readonly #known = new Map<object, Map<object, FoundChanges>>();

  constructor(
    before: Side,
    after: Side,
    { closed = false, effort = new Effort() }: ComparisonOptions = {},
  ) {
    const variances = (isClosed: boolean): Variances => ({
      forward: new Variance(before, after, isClosed, effort),
      backward: new Variance(after, before, isClosed, effort),
    });
    this.before = before;
    this.after = after;
    this.#effort = effort;
    this.structure = new StructureMatcher(before, after, effort);
    this.bySchema = variances(false);
    this.byReaders = closed ? variances(true) : this.bySchema;
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

  compare(found: FoundChanges, before: Type, after: Type, site: Site): void {
    this.#effort.spend();
    if (before.kind === "reference" && after.kind === "reference") {
      if (this.#isSuccessor(before.name, after.name)) {
        found.link(before.name, after.name, site.steps);
        return;
      }
      if (this.structure.isSame(before, after)) return;
    }
    const [old, oldNull] = this.#withoutNull(this.before, before);
    const [now, newNull] = this.#withoutNull(this.after, after);
    if (oldNull !== newNull) {
      const rule = typeRules[newNull ? "type.null-added" : "type.null-removed"];
      const examples = newNull ? { newToOld: nothing } : { oldToNew: nothing };
      reportTypes(this, found, rule, site, before, after, examples);
    }
    const [oldTarget, newTarget] = [this.before.resolve(old), this.after.resolve(now)];
    if (this.#open.get(oldTarget, newTarget) === true) return;
    this.#open.set(oldTarget, newTarget, true);
    compareKinds(this, found, old, now, site);
    this.#open.delete(oldTarget, newTarget);
  }

  /** Whether a definition is the other one in its new version, perhaps under another name. */
  #isSuccessor(before: string, after: string): boolean {
    return (
      before === after ||
      (!this.after.definitions.has(before) && !this.before.definitions.has(after))
    );
  }

  #withoutNull(side: Side, type: Type): readonly [type: Type, hadNull: boolean] {
    const resolved = side.resolve(type);
    if (resolved.kind !== "union") return [type, false];
    const members = resolved.members.filter((member) => side.resolve(member).kind !== "null");
    if (members.length === resolved.members.length || members.length === 0) return [type, false];
    let rest = this.#withoutNulls.get(resolved);
    if (rest === undefined) {
      rest = members.length === 1 ? members[0]! : { kind: "union", members };
      this.#withoutNulls.set(resolved, rest);
    }
    return [rest, true];
  }
}

/** Null as the value that one version writes and the other does not read. */
function nothing(): Json {
  return null;
}
