import { anySuccessType, failureSigns, failureType, successType } from "../model/checked-types.js";
import type { Protocol } from "../model/protocol.js";
import {
  answeredRequests,
  definitionsByName,
  eventsOf,
  requestsByResponse,
  requestsOf,
  responsesOf,
  type Responses,
} from "../model/queries.js";
import type { Definition, ObjectType, Property, Type } from "../model/types.js";
import type { FailureRule, MessageRule, ObjectRule, Rule } from "../../runtime/index.js";

/** The rule of any message of a protocol, as data: the same that generated packages carry as code. */
export function messageRuleOf(protocol: Protocol): MessageRule {
  return new ModelRules(protocol).message();
}

class ModelRules {
  readonly #protocol: Protocol;
  readonly #definitions: ReadonlyMap<string, Definition>;
  readonly #messages: ReadonlySet<string>;
  readonly #rules = new Map<string, Rule>();

  constructor(protocol: Protocol) {
    this.#protocol = protocol;
    this.#definitions = definitionsByName(protocol);
    this.#messages = new Set([
      ...Object.values(protocol.bases),
      ...protocol.messages.map(({ definition }) => definition),
      ...requestsByResponse(protocol).keys(),
    ]);
  }

  message(): MessageRule {
    const { envelope, bases } = this.#protocol;
    const { request, event } = envelope;
    const responses = responsesOf(this.#protocol);
    const known = (
      messages: readonly { readonly name: string; readonly definition: string }[],
    ): Record<string, Rule> =>
      Object.fromEntries(messages.map(({ name, definition }) => [name, this.#named(definition)]));
    return {
      arms: [
        {
          when: request.when,
          name: request.name,
          known: known(requestsOf(this.#protocol)),
          other: this.#named(bases.request),
        },
        {
          when: event.when,
          name: event.name,
          known: known(eventsOf(this.#protocol)),
          other: this.#named(bases.event),
        },
        ...(responses === undefined ? [] : [this.#responseArm(responses)]),
      ],
    };
  }

  #responseArm(responses: Responses): MessageRule["arms"][number] {
    const { arm, base, error } = responses;
    const failure: FailureRule = { rule: this.#failure(error), ...failureSigns(responses) };
    const { name: _, ...unnamed } = failure;
    const { name } = arm;
    const whole = anySuccessType(this.#protocol, this.#definitions.get(base)!);
    return {
      when: arm.when,
      ...(name === undefined
        ? {}
        : {
            name,
            known: Object.fromEntries(
              answeredRequests(this.#protocol).map((request) => {
                const definition = this.#definitions.get(request.responseDefinition)!;
                const success = successType(this.#protocol, definition, request);
                return [request.name, { success: this.#object(success, definition.name), failure }];
              }),
            ),
          }),
      other: { success: this.#object(whole, base), failure: unnamed },
    };
  }

  #failure(name: string): ObjectRule {
    return this.#object(failureType(this.#protocol, this.#definitions.get(name)!), name);
  }

  #named(name: string): Rule {
    let rule = this.#rules.get(name);
    if (rule !== undefined) return rule;
    const { type } = this.#definitions.get(name)!;
    if (type.kind !== "object") {
      // A definition may contain itself: until its rule is there, it is reached late.
      this.#rules.set(name, { late: () => this.#rules.get(name)! });
      rule = this.#type(type);
    } else {
      const own: { -readonly [key in keyof ObjectRule]: ObjectRule[key] } = {};
      this.#rules.set(name, { late: () => own });
      Object.assign(own, this.#object(type, name));
      rule = own;
    }
    this.#rules.set(name, rule);
    return rule;
  }

  #object(type: ObjectType, owner: string): ObjectRule {
    const { extensible } = this.#definitions.get(owner) ?? { extensible: false };
    const section = (required: boolean): Record<string, Rule> =>
      Object.fromEntries(
        type.properties
          .filter((property) => property.required === required)
          .map((property) => [property.name, this.#property(property, owner)]),
      );
    const isMessage = this.#messages.has(owner);
    return {
      bases: type.bases.map((base) => this.#base(base)),
      required: section(true),
      optional: section(false),
      ...(type.extras === "closed"
        ? { extras: "closed" as const }
        : extensible
          ? { extras: "free" as const }
          : {}),
      ...(isMessage ? { message: true as const } : {}),
      recursive: true,
    };
  }

  /** Bases are never recursive: they can be looked up at once. */
  #base(name: string): ObjectRule {
    const rule = this.#named(name);
    return (typeof rule === "object" && "late" in rule ? rule.late() : rule) as ObjectRule;
  }

  #property({ name, type }: Property, owner: string): Rule {
    const part = this.#partOf(name, owner);
    const rule = this.#type(type);
    return part === undefined ? rule : { part, rule };
  }

  #partOf(
    name: string,
    owner: string,
  ): "id" | "replyTo" | "payload" | "result" | "error" | undefined {
    const { envelope, bases } = this.#protocol;
    const isBelow = [...this.#messages].some((each) => {
      const type = this.#definitions.get(each)?.type;
      return type?.kind === "object" && type.bases.includes(owner);
    });
    if (!this.#messages.has(owner) && !isBelow) return undefined;
    const { response, request, event, id, replyTo } = envelope;
    const isResponse =
      requestsByResponse(this.#protocol).has(owner) ||
      owner === bases.response ||
      owner === bases.error;
    if (isResponse) {
      if (name === replyTo) return "replyTo";
      if (name === response?.error && owner === bases.error) return "error";
      if (name === response?.result && owner !== bases.error) return "result";
    } else if (name === request.payload || name === event.payload) return "payload";
    return name === id ? "id" : undefined;
  }

  #type(type: Type): Rule {
    const bounds = (least = -Infinity, greatest = Infinity): readonly [number, number] => [
      least,
      greatest,
    ];
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
        return { integer: bounds(type.minimum, type.maximum) };
      case "number":
        return { number: bounds(type.minimum, type.maximum) };
      case "literal":
        return { value: type.value };
      case "enum": {
        if (!type.open) return { oneOf: type.values.map(({ value }) => value) };
        const texts = type.values.some(({ value }) => typeof value === "string");
        const numbers = type.values.some(({ value }) => typeof value === "number");
        return texts && numbers ? { anyOf: ["string", "number"] } : texts ? "string" : "number";
      }
      case "array":
        return {
          list: this.#type(type.items),
          ...(type.minItems === undefined && type.maxItems === undefined
            ? {}
            : { size: bounds(type.minItems ?? 0, type.maxItems) }),
        };
      case "map":
        return { map: this.#type(type.values) };
      case "object":
        return this.#object(type, "");
      case "union":
        return { anyOf: type.members.map((each) => this.#type(each)) };
      case "reference":
        return this.#named(type.name);
    }
  }
}
