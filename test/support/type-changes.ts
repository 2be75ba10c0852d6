import assert from "node:assert/strict";
import { FoundChanges, type Change } from "../../generator/diff/compare/change.js";
import { TypeComparison } from "../../generator/diff/compare/compare-types.js";
import type { Json, Type } from "../../generator/model/types.js";
import { literal, object, sideWith, type Properties } from "./model-types.js";

/** A change as text, with its example values; `label` is the place below `Owner.x`. */
export interface Said extends Omit<Change, "rule" | "site" | "oldToNew" | "newToOld"> {
  readonly id: string;
  readonly label: string;
  readonly values: readonly [oldToNew: Json | undefined, newToOld: Json | undefined];
}

export const none = undefined;

/** The changes between two types that are definitions of the versions. */
export function changes(
  before: Type,
  after: Type,
  [old, now]: readonly [Readonly<Record<string, Type>>, Readonly<Record<string, Type>>] = [{}, {}],
  isClosed = false,
): readonly Said[] {
  const comparison = new TypeComparison(sideWith(old), sideWith(now), {
    reader: isClosed ? "strict" : "tolerant",
  });
  const found = new FoundChanges();
  comparison.compare(found, before, after, { owner: "Owner", label: ".x", steps: [] });
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

/** A change as text, without parts that matter only for verdicts. */
function withoutJudgement<Said extends object>(said: Said): Said {
  const own = Object.entries(said).filter(
    ([name]) => !["limits", "builds", "evidence"].includes(name),
  );
  return Object.fromEntries(own) as Said;
}

export function referred(before: string, after: string): Said {
  return { id: "referred", label: `${before} ${after}`, values: [none, none] };
}

/** A change from one type to another one. */
export function retyped(
  id: string,
  old: string,
  now: string,
  values: Said["values"] = [none, none],
  label = ".x",
): Said {
  const place = /\.[^.]*$/.exec(label)![0];
  const change = `${old} → ${now}`;
  return { id, label, change, old, new: now, decision: `${place} ${change}`, values };
}

/** A change of bounds, or of the kind of number: the same decision wherever it is made. */
export function rebound(id: string, old: string, now: string, ...values: Said["values"]): Said {
  const change = `${old} → ${now}`;
  return { id, label: ".x", change, old, new: now, decision: change, values };
}

/** An added or removed value. */
export function listed(id: string, value: string, ...values: Said["values"]): Said {
  const isAdded = id.endsWith("added");
  return {
    id: `enum.${id}`,
    label: `.x = ${value}`,
    change: `${isAdded ? "+" : "-"} ${value}`,
    old: value,
    new: value,
    decision: `.x ${isAdded ? "added" : "removed"} ${value}`,
    values,
  };
}

/** An added or removed alternative that readers cannot distinguish from others. */
export function undetermined(
  id: "added" | "removed",
  told: string,
  others: string,
  value: Json,
): Said {
  const { id: _id, ...said } = branch(id, told, value);
  return {
    ...said,
    id: `union.untagged-${id}`,
    ...(id === "added" ? { old: others } : { new: others }),
  };
}

/** An added or removed alternative. */
export function branch(id: "added" | "removed", told: string, value: Json): Said {
  return {
    id: `union.branch-${id}`,
    label: `.x | ${told}`,
    change: `${id === "added" ? "+" : "-"} ${told}`,
    ...(id === "added" ? { new: told } : { old: told }),
    values: id === "added" ? [none, value] : [value, none],
  };
}

export function check(
  rows: readonly (readonly [before: Type, after: Type, said: readonly Said[]])[],
): void {
  for (const [before, after, said] of rows)
    assert.deepEqual(
      changes(before, after),
      said,
      `${JSON.stringify(before)} to ${JSON.stringify(after)}`,
    );
}

export const kind = (value: string, more: Properties = {}): Type =>
  object({ kind: literal(value), ...more });

/** An added or removed property. */
export function property(id: string, name: string, type: string, ...values: Said["values"]): Said {
  const isAdded = id.startsWith("added");
  const question = id.endsWith("optional") ? "?" : "";
  return {
    id: `prop.${id}`,
    label: `.x.${name}`,
    change: `${isAdded ? "+" : "-"} ${name}${question}: ${type}`,
    old: name,
    new: name,
    decision: `${name} ${type}`,
    values,
  };
}

export function renamed(id: string, old: string, now: string): Said {
  return {
    id: `prop.renamed-${id}`,
    label: `.x.${now}`,
    change: `${old} → ${now}: string`,
    old,
    new: now,
    values: [{ [old]: "" }, { [now]: "" }],
  };
}
