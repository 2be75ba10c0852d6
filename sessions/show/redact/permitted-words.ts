import type { Protocol } from "../../../generator/model/protocol.js";
import { definitionsByName } from "../../../generator/model/queries.js";
import { typesIn } from "../../../generator/model/type-checks.js";
import type { Definition, Type } from "../../../generator/model/types.js";
import { readFramingRules } from "../../judge/framing-rules.js";

/** Names, strings and numbers that identify neither a person nor a machine nor a project. */
export interface PermittedWords {
  /** Names of properties. */
  readonly keys: ReadonlySet<string>;
  /** Names of properties whose values may be numbers, which are then kept. */
  readonly numbers: ReadonlySet<string>;
  /** Whole strings. */
  readonly texts: ReadonlySet<string>;
  /** Patterns that session rules compare properties with, by property name. */
  readonly patterns: ReadonlyMap<string, readonly RegExp[]>;
}

/**
 * Collects what a message may keep: the names of the protocol's messages and properties, the strings
 * that its schema lists as values, and those that its session rules compare values with.
 */
export function permittedWords(protocol: Protocol, rules: unknown): PermittedWords {
  const { envelope, messages, definitions, roles, name, version } = protocol;
  const texts = new Set<string>([name, version, ...roles, ...messages.map((each) => each.name)]);
  const keys = new Set<string>();
  const numbers = new Set([envelope.id, envelope.replyTo].filter((id) => id !== undefined));
  const byName = definitionsByName(protocol);
  const addText = (text: unknown): void => {
    if (typeof text === "string") texts.add(text);
  };
  for (const { type } of definitions)
    for (const each of typesIn(type)) {
      if (each.kind === "literal") addText(each.value);
      else if (each.kind === "enum") for (const { value } of each.values) addText(value);
      else if (each.kind === "object")
        for (const property of each.properties) {
          keys.add(property.name);
          if (takesNumber(property.type, byName)) numbers.add(property.name);
        }
    }
  for (const arm of [envelope.request, envelope.event, envelope.response])
    for (const [field, text] of Object.entries(arm?.when ?? {})) {
      keys.add(field);
      addText(text);
    }
  for (const key of numbers) keys.add(key);
  const patterns = new Map<string, RegExp[]>();
  const waiting: [key: string, value: unknown][] = [["", rules]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [key, value] = next;
    if (typeof value !== "object" || value === null) addText(value);
    else {
      waiting.push(...Object.entries(value));
      if ("unlike" in value && typeof value.unlike === "string") {
        const property = key.slice(key.lastIndexOf("/") + 1);
        const others = patterns.get(property) ?? [];
        patterns.set(property, [...others, new RegExp(value.unlike, "u")]);
      }
    }
  }
  return { keys, numbers, texts, patterns };
}

/** Adds what the lines of a recording contain beside the message, such as the quirks of its bytes. */
export function withLineWords({ keys, numbers, texts, ...words }: PermittedWords): PermittedWords {
  return {
    ...words,
    keys: new Set([...keys, ...lineKeys]),
    numbers: new Set([...numbers, "form", "time", "session", "offset", "length"]),
    texts: new Set([
      ...texts,
      ...lineTexts,
      ...readFramingRules().rules.flatMap(({ bytes }) => bytes ?? []),
    ]),
  };
}

const lineKeys =
  "recording form protocol version roles began order session kind time from offset length unknown bytes quirk pointer value message code text how msg body".split(
    " ",
  );

const lineTexts = "wirewright guessed message fault noise stderr end closed ended failed".split(
  " ",
);

/** Returns whether a type's values, or the items of its arrays, may be numbers. */
function takesNumber(
  type: Type,
  definitions: ReadonlyMap<string, Definition>,
  visited = new Set<string>(),
): boolean {
  const takes = (each: Type): boolean => takesNumber(each, definitions, visited);
  switch (type.kind) {
    case "integer":
    case "number":
      return true;
    case "literal":
      return typeof type.value === "number";
    case "enum":
      return type.values.some(({ value }) => typeof value === "number");
    case "array":
      return takes(type.items) || (type.first ?? []).some(takes);
    case "union":
      return type.members.some(takes);
    case "reference": {
      const definition = definitions.get(type.name);
      if (definition === undefined || visited.has(type.name)) return false;
      visited.add(type.name);
      return takes(definition.type);
    }
    default:
      return false;
  }
}
