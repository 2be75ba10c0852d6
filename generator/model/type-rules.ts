import { isDeepStrictEqual } from "node:util";
import { findUnmetChecks } from "../../runtime/validation/unmet-checks.js";
import type {
  Bounds,
  ObjectRule,
  ObjectSource,
  Rule,
  CheckRule,
  EvaluatedRule,
} from "../../runtime/validation/rule.js";
import { once } from "./once.js";
import { orderByReference, type ReferenceOrder } from "./reference-order.js";
import { checksOf, expectsOthers, isClosed, evaluatedParts, takesAllTexts } from "./type-checks.js";
import type {
  Definition,
  EnumType,
  ObjectType,
  Property,
  Type,
  Check,
  Evaluated,
} from "./types.js";

/** Name of the definition that an object belongs to. Empty for inline objects. */
export type Owner = string;

/** The rules that validate the values of definitions, created on demand. */
export class TypeRules {
  /**
   * For each definition, a function that returns its rule. Rules use these functions to reference
   * other definitions. Each definition follows the ones that it references, except within cycles.
   */
  readonly definitions: ReadonlyMap<string, () => Rule>;
  protected readonly types: ReadonlyMap<string, Definition>;
  /** Number ranges in the rules created so far, by kind and bounds. */
  readonly ranges: Map<string, Rule> = new Map();
  readonly #order: ReferenceOrder;

  /**
   * @param order The order in which to process the definitions. Default: the order of
   * `definitions`.
   */
  constructor(definitions: readonly Definition[], order = definitions) {
    this.types = new Map(definitions.map((definition) => [definition.name, definition]));
    this.#order = orderByReference(order);
    this.definitions = new Map(
      this.#order.names.map((name) => [name, once(() => this.definition(name))]),
    );
  }

  /** Creates the rule for a type that is not a definition. */
  ruleOf(type: Type): Rule {
    return this.type(type, "");
  }

  protected definition(name: string): Rule {
    const { type } = this.types.get(name)!;
    return type.kind === "object"
      ? this.checked(this.object(type, name), type, name)
      : this.type(type, name);
  }

  protected isMessage(_owner: Owner, _type: ObjectType): boolean {
    return false;
  }

  protected property({ type, default: given }: Property, owner: Owner, within = owner): Rule {
    const rule = this.type(type, within);
    return given === undefined ? rule : { default: given, rule };
  }

  /**
   * Returns the rule for a definition that is an object, without the checks on the object as a
   * whole.
   */
  protected objectOf(definition: string): ObjectSource {
    const { type } = this.types.get(definition)!;
    return type.kind === "object" && checksOf(type).length > 0
      ? this.object(type, definition)
      : (this.definitions.get(definition)! as () => ObjectRule);
  }

  protected object(type: ObjectType, owner: Owner, within: Owner = owner): ObjectRule {
    const isFree = this.types.get(owner)?.extensible === true;
    return {
      ...(type.bases.length > 0 ? { bases: type.bases.map((base) => this.objectOf(base)) } : {}),
      ...this.#section("required", type, owner, within),
      ...this.#section("optional", type, owner, within),
      ...(isClosed(type)
        ? { extras: "closed" }
        : isFree || expectsOthers(type)
          ? { extras: "free" }
          : {}),
      ...(this.isMessage(owner, type) ? { message: true } : {}),
      ...(this.#order.isRecursive(owner) ? { recursive: true } : {}),
    };
  }

  /** Creates the rules for either the required or the optional properties. */
  #section(
    section: "required" | "optional",
    type: ObjectType,
    owner: Owner,
    within: Owner,
  ): { readonly [key in typeof section]?: Record<string, Rule> } {
    const rules = type.properties
      .filter(({ required }) => required === (section === "required"))
      .filter((property) => !this.#isSameInBase(property, type, owner))
      .map((property) => [property.name, this.property(property, owner, within)] as const);
    return rules.length === 0 ? {} : { [section]: Object.fromEntries(rules) };
  }

  /** Returns whether one of the object's bases has the same rule for a property. */
  #isSameInBase(property: Property, type: ObjectType, owner: Owner): boolean {
    const inherited = this.inBase(property.name, type);
    if (inherited === undefined || inherited[0].required !== property.required) return false;
    const [theirs, base] = inherited;
    return isDeepStrictEqual(this.property(theirs, base), this.property(property, owner));
  }

  /**
   * Finds the inherited property with the given name, and the name of the definition that declares
   * it.
   */
  protected inBase(name: string, type: Type | undefined): readonly [Property, Owner] | undefined {
    if (type?.kind !== "object") return undefined;
    return type.bases
      .map((base): readonly [Property, Owner] | undefined => {
        const target = this.types.get(base)?.type;
        const own =
          target?.kind === "object"
            ? target.properties.find((property) => property.name === name)
            : undefined;
        return own === undefined ? this.inBase(name, target) : [own, base];
      })
      .findLast((found) => found !== undefined);
  }

  /**
   * Creates the rule for a type.
   *
   * @param within The definition that contains the type.
   */
  protected type(type: Type, within: Owner): Rule {
    return this.checked(this.#structure(type, within), type, within);
  }

  /** Adds to a rule the checks on its type that the rule itself cannot express. */
  protected checked(rule: Rule, type: Type, within: Owner): Rule {
    const checks = [
      ...(type.kind === "string" && type.pattern !== undefined ? [{ pattern: type.pattern }] : []),
      ...(type.kind === "array" && type.first !== undefined
        ? [
            {
              first: type.first.map((each) => this.type(each, within)),
              rest: this.type(type.items, within),
            },
          ]
        : []),
      ...checksOf(type).flatMap((check) => checkRulesOf(check, (each) => this.type(each, within))),
    ];
    return checks.length === 0 ? rule : { of: rule, checks, by: findUnmetChecks };
  }

  #structure(type: Type, within: Owner): Rule {
    switch (type.kind) {
      case "any":
      case "null":
      case "boolean":
        return type.kind;
      case "string":
        return type.minLength === undefined && type.maxLength === undefined
          ? "string"
          : { string: bounds(type.minLength ?? 0, type.maxLength) };
      case "integer":
      case "number":
        return type.minimum === undefined && type.maximum === undefined
          ? type.kind
          : this.#range(type.kind, bounds(type.minimum, type.maximum));
      case "literal":
        return { value: type.value };
      case "enum":
        return enumRule(type);
      case "array":
        return {
          list: type.first === undefined ? this.type(type.items, within) : "any",
          ...(type.minItems === undefined && type.maxItems === undefined
            ? {}
            : { size: bounds(type.minItems ?? 0, type.maxItems) }),
        };
      case "map":
        return { map: this.type(type.values, within) };
      case "object":
        return this.object(type, "", within);
      case "union":
        return { anyOf: type.members.map((each) => this.type(each, within)) };
      case "reference":
        return this.#order.isSameCycle(within, type.name)
          ? { late: this.definitions.get(type.name)! }
          : this.definitions.get(type.name)!;
    }
  }

  /** Equal ranges share one object. */
  #range(kind: "integer" | "number", range: Bounds): Rule {
    const text = `${kind} ${range.join(" ")}`;
    let rule = this.ranges.get(text);
    if (rule === undefined) {
      rule = kind === "integer" ? { integer: range } : { number: range };
      this.ranges.set(text, rule);
    }
    return rule;
  }
}

function enumRule({ open, values }: EnumType): Rule {
  if (open) {
    const kinds = [...new Set(values.map(({ value }) => typeof value as "string" | "number"))];
    return kinds.length === 1 ? kinds[0]! : { anyOf: kinds };
  }
  const numbers = values.flatMap(({ number }) => (number === undefined ? [] : [number]));
  return {
    oneOf: values.map(({ value }) => value),
    ...(numbers.length > 0 ? { numbers } : {}),
  };
}

/**
 * Converts a check to runtime rules.
 *
 * @param ruleOf Returns the rule of a type.
 */
function checkRulesOf(check: Check, ruleOf: (type: Type) => Rule): readonly CheckRule[] {
  switch (check.kind) {
    case "also":
      return [{ also: ruleOf(check.type) }];
    case "not":
      return [{ not: ruleOf(check.type) }];
    case "one-of":
      return [{ oneOf: check.types.map(ruleOf) }];
    case "if":
      return [{ if: ruleOf(check.if), then: ruleOf(check.then), else: ruleOf(check.else) }];
    case "pattern":
      return [{ pattern: check.pattern }];
    case "between":
      return [
        ...(check.above === undefined ? [] : [{ above: check.above }]),
        ...(check.below === undefined ? [] : [{ below: check.below }]),
      ];
    case "multiple":
      return [{ multiple: check.of }];
    case "unique":
      return [{ unique: true }];
    case "contains":
      return [{ contains: ruleOf(check.type), count: bounds(check.least, check.most) }];
    case "size":
      return [{ size: bounds(check.least ?? 0, check.most) }];
    case "names":
      return takesAllTexts(check.type) ? [] : [{ names: ruleOf(check.type) }];
    case "dependent":
      return [{ dependent: check.property, rule: ruleOf(check.type) }];
    case "matching":
      return [{ matching: check.pattern, rule: ruleOf(check.type) }];
    case "others":
      return [{ others: ruleOf(check.type), names: check.names, patterns: check.patterns }];
    case "unevaluated": {
      const evaluatedRule = (evaluated: Evaluated): EvaluatedRule =>
        evaluatedParts(evaluated, ruleOf);
      return [
        {
          unevaluated: ruleOf(check.type),
          parts: check.parts,
          evaluated: check.evaluated.map(evaluatedRule),
        },
      ];
    }
  }
}

function bounds(least = -Infinity, greatest = Infinity): Bounds {
  return [least, greatest];
}
