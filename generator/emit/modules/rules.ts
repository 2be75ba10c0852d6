import { findUnmetChecks } from "../../../runtime/validation/unmet-checks.js";
import type { ContentsRule, MessageArm, Rule } from "../../../runtime/validation/rule.js";
import { camelCase } from "../../model/names.js";
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
import { literalKey, quote, type SourceFile } from "../printer/source-file.js";
import { hasWireDialects } from "./dialects.js";
import { type PackageNames, runtime } from "./package-names.js";
import { integerLabel } from "./type-label.js";

/** Name of the constant that contains the rule for failed responses. */
const failureName = "failureRule";

/** Emits the rules that explain why a check failed. */
export class RuleEmitter {
  readonly #file: SourceFile;
  readonly #rules: ValidationRules;
  readonly #names: Map<unknown, string>;
  readonly #kinds: readonly MessageKind[];
  readonly #hasDialects: boolean;

  constructor(protocol: Protocol, names: PackageNames, file: SourceFile) {
    this.#file = file;
    this.#hasDialects = hasWireDialects(protocol);
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
    this.#kinds = kindsOf(protocol, this.#rules).filter(
      (kind) => made.filter((rule) => partsOf(rule, kind) !== undefined).length > 1,
    );
  }

  /** Emits the rule for any message, which selects the rule of the message's definition. */
  emitMessageRule(): void {
    const { message, otherResponse } = this.#rules;
    if (otherResponse !== undefined) {
      this.#names.set(otherResponse, "otherResponseRule");
      this.#emit("otherResponseRule", "ResponseRule", otherResponse());
    }
    const arms = message.arms.map((arm) =>
      object(
        toEntries(arm, this.#replace).map(([key, value]) => [
          key,
          (key === "known" ? this.#contentsOf(arm) : undefined) ?? value,
        ]),
      ),
    );
    const type = this.#file.importType("MessageRule", runtime);
    const head = `export const messageRule = (): ${type} => `;
    this.#file.doc(
      "Returns the rule for any message. Connections check messages by it, because they are much smaller without `isValid`.",
    );
    printRule(head, object([["arms", arms]]), this.#file);
  }

  /**
   * Returns the rules for the known messages of one kind, made of those for their contents. A
   * message without any is checked like one with an unknown name, unless a dialect has to know it.
   * Undefined if the rules differ in other ways.
   */
  #contentsOf({ known = {} }: MessageArm): Literal | undefined {
    const rules = Object.entries(known).map(
      ([name, rule]) => [name, (rule as () => Rule)()] as const,
    );
    const kind = this.#kinds.find((each) =>
      rules.every(
        ([name, rule]) => partsOf(rule, each)?.name === name && !(name in Object.prototype),
      ),
    );
    if (kind === undefined) return undefined;
    const contents = rules
      .map(([name, rule]) => [name, partsOf(rule, kind)!.contents] as const)
      .filter(([, rule]) => rule !== undefined || this.#hasDialects)
      .map(([name, rule]): [string, Literal] => [name, toLiteral(rule, this.#replace)]);
    const named = this.#file.importValue("namedRules", runtime);
    return { call: `${named}(${kind.rule}, `, last: object(contents) };
  }

  /**
   * Emits a definition's rule, which other rules refer to by the name of the validator.
   *
   * @param before The code that precedes the rule, up to the arrow of a function.
   */
  emitRule(definition: string, before: string, after: string): void {
    const rule = this.#rules.definitions.get(definition)!();
    for (const kind of this.#kinds) {
      const parts = partsOf(rule, kind);
      if (parts === undefined) continue;
      const given = [parts.name, parts.contents]
        .filter((part) => part !== undefined)
        .map((part) => printFlat(toLiteral(part, this.#replace)));
      const [head, ...rest] = before.split("\n");
      this.#file.line(head);
      this.#file.under(`${rest.join("\n")}() =>`, `${kind.rule}(${given.join(", ")})${after}`);
      this.#file.line();
      return;
    }
    // Without the type, compilers infer one for each literal, which differs from a rule if the
    // literal has unlike alternatives, and is too deep to compare if the literal is deep.
    const type = this.#file.importType("Rule", runtime);
    printRule(`${before}(): ${type} => `, toLiteral(rule, this.#replace), this.#file, after);
  }

  /** Emits the constants that rules share. */
  emitParts(): void {
    const { failure, ranges } = this.#rules;
    for (const range of ranges.values())
      this.#file.line(
        `const ${this.#names.get(range)!} = ${printLiteral(toLiteral(range), 0, 0, 0)} as const;\n`,
      );
    for (const kind of this.#kinds) this.#emitMessageKind(kind);
    if (failure === undefined) return;
    const literal = object(toEntries(failure, (value) => this.#names.get(value)));
    const type = this.#file.importType("FailureRule", runtime);
    printConstant(`const ${failureName}`, type, literal, this.#file);
  }

  /** Emits the function that creates the rules for one kind of message. */
  #emitMessageKind({ rule, base, name, contents, isResponse }: MessageKind): void {
    const file = this.#file;
    const type = file.importType("ContentsRule", runtime);
    const parameters = [...(name === undefined ? [] : ["name: string"]), `contents?: ${type}`];
    file.declare(`function ${rule}`, parameters, `): ${file.importType("Rule", runtime)} {`, () => {
      const extend = file.importValue("extendRule", runtime);
      const named = name === undefined ? "{}" : `{ ${literalKey(name)}: { value: name } }`;
      const call = `${extend}(${this.#names.get(base)!}, ${named}, ${quote(contents)}, contents)`;
      if (isResponse) {
        file.line(`const success = ${call};`);
        file.line(`return { success, failure: ${failureName} };`);
      } else file.line(`return ${call};`);
    });
    file.line();
  }

  #emit(name: string, type: string, rule: Rule): void {
    const head = `const ${name} = (): ${this.#file.importType(type, runtime)} => `;
    printRule(head, toLiteral(rule, this.#replace), this.#file);
  }

  /** Returns the name of a constant or validator, to be printed instead of its value. */
  readonly #replace = (value: unknown, key: string): string | undefined => {
    const name = this.#names.get(value);
    if (name !== undefined || !(key in Object.prototype)) return name;
    // For a key such as `toString`, TypeScript expects the type declared in `Object.prototype`,
    // and widens literals. State the type explicitly.
    return typeof value === "string"
      ? `${quote(value)} as const`
      : `${printFlat(toLiteral(value, this.#replace))} as ${this.#file.importType("Rule", runtime)}`;
  };
}

/** A kind of message, whose rules differ only in the message's name and its contents. */
interface MessageKind {
  /** Name of the function that creates these rules. */
  readonly rule: string;
  /** The rule that these rules extend. */
  readonly base: unknown;
  /** The field that contains the message's name. Undefined if the messages have no name. */
  readonly name: string | undefined;
  /** The field with the message's contents. */
  readonly contents: string;
  readonly isResponse: boolean;
}

function kindsOf(
  { bases, envelope: { request, event, response } }: Protocol,
  { definitions }: ValidationRules,
): readonly MessageKind[] {
  const kinds = [
    ["requestRule", bases.request, request.name, request.payload, false],
    ["eventRule", bases.event, event.name, event.payload, false],
    ["responseRule", bases.response, response?.name, response?.result, true],
  ] as const;
  return kinds.flatMap(([rule, base, name, contents, isResponse]) =>
    base === undefined || contents === undefined
      ? []
      : [{ rule, base: definitions.get(base), name, contents, isResponse }],
  );
}

/** The parts of a message's rule that differ within its kind. */
interface MessageParts {
  /** The message's name, if it has one. */
  readonly name: string | undefined;
  readonly contents: ContentsRule | undefined;
}

/** Returns what distinguishes a rule, or undefined if there is more than a name and contents. */
function partsOf(rule: Rule, kind: MessageKind): MessageParts | undefined {
  if (typeof rule !== "object" || "failure" in rule !== kind.isResponse) return undefined;
  const whole = "failure" in rule ? rule.success : rule;
  if (!("bases" in whole) || whole.bases?.length !== 1 || whole.bases[0] !== kind.base)
    return undefined;
  const { bases: _, required = {}, optional = {}, ...others } = whole;
  const { [kind.name ?? ""]: named, ...contents } = required;
  const fields = [...Object.keys(contents), ...Object.keys(optional)];
  if (Object.keys(others).length > 0 || fields.some((field) => field !== kind.contents))
    return undefined;
  const name = typeof named === "object" && "value" in named ? named.value : undefined;
  if (typeof name !== (kind.name === undefined ? "undefined" : "string")) return undefined;
  const optionalRule = optional[kind.contents];
  return {
    name: name as string | undefined,
    contents: contents[kind.contents] ?? (optionalRule && [optionalRule]),
  };
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

/** Names the ranges that many rules share. Ranges of integers are named like their tests. */
function nameRanges({ ranges }: ValidationRules, names: Map<unknown, string>): void {
  const taken = new Set<string>();
  for (const range of ranges.values()) {
    if (typeof range !== "object") continue;
    const stem = "integer" in range ? camelCase(integerLabel(...range.integer)) : "numberRange";
    let name = stem;
    for (let count = 2; taken.has(name); count++) name = `${stem}${count}`;
    taken.add(name);
    names.set(range, name);
  }
}
