import { failureType, successType } from "../../model/checked-types.js";
import type { Protocol } from "../../model/protocol.js";
import {
  definitionsByName,
  requestsByResponse,
  type AnsweredRequest,
} from "../../model/queries.js";
import type { ReferenceOrder } from "../../model/reference-order.js";
import type { Definition, EnumType, Json, ObjectType, Property, Type } from "../../model/types.js";
import { object, printFlat, toLiteral, type Literal } from "../printer/literal.js";
import { quote, type SourceFile } from "../printer/source-file.js";
import { hasMask, type Owner } from "./type-conditions.js";

/** Name of the constant that says how responses fail. */
export const failureName = "failureRule";

/** Name of the constant that holds the rule of a definition. */
export function ruleName(definition: string): string {
  return `ruleOf${definition}`;
}

type Entries = readonly (readonly [string, Literal])[];

/** The rules of a protocol's definitions, as literals; remembers which ranges they name. */
export class RuleLiterals {
  /** Names of the constants for ranges, by their text. */
  readonly ranges = new Map<string, string>();
  readonly #protocol: Protocol;
  readonly #order: ReferenceOrder;
  readonly #file: SourceFile;
  readonly #definitions: ReadonlyMap<string, Definition>;
  readonly #requestOf: ReadonlyMap<string, AnsweredRequest>;
  readonly #messages: ReadonlySet<string>;
  readonly #isForgiving: boolean;

  constructor(protocol: Protocol, order: ReferenceOrder, file: SourceFile) {
    this.#protocol = protocol;
    this.#order = order;
    this.#file = file;
    this.#definitions = definitionsByName(protocol);
    this.#requestOf = requestsByResponse(protocol);
    this.#messages = new Set<string>([
      ...Object.values(protocol.bases),
      ...protocol.messages.map((each) => each.definition),
      ...this.#requestOf.keys(),
    ]);
    this.#isForgiving = protocol.dialects.some(({ reads }) => reads.includes("forgiving"));
  }

  definition(definition: Definition): Literal {
    const { name, type, extensible } = definition;
    const request = this.#requestOf.get(name);
    if (request !== undefined) {
      const success = successType(this.#protocol, definition, request);
      return object([
        ["success", this.#object(success, name, extensible)],
        ["failure", failureName],
      ]);
    }
    if (name === this.#protocol.bases.error)
      return this.#object(failureType(this.#protocol, definition), name, extensible);
    return type.kind === "object" ? this.#object(type, name, extensible) : this.#type(type, name);
  }

  #object(type: ObjectType, owner: Owner, extensible: boolean): Literal {
    const hasFaults =
      owner !== "" && (hasMask(this.#definitions, owner) || this.#requestOf.has(owner));
    return object([
      ...when(hasFaults, "faults", () => this.#file.importValue(`faultsOf${owner}`, "./faults.js")),
      ...when(type.bases.length > 0, "bases", () => type.bases.map(ruleName)),
      ...this.#properties(type, owner, "required"),
      ...this.#properties(type, owner, "optional"),
      ...extrasOf(type, extensible),
      ...when(this.#isMessage(owner, type), "message", () => "true"),
      ...when(this.#order.isRecursive(owner), "recursive", () => "true"),
    ]);
  }

  #properties(type: ObjectType, owner: Owner, section: "required" | "optional"): Entries {
    const rules = type.properties
      .filter(
        (property) =>
          property.required === (section === "required") &&
          !this.#isSameInBase(property, type, owner),
      )
      .map(
        (property) =>
          [property.name, asWritten(property.name, this.#property(property, owner))] as const,
      );
    return rules.length === 0 ? [] : [[section, object(rules)]];
  }

  /** What derives from a message is one without saying so. */
  #isMessage(owner: Owner, type: ObjectType): boolean {
    return (
      this.#messages.has(owner) &&
      (type.bases.length === 0 ||
        Object.values(this.#protocol.bases).some((base) => base === owner))
    );
  }

  #property(property: Property, owner: Owner): Literal {
    const rule = this.#type(property.type, owner);
    const found = this.#inBase(property.name, this.#definitions.get(owner)?.type);
    const own = this.#partOf(property.name, owner);
    // What plays a part in a base plays the same in what derives from it.
    const part =
      found !== undefined && this.#partOf(property.name, found[1]) === own ? undefined : own;
    const forgiven = this.#isForgiving ? (property.forgives ?? []) : [];
    if (part === undefined && forgiven.length === 0) return rule;
    const otherwise = forgiven.length === 0 ? undefined : otherwiseOf(property);
    return object([
      ...(part === undefined ? [] : ([["part", quote(part)]] as const)),
      ...when(forgiven.length > 0, "forgives", () => toLiteral(forgiven)),
      ...when(otherwise !== undefined, "otherwise", () => toLiteral(otherwise)),
      ["rule", rule],
    ]);
  }

  /** Whether a base says all that there is to say of a property. */
  #isSameInBase(property: Property, type: ObjectType, owner: Owner): boolean {
    const found = this.#inBase(property.name, type);
    if (found === undefined || found[0].required !== property.required) return false;
    const [theirs, base] = found;
    return printFlat(this.#property(theirs, base)) === printFlat(this.#property(property, owner));
  }

  /** A property that a base has too, with the definition that it is of. */
  #inBase(name: string, type: Type | undefined): readonly [Property, Owner] | undefined {
    if (type?.kind !== "object") return undefined;
    return type.bases
      .map((base): readonly [Property, Owner] | undefined => {
        const target = this.#definitions.get(base)?.type;
        const own =
          target?.kind === "object"
            ? target.properties.find((property) => property.name === name)
            : undefined;
        return own === undefined ? this.#inBase(name, target) : [own, base];
      })
      .findLast((found) => found !== undefined);
  }

  /** The part that a property plays in a message. */
  #partOf(property: string, owner: Owner): string | undefined {
    if (!this.#messages.has(owner) && !this.#isMessageBase(owner)) return undefined;
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

  /** What messages have in common may stand in a definition below the bases of their kinds. */
  #isMessageBase(name: string): boolean {
    return [...this.#messages].some((each) => {
      const type = this.#definitions.get(each)?.type;
      return type?.kind === "object" && type.bases.includes(name);
    });
  }

  #type(type: Type, owner: Owner): Literal {
    switch (type.kind) {
      case "any":
      case "null":
      case "boolean":
        return quote(type.kind);
      case "string":
        return type.minLength === undefined && type.maxLength === undefined
          ? quote("string")
          : object([["string", bounds(type.minLength ?? 0, type.maxLength)]]);
      case "integer":
      case "number":
        return type.minimum === undefined && type.maximum === undefined
          ? quote(type.kind)
          : this.#range(type.kind, type.format, bounds(type.minimum, type.maximum));
      case "literal":
        return object([["value", literal(type.value)]]);
      case "enum":
        return enumRule(type);
      case "array":
        return object([
          ["list", this.#type(type.items, owner)],
          ...when(type.minItems !== undefined || type.maxItems !== undefined, "size", () =>
            bounds(type.minItems ?? 0, type.maxItems),
          ),
        ]);
      case "map":
        return object([["map", this.#type(type.values, owner)]]);
      case "object":
        return this.#object(type, "", false);
      case "union":
        return object([["anyOf", type.members.map((each) => this.#type(each, owner))]]);
      case "reference":
        return this.#order.isSameCycle(owner, type.name)
          ? object([["late", ruleName(type.name)]])
          : ruleName(type.name);
    }
  }

  /** Ranges occur again and again: each is a constant, named after its format. */
  #range(kind: string, format: string | undefined, range: Literal): string {
    const text = printFlat(object([[kind, range]]));
    const known = this.ranges.get(text);
    if (known !== undefined) return known;
    const stem = (format ?? kind).replaceAll(/[^A-Za-z0-9]/g, "") || kind;
    const taken = [...this.ranges.values()];
    let name = `${stem}Range`;
    for (let count = 2; taken.includes(name); count++) name = `${stem}Range${count}`;
    this.ranges.set(text, name);
    return name;
  }
}

/** An entry of an object that is there under a condition. */
function when(condition: boolean, key: string, value: () => Literal): Entries {
  return condition ? [[key, value()]] : [];
}

function extrasOf({ extras }: ObjectType, extensible: boolean): Entries {
  if (extras === "closed") return [["extras", '"closed"']];
  return extensible ? [["extras", '"free"']] : [];
}

/** What stands for a value that is passed over; undefined: nothing. */
function otherwiseOf({ type: { kind }, default: fallback }: Property): Json | undefined {
  return fallback ?? (kind === "array" ? [] : kind === "map" ? {} : undefined);
}

function enumRule({ open, values }: EnumType): Literal {
  if (open) {
    const kinds = [...new Set(values.map(({ value }) => quote(typeof value)))];
    return kinds.length === 1 ? kinds[0]! : object([["anyOf", kinds]]);
  }
  const numbers = values.flatMap(({ number }) => (number === undefined ? [] : [String(number)]));
  return object([
    ["oneOf", values.map(({ value }) => literal(value))],
    ...when(numbers.length > 0, "numbers", () => numbers),
  ]);
}

/** TypeScript takes the type of such a property from `Object`, and widens a text that stands there. */
function asWritten(name: string, rule: Literal): Literal {
  return name in Object.prototype && typeof rule === "string" && rule.startsWith('"')
    ? `${rule} as const`
    : rule;
}

function bounds(least: number | undefined, greatest: number | undefined): Literal {
  return [String(least ?? -Infinity), String(greatest ?? Infinity)];
}

function literal(value: string | number | boolean): string {
  return typeof value === "string" ? quote(value) : String(value);
}
