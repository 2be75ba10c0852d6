import type {
  EnumType,
  Json,
  LiteralType,
  NumericType,
  StringType,
  Type,
} from "../../model/types.js";
import {
  below,
  lastName,
  type Change,
  type ChangeDetails,
  type Site,
  type Step,
} from "./change.js";
import { compareEnums } from "./compare-enums.js";
import { compareObjects } from "./compare-objects.js";
import { compareUnions } from "./compare-unions.js";
import type { Comparison } from "./comparison.js";
import { Effort } from "./effort.js";
import type { DiffRuleId } from "./rules.js";
import { StructureMatcher } from "./same-structure.js";
import type { Side } from "./side.js";
import { TypePairs } from "./type-pairs.js";
import { typeText } from "./type-text.js";
import { Variance } from "./variance.js";

/** Compares types of two versions, and hands each elementary change on. */
export class TypeComparison implements Comparison {
  readonly before: Side;
  readonly after: Side;
  readonly structure: StructureMatcher;
  readonly forward: Variance;
  readonly backward: Variance;
  /** The same by the schema, whatever readers are like: for the kind of a change. */
  readonly #forward: Variance;
  readonly #backward: Variance;
  #report: (change: Change) => void;
  /** Pairs that are being compared. Types that stand in place can lead back to themselves past any definition. */
  readonly #open = new TypePairs<true>();
  readonly #effort: Effort;
  readonly #withoutNulls = new Map<Type, Type>();
  readonly #inherited = new Map<object, Map<object, readonly (() => void)[]>>();
  #refer: (before: string, after: string, steps: readonly Step[]) => void;

  /**
   * @param refer Is told of each pair of definitions that stand at the same place.
   * @param closed Whether readers reject what their schema does not name.
   * @param effort What the comparison may cost.
   */
  constructor(
    before: Side,
    after: Side,
    report: (change: Change) => void,
    refer: (before: string, after: string, steps: readonly Step[]) => void,
    closed = false,
    effort = new Effort(),
  ) {
    this.before = before;
    this.after = after;
    this.#effort = effort;
    this.structure = new StructureMatcher(before, after, effort);
    this.#forward = new Variance(before, after, false, effort);
    this.#backward = new Variance(after, before, false, effort);
    this.forward = closed ? new Variance(before, after, true, effort) : this.#forward;
    this.backward = closed ? new Variance(after, before, true, effort) : this.#backward;
    this.#report = report;
    this.#refer = refer;
  }

  report(site: Site, id: DiffRuleId, details: ChangeDetails = {}): void {
    this.#report({ id, site, ...details });
  }

  compareOnce(before: object, after: object, compare: () => void): void {
    let known = this.#inherited.get(before);
    if (known === undefined) this.#inherited.set(before, (known = new Map()));
    let found = known.get(after);
    if (found === undefined) {
      const calls: (() => void)[] = [];
      const [report, refer] = [this.#report, this.#refer];
      this.#report = (change) => void calls.push(() => report(change));
      this.#refer = (...pair) => void calls.push(() => refer(...pair));
      compare();
      [this.#report, this.#refer] = [report, refer];
      known.set(after, (found = calls));
    }
    for (const call of found) call();
  }

  compare(before: Type, after: Type, site: Site): void {
    this.#effort.spend();
    if (before.kind === "reference" && after.kind === "reference") {
      if (this.#isSuccessor(before.name, after.name)) {
        this.#refer(before.name, after.name, site.steps);
        return;
      }
      if (this.structure.isSame(before, after)) return;
    }
    const [old, oldNull] = this.#withoutNull(this.before, before);
    const [now, newNull] = this.#withoutNull(this.after, after);
    if (oldNull !== newNull) {
      const id = newNull ? "type.null-added" : "type.null-removed";
      this.reportTypes(site, id, before, after, newNull ? {} : nothing, newNull ? nothing : {});
    }
    const [one, other] = [this.before.resolve(old), this.after.resolve(now)];
    if (this.#open.get(one, other) === true) return;
    this.#open.set(one, other, true);
    this.#compareKinds(old, now, site);
    this.#open.delete(one, other);
  }

  /** Whether a definition is the other one in its new version, perhaps under another name. */
  #isSuccessor(before: string, after: string): boolean {
    return (
      before === after ||
      (!this.after.definitions.has(before) && !this.before.definitions.has(after))
    );
  }

  #compareKinds(before: Type, after: Type, site: Site): void {
    const old = this.before.resolve(before);
    const now = this.after.resolve(after);
    const oldList = listedValues(old);
    const newList = listedValues(now);
    if (old.kind === "union" || now.kind === "union") compareUnions(this, before, after, site);
    else if (old.kind === "object" && now.kind === "object") compareObjects(this, old, now, site);
    else if (old.kind === "array" && now.kind === "array") {
      this.#compareBounds(
        site,
        old,
        now,
        [old.minItems, now.minItems],
        [old.maxItems, now.maxItems],
      );
      this.compare(old.items, now.items, below(site, "[]", { kind: "items" }));
    } else if (old.kind === "map" && now.kind === "map")
      this.compare(old.values, now.values, below(site, "{}", { kind: "values" }));
    else if (old.kind === "string" && now.kind === "string") this.#compareStrings(site, old, now);
    else if (isNumeric(old) && isNumeric(now)) this.#compareNumbers(site, old, now);
    else if (old.kind === "literal" && now.kind === "literal") {
      if (old.value !== now.value) this.reportTypes(site, "type.literal-changed", old, now);
    } else if (oldList !== undefined && newList !== undefined && isSamePrimitive(oldList, newList))
      compareEnums(this, site, oldList, newList);
    else if (old.kind === "string" && isTextList(newList))
      this.reportTypes(site, newList.open ? "enum.introduced" : "enum.introduced-closed", old, now);
    else if (isTextList(oldList) && now.kind === "string")
      this.reportTypes(site, oldList.open ? "enum.dropped" : "enum.dropped-closed", old, now);
    else if (now.kind === "array" && this.structure.isSame(old, now.items))
      this.reportTypes(site, "type.array-wrapped", before, after);
    else if (old.kind === "array" && this.structure.isSame(old.items, now))
      this.reportTypes(site, "type.array-unwrapped", before, after);
    else this.compareByVariance(site, before, after);
  }

  compareByVariance(site: Site, before: Type, after: Type): void {
    const loses = this.#forward.counterexample(before, after) !== undefined;
    const gains = this.#backward.counterexample(after, before) !== undefined;
    if (loses || gains)
      this.reportTypes(
        site,
        loses && gains ? "type.changed" : gains ? "type.widened" : "type.narrowed",
        before,
        after,
      );
  }

  reportTypes(
    site: Site,
    id: DiffRuleId,
    before: Type,
    after: Type,
    oldToNew: { readonly value?: Json } = {},
    newToOld: { readonly value?: Json } = {},
  ): void {
    const [old, now] = [typeText(before), typeText(after)];
    this.report(site, id, {
      change: `${old} → ${now}`,
      old,
      new: now,
      decision: `${lastName(site)} ${old} → ${now}`,
      oldToNew: () =>
        "value" in oldToNew ? oldToNew.value : this.forward.counterexample(before, after),
      newToOld: () =>
        "value" in newToOld ? newToOld.value : this.backward.counterexample(after, before),
    });
  }

  #compareStrings(site: Site, old: StringType, now: StringType): void {
    const changed = this.#compareBounds(
      site,
      old,
      now,
      [old.minLength, now.minLength],
      [old.maxLength, now.maxLength],
    );
    if (!changed && old.format !== now.format)
      this.reportTypes(site, "constraint.format-changed", old, now);
  }

  #compareNumbers(site: Site, old: NumericType, now: NumericType): void {
    if (old.kind !== now.kind) {
      const [id, sameRange] =
        now.kind === "integer"
          ? (["type.number-to-int", { ...old, kind: "integer" }] as const)
          : (["type.int-to-number", { ...now, kind: "integer" }] as const);
      const fraction = (variance: Variance, type: NumericType): Json | undefined =>
        variance.counterexample(type, sameRange);
      this.report(site, id, {
        change: `${old.kind} → ${now.kind}`,
        old: old.kind,
        new: now.kind,
        decision: `${old.kind} → ${now.kind}`,
        oldToNew: () => fraction(this.forward, old),
        newToOld: () => fraction(this.backward, now),
      });
    }
    const changed = this.#compareBounds(
      site,
      { ...old, kind: now.kind },
      now,
      [old.minimum, now.minimum],
      [old.maximum, now.maximum],
    );
    if (!changed && old.format !== now.format && old.kind === now.kind)
      this.reportTypes(site, "constraint.format-changed", old, now);
  }

  /** Compares lower and upper ends. Returns whether any differs. */
  #compareBounds(
    site: Site,
    old: Type,
    now: Type,
    [oldLeast = -Infinity, newLeast = -Infinity]: Ends,
    [oldMost = Infinity, newMost = Infinity]: Ends,
  ): boolean {
    const tightened = newLeast > oldLeast || newMost < oldMost;
    const loosened = newLeast < oldLeast || newMost > oldMost;
    if (!tightened && !loosened) return false;
    const id = !tightened
      ? "constraint.loosened"
      : loosened
        ? "constraint.changed"
        : "constraint.tightened";
    const [before, after] = [typeText(old), typeText(now)];
    this.report(site, id, {
      change: `${before} → ${after}`,
      old: before,
      new: after,
      decision: `${before} → ${after}`,
      oldToNew: () => this.forward.counterexample(old, withoutParts(now)),
      newToOld: () => this.backward.counterexample(now, withoutParts(old)),
    });
    return true;
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

type Ends = readonly [before: number | undefined, after: number | undefined];

/** Null as the value that one version writes and the other does not read. */
const nothing: { readonly value: Json } = { value: null };

function withoutParts(type: Type): Type {
  return type.kind === "array" ? { ...type, items: { kind: "any" } } : type;
}

function isNumeric(type: Type): type is NumericType {
  return type.kind === "integer" || type.kind === "number";
}

/** An enum, or a fixed value as a list of one. */
function listedValues(type: Type): EnumType | undefined {
  if (type.kind === "enum") return type;
  const value = (type as LiteralType).value;
  return type.kind === "literal" && typeof value !== "boolean"
    ? { kind: "enum", open: false, values: [{ value }] }
    : undefined;
}

function isSamePrimitive(a: EnumType, b: EnumType): boolean {
  return typeof a.values[0]?.value === typeof b.values[0]?.value;
}

function isTextList(list: EnumType | undefined): list is EnumType {
  return typeof list?.values[0]?.value === "string";
}
