import type { Protocol } from "../../model/protocol.js";
import { typesIn } from "../../model/type-checks.js";
import type { SourceFile } from "../printer/source-file.js";
import { emitDialectRules, hasWireDialects } from "./dialects.js";
import { CheckEmitter } from "./checks.js";
import { type PackageNames, runtime } from "./package-names.js";
import { RuleEmitter } from "./rules.js";

/**
 * Emits `validators.ts`: for any message and for each definition, a fast check, a rule,
 * and the validator that reads the rule.
 */
export function emitValidators(protocol: Protocol, names: PackageNames, file: SourceFile): void {
  const types = file.importTypesAs("types", "./types.js");
  const validator = file.importType("Validator", runtime);
  const create = file.importValue("createValidator", runtime);
  const rules = new RuleEmitter(protocol, names, file);
  const checks = new CheckEmitter(protocol, names, file);
  const listed = listedDefinitions(protocol);
  emitMessageValidators();
  for (const definition of protocol.definitions) {
    const { name } = definition;
    checks.emitCheck(definition);
    const head = `export const ${names.validator(name)}: ${validator}<${types}.${name}> =`;
    const after = listed.has(name) ? `, ${names.check(name)});` : ");";
    rules.emitRule(name, `${head}\n  /* @__PURE__ */ ${create}(`, after);
  }
  if (hasWireDialects(protocol)) emitDialectRules(protocol, names, file);
  checks.emitParts();
  rules.emitParts();

  function emitMessageValidators(): void {
    const target = ["KnownMessage", "CustomMessage"]
      .map((name) => file.importType(name, "./messages.js"))
      .join(" | ");
    file.doc(
      "Returns whether a value is a message that the schema allows. A known message is checked against its own type, and any other message against the base type of its kind. Never throws.",
    );
    checks.emitMessageCheck(target);
    rules.emitMessageRule();
    file.doc(
      "Checks a value in the same way as `isValid`, but returns the issues if the value is invalid. Never throws.",
    );
    const head = `export const validate: ${validator}<${target}> =`;
    file.under(head, `/* @__PURE__ */ ${create}(messageRule, isValid);\n`);
    const error = file.importValue("InvalidMessageError", runtime);
    file.code`
      /** Throws unless a value is a message that the schema allows. @throws InvalidMessageError, which contains the issues. */
      ${file.signature("export function assertValid", ["value: unknown"], `): asserts value is ${target} {`)}
        const result = validate(value);
        if (!result.ok) throw new ${error}(result.issues);
      }
    `;
  }
}

/**
 * Returns the names of the definitions that occur in lists. A message may contain many of them, so
 * their validators use the compiled checks. For other values, rules alone are fast enough.
 */
function listedDefinitions({ definitions }: Protocol): ReadonlySet<string> {
  const types = definitions.flatMap(({ type }) => [...typesIn(type)]);
  const items = types.flatMap((type) => (type.kind === "array" ? [type.items] : []));
  const composed = definitions.filter(
    ({ type }) => type.kind === "object" || type.kind === "union",
  );
  const names = new Set(composed.map(({ name }) => name));
  return new Set(
    items.flatMap((item) => (item.kind === "reference" && names.has(item.name) ? item.name : [])),
  );
}
