import type { EnumType } from "../../model/types.js";
import { lastName, type Site } from "./change.js";
import { compareTexts } from "./compare-texts.js";
import type { Comparison } from "./comparison.js";

/** Compares lists of values. */
export function compareEnums(types: Comparison, site: Site, old: EnumType, now: EnumType): void {
  if (old.open !== now.open) {
    types.reportTypes(site, now.open ? "enum.opened" : "enum.closed", old, now);
  }
  const before = new Set(old.values.map(({ value }) => value));
  const after = new Set(now.values.map(({ value }) => value));
  const isOpen = old.open || now.open;
  const report = (id: "added" | "removed", value: string | number): void => {
    const text = JSON.stringify(value);
    const rule =
      id === "added"
        ? isOpen
          ? "enum.open-value-added"
          : "enum.value-added"
        : isOpen
          ? "enum.open-value-removed"
          : "enum.value-removed";
    types.report({ ...site, label: `${site.label} = ${text}` }, rule, {
      change: `${id === "added" ? "+" : "-"} ${text}`,
      old: text,
      new: text,
      decision: `${lastName(site)} ${id} ${text}`,
      // The other side's writers show that an open list lets anything through.
      oldToNew: () => (id === "removed" ? value : types.forward.counterexample(old, now)),
      newToOld: () => (id === "added" ? value : types.backward.counterexample(now, old)),
    });
  };
  for (const value of after) if (!before.has(value)) report("added", value);
  for (const value of before) if (!after.has(value)) report("removed", value);
  for (const value of now.values) {
    const other = old.values.find((each) => each.value === value.value);
    if (other !== undefined)
      compareTexts(types, other, value, {
        ...site,
        label: `${site.label} = ${JSON.stringify(value.value)}`,
      });
  }
}
