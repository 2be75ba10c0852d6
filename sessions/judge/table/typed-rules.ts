import { oncePer } from "../../../generator/model/once.js";
import type { Definition, Type } from "../../../generator/model/types.js";
import type { JudgedMessage } from "../state/judged-message.js";
import type { PartPath } from "../state/part-path.js";
import { PartsWalk } from "../state/parts-walk.js";
import type { RuleTable, TableRule } from "./rule-table.js";

/** A prepared rule for values of certain types. */
interface Tried {
  readonly rule: TableRule;
}

/** Rules about values of certain types, wherever they occur in a message. */
export interface TypedPlan<Rule extends Tried> {
  /** Rules about a definition's objects, keyed by definition name. */
  readonly objects: ReadonlyMap<string, readonly Rule[]>;
  /**
   * Rules about every number in any definition, or about every string that its enum does not list.
   */
  readonly values: readonly Rule[];
}

/** Receives each value that a rule checks, along with the rule. */
type RuleVisitor<Rule> = (tried: Rule, value: unknown, path: PartPath | undefined) => void;

/** Returns whether a rule checks all values of certain types, wherever they occur in messages. */
export function isTyped({ definition, every }: TableRule): boolean {
  return definition !== undefined || every !== undefined;
}

/** Selects the rules that are about values of certain types. */
export function typedPlanOf<Rule extends Tried>(rules: readonly Rule[]): TypedPlan<Rule> {
  const typed = rules.filter(({ rule }) => isTyped(rule));
  const names = new Set(typed.flatMap(({ rule: { definition } }) => definition ?? []));
  return {
    objects: new Map(
      [...names].map((name) => [name, typed.filter(({ rule }) => rule.definition === name)]),
    ),
    values: typed.filter(({ rule }) => rule.definition === undefined),
  };
}

const partsOf = oncePer(({ rules }: RuleTable) => {
  const names = new Set(rules.map(({ definition }) => definition));
  const kinds = new Set(rules.map(({ every }) => every));
  return oncePer(
    (definitions: ReadonlyMap<string, Definition>) =>
      new PartsWalk(definitions, {
        isDefinition: (name) => names.has(name),
        isValue: ({ kind }) => kinds.has("number") || (kinds.has("unlisted") && kind === "enum"),
      }),
  );
});

/** Finds the values checked by rules about types. */
export class TypedRules {
  readonly #parts: PartsWalk;

  constructor(table: RuleTable, definitions: ReadonlyMap<string, Definition>) {
    this.#parts = partsOf(table)(definitions);
  }

  visit<Rule extends Tried>(
    { definition, fields }: JudgedMessage,
    { objects, values }: TypedPlan<Rule>,
    visit: RuleVisitor<Rule>,
  ): void {
    if (definition === undefined || (objects.size === 0 && values.length === 0)) return;
    this.#parts.visit(definition, fields, {
      object: (name, value, path) => {
        for (const each of objects.get(name) ?? []) visit(each, value, path);
      },
      value: (type, value, path) => {
        for (const each of values) if (isTested(each.rule, type, value)) visit(each, value, path);
      },
    });
  }
}

function isTested({ every }: TableRule, type: Type, value: unknown): boolean {
  if (every === "number") return typeof value === "number";
  return (
    every === "unlisted" &&
    type.kind === "enum" &&
    typeof value === "string" &&
    !type.values.some((each) => each.value === value)
  );
}
