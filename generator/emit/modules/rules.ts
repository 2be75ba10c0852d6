import { failureSigns } from "../../model/checked-types.js";
import type { Protocol } from "../../model/protocol.js";
import {
  definitionsByName,
  requestsByResponse,
  responsesOf,
  type Responses,
} from "../../model/queries.js";
import { orderByReference } from "../../model/reference-order.js";
import { object, printLiteral, toLiteral, type Literal } from "../printer/literal.js";
import type { SourceFile } from "../printer/source-file.js";
import { failureName, ruleName, RuleLiterals } from "./rule-literals.js";

export { failureName, ruleName } from "./rule-literals.js";

const runtime = "./runtime/index.js";

/** Prints `rules.ts`: per definition, what it must be as a table, from which a failed check is explained. */
export function emitRules(protocol: Protocol, file: SourceFile): void {
  const definitions = definitionsByName(protocol);
  const requestOf = requestsByResponse(protocol);
  const responses = responsesOf(protocol);
  // Responses refer to the failure, though their schemas do not.
  const order = orderByReference([
    ...protocol.definitions.filter(({ name }) => name === protocol.bases.error),
    ...protocol.definitions,
  ]);
  const literals = new RuleLiterals(protocol, order, file);
  const rules = order.names.map((name) => {
    const definition = definitions.get(name)!;
    const isObject = definition.type.kind === "object";
    const type = requestOf.has(name) ? "ResponseRule" : isObject ? "ObjectRule" : "Rule";
    return { name, type, rule: literals.definition(definition) };
  });
  for (const [text, name] of literals.ranges) file.line(`const ${name} = ${text} as const;`);
  file.line();
  for (const { name, type, rule } of rules) {
    printDefinition(name, file.importType(type, runtime), rule, file);
    if (responses !== undefined && name === responses.error) printFailure(responses, file);
  }
}

function printDefinition(name: string, type: string, rule: Literal, file: SourceFile): void {
  const head = `export const ${ruleName(name)} = (): ${type} => `;
  if (typeof rule === "string") file.line(`${head}${rule};`);
  else file.line(`${head}(${printLiteral(rule, head.length + 1, 2, 0)});`);
  file.line();
}

/** What all failures have in common. */
function printFailure(responses: Responses, file: SourceFile): void {
  const rule = object([
    ["rule", ruleName(responses.error)],
    ...Object.entries(failureSigns(responses)).map(
      ([key, sign]) => [key, toLiteral(sign)] as const,
    ),
  ]);
  const head = `export const ${failureName}: ${file.importType("FailureRule", runtime)} = `;
  file.line(`${head}${printLiteral(rule, head.length, 1, 0)};`);
  file.line();
}
