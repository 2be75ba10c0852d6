import { checkedProperties } from "../../model/properties.js";
import { hasWholeChecks, isAnything, isClosed } from "../../model/type-checks.js";
import type { ReferenceOrder } from "../../model/reference-order.js";
import type {
  ArrayType,
  Definition,
  EnumType,
  MapType,
  ObjectType,
  Property,
  Type,
} from "../../model/types.js";
import { nameLocals } from "../printer/local-names.js";
import { allOf, anyOf, printReturn, type Condition } from "../printer/logical-expression.js";
import { printValue, quote, type SourceFile } from "../printer/source-file.js";
import { checksCondition } from "./check-conditions.js";
import { emitLocals, emitObjectTest } from "./object-opening.js";
import { primitiveCondition } from "./primitive-condition.js";
import { SharedParts } from "./shared-parts.js";
import { refersTo } from "./type-cycles.js";
import { labelOf, structureOf } from "./type-label.js";
import { runtime } from "./runtime-module.js";

/** Enums with at least this many values are checked with a set instead of comparisons. */
const manyValues = 12;

/**
 * Maximum number of properties in one expression. TypeScript cannot check much longer expressions,
 * so longer checks are split.
 */
const manyProperties = 400;

/**
 * Name of the definition that contains a condition. Empty if several definitions share the
 * condition.
 */
export type Owner = string;

/**
 * Whether the function of a definition in `faults.ts` returns a mask with one bit per wrong
 * property.
 */
export function hasMask(definitions: ReadonlyMap<string, Definition>, name: string): boolean {
  const type = definitions.get(name)?.type;
  return type?.kind === "object" && checkedProperties(definitions, type).length <= manyProperties;
}

/**
 * Creates the conditions that values of a type must satisfy, and prints the functions that these
 * conditions call.
 */
export class TypeConditions {
  readonly #file: SourceFile;
  readonly #definitions: ReadonlyMap<string, Definition>;
  readonly #order: ReferenceOrder;
  readonly #parts: SharedParts;
  readonly #faultFunction: (name: string) => string;

  /** @param faultFunction Imports a function of `faults.ts`, and returns its name in this file. */
  constructor(
    file: SourceFile,
    definitions: ReadonlyMap<string, Definition>,
    order: ReferenceOrder,
    faultFunction: (name: string) => string = (name) => name,
  ) {
    this.#faultFunction = faultFunction;
    this.#file = file;
    this.#parts = new SharedParts(file);
    this.#definitions = definitions;
    this.#order = order;
  }

  /** Prints the functions and constants that the conditions created so far use. */
  printParts(): void {
    this.#parts.print();
  }

  /** The condition for a property. Undefined if it may be absent and may have any value. */
  ofProperty(property: Property, local: string, owner: Owner): Condition | undefined {
    const condition = this.of(property.type, local, owner);
    if (property.required) return condition ?? `${local} !== undefined`;
    return condition === undefined || condition === `${local} === undefined`
      ? condition
      : anyOf(`${local} === undefined`, condition);
  }

  /** The condition for a value to have a type. Undefined if any value is valid. */
  of(type: Type, value: string, owner: Owner): Condition | undefined {
    const structure = this.#ofStructure(type, value, owner);
    // For an object, the condition already contains the checks: it calls a function that applies
    // them.
    return type.kind === "object" ? structure : allOf(structure, this.checks(type, value, owner));
  }

  /**
   * The condition for a value to satisfy the checks of a type. The checks are conditions that the
   * type cannot express.
   */
  checks(type: Type, value: string, owner: Owner): Condition | undefined {
    return checksCondition(type, value, {
      file: this.#file,
      of: (each, name) => this.of(each, name, owner),
      call: (each, name) => this.#callWhole(each, name, owner),
      part: (key, label, print) => this.#parts.name(key, label, print),
    });
  }

  #ofStructure(type: Type, value: string, owner: Owner): Condition | undefined {
    switch (type.kind) {
      case "enum":
        return this.#ofEnum(type, value);
      case "union":
        return type.members.length === 0
          ? `${value} === undefined`
          : anyOf(...type.members.map((each) => this.of(each, value, owner)));
      case "reference":
        return this.#ofReference(type.name, value, owner);
      case "array":
        return this.#ofArray(type, value, owner);
      case "map":
      case "object":
        return this.#call(type, value, owner);
      default:
        return primitiveCondition(type, value, this.#file);
    }
  }

  /**
   * Prints the body of a function that returns whether `value` is an object of the type.
   *
   * @param isKnown Whether earlier code has already tested that the value is an object.
   */
  printObject(type: ObjectType, shape: string, owner: Owner, isKnown = false): void {
    const file = this.#file;
    const isObject = (): string => `${file.importValue("isObject", runtime)}(value)`;
    const properties = checkedProperties(this.#definitions, type);
    const only = this.ofWhole(type, owner);
    if (properties.length > manyProperties) {
      const calls: Condition[] = [];
      for (let start = 0; start < properties.length; start += manyProperties) {
        const chunk = properties.slice(start, start + manyProperties);
        const part: ObjectType = { kind: "object", bases: [], properties: chunk, extras: "open" };
        calls.push(this.#call(part, "value", owner));
      }
      file.line(printReturn(allOf(isObject(), only, ...calls)!, file.indent));
      return;
    }
    const locals = nameLocals(properties);
    const conditions = properties.map((each) =>
      this.ofProperty(each, locals.get(each.name)!, owner),
    );
    const condition = allOf(...conditions, only);
    if (condition === undefined) {
      file.line(`return ${isObject()};`);
      return;
    }
    if (!isKnown) emitObjectTest(file);
    emitLocals(
      file,
      properties.filter((_, index) => conditions[index] !== undefined),
      locals,
      shape,
    );
    file.line(printReturn(condition, file.indent));
  }

  /** The condition for an object as a whole, without the conditions for its properties. */
  ofWhole(type: ObjectType, owner: Owner): Condition | undefined {
    return allOf(this.onlyFields(type, owner), this.checks(type, "value", owner));
  }

  /**
   * The condition for a closed object to have only its named properties. Undefined for open
   * objects.
   */
  onlyFields(type: ObjectType, owner: Owner): Condition | undefined {
    if (!isClosed(type)) return undefined;
    const names = checkedProperties(this.#definitions, type).map(({ name }) => quote(name));
    const set = this.#parts.name(`fields ${names.join()}`, `fieldsOf${owner}`, (name) =>
      this.#file.list(
        `const ${name}: ReadonlySet<string> = /* @__PURE__ */ new Set([`,
        names,
        "]);",
      ),
    );
    return `${this.#file.importValue("hasOnlyFields", runtime)}(value, ${set})`;
  }

  #ofReference(name: string, value: string, owner: Owner): Condition {
    const { isRecursive, isSameCycle } = this.#order;
    if (isRecursive(name))
      return `${this.#faultFunction(`matches${name}`)}(${value}, ${isSameCycle(owner, name) ? "depth + 1" : "0"})`;
    return hasMask(this.#definitions, name) && !this.#hasWholeChecks(name)
      ? allOf(
          `${this.#file.importValue("isObject", runtime)}(${value})`,
          `${this.#faultFunction(`faultsOf${name}`)}(${value}) === 0`,
        )!
      : `${this.#faultFunction(`matches${name}`)}(${value})`;
  }

  #hasWholeChecks(name: string): boolean {
    const type = this.#definitions.get(name)!.type;
    return type.kind === "object" && hasWholeChecks(type);
  }

  #ofEnum(type: EnumType, value: string): Condition {
    if (type.open) {
      const kinds = [...new Set(type.values.map((each) => typeof each.value))];
      return anyOf(...kinds.map((kind) => `typeof ${value} === "${kind}"`))!;
    }
    const values = type.values.map((each) => printValue(each.value));
    if (values.length < manyValues) return anyOf(...values.map((each) => `${value} === ${each}`))!;
    const set = this.#parts.name(`enum ${values.join()}`, "values", (name) =>
      this.#file.list(
        `const ${name}: ReadonlySet<unknown> = /* @__PURE__ */ new Set([`,
        values,
        "]);",
      ),
    );
    return `${set}.has(${value})`;
  }

  #ofArray(type: Type & { readonly kind: "array" }, value: string, owner: Owner): Condition {
    const size = allOf(
      type.minItems === undefined ? undefined : `${value}.length >= ${type.minItems}`,
      type.maxItems === undefined ? undefined : `${value}.length <= ${type.maxItems}`,
    );
    const isArray = `Array.isArray(${value})`;
    if (type.first !== undefined || isAnything(type.items)) return allOf(isArray, size)!;
    const items = this.#call({ kind: "array", items: type.items }, value, owner);
    return size === undefined ? items : allOf(isArray, size, items)!;
  }

  /**
   * Returns a call of the function that checks a type. Types with the same structure share one
   * function.
   */
  #call(type: ArrayType | MapType | ObjectType, value: string, owner: Owner): string {
    const file = this.#file;
    const label =
      type.kind === "array"
        ? `isListOf${labelOf(type.items)}`
        : type.kind === "map"
          ? `isMapOf${labelOf(type.values)}`
          : "isObjectWith";
    return this.#callOf(type, "", label, value, owner, (inside) => {
      if (type.kind === "object") {
        this.printObject(type, "Record<string, unknown>", inside);
        return;
      }
      if (type.kind === "array") {
        file.line("if (!Array.isArray(value)) return false;");
        const failed = this.#failed("item", type.items, inside);
        if (failed !== undefined) {
          // Loop over indices: iterators are slower, and an array may have a custom iterator.
          file.block("for (let index = 0; index < value.length; index++) {", "}", () => {
            file.line("const item: unknown = value[index];");
            file.under(`if (${failed})`, "return false;");
          });
        }
      } else {
        file.line(`if (!${file.importValue("isObject", runtime)}(value)) return false;`);
        const failed = this.#failed("each", type.values, inside);
        if (failed !== undefined)
          file.under("for (const each of Object.values(value))", `if (${failed}) return false;`);
      }
      file.line("return true;");
    });
  }

  /**
   * The condition for an item or entry to be invalid, because it does not have a type. Undefined if
   * all values have the type.
   */
  #failed(part: string, type: Type, owner: Owner): string | undefined {
    const condition = this.of(type, part, owner);
    if (condition === undefined) return undefined;
    const isTypeof = /^typeof (\w+) === ("\w+")$/.exec(String(condition));
    if (isTypeof !== null) return `typeof ${isTypeof[1]} !== ${isTypeof[2]}`;
    if (type.kind === "reference" && type.checks === undefined && typeof condition === "object") {
      const isObject = this.#file.importValue("isObject", runtime);
      return `!${isObject}(${part}) || ${this.#faultFunction(`faultsOf${type.name}`)}(${part}) !== 0`;
    }
    return typeof condition === "string" && /^[\w.]+\(.*\)$/.test(condition)
      ? `!${condition}`
      : `!${this.#callWhole(type, part, owner)}`;
  }

  /**
   * Returns a call of a function that checks a value against the whole type, including its checks.
   */
  #callWhole(type: Type, value: string, owner: Owner): string {
    return this.#callOf(type, "whole ", `isEither${labelOf(type)}`, value, owner, (inside) =>
      this.#file.line(printReturn(this.of(type, "value", inside)!, this.#file.indent)),
    );
  }

  /**
   * Returns a call of a function, which is printed only once. If the type is part of a cycle of
   * definitions, the function also has the parameter `depth`.
   */
  #callOf(
    type: Type,
    scope: "" | "whole ",
    label: string,
    value: string,
    owner: Owner,
    print: (inside: Owner) => void,
  ): string {
    const isInCycle = this.#reaches(type, owner);
    const inside = isInCycle ? owner : "";
    const name = this.#parts.name(`${scope}${structureOf(type)} ${inside}`, label, (own) => {
      const parameters = ["value: unknown", ...(isInCycle ? ["depth: number"] : [])];
      this.#file.declare(`function ${own}`, parameters, "): boolean {", () => print(inside));
    });
    return `${name}(${value}${isInCycle ? ", depth" : ""})`;
  }

  /** Whether a type refers back to the definition that contains it. */
  #reaches(type: Type, owner: Owner): boolean {
    return refersTo(type, this.#definitions, (name) => this.#order.isSameCycle(owner, name));
  }
}
