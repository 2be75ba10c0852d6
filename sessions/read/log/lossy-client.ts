import type { Protocol } from "../../../generator/model/protocol.js";
import { flattenProperties } from "../../../generator/model/properties.js";
import { typeAt } from "../../../generator/model/type-at.js";
import type { Type } from "../../../generator/model/types.js";
import { pointerStep } from "../../../runtime/base/json-pointer.js";
import { isObject } from "../../../runtime/protocol/message-fields.js";
import type { Fields } from "../message-reader.js";

/** Maximum depth to which values are searched for ones that may have been absent or empty. */
const maxDepth = 64;

/** Requests whose parameters delve logs as they were sent. */
const verbatim: ReadonlySet<unknown> = new Set(["launch", "attach"]);

const plain: ReadonlySet<string | undefined> = new Set(["boolean", "integer", "number", "string"]);

/**
 * Returns a function that lists the parts that are unknown in a message that a program parsed
 * before it logged it, as delve does. It may have logged an absent value as empty, and omitted an
 * empty value. The function returns JSON Pointers.
 */
export function lossyParts(protocol: Protocol): (message: Fields) => readonly string[] {
  const { name, payload } = protocol.envelope.request;
  const definitions = new Map(protocol.definitions.map((each) => [each.name, each]));
  const types = new Map<unknown, Type | undefined>(
    protocol.messages.flatMap((each) =>
      each.kind === "request" ? [[each.name, each.payload?.type]] : [],
    ),
  );
  const typeOf = (type: Type | undefined, ...keys: string[]): Type | undefined =>
    type && typeAt(definitions, type, keys);
  function* partsOf(
    value: unknown,
    typeOfPart: (key: string) => Type | undefined,
    pointer: string,
    depth: number,
  ): Generator<string> {
    if (depth === maxDepth || typeof value !== "object" || value === null) return;
    for (const [key, part] of Object.entries(value)) {
      const step = pointer + pointerStep(key);
      // An empty value may have been absent.
      if (isObject(part) ? Object.keys(part).length === 0 : !part) yield step;
      const type = typeOf(typeOfPart(key));
      yield* partsOf(part, (inner) => typeOf(type, inner), step, depth + 1);
      if (type?.kind !== "object" || !isObject(part)) continue;
      // An absent value may have been `false`, 0 or an empty string.
      for (const { name: inner, required, type: innerType } of flattenProperties(definitions, type))
        if (!required && !Object.hasOwn(part, inner) && plain.has(typeOf(innerType)?.kind))
          yield step + pointerStep(inner);
    }
  }
  return (message) => {
    if (verbatim.has(message[name])) return [];
    const type = types.get(message[name]);
    return [...partsOf(message, (key) => (key === payload ? type : undefined), "", 0)];
  };
}
