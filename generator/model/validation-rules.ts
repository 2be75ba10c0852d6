import type {
  EnvelopePart,
  FailureRule,
  MessageRule,
  ResponseRule,
  Rule,
} from "../../runtime/validation/rule.js";
import { statedFields } from "../base/stated-fields.js";
import { failureSigns, failureType, successType } from "./checked-types.js";
import { messageArms, requestsByResponse, responsesOf, type AnsweredRequest } from "./queries.js";
import { once } from "./once.js";
import type { Protocol } from "./protocol.js";
import { checkedProperties } from "./properties.js";
import { TypeRules, type Owner } from "./type-rules.js";
import type { Json, ObjectType, Property } from "./types.js";

/**
 * The rules that validators use to check messages. Generated packages contain these rules as code.
 */
export interface ValidationRules extends Pick<TypeRules, "definitions" | "ranges"> {
  /** How to recognise and check failed responses. Undefined for protocols without responses. */
  readonly failure: FailureRule | undefined;
  /**
   * The rule for responses to requests that the protocol does not define. Undefined for protocols
   * without responses.
   */
  readonly otherResponse: (() => ResponseRule) | undefined;
  readonly message: MessageRule;
}

/** Returns a protocol's rules. The rules of its definitions are created on demand. */
export function validationRulesOf(protocol: Protocol): ValidationRules {
  return new RuleBuilder(protocol);
}

class RuleBuilder extends TypeRules implements ValidationRules {
  readonly failure: FailureRule | undefined;
  readonly otherResponse: (() => ResponseRule) | undefined;
  readonly message: MessageRule;
  readonly #protocol: Protocol;
  readonly #requestOf: ReadonlyMap<string, AnsweredRequest>;
  readonly #messages: ReadonlySet<string>;
  /** Base definitions that messages extend. */
  readonly #messageBases: ReadonlySet<string>;
  readonly #isForgiving: boolean;

  constructor(protocol: Protocol) {
    // The failure comes first, because the rules for responses reference it although their schemas
    // do not.
    super(protocol.definitions, [
      ...protocol.definitions.filter(({ name }) => name === protocol.bases.error),
      ...protocol.definitions,
    ]);
    this.#protocol = protocol;
    this.#requestOf = requestsByResponse(protocol);
    this.#messages = new Set([
      ...Object.values(protocol.bases),
      ...protocol.messages.map(({ definition }) => definition),
      ...this.#requestOf.keys(),
    ]);
    this.#messageBases = new Set(
      [...this.#messages].flatMap((name) => {
        const type = this.types.get(name)?.type;
        return type?.kind === "object" ? type.bases : [];
      }),
    );
    this.#isForgiving = protocol.dialects.some(({ reads }) => reads.includes("forgiving"));
    const responses = responsesOf(protocol);
    this.failure =
      responses === undefined
        ? undefined
        : { rule: this.objectOf(responses.error), ...failureSigns(responses) };
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

  protected override definition(name: string): Rule {
    const definition = this.types.get(name)!;
    const request = this.#requestOf.get(name);
    if (request !== undefined) {
      const success = successType(this.#protocol, definition, request);
      return { success: this.object(success, name), failure: this.failure! };
    }
    if (name === this.#protocol.bases.error)
      return this.object(failureType(this.#protocol, definition), name);
    return super.definition(name);
  }

  #otherResponse(): ResponseRule {
    const { arm, base } = responsesOf(this.#protocol)!;
    const success = this.objectOf(base);
    const failure = this.failure!;
    if (arm.success !== undefined) return { success, failure };
    // Without a success field, a response that has a result is a success.
    const type = this.types.get(base)!.type as ObjectType;
    const result = checkedProperties(this.types, type).find(({ name }) => name === arm.result);
    const rule = result === undefined ? "any" : this.type(result.type, base);
    const required: Record<string, Rule> = { [arm.result]: { part: "result", rule } };
    return { success: { bases: [success], required }, failure };
  }

  /**
   * Returns whether to mark an object's rule as a message rule. Objects that extend a marked object
   * inherit the mark and need none of their own.
   */
  protected override isMessage(owner: Owner, { bases }: ObjectType): boolean {
    if (!this.#messages.has(owner)) return false;
    return bases.length === 0 || Object.values(this.#protocol.bases).includes(owner);
  }

  protected override property(property: Property, owner: Owner, within: Owner = owner): Rule {
    const rule = this.type(property.type, within);
    const inherited = this.inBase(property.name, this.types.get(owner)?.type);
    const envelopePart = this.#partOf(property.name, owner);
    // The envelope part is left out if a base's rule already states it.
    const part =
      inherited !== undefined && this.#partOf(property.name, inherited[1]) === envelopePart
        ? undefined
        : envelopePart;
    const forgives = this.#isForgiving ? (property.forgives ?? []) : [];
    const isImplied = property.required && property.default !== undefined;
    if (part === undefined && forgives.length === 0 && !isImplied) return rule;
    const isForgiving = forgives.length > 0;
    return statedFields({
      part,
      implied: isImplied ? (true as const) : undefined,
      forgives: isForgiving ? forgives : undefined,
      otherwise: isForgiving ? otherwiseOf(property) : undefined,
      rule,
    });
  }

  /**
   * Returns which part of the envelope a property contains, if its owner is a message or a message
   * base.
   */
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
}

/**
 * Returns the value that replaces an ignored value. If it is undefined, the property is dropped.
 */
function otherwiseOf({ type: { kind }, default: fallback }: Property): Json | undefined {
  return fallback ?? (kind === "array" ? [] : kind === "map" ? {} : undefined);
}
