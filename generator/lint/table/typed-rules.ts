import { referencesOf } from "../../model/reference-order.js";
import type { Definition, Type } from "../../model/types.js";
import { walkTyped } from "../../session/typed-walk.js";
import type { JudgedMessage } from "../state/judged-message.js";
import type { TableRule } from "./rule-table.js";

interface RuleVisitor {
  /** Called with each object of a definition that a rule looks at. */
  object(rule: TableRule, value: unknown, place: string): void;
  /** Called with each value that a rule finds wrong. */
  value(rule: TableRule, value: unknown, place: string): void;
}

/** Finds what rules are about that look at values by their types, wherever in a message they stand. */
export class TypedRules {
  readonly #definitions: ReadonlyMap<string, Definition>;
  /** By definition, whether one of others can be in it. */
  readonly #reach = new Map<string, ReadonlySet<string>>();

  constructor(definitions: ReadonlyMap<string, Definition>) {
    this.#definitions = definitions;
  }

  /** @param rules Those that apply to the message. */
  visit(
    { definition, fields }: JudgedMessage,
    rules: readonly TableRule[],
    visitor: RuleVisitor,
  ): void {
    if (definition === undefined || rules.length === 0) return;
    const byDefinition = rules.every((rule) => rule.definition !== undefined);
    const enters = (name: string): boolean =>
      rules.some((rule) => this.#reachOf(name).has(rule.definition!));
    if (byDefinition && !enters(definition)) return;
    walkTyped(this.#definitions, { kind: "reference", name: definition }, fields, {
      ...(byDefinition
        ? { enters }
        : {
            value: (type: Type, value: unknown, place: string) => {
              for (const rule of rules)
                if (isWrong(rule, type, value, place)) visitor.value(rule, value, place);
            },
          }),
      object: (name, value, place) => {
        for (const rule of rules) if (rule.definition === name) visitor.object(rule, value, place);
      },
    });
  }

  /** The definitions that can be in an object of one, and itself. */
  #reachOf(definition: string): ReadonlySet<string> {
    let reach = this.#reach.get(definition);
    if (reach === undefined) {
      const names = new Set([definition]);
      for (const name of names)
        for (const each of referencesOf(this.#definitions.get(name)!.type)) names.add(each);
      this.#reach.set(definition, (reach = names));
    }
    return reach;
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
