import { isDeepStrictEqual } from "node:util";
import { checkValue } from "../../runtime/validation/check-value.js";
import type {
  Bounds,
  EnvelopePart,
  FailureRule,
  MessageRule,
  ObjectRule,
  ObjectSource,
  ResponseRule,
  Rule,
} from "../../runtime/validation/rule.js";
import { failureSigns, failureType, successType } from "./checked-types.js";
import { messageArms } from "./message-arms.js";
import { once } from "./once.js";
import type { Protocol } from "./protocol.js";
import { checkedProperties } from "./properties.js";
import {
  definitionsByName,
  requestsByResponse,
  responsesOf,
  type AnsweredRequest,
} from "./queries.js";
import { orderByReference, type ReferenceOrder } from "./reference-order.js";
import { bounds, checkRulesOf } from "./check-rules.js";
import { checksOf, expectsOthers, isClosed } from "./type-checks.js";
import type { Definition, EnumType, Json, ObjectType, Property, Type } from "./types.js";

/** The rules from which validators check messages. Generated packages contain the same rules as code. */
export interface ValidationRules {
  /**
   * A function per definition that returns its rule. A definition follows those that it refers to, except within
   * cycles. A rule that refers to a definition holds the same function.
   */
  readonly definitions: ReadonlyMap<string, () => Rule>;
  /** How to recognise and check failed responses; undefined for protocols without responses. */
  readonly failure: FailureRule | undefined;
  /** The response to a request that the protocol does not define; undefined for protocols without responses. */
  readonly otherResponse: (() => ResponseRule) | undefined;
  readonly message: MessageRule;
  /** Number ranges of the rules created so far, with their format. Equal ranges are the same object. */
  readonly ranges: ReadonlyMap<unknown, string>;
}

/** The rules of a protocol. Rules of definitions are created on demand. */
export function validationRulesOf(protocol: Protocol): ValidationRules {
  return new RuleBuilder(protocol);
}

/** The rule of any message of a protocol. */
export function messageRuleOf(protocol: Protocol): MessageRule {
  return validationRulesOf(protocol).message;
}

/** Name of a definition; empty for an inline object. */
type Owner = string;

class RuleBuilder implements ValidationRules {
  readonly definitions: ReadonlyMap<string, () => Rule>;
  readonly failure: FailureRule | undefined;
  readonly otherResponse: (() => ResponseRule) | undefined;
  readonly message: MessageRule;
  readonly ranges = new Map<Rule, string>();
  readonly #rangesByText = new Map<string, Rule>();
  readonly #protocol: Protocol;
  readonly #order: ReferenceOrder;
  readonly #types: ReadonlyMap<string, Definition>;
  readonly #requestOf: ReadonlyMap<string, AnsweredRequest>;
  readonly #messages: ReadonlySet<string>;
  /** Definitions that messages extend. */
  readonly #messageBases: ReadonlySet<string>;
  readonly #isForgiving: boolean;

  constructor(protocol: Protocol) {
    this.#protocol = protocol;
    this.#types = definitionsByName(protocol);
    this.#requestOf = requestsByResponse(protocol);
    this.#messages = new Set([
      ...Object.values(protocol.bases),
      ...protocol.messages.map(({ definition }) => definition),
      ...this.#requestOf.keys(),
    ]);
    this.#messageBases = new Set(
      [...this.#messages].flatMap((name) => {
        const type = this.#types.get(name)?.type;
        return type?.kind === "object" ? type.bases : [];
      }),
    );
    this.#isForgiving = protocol.dialects.some(({ reads }) => reads.includes("forgiving"));
    // The rules of responses refer to the failure, although their schemas do not.
    this.#order = orderByReference([
      ...protocol.definitions.filter(({ name }) => name === protocol.bases.error),
      ...protocol.definitions,
    ]);
    this.definitions = new Map(
      this.#order.names.map((name) => [name, once(() => this.#definition(name))]),
    );
    const responses = responsesOf(protocol);
    this.failure =
      responses === undefined
        ? undefined
        : { rule: this.#objectOf(responses.error), ...failureSigns(responses) };
    this.otherResponse = responses === undefined ? undefined : once(() => this.#otherResponse());
    this.message = {
      arms: messageArms(protocol).map(({ when, name, known, other }) => ({
        when,
        ...(name === undefined
          ? {}
          : {
              name,
              known: Object.fromEntries(known.map(([each, type]) => [each, this.#ruleOf(type)])),
            }),
        other: other === responses?.base ? this.otherResponse! : this.#ruleOf(other),
      })),
    };
  }

  #ruleOf(definition: string): () => Rule {
    return this.definitions.get(definition)!;
  }

  /** The rule of a definition that is an object, without the conditions of the whole object. */
  #objectOf(definition: string): ObjectSource {
    const { type } = this.#types.get(definition)!;
    return type.kind === "object" && checksOf(type).length > 0
      ? this.#object(type, definition)
      : (this.#ruleOf(definition) as () => ObjectRule);
  }

  #definition(name: string): Rule {
    const definition = this.#types.get(name)!;
    const request = this.#requestOf.get(name);
    if (request !== undefined) {
      const success = successType(this.#protocol, definition, request);
      return { success: this.#object(success, name), failure: this.failure! };
    }
    if (name === this.#protocol.bases.error)
      return this.#object(failureType(this.#protocol, definition), name);
    const { type } = definition;
    return type.kind === "object"
      ? this.#checked(this.#object(type, name), type, name)
      : this.#type(type, name);
  }

  #otherResponse(): ResponseRule {
    const { arm, base } = responsesOf(this.#protocol)!;
    const success = this.#objectOf(base);
    const failure = this.failure!;
    if (arm.success !== undefined) return { success, failure };
    // A response with a result is a success.
    const type = this.#types.get(base)!.type as ObjectType;
    const result = checkedProperties(this.#types, type).find(({ name }) => name === arm.result);
    const rule = result === undefined ? "any" : this.#type(result.type, base);
    const required: Record<string, Rule> = { [arm.result]: { part: "result", rule } };
    return { success: { bases: [success], required }, failure };
  }

  #object(type: ObjectType, owner: Owner, within: Owner = owner): ObjectRule {
    const isFree = this.#types.get(owner)?.extensible === true;
    return {
      ...(type.bases.length > 0 ? { bases: type.bases.map((base) => this.#objectOf(base)) } : {}),
      ...this.#section("required", type, owner, within),
      ...this.#section("optional", type, owner, within),
      ...(isClosed(type)
        ? { extras: "closed" }
        : isFree || expectsOthers(type)
          ? { extras: "free" }
          : {}),
      ...(this.#isMessage(owner, type) ? { message: true } : {}),
      ...(this.#order.isRecursive(owner) ? { recursive: true } : {}),
    };
  }

  /** The rules of the required or of the optional properties. */
  #section(
    section: "required" | "optional",
    type: ObjectType,
    owner: Owner,
    within: Owner,
  ): { readonly [key in typeof section]?: Record<string, Rule> } {
    const rules = type.properties
      .filter(({ required }) => required === (section === "required"))
      .filter((property) => !this.#isSameInBase(property, type, owner))
      .map((property) => [property.name, this.#property(property, owner, within)] as const);
    return rules.length === 0 ? {} : { [section]: Object.fromEntries(rules) };
  }

  /** Whether to mark an object as a message. Objects that extend a message inherit the mark. */
  #isMessage(owner: Owner, { bases }: ObjectType): boolean {
    if (!this.#messages.has(owner)) return false;
    return bases.length === 0 || Object.values(this.#protocol.bases).includes(owner);
  }

  #property(property: Property, owner: Owner, within: Owner = owner): Rule {
    const rule = this.#type(property.type, within);
    const found = this.#inBase(property.name, this.#types.get(owner)?.type);
    const own = this.#partOf(property.name, owner);
    // The rule of a base already gives the property its part.
    const part =
      found !== undefined && this.#partOf(property.name, found[1]) === own ? undefined : own;
    const forgives = this.#isForgiving ? (property.forgives ?? []) : [];
    const isImplied = property.required && property.default !== undefined;
    if (part === undefined && forgives.length === 0 && !isImplied) return rule;
    const otherwise = forgives.length === 0 ? undefined : otherwiseOf(property);
    return {
      ...(part === undefined ? {} : { part }),
      ...(isImplied ? { implied: true } : {}),
      ...(forgives.length > 0 ? { forgives } : {}),
      ...(otherwise === undefined ? {} : { otherwise }),
      rule,
    };
  }

  /** Whether a base has the same rule for a property. */
  #isSameInBase(property: Property, type: ObjectType, owner: Owner): boolean {
    const found = this.#inBase(property.name, type);
    if (found === undefined || found[0].required !== property.required) return false;
    const [theirs, base] = found;
    return isDeepStrictEqual(this.#property(theirs, base), this.#property(property, owner));
  }

  /** The inherited property of a name, with the definition that declares it. */
  #inBase(name: string, type: Type | undefined): readonly [Property, Owner] | undefined {
    if (type?.kind !== "object") return undefined;
    return type.bases
      .map((base): readonly [Property, Owner] | undefined => {
        const target = this.#types.get(base)?.type;
        const own =
          target?.kind === "object"
            ? target.properties.find((property) => property.name === name)
            : undefined;
        return own === undefined ? this.#inBase(name, target) : [own, base];
      })
      .findLast((found) => found !== undefined);
  }

  /** The part of a message that a property carries. Bases of messages may declare it as well. */
  #partOf(property: string, owner: Owner): EnvelopePart | undefined {
    if (!this.#messages.has(owner) && !this.#messageBases.has(owner)) return undefined;
    const { bases, envelope } = this.#protocol;
    const { response, request, event } = envelope;
    const isResponse =
      this.#requestOf.has(owner) || owner === bases.response || owner === bases.error;
    if (isResponse) {
      if (property === envelope.replyTo) return "replyTo";
      if (property === response?.error && owner === bases.error) return "error";
      if (property === response?.result && owner !== bases.error) return "result";
    } else if (property === request.payload || property === event.payload) return "payload";
    return property === envelope.id ? "id" : undefined;
  }

  /** @param within The definition that contains the type. */
  #type(type: Type, within: Owner): Rule {
    return this.#checked(this.#structure(type, within), type, within);
  }

  /** A rule with the conditions that a type states besides. */
  #checked(rule: Rule, type: Type, within: Owner): Rule {
    const checks = [
      ...(type.kind === "string" && type.pattern !== undefined ? [{ pattern: type.pattern }] : []),
      ...(type.kind === "array" && type.first !== undefined
        ? [
            {
              first: type.first.map((each) => this.#type(each, within)),
              rest: this.#type(type.items, within),
            },
          ]
        : []),
      ...checksOf(type).flatMap((check) => checkRulesOf(check, (each) => this.#type(each, within))),
    ];
    return checks.length === 0 ? rule : { of: rule, checks, by: checkValue };
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
          : this.#range(type.kind, type.format, bounds(type.minimum, type.maximum));
      case "literal":
        return { value: type.value };
      case "enum":
        return enumRule(type);
      case "array":
        return {
          list: type.first === undefined ? this.#type(type.items, within) : "any",
          ...(type.minItems === undefined && type.maxItems === undefined
            ? {}
            : { size: bounds(type.minItems ?? 0, type.maxItems) }),
        };
      case "map":
        return { map: this.#type(type.values, within) };
      case "object":
        return this.#object(type, "", within);
      case "union":
        return { anyOf: type.members.map((each) => this.#type(each, within)) };
      case "reference":
        return this.#order.isSameCycle(within, type.name)
          ? { late: this.#ruleOf(type.name) }
          : this.#ruleOf(type.name);
    }
  }

  #range(kind: "integer" | "number", format: string | undefined, range: Bounds): Rule {
    const text = `${kind} ${range.join(" ")}`;
    let rule = this.#rangesByText.get(text);
    if (rule === undefined) {
      rule = kind === "integer" ? { integer: range } : { number: range };
      this.#rangesByText.set(text, rule);
      this.ranges.set(rule, format ?? kind);
    }
    return rule;
  }
}

/** The substitute for an ignored value; undefined drops the property. */
function otherwiseOf({ type: { kind }, default: fallback }: Property): Json | undefined {
  return fallback ?? (kind === "array" ? [] : kind === "map" ? {} : undefined);
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
