import type { Rule } from "../../../runtime/validation/rule.js";
import type { Protocol } from "../../model/protocol.js";
import { validationRulesOf } from "../../model/validation-rules.js";
import { docTag } from "../printer/doc-comment.js";
import { type PackageNames, runtime } from "./package-names.js";
import { ruleName } from "./rules.js";
import type { SourceFile } from "../printer/source-file.js";

/**
 * Emits `validators.ts`. For each definition, it contains a validator that reports issues. The
 * documentation is on the validators' type, which avoids hundreds of identical comments.
 */
export function emitValidators(protocol: Protocol, names: PackageNames, file: SourceFile): void {
  const types = file.importTypesAs("types", "./types.js");
  const validator = file.importType("Validator", runtime);
  const rules = validationRulesOf(protocol).definitions;
  const known = new Map<Rule, boolean>();
  for (const { name } of protocol.definitions) {
    const create = file.importValue(makerOf(rules.get(name)!, known), runtime);
    const rule = file.importFromAll("rules", ruleName(name), "./rules.js");
    const head = `export const ${names.validator(name)}: ${validator}<${types}.${name}> =`;
    file.line(`${head} /* @__PURE__ */ ${create}(${rule});`);
  }
}

/**
 * Returns the name of the runtime function that creates the smallest possible validator for a rule.
 */
function makerOf(rule: Rule, known: Map<Rule, boolean>): string {
  const root = typeof rule === "function" ? rule() : rule;
  if (typeof root === "string" || !("failure" in root))
    return isPlainRule(rule, known) ? "createPlainValidator" : "createValidator";
  return isPlainRule(root.success, known) && isPlainRule(root.failure.rule, known)
    ? "createPlainResponseValidator"
    : "createValidator";
}

/** Returns whether `createPlainValidator` supports a rule and all rules that it refers to. */
function isPlainRule(rule: Rule, known: Map<Rule, boolean>): boolean {
  if (typeof rule === "string") return true;
  if (typeof rule === "function") {
    const isPlain = known.get(rule) ?? isPlainRule(rule(), known);
    known.set(rule, isPlain);
    return isPlain;
  }
  if ("anyOf" in rule)
    return rule.anyOf.length > 0 && rule.anyOf.every((each) => typeof each === "string");
  if ("by" in rule || "arms" in rule || "failure" in rule) return false;
  // A recursive reference leads back to a definition that this function is already checking.
  if ("late" in rule) return true;
  if ("rule" in rule) return isPlainRule(rule.rule, known);
  if ("list" in rule) return isPlainRule(rule.list, known);
  if ("map" in rule) return isPlainRule(rule.map, known);
  if ("value" in rule || "oneOf" in rule) return true;
  if ("integer" in rule || "number" in rule || "string" in rule) return true;
  return [
    ...(rule.bases ?? []),
    ...Object.values({ ...rule.required }),
    ...Object.values({ ...rule.optional }),
  ].every((each) => isPlainRule(each, known));
}

/** Emits `validate.ts`: a validator for any message, based on its kind and name. */
export function emitValidate(protocol: Protocol, names: PackageNames, file: SourceFile): void {
  const target = ["KnownMessage", "CustomMessage"]
    .map((name) => file.importType(name, "./messages.js"))
    .join(" | ");
  const verdict = file.importValue("verdictOf", "./message-checks.js");
  file.doc(
    "Returns whether a value is a message that the schema allows. A known message is checked against its own type, and any other message against the base type of its kind. Never throws.",
  );
  file.declare("export function isValid", ["value: unknown"], `): value is ${target} {`, () =>
    file.line(`return ${verdict}(value) === 0;`),
  );
  file.line();
  file.doc(
    "Checks a value in the same way as `isValid`, but returns the issues if the value is invalid. Never throws.",
  );
  const validator = file.importType("Validator", runtime);
  const create = file.importValue("createMessageValidator", runtime);
  const known = file.importValue("hasOnlyKnownFields", "./known-fields.js");
  const rule = file.importValue("messageRule", "./message-rule.js");
  file.under(
    `export const validate: ${validator}<${target}> =`,
    `/* @__PURE__ */ ${create}(${verdict}, ${known}, ${rule});`,
  );
  file.line();
  file.doc(
    "Throws unless a value is a message that the schema allows. During development, pass this to an encoder as `validate`.",
    docTag("throws", "InvalidMessageError, which contains the issues."),
  );
  file.declare(
    "export function assertValid",
    ["value: unknown"],
    `): asserts value is ${target} {`,
    () => {
      file.line("const result = validate(value);");
      const thrown = file.importValue("InvalidMessageError", runtime);
      file.line(`if (!result.ok) throw new ${thrown}(result.issues);`);
    },
  );
}
