import type { ResponseRule, Rule } from "../../../runtime/validation/rule.js";
import type { Protocol } from "../../model/protocol.js";
import { definitionsByName, requestsByResponse } from "../../model/queries.js";
import { validationRulesOf, type ValidationRules } from "../../model/validation-rules.js";
import {
  object,
  printConstant,
  printLiteral,
  toEntries,
  toLiteral,
  type Literal,
} from "../printer/literal.js";
import { quote, type SourceFile } from "../printer/source-file.js";
import { hasMask } from "./type-conditions.js";

const runtime = "./runtime/index.js";

/** Name of the constant that says how responses fail. */
export const failureName = "failureRule";

/** Name of the function that gives the rule of a definition. */
export function ruleName(definition: string): string {
  return `ruleOf${definition}`;
}

/** Names by what they stand for: a rule refers to definitions by their functions. */
export function ruleNames({ definitions, failure }: ValidationRules): Map<unknown, string> {
  const names = new Map<unknown, string>();
  for (const [definition, rule] of definitions) names.set(rule, ruleName(definition));
  if (failure !== undefined) names.set(failure, failureName);
  return names;
}

/** Prints `rules.ts`: per definition, what it must be as a table, from which a failed check is explained. */
export function emitRules(protocol: Protocol, file: SourceFile): void {
  const definitions = definitionsByName(protocol);
  const requestOf = requestsByResponse(protocol);
  const rules = validationRulesOf(protocol);
  const made = [...rules.definitions].map(([name, rule]) => ({ name, rule: rule() }));
  const names = ruleNames(rules);
  printRanges(rules, names, file);
  file.line();
  for (const { name, rule } of made) {
    const isResponse = requestOf.has(name);
    const isObject = definitions.get(name)!.type.kind === "object";
    const type = isResponse ? "ResponseRule" : isObject ? "ObjectRule" : "Rule";
    const faults =
      isResponse || hasMask(definitions, name)
        ? file.importValue(`faultsOf${name}`, "./faults.js")
        : undefined;
    const head = `export const ${ruleName(name)} = (): ${file.importType(type, runtime)} => `;
    printRule(head, ruleLiteral(rule, names, faults), file);
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

/** Prints a function that gives a rule. */
export function printRule(head: string, rule: Literal, file: SourceFile): void {
  if (typeof rule === "string") file.line(`${head}${rule};\n`);
  else file.line(`${head}(${printLiteral(rule, head.length + 1, 2, 0)});\n`);
}

/** Ranges occur again and again: each is a constant, named after its format. */
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

/** @param faults Name of the function that finds the faults of such an object. */
function ruleLiteral(
  rule: Rule,
  names: ReadonlyMap<unknown, string>,
  faults: string | undefined,
): Literal {
  const replace = (value: unknown, key: string): string | undefined =>
    // TypeScript takes the type of such a property from `Object`, and widens a text that stands there.
    typeof value === "string" && key in Object.prototype
      ? `${quote(value)} as const`
      : names.get(value);
  if (faults === undefined) return toLiteral(rule, replace);
  const withFaults = (own: object): Literal =>
    object([["faults", faults], ...toEntries(own, replace)]);
  if (typeof rule !== "object" || !("failure" in rule)) return withFaults(rule as object);
  const { success, failure } = rule satisfies ResponseRule;
  return object([
    ["success", withFaults(success)],
    ["failure", toLiteral(failure, replace)],
  ]);
}
