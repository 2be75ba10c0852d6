import { findUnmetChecks } from "../../../runtime/validation/unmet-checks.js";
import type { CheckedRule, ResponseRule, Rule } from "../../../runtime/validation/rule.js";
import type { Protocol } from "../../model/protocol.js";
import { definitionsByName, requestsByResponse } from "../../model/queries.js";
import { validationRulesOf, type ValidationRules } from "../../model/validation-rules.js";
import {
  object,
  printConstant,
  printFlat,
  printLiteral,
  toEntries,
  toLiteral,
  type Literal,
} from "../printer/literal.js";
import { quote, type SourceFile } from "../printer/source-file.js";
import { hasMask } from "./type-conditions.js";
import { runtime } from "./package-names.js";

/** Name of the constant that contains the rule for failed responses. */
const failureName = "failureRule";

/** Returns the name of the function that returns a definition's rule. */
export function ruleName(definition: string): string {
  return `ruleOf${definition}`;
}

/**
 * Returns the names to emit in place of rules that occur inside other rules. For a definition, this
 * is the name of the function that returns its rule.
 */
export function ruleNames({ definitions, failure }: ValidationRules): Map<unknown, string> {
  const names = new Map<unknown, string>();
  for (const [definition, rule] of definitions) names.set(rule, ruleName(definition));
  if (failure !== undefined) names.set(failure, failureName);
  return names;
}

/**
 * Emits `rules.ts`. For each definition, it contains a table that the runtime uses to explain why a
 * check failed.
 */
export function emitRules(protocol: Protocol, file: SourceFile): void {
  const definitions = definitionsByName(protocol);
  const requestOf = requestsByResponse(protocol);
  const rules = validationRulesOf(protocol);
  const made = [...rules.definitions].map(([name, rule]) => ({ name, rule: rule() }));
  const names = ruleNames(rules);
  if (made.some(({ rule }) => hasChecks(rule)))
    names.set(findUnmetChecks, file.importValue("findUnmetChecks", runtime));
  printRanges(rules, names, file);
  file.line();
  for (const { name, rule } of made) {
    const isResponse = requestOf.has(name);
    const isObject = definitions.get(name)!.type.kind === "object" && !isChecked(rule);
    const type = isResponse ? "ResponseRule" : isObject ? "ObjectRule" : "Rule";
    const faults =
      isResponse || hasMask(definitions, name)
        ? file.importFromAll("masks", `faultsOf${name}`, "./faults.js")
        : undefined;
    const head = `export const ${ruleName(name)} = (): ${file.importType(type, runtime)} => `;
    printRule(head, ruleLiteral(rule, names, faults, file), file);
    if (rules.failure === undefined || name !== protocol.bases.error) continue;
    const failure = object(toEntries(rules.failure, (value) => names.get(value)));
    printConstant(
      `export const ${failureName}`,
      file.importType("FailureRule", runtime),
      failure,
      file,
    );
  }
}

function isChecked(rule: Rule): rule is CheckedRule {
  return typeof rule === "object" && "by" in rule;
}

/** Returns whether a rule or any of its parts has checks. */
function hasChecks(part: unknown): boolean {
  if (typeof part !== "object" || part === null) return false;
  return "by" in part && part.by === findUnmetChecks ? true : Object.values(part).some(hasChecks);
}

/** Emits a function that returns a rule. */
export function printRule(head: string, rule: Literal, file: SourceFile): void {
  if (typeof rule === "string") file.line(`${head}${rule};\n`);
  else file.line(`${head}(${printLiteral(rule, head.length + 1, 2, 0)});\n`);
}

/**
 * Emits a constant for each range, because many rules share ranges. Each constant is named after
 * its format.
 */
function printRanges(
  { ranges }: ValidationRules,
  names: Map<unknown, string>,
  file: SourceFile,
): void {
  const taken = new Set<string>();
  for (const [range, format] of ranges) {
    const stem = format.replaceAll(/[^A-Za-z0-9]/g, "") || Object.keys(range as object)[0]!;
    let name = `${stem}Range`;
    for (let count = 2; taken.has(name); count++) name = `${stem}Range${count}`;
    taken.add(name);
    file.line(`const ${name} = ${printLiteral(toLiteral(range), 0, 0, 0)} as const;`);
    names.set(range, name);
  }
}

/** @param faults Name of the function that finds the object's faults. */
function ruleLiteral(
  rule: Rule,
  names: ReadonlyMap<unknown, string>,
  faults: string | undefined,
  file: SourceFile,
): Literal {
  const replace = (value: unknown, key: string): string | undefined => {
    const name = names.get(value);
    if (name !== undefined || !(key in Object.prototype)) return name;
    // For a key such as `toString`, TypeScript expects the type declared in `Object.prototype`, and
    // widens literals. State the type explicitly.
    return typeof value === "string"
      ? `${quote(value)} as const`
      : `${printFlat(toLiteral(value, replace))} as ${file.importType("Rule", runtime)}`;
  };
  if (faults === undefined) return toLiteral(rule, replace);
  const withFaults = (own: object): Literal =>
    object([["faults", faults], ...toEntries(own, replace)]);
  if (isChecked(rule))
    return object([
      ["of", withFaults(rule.of as object)],
      ...toEntries({ checks: rule.checks, by: rule.by }, replace),
    ]);
  if (typeof rule !== "object" || !("failure" in rule)) return withFaults(rule as object);
  const { success, failure } = rule satisfies ResponseRule;
  return object([
    ["success", withFaults(success)],
    ["failure", toLiteral(failure, replace)],
  ]);
}
