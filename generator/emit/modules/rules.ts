import { failureSigns, failureType, successType } from "../../model/checked-types.js";
import type { Protocol } from "../../model/protocol.js";
import {
  definitionsByName,
  requestsByResponse,
  responsesOf,
  type Responses,
} from "../../model/queries.js";
import { orderByReference } from "../../model/reference-order.js";
import type { Definition, Json, ObjectType, Property, Type } from "../../model/types.js";
import {
  object,
  printFlat,
  printLiteral,
  toLiteral,
  type Literal,
  type LiteralObject,
} from "../printer/literal.js";
import { quote, type SourceFile } from "../printer/source-file.js";
import { hasMask, type Owner } from "./type-conditions.js";

const runtime = "./runtime/index.js";

/** Name of the constant that says how responses fail. */
export const failureName = "failureRule";

/** Name of the constant that holds the rule of a definition. */
export function ruleName(definition: string): string {
  return `ruleOf${definition}`;
}

/** Prints `rules.ts`: per definition, what it must be as a table, from which a failed check is explained. */
export function emitRules(protocol: Protocol, file: SourceFile): void {
  const definitions = definitionsByName(protocol);
  const requestOf = requestsByResponse(protocol);
  const { bases, envelope } = protocol;
  const responses = responsesOf(protocol);
  // Responses refer to the failure, though their schemas do not.
  const order = orderByReference([
    ...protocol.definitions.filter(({ name }) => name === bases.error),
    ...protocol.definitions,
  ]);
  const isForgiving = protocol.dialects.some(({ reads }) => reads.includes("forgiving"));
  const ranges = new Map<string, string>();
  const messages = new Set<string>([
    ...Object.values(bases),
    ...protocol.messages.map((each) => each.definition),
    ...requestOf.keys(),
  ]);
  const printed: (() => void)[] = order.names.map((name) => {
    const rule = definitionRule(definitions.get(name)!);
    const isObject = definitions.get(name)!.type.kind === "object";
    const type = requestOf.has(name) ? "ResponseRule" : isObject ? "ObjectRule" : "Rule";
    return () => {
      printDefinition(name, file.importType(type, runtime), rule);
      file.line();
      if (responses !== undefined && name === responses.error) printFailure(responses);
    };
  });
  for (const [text, name] of ranges) file.line(`const ${name} = ${text} as const;`);
  file.line();
  for (const print of printed) print();

  function definitionRule(definition: Definition): Literal {
    const { name, type } = definition;
    const request = requestOf.get(name);
    if (request !== undefined) {
      const success = successType(protocol, definition, request);
      return object([
        ["success", objectRule(success, name, definition.extensible)],
        ["failure", failureName],
      ]);
    }
    if (name === bases.error)
      return objectRule(failureType(protocol, definition), name, definition.extensible);
    return type.kind === "object"
      ? objectRule(type, name, definition.extensible)
      : typeRule(type, name);
  }

  /** What all failures have in common. */
  function printFailure(failing: Responses): void {
    const rule = object([
      ["rule", ruleName(failing.error)],
      ...Object.entries(failureSigns(failing)).map(
        ([key, sign]) => [key, toLiteral(sign)] as const,
      ),
    ]);
    const head = `export const ${failureName}: ${file.importType("FailureRule", runtime)} = `;
    file.line(`${head}${printLiteral(rule, head.length, 1, 0)};`);
    file.line();
  }

  function objectRule(type: ObjectType, owner: string, extensible: boolean): Literal {
    const section = (required: boolean): readonly (readonly [string, Literal])[] => {
      const properties = type.properties.filter(
        (property) => property.required === required && !isSameInBase(property, type, owner),
      );
      if (properties.length === 0) return [];
      const rules = properties.map(
        (property) =>
          [property.name, asWritten(property.name, propertyRule(property, owner))] as const,
      );
      return [[required ? "required" : "optional", object(rules)]];
    };
    return object([
      ...(owner === "" || !(hasMask(definitions, owner) || requestOf.has(owner))
        ? []
        : ([["faults", file.importValue(`faultsOf${owner}`, "./faults.js")]] as const)),
      ...(type.bases.length === 0 ? [] : ([["bases", type.bases.map(ruleName)]] as const)),
      ...section(true),
      ...section(false),
      ...(type.extras === "closed"
        ? ([["extras", '"closed"']] as const)
        : extensible
          ? ([["extras", '"free"']] as const)
          : []),
      ...(isMessage(owner, type) ? ([["message", "true"]] as const) : []),
      ...(order.isRecursive(owner) ? ([["recursive", "true"]] as const) : []),
    ]);
  }

  /** What derives from a message is one without saying so. */
  function isMessage(owner: string, type: ObjectType): boolean {
    return (
      messages.has(owner) &&
      (type.bases.length === 0 || Object.values(bases).some((base) => base === owner))
    );
  }

  function propertyRule(property: Property, owner: string): Literal {
    const rule = typeRule(property.type, owner);
    const found = inBase(property.name, definitions.get(owner)?.type);
    const own = partOf(property.name, owner);
    // What plays a part in a base plays the same in what derives from it.
    const part = found !== undefined && partOf(property.name, found[1]) === own ? undefined : own;
    const forgiven = isForgiving ? (property.forgives ?? []) : [];
    if (part === undefined && forgiven.length === 0) return rule;
    const otherwise = forgiven.length === 0 ? undefined : otherwiseOf(property);
    return object([
      ...(part === undefined ? [] : ([["part", quote(part)]] as const)),
      ...(forgiven.length === 0 ? [] : ([["forgives", toLiteral(forgiven)]] as const)),
      ...(otherwise === undefined ? [] : ([["otherwise", toLiteral(otherwise)]] as const)),
      ["rule", rule],
    ]);
  }

  /** What stands for a value that is passed over; undefined: nothing. */
  function otherwiseOf({ type: { kind }, default: fallback }: Property): Json | undefined {
    return fallback ?? (kind === "array" ? [] : kind === "map" ? {} : undefined);
  }

  /** What messages have in common may stand in a definition below the bases of their kinds. */
  function isMessageBase(name: string): boolean {
    return [...messages].some((each) => {
      const type = definitions.get(each)?.type;
      return type?.kind === "object" && type.bases.includes(name);
    });
  }

  /** A property that a base has too, with the definition that it is of. */
  function inBase(name: string, type: Type | undefined): readonly [Property, Owner] | undefined {
    if (type?.kind !== "object") return undefined;
    return type.bases
      .map((base): readonly [Property, Owner] | undefined => {
        const target = definitions.get(base)?.type;
        const own =
          target?.kind === "object"
            ? target.properties.find((property) => property.name === name)
            : undefined;
        return own === undefined ? inBase(name, target) : [own, base];
      })
      .findLast((found) => found !== undefined);
  }

  /** Whether a base says all that there is to say of a property. */
  function isSameInBase(property: Property, type: ObjectType, owner: Owner): boolean {
    const found = inBase(property.name, type);
    if (found === undefined || found[0].required !== property.required) return false;
    const [theirs, base] = found;
    return printFlat(propertyRule(theirs, base)) === printFlat(propertyRule(property, owner));
  }

  function partOf(property: string, owner: string): string | undefined {
    if (!messages.has(owner) && !isMessageBase(owner)) return undefined;
    const { response, request, event } = envelope;
    const isResponse = requestOf.has(owner) || owner === bases.response || owner === bases.error;
    if (isResponse) {
      if (property === envelope.replyTo) return "replyTo";
      if (property === response?.error && owner === bases.error) return "error";
      if (property === response?.result && owner !== bases.error) return "result";
    } else if (property === request.payload || property === event.payload) return "payload";
    return property === envelope.id ? "id" : undefined;
  }

  function typeRule(type: Type, owner: string): Literal {
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
          : rangeConstant(type.kind, type.format, bounds(type.minimum, type.maximum));
      case "literal":
        return object([["value", literal(type.value)]]);
      case "enum": {
        if (!type.open) {
          const numbers = type.values.flatMap(({ number }) =>
            number === undefined ? [] : [number],
          );
          return object([
            ["oneOf", type.values.map(({ value }) => literal(value))],
            ...(numbers.length === 0 ? [] : ([["numbers", numbers.map(String)]] as const)),
          ]);
        }
        const kinds = [...new Set(type.values.map(({ value }) => quote(typeof value)))];
        return kinds.length === 1 ? kinds[0]! : object([["anyOf", kinds]]);
      }
      case "array":
        return object([
          ["list", typeRule(type.items, owner)],
          ...(type.minItems === undefined && type.maxItems === undefined
            ? []
            : ([["size", bounds(type.minItems ?? 0, type.maxItems)]] as const)),
        ]);
      case "map":
        return object([["map", typeRule(type.values, owner)]]);
      case "object":
        return objectRule(type, "", false);
      case "union":
        return object([["anyOf", type.members.map((each) => typeRule(each, owner))]]);
      case "reference":
        return order.isSameCycle(owner, type.name)
          ? object([["late", ruleName(type.name)]])
          : ruleName(type.name);
    }
  }

  /** Ranges occur again and again: each is a constant, named after its format. */
  function rangeConstant(kind: string, format: string | undefined, range: Literal): string {
    const text = printFlat(object([[kind, range]]));
    let name = ranges.get(text);
    if (name === undefined) {
      const stem = (format ?? kind).replaceAll(/[^A-Za-z0-9]/g, "") || kind;
      const taken = [...ranges.values()];
      name = `${stem}Range`;
      for (let count = 2; taken.includes(name); count++) name = `${stem}Range${count}`;
      ranges.set(text, name);
    }
    return name;
  }

  function printDefinition(name: string, type: string, rule: Literal): void {
    const head = `export const ${ruleName(name)} = (): ${type} => `;
    if (typeof rule === "string") file.line(`${head}${rule};`);
    else file.line(`${head}(${printLiteral(rule, head.length + 1, 2, 0)});`);
  }
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
