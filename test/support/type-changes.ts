import assert from "node:assert/strict";
import { FoundChanges, type Change } from "../../diff/compare/change.js";
import { compareTypes } from "../../diff/compare/compare-types.js";
import { Comparison, Scope } from "../../diff/compare/comparison.js";
import type { Json, Type } from "../../generator/model/types.js";
import { literal, object, sideWith, type Properties } from "./model-types.js";

/** A change as text, with its example values. `label` is the path that follows `Owner.x`. */
export interface ChangeText extends Omit<Change, "rule" | "site" | "oldToNew" | "newToOld"> {
  readonly id: string;
  readonly label: string;
  readonly values: readonly [oldToNew: Json | undefined, newToOld: Json | undefined];
}

export const none = undefined;

/** Compares two types, defined in one version each, and returns the changes. */
export function changes(
  before: Type,
  after: Type,
  [old, now]: readonly [Readonly<Record<string, Type>>, Readonly<Record<string, Type>>] = [{}, {}],
  isClosed = false,
): readonly ChangeText[] {
  const types = new Comparison(sideWith(old), sideWith(now), isClosed ? "strict" : "tolerant");
  const found = new FoundChanges();
  compareTypes(new Scope(types, { owner: "Owner", label: ".x", steps: [] }, found), before, after);
  return [
    ...found.links.map((link) => referred(link.before, link.after)),
    ...found.changes.map(({ rule, site, oldToNew, newToOld, ...rest }) => ({
      ...withoutJudgement(rest),
      id: rule.id,
      label: site.label,
      values: [oldToNew?.(), newToOld?.()] as const,
    })),
  ];
}

/** Removes those parts of a change that matter only for verdicts. */
function withoutJudgement<ChangeText extends object>(changeText: ChangeText): ChangeText {
  const own = Object.entries(changeText).filter(
    ([name, value]) => value !== undefined && !["limits", "evidence"].includes(name),
  );
  return Object.fromEntries(own) as ChangeText;
}

export function referred(before: string, after: string): ChangeText {
  return { id: "referred", label: `${before} ${after}`, values: [none, none] };
}

/** Describes a change from one type to another. */
export function retyped(
  id: string,
  old: string,
  now: string,
  values: ChangeText["values"] = [none, none],
  label = ".x",
): ChangeText {
  const place = /\.[^.]*$/.exec(label)![0];
  const change = `${old} → ${now}`;
  return { id, label, change, before: old, after: now, decision: `${place} ${change}`, values };
}

/**
 * Describes a change to bounds or to the kind of number. How it is judged does not depend on the
 * location.
 */
export function rebound(
  id: string,
  old: string,
  now: string,
  ...values: ChangeText["values"]
): ChangeText {
  const change = `${old} → ${now}`;
  return { id, label: ".x", change, before: old, after: now, decision: change, values };
}

/** Describes an added or removed enum value. */
export function listed(id: string, value: string, ...values: ChangeText["values"]): ChangeText {
  const isAdded = id.endsWith("added");
  return {
    id: `enum.${id}`,
    label: `.x = ${value}`,
    change: `${isAdded ? "+" : "-"} ${value}`,
    before: value,
    after: value,
    decision: `.x ${isAdded ? "added" : "removed"} ${value}`,
    values,
  };
}

/**
 * Describes an added or removed alternative that readers cannot tell from the other alternatives.
 */
export function undetermined(
  id: "added" | "removed",
  told: string,
  others: string,
  value: Json,
): ChangeText {
  const { id: _id, ...changeText } = branch(id, told, value);
  return {
    ...changeText,
    id: `union.untagged-${id}`,
    ...(id === "added" ? { before: others } : { after: others }),
  };
}

/** Describes an added or removed alternative. */
export function branch(id: "added" | "removed", told: string, value: Json): ChangeText {
  return {
    id: `union.branch-${id}`,
    label: `.x | ${told}`,
    change: `${id === "added" ? "+" : "-"} ${told}`,
    ...(id === "added" ? { after: told } : { before: told }),
    values: id === "added" ? [none, value] : [value, none],
  };
}

export function check(
  rows: readonly (readonly [before: Type, after: Type, changeText: readonly ChangeText[]])[],
): void {
  for (const [before, after, changeText] of rows)
    assert.deepEqual(
      changes(before, after),
      changeText,
      `${JSON.stringify(before)} to ${JSON.stringify(after)}`,
    );
}

export const kind = (value: string, more: Properties = {}): Type =>
  object({ kind: literal(value), ...more });

/** Describes an added or removed property. */
export function property(
  id: string,
  name: string,
  type: string,
  ...values: ChangeText["values"]
): ChangeText {
  const isAdded = id.startsWith("added");
  const question = id.endsWith("optional") ? "?" : "";
  return {
    id: `prop.${id}`,
    label: `.x.${name}`,
    change: `${isAdded ? "+" : "-"} ${name}${question}: ${type}`,
    before: name,
    after: name,
    decision: `${name} ${type}`,
    values,
  };
}

export function renamed(id: string, old: string, now: string): ChangeText {
  return {
    id: `prop.renamed-${id}`,
    label: `.x.${now}`,
    change: `${old} → ${now}: string`,
    before: old,
    after: now,
    values: [{ [old]: "" }, { [now]: "" }],
  };
}
