import { setField } from "../base/own-fields.js";
import { isObject, maxNesting, ownField, type AnyFields } from "../protocol/message-fields.js";
import type { CheckRule, Rule } from "../validation/rule.js";
import type { RulesByName } from "./configuration-rules.js";

/** How defaults are applied. */
export interface DefaultOptions {
  /**
   * Returns the value of a variable such as `workspaceFolder`, or undefined. Editors replace
   * variables in the user's configuration, but not in defaults. A default that contains an
   * undefined variable is omitted. If this function is not given, all variables are undefined.
   */
  readonly variable?: (name: string) => string | undefined;
}

const variables = /\$\{([^}]*)\}/g;

/**
 * Copies a value and fills in defaults for missing properties.
 *
 * @param rules Rules that the value must satisfy.
 */
export function fillDefaults(
  rules: readonly Rule[],
  value: unknown,
  { variable = () => undefined }: DefaultOptions,
): unknown {
  return new DefaultFiller(variable).fill(rules, value, 0);
}

class DefaultFiller {
  readonly #variable: (name: string) => string | undefined;

  constructor(variable: (name: string) => string | undefined) {
    this.#variable = variable;
  }

  fill(rules: readonly Rule[], value: unknown, depth: number): unknown {
    if (depth > maxNesting) return value;
    if (Array.isArray(value))
      return value.map((item: unknown, index) =>
        this.fill(
          rules.flatMap((rule) => partsOf(rule, (part) => itemOf(part, index))),
          item,
          depth + 1,
        ),
      );
    if (!isObject(value)) return value;
    const properties = rules.flatMap((rule) => partsOf(rule, propertiesOf));
    return this.#object(properties, value, depth);
  }

  #object(properties: readonly RulesByName[], value: AnyFields, depth: number): AnyFields {
    const filled: Record<string, unknown> = {};
    const rulesOf = (name: string): readonly Rule[] =>
      properties.flatMap((rules) => (Object.hasOwn(rules, name) ? [rules[name]!] : []));
    for (const [name, field] of Object.entries(value))
      setField(filled, name, this.fill(rulesOf(name), field, depth + 1));
    for (const name of properties.flatMap(Object.keys)) {
      if (ownField(filled, name) !== undefined) continue;
      const rules = rulesOf(name);
      const given = rules.map(defaultOf).find((value) => value !== undefined);
      const resolved = given === undefined ? undefined : this.#resolve(given);
      if (resolved !== undefined) setField(filled, name, this.fill(rules, resolved, depth + 1));
    }
    return filled;
  }

  /**
   * Returns a copy of a default with its variables replaced, or undefined if a variable is
   * undefined.
   */
  #resolve(value: unknown): unknown {
    if (typeof value === "string") {
      let isComplete = true;
      const text = value.replaceAll(variables, (_, name: string) => {
        const replacement = this.#variable(name);
        if (replacement === undefined) isComplete = false;
        return replacement ?? "";
      });
      return isComplete ? text : undefined;
    }
    if (Array.isArray(value)) {
      const items = value.map((item) => this.#resolve(item));
      return items.includes(undefined) ? undefined : items;
    }
    if (!isObject(value)) return value;
    const copy: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(value)) {
      const resolved = this.#resolve(field);
      if (resolved === undefined) return undefined;
      setField(copy, name, resolved);
    }
    return copy;
  }
}

function defaultOf(rule: Rule): unknown {
  return typeof rule === "object" && "default" in rule ? rule.default : undefined;
}

type RulePart = Exclude<Rule, string> | CheckRule;

function propertiesOf(part: RulePart): readonly RulesByName[] {
  if (!("required" in part || "optional" in part)) return [];
  return [{ ...part.required, ...part.optional }];
}

function itemOf(part: RulePart, index: number): readonly Rule[] {
  if ("list" in part) return [part.list];
  return "first" in part ? [part.first[index] ?? part.rest] : [];
}

/**
 * Collects the parts of all rules that definitely apply. Omits unions with more than one possible
 * part.
 */
function partsOf<Found>(rule: Rule, read: (part: RulePart) => readonly Found[]): readonly Found[] {
  if (typeof rule === "string") return [];
  if ("rule" in rule) return partsOf(rule.rule, read);
  if (typeof rule === "function") return partsOf(rule(), read);
  if ("late" in rule) return partsOf(rule.late, read);
  if ("anyOf" in rule) {
    const alternatives = rule.anyOf
      .map((alternative) => partsOf(alternative, read))
      .filter(({ length }) => length > 0);
    return alternatives.length === 1 ? alternatives[0]! : [];
  }
  if ("by" in rule)
    return [
      ...partsOf(rule.of, read),
      ...rule.checks.flatMap((check) =>
        "also" in check ? partsOf(check.also, read) : read(check),
      ),
    ];
  const bases = "bases" in rule ? (rule.bases ?? []) : [];
  return [...read(rule), ...bases.flatMap((base) => partsOf(base, read))];
}
