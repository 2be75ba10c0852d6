import type { Definition, Type } from "../../model/types.js";
import { walkTyped } from "../../session/typed-walk.js";
import type { JudgedMessage } from "../state/judged-message.js";
import { PartsWalk } from "../state/parts-walk.js";
import type { RuleTable, TableRule } from "./rule-table.js";

/** A rule, as it is tried. */
interface Tried {
  readonly rule: TableRule;
}

/** Called with each value that a rule looks at. */
type RuleVisitor<Rule> = (tried: Rule, value: unknown, place: string) => void;

/** Finds what rules are about that look at values by their types, wherever in a message they are. */
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
    visit: RuleVisitor<Rule>,
  ): void {
    if (definition === undefined || rules.length === 0) return;
    const ofValues = rules.filter(({ rule }) => rule.definition === undefined);
    if (ofValues.length < rules.length)
      this.#objects.visit(definition, fields, {
        object: (name, value, place) => {
          for (const each of rules) if (each.rule.definition === name) visit(each, value, place);
        },
      });
    if (ofValues.length > 0)
      walkTyped(
        this.#definitions,
        { kind: "reference", name: definition },
        fields,
        (type, value, place) => {
          for (const each of ofValues)
            if (isTested(each.rule, type, value)) visit(each, value, place);
        },
      );
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
