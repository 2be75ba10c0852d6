import { findUnmetChecks } from "../../../runtime/validation/unmet-checks.js";
import type { Rule } from "../../../runtime/validation/rule.js";
import type { Protocol } from "../../model/protocol.js";
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
import { type PackageNames, runtime } from "./package-names.js";

/** Name of the constant that contains the rule for failed responses. */
const failureName = "failureRule";

/** Emits the rules that explain why a check failed. */
export class RuleEmitter {
  readonly #file: SourceFile;
  readonly #rules: ValidationRules;
  readonly #names: Map<unknown, string>;

  constructor(protocol: Protocol, names: PackageNames, file: SourceFile) {
    this.#file = file;
    this.#rules = validationRulesOf(protocol);
    this.#names = new Map();
    for (const [name, rule] of this.#rules.definitions)
      this.#names.set(rule, names.validator(name));
    if (this.#rules.failure !== undefined) this.#names.set(this.#rules.failure, failureName);
    // Create all rules now, which also collects their ranges.
    const made = [...this.#rules.definitions.values()].map((rule) => rule());
    if (made.some(hasChecks))
      this.#names.set(findUnmetChecks, file.importValue("findUnmetChecks", runtime));
    nameRanges(this.#rules, this.#names);
  }

  /** Emits the rule for any message, which selects the rule of the message's definition. */
  emitMessageRule(): void {
    const { message, otherResponse } = this.#rules;
    if (otherResponse !== undefined) {
      this.#names.set(otherResponse, "responseRule");
      this.#emit("responseRule", "ResponseRule", otherResponse());
    }
    this.#emit("messageRule", "MessageRule", message);
  }

  /**
   * Emits a definition's rule, which other rules refer to by the name of the validator.
   *
   * @param before The code that precedes the rule, up to the arrow of a function.
   */
  emitRule(definition: string, before: string, after: string): void {
    const literal = this.#literal(this.#rules.definitions.get(definition)!());
    printRule(before, literal, this.#file, after);
  }

  /** Emits the constants that rules share. */
  emitParts(): void {
    const { failure, ranges } = this.#rules;
    for (const range of ranges.keys())
      this.#file.line(
        `const ${this.#names.get(range)!} = ${printLiteral(toLiteral(range), 0, 0, 0)} as const;\n`,
      );
    if (failure === undefined) return;
    const literal = object(toEntries(failure, (value) => this.#names.get(value)));
    const type = this.#file.importType("FailureRule", runtime);
    printConstant(`const ${failureName}`, type, literal, this.#file);
  }

  #emit(name: string, type: string, rule: Rule): void {
    const head = `const ${name} = (): ${this.#file.importType(type, runtime)} => `;
    printRule(head, this.#literal(rule), this.#file);
  }

  #literal(rule: Rule): Literal {
    const replace = (value: unknown, key: string): string | undefined => {
      const name = this.#names.get(value);
      if (name !== undefined || !(key in Object.prototype)) return name;
      // For a key such as `toString`, TypeScript expects the type declared in `Object.prototype`,
      // and widens literals. State the type explicitly.
      return typeof value === "string"
        ? `${quote(value)} as const`
        : `${printFlat(toLiteral(value, replace))} as ${this.#file.importType("Rule", runtime)}`;
    };
    return toLiteral(rule, replace);
  }
}

/** Returns whether a rule or any of its parts has checks. */
function hasChecks(part: unknown): boolean {
  if (typeof part !== "object" || part === null) return false;
  return "by" in part && part.by === findUnmetChecks ? true : Object.values(part).some(hasChecks);
}

/** Emits a function that returns a rule, between the code before and after the rule. */
export function printRule(before: string, rule: Literal, file: SourceFile, after = ";"): void {
  const returned =
    typeof rule === "string" ? rule : `(${printLiteral(rule, before.length + 1, 2, 0)})`;
  file.line(`${before}${returned}${after}\n`);
}

/** Names each range after its format, because many rules share ranges. */
function nameRanges({ ranges }: ValidationRules, names: Map<unknown, string>): void {
  const taken = new Set<string>();
  for (const [range, format] of ranges) {
    const stem = format.replaceAll(/[^A-Za-z0-9]/g, "") || Object.keys(range as object)[0]!;
    let name = `${stem}Range`;
    for (let count = 2; taken.has(name); count++) name = `${stem}Range${count}`;
    taken.add(name);
    names.set(range, name);
  }
}
