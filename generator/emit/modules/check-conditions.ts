import {
  checksOf,
  isAnything,
  isNever,
  evaluatedParts,
  takesAllTexts,
} from "../../model/type-checks.js";
import type { Check, Evaluated, Type } from "../../model/types.js";
import { object, printFlat as printLiteral, toLiteral, type Literal } from "../printer/literal.js";
import { allOf, printFlat, type Condition } from "../printer/logical-expression.js";
import { quote, type SourceFile } from "../printer/source-file.js";
import { runtime } from "./package-names.js";

const list = "readonly unknown[]";

/** Functions that emit the building blocks of conditions. */
interface ConditionParts {
  readonly file: SourceFile;
  /** Returns the condition under which a value matches a type, or undefined if every value does. */
  of(type: Type, value: string): Condition | undefined;
  /**
   * Returns a call to a function that checks whether a value matches a type. There must be values
   * that do not match it.
   */
  call(type: Type, value: string): string;
  /**
   * Returns the name of a function or constant that will be emitted later. Equal functions and
   * constants are emitted only once.
   */
  part(key: string, label: string, print: (name: string) => void): string;
}

/**
 * Creates the condition under which a value satisfies the checks of its type, assuming that earlier
 * code has already tested its structure. Returns undefined if the type has no checks.
 */
export function checksCondition(
  type: Type,
  value: string,
  parts: ConditionParts,
): Condition | undefined {
  const conditions = new CheckConditions(value, parts);
  return allOf(
    type.kind === "string" && type.pattern !== undefined
      ? conditions.ofPattern(type.pattern)
      : undefined,
    type.kind === "array" && type.first !== undefined
      ? conditions.ofItems(type.first, type.items)
      : undefined,
    ...checksOf(type).map((check) => conditions.of(check)),
  );
}

class CheckConditions {
  readonly #value: string;
  readonly #parts: ConditionParts;

  constructor(value: string, parts: ConditionParts) {
    this.#value = value;
    this.#parts = parts;
  }

  of(check: Check): Condition | undefined {
    const value = this.#value;
    switch (check.kind) {
      case "also":
        return this.#parts.of(check.type, value);
      case "not":
        return `!(${this.#test(check.type, value)})`;
      case "one-of":
        return `[${check.types.map((each) => this.#test(each, value)).join(", ")}].filter(Boolean).length === 1`;
      case "if": {
        const [test, then, otherwise] = [check.if, check.then, check.else].map((each) =>
          this.#test(each, value),
        );
        return `(${test} ? ${then} : ${otherwise})`;
      }
      case "pattern":
        return this.ofPattern(check.pattern);
      case "between":
        return allOf(
          check.above === undefined ? undefined : `${this.#as("number")} > ${check.above}`,
          check.below === undefined ? undefined : `${this.#as("number")} < ${check.below}`,
        );
      case "multiple":
        return `${this.#use("isMultiple")}(${this.#as("number")}, ${check.of})`;
      case "unique":
        return `${this.#use("isUnique")}(${this.#as(list)})`;
      case "contains":
        return `${this.#use("hasItems")}(${this.#as(list)}, ${this.#predicate(check.type)}, ${check.least}, ${check.most ?? "Infinity"})`;
      case "size":
        return `${this.#use("hasSize")}(${this.#as("object")}, ${check.least ?? 0}, ${check.most ?? "Infinity"})`;
      case "names":
        return takesAllTexts(check.type)
          ? undefined
          : `${this.#use("presentNames")}(${this.#as("object")}).every(${this.#predicate(check.type)})`;
      case "dependent":
        return `(!${this.#use("hasField")}(${value}, ${quote(check.property)}) || ${this.#test(check.type, value)})`;
      case "matching":
        return this.#everyPart(
          `${this.#use("presentNames")}(${this.#as("object")}).filter((name) => ${this.#pattern(check.pattern)}.test(name))`,
          check.type,
        );
      case "others": {
        const patterns = check.patterns.map((each) => this.#pattern(each));
        const others = `${this.#use("otherNames")}(${this.#as("object")}, [${check.names.map(quote).join(", ")}], [${patterns.join(", ")}])`;
        return this.#everyPart(others, check.type);
      }
      case "unevaluated": {
        const evaluated = check.evaluated
          .map((each) => printLiteral(this.#evaluated(each)))
          .join(", ");
        const test = "(is: (each: unknown) => boolean, each) => is(each)";
        const unevaluated = `${this.#use("unevaluatedParts")}(${value}, "${check.parts}", [${evaluated}], ${test})`;
        return this.#everyPart(unevaluated, check.type);
      }
    }
  }

  ofPattern(pattern: string): Condition {
    return `${this.#pattern(pattern)}.test(${this.#as("string")})`;
  }

  /**
   * Returns the condition for an array in which each of the first items has a type of its own, and
   * all other items have the type `rest`.
   */
  ofItems(first: readonly Type[], rest: Type): Condition | undefined {
    const value = this.#as(list);
    const tests = first.map((type, index) => {
      if (isNever(type)) return `${value}.length <= ${index}`;
      if (isAnything(type)) return undefined;
      return `(${value}.length <= ${index} || ${this.#parts.call(type, `${value}[${index}]`)})`;
    });
    const others = isAnything(rest)
      ? undefined
      : isNever(rest)
        ? `${value}.length <= ${first.length}`
        : `${value}.slice(${first.length}).every(${this.#predicate(rest)})`;
    return allOf(...tests, others);
  }

  /** Returns the condition under which the values of the named properties match a type. */
  #everyPart(names: string, type: Type): Condition {
    if (isNever(type)) return `${names}.length === 0`;
    const fields = this.#parts.file.importType("AnyFields", runtime);
    return `${names}.every((name) => (${this.#predicate(type)})((${this.#value} as ${fields})[name]))`;
  }

  /** Returns the value, cast to a structure that has already been tested. */
  #as(type: string): string {
    return `(${this.#value} as ${type})`;
  }

  #use(name: string): string {
    return this.#parts.file.importValue(name, runtime);
  }

  /** Returns an expression that is true if the value matches the type. */
  #test(type: Type, value: string): string {
    if (isNever(type)) return "false";
    const condition = this.#parts.of(type, value);
    return condition === undefined ? "true" : `(${printFlat(condition)})`;
  }

  /** Returns a function that checks whether its argument matches the type. */
  #predicate(type: Type): string {
    const test = this.#test(type, "each");
    return `(${/\beach\b/.test(test) ? "each: unknown" : ""}) => ${test}`;
  }

  #pattern(pattern: string): string {
    const { file, part } = this.#parts;
    return part(`pattern ${pattern}`, "pattern", (name) =>
      file.line(
        `const ${name} = /* @__PURE__ */ ${file.importValue("compilePattern", runtime)}(${quote(pattern)});`,
      ),
    );
  }

  #evaluated(evaluated: Evaluated): Literal {
    const { names, patterns, items, all, containing, when, unless } = evaluatedParts(
      { ...evaluated, more: [] },
      (type) => this.#predicate(type),
    );
    return object(
      [
        ["names", names && toLiteral(names)],
        ["patterns", patterns && toLiteral(patterns)],
        ["items", items === undefined ? undefined : String(items)],
        ["all", all && "true"],
        ["containing", containing],
        ["when", when],
        ["unless", unless],
        [
          "more",
          evaluated.more.length === 0
            ? undefined
            : evaluated.more.map((each) => this.#evaluated(each)),
        ],
      ].filter((entry): entry is [string, Literal] => entry[1] !== undefined),
    );
  }
}
