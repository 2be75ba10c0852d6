import type { Protocol } from "../../model/protocol.js";
import { messageArms } from "../../model/message-arms.js";
import { responsesOf } from "../../model/queries.js";
import { docTag } from "../printer/doc-comment.js";
import { printConditions } from "./envelope-conditions.js";
import type { PackageNames } from "./package-names.js";
import { ruleName } from "./rules.js";
import { member, quote, type SourceFile } from "../printer/source-file.js";
import { emitObjectTest } from "./type-conditions.js";

const runtime = "./runtime/index.js";

/**
 * Prints `validators.ts`: a validator per definition that reports what is wrong. Its type documents it, as hundreds of
 * equal comments would not.
 */
export function emitValidators(protocol: Protocol, names: PackageNames, file: SourceFile): void {
  const types = file.importTypesAs("types", "./types.js");
  const validator = file.importType("Validator", runtime);
  const create = file.importValue("createValidator", runtime);
  for (const { name } of protocol.definitions) {
    const rule = file.importValue(ruleName(name), "./rules.js");
    const head = `export const ${names.validator(name)}: ${validator}<${types}.${name}> =`;
    file.under(head, `/* @__PURE__ */ ${create}(${rule});`);
    file.line();
  }
}

/** Prints `validate.ts`: a validator for any message, by its kind and name. */
export function emitValidate(protocol: Protocol, names: PackageNames, file: SourceFile): void {
  const responses = responsesOf(protocol);
  const known = file.importType("KnownMessage", "./messages.js");
  const custom = file.importType("CustomMessage", "./messages.js");
  const target = `${known} | ${custom}`;
  const check = (definition: string): string =>
    file.importValue(names.check(definition), "./checks.js");
  const arms = messageArms(protocol);
  file.doc(
    "Whether a value is a message that the schema allows. A known message is checked against its own type, any other against the base type of its kind. Never throws.",
  );
  file.declare("export function isValid", ["value: unknown"], `): value is ${target} {`, () => {
    file.block("try {", "} catch {", () => {
      emitObjectTest(file);
      file.line(`const fields = value as ${file.importType("MessageFields", "./messages.js")};`);
      for (const arm of arms)
        file.block(`if (${printConditions(arm.when).join(" && ")}) {`, "}", () => emitArm(arm));
    });
    file.line("  return false;");
    file.line("}");
    file.line("return false;");
  });
  file.line();

  file.doc(
    "Whether a value is a message, with the issues if it is not. The kind and the name decide which type is checked, as in `isValid`. Never throws.",
  );
  const head = `export const validate: ${file.importType("Validator", runtime)}<${target}> =`;
  const create = file.importValue("createMessageValidator", runtime);
  file.under(
    head,
    `/* @__PURE__ */ ${create}(isValid, ${file.importValue("messageRule", "./message-rule.js")});`,
  );
  file.line();
  file.doc(
    "Throws unless a value is a message that the schema allows. Pass it to an encoder as `check` during development.",
    docTag("throws", "InvalidMessageError with the issues."),
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

  function emitArm(arm: (typeof arms)[number]): void {
    if (arm.name !== undefined && arm.known.length > 0) {
      const field = member("fields", arm.name);
      file.line(`const name = ${field};`);
      file.line(`if (typeof name !== "string") return false;`);
      const byLength = new Map<number, [string, string][]>();
      for (const [name, definition] of arm.known) {
        const group = byLength.get(name.length) ?? [];
        byLength.set(name.length, group);
        group.push([name, definition]);
      }
      // Comparing lengths first leaves only a few names to compare.
      file.block("switch (name.length) {", "}", () => {
        for (const [length, group] of [...byLength].sort(([a], [b]) => a - b)) {
          file.line(`case ${length}:`);
          for (const [name, definition] of group)
            file.under(`  if (name === ${quote(name)})`, `return ${check(definition)}(value);`);
          file.line("  break;");
        }
      });
    }
    if (responses === undefined || arm.other !== responses.base) {
      file.line(`return ${check(arm.other)}(value);`);
      return;
    }
    const { arm: response, error } = responses;
    const failed =
      response.success === undefined
        ? `${member("fields", response.error)} !== undefined`
        : `${member("fields", response.success)} === false`;
    file.line(`if (${failed}) return ${check(error)}(value);`);
    const present =
      response.success === undefined
        ? `${member("fields", response.result)} !== undefined && `
        : "";
    file.line(`return ${present}${check(arm.other)}(value);`);
  }
}
