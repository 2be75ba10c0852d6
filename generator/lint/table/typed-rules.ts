import { referencesOf } from "../../model/reference-order.js";
import type { Definition, Type } from "../../model/types.js";
import { walkTyped } from "../../session/typed-walk.js";
import type { JudgedMessage } from "../state/judged-message.js";
import { isTyped } from "./rule-index.js";
import type { RuleTable, TableRule } from "./rule-table.js";
import { isSelected } from "./selectors.js";

interface RuleVisitor {
  /** Whether a rule applies to the message. */
  applies(rule: TableRule): boolean;
  /** Called with each object of a definition that a rule looks at. */
  object(rule: TableRule, value: unknown, place: string): void;
  /** Called with each value that a rule finds wrong. */
  value(rule: TableRule, value: unknown, place: string): void;
}

/** Rules about values by their types, wherever in a message they stand. */
export class TypedRules {
  readonly #definitions: ReadonlyMap<string, Definition>;
  readonly #rules: readonly TableRule[];
  /** By definition of a message, whether it can hold what a rule looks at. */
  readonly #canHold = new Map<string, boolean>();

  constructor({ rules }: RuleTable, definitions: ReadonlyMap<string, Definition>) {
    this.#definitions = definitions;
    this.#rules = rules.filter(isTyped);
  }

  visit(
    { definition, fields }: JudgedMessage,
    selectors: readonly string[],
    visitor: RuleVisitor,
  ): void {
    if (definition === undefined || !this.#mayHold(definition)) return;
    const rules = this.#rules.filter(
      (rule) => isSelected(rule.within, selectors) && visitor.applies(rule),
    );
    if (rules.length === 0) return;
    walkTyped(this.#definitions, { kind: "reference", name: definition }, fields, {
      object: (name, value, place) => {
        for (const rule of rules) if (rule.definition === name) visitor.object(rule, value, place);
      },
      value: (type, value, place) => {
        for (const rule of rules)
          if (isWrong(rule, type, value, place)) visitor.value(rule, value, place);
      },
    });
  }

  #mayHold(definition: string): boolean {
    let may = this.#canHold.get(definition);
    if (may === undefined) {
      const wanted = new Set(this.#rules.map((rule) => rule.definition));
      may = wanted.has(undefined) || reaches(definition, wanted, this.#definitions);
      this.#canHold.set(definition, may);
    }
    return may;
  }
}

function isWrong(
  { numbers, unlisted }: TableRule,
  type: Type,
  value: unknown,
  place: string,
): boolean {
  if (numbers !== undefined && typeof value === "number") {
    const { least, greatest, properties } = numbers;
    if (value >= least && value <= greatest) return false;
    return properties?.includes(place.slice(place.lastIndexOf("/") + 1)) ?? true;
  }
  return (
    unlisted !== undefined &&
    type.kind === "enum" &&
    typeof value === "string" &&
    unlisted.except?.includes(place) !== true &&
    !type.values.some((each) => each.value === value)
  );
}

/** Whether an object of a definition can hold one of others, or is one. */
function reaches(
  from: string,
  wanted: ReadonlySet<string | undefined>,
  definitions: ReadonlyMap<string, Definition>,
): boolean {
  const seen = new Set([from]);
  for (const name of seen) {
    if (wanted.has(name)) return true;
    for (const each of referencesOf(definitions.get(name)!.type)) seen.add(each);
  }
  return false;
}
