import { FoundChanges, lastName } from "../../diff/compare/change.js";
import { compareTypes } from "../../diff/compare/compare-types.js";
import { Comparison, Scope } from "../../diff/compare/comparison.js";
import type { Json, Type } from "../../generator/model/types.js";
import { sideWith } from "./model-types.js";

type Definitions = Readonly<Record<string, Type>>;

/**
 * Compares two types at `Owner.x`, and returns the definitions that take each other's place and the
 * changes: the rule, the location, the change, what else is known about it, and the example values
 * that only the old and only the new version accepts.
 */
export function changesOf(
  before: Type,
  after: Type,
  [old, now]: readonly [Definitions, Definitions] = [{}, {}],
  reader: "tolerant" | "strict" = "tolerant",
): readonly string[] {
  const found = new FoundChanges();
  const site = { owner: "Owner", label: ".x", steps: [] };
  const types = new Comparison(sideWith(old), sideWith(now), reader);
  compareTypes(new Scope(types, site, found), before, after);
  return [
    ...found.links.map((link) => `${link.before} = ${link.after}`),
    ...found.changes.map(({ rule, site, change = "", decision, gate, ...rest }) => {
      const isPlain = [change, `${lastName(site)} ${change}`].includes(decision ?? change);
      const ends = `${rest.before ?? ""} → ${rest.after ?? ""}`;
      const facts = [
        ...(isPlain ? [] : [`decision "${decision}"`]),
        ...(ends === change || ends === " → " ? [] : [`from ${ends}`]),
        ...(gate === undefined ? [] : [`requires ${gate.role}.${gate.capability}`]),
      ];
      const examples = [rest.oldToNew?.(), rest.newToOld?.()];
      return [
        `${rule.id} ${site.label}: ${change}`,
        ...facts,
        ...(examples.every((each) => each === undefined) ? [] : [examplesText(examples)]),
      ].join("; ");
    }),
  ];
}

function examplesText(examples: readonly (Json | undefined)[]): string {
  return examples
    .flatMap((value, index) =>
      value === undefined ? [] : [`${["old", "new"][index]!} ${JSON.stringify(value)}`],
    )
    .join(", ");
}
