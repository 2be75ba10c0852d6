import type { Definition, Type } from "../../model/types.js";
import { walkTyped } from "../../session/typed-walk.js";
import type { JudgedMessage } from "../state/judged-message.js";
import { PartsWalk } from "../state/parts-walk.js";
import type { RuleTable, TableRule } from "./rule-table.js";

/** A rule, as it is tried. */
interface Tried {
  readonly rule: TableRule;
}

interface RuleVisitor<Rule> {
  /** Called with each object of a definition that a rule looks at. */
  object(tried: Rule, value: unknown, place: string): void;
  /** Called with each value that a rule finds wrong. */
  value(tried: Rule, value: unknown, place: string): void;
}

/** Finds what rules are about that look at values by their types, wherever in a message they stand. */
export class TypedRules {
  readonly #definitions: ReadonlyMap<string, Definition>;
  readonly #objects: PartsWalk;

  constructor({ rules }: RuleTable, definitions: ReadonlyMap<string, Definition>) {
    this.#definitions = definitions;
    const names = new Set(rules.map(({ definition }) => definition));
    this.#objects = new PartsWalk(definitions, { isDefinition: (name) => names.has(name) });
  }

  /** Whether a message has values of the types that rules look at. */
  concerns({ definition }: JudgedMessage, rules: readonly Tried[]): boolean {
    return (
      definition !== undefined &&
      (this.#objects.holds(definition) || rules.some(({ rule }) => rule.definition === undefined))
    );
  }

  /** @param rules Those that apply to the message. */
  visit<Rule extends Tried>(
    { definition, fields }: JudgedMessage,
    rules: readonly Rule[],
    visitor: RuleVisitor<Rule>,
  ): void {
    if (definition === undefined || rules.length === 0) return;
    const ofValues = rules.filter(({ rule }) => rule.definition === undefined);
    if (ofValues.length < rules.length)
      this.#objects.visit(definition, fields, {
        object: (name, value, place) => {
          for (const each of rules)
            if (each.rule.definition === name) visitor.object(each, value, place);
        },
      });
    if (ofValues.length > 0)
      walkTyped(
        this.#definitions,
        { kind: "reference", name: definition },
        fields,
        (type, value, place) => {
          for (const each of ofValues)
            if (isWrong(each.rule, type, value, place)) visitor.value(each, value, place);
        },
      );
  }
}

function isWrong(
  { numbers, unlisted }: TableRule,
  type: Type,
  value: unknown,
  place: string,
): boolean {
  if (numbers !== undefined && typeof value === "number")
    return value < numbers.least || value > numbers.greatest;
  return (
    unlisted !== undefined &&
    type.kind === "enum" &&
    typeof value === "string" &&
    unlisted.except?.includes(place) !== true &&
    !type.values.some((each) => each.value === value)
  );
}
