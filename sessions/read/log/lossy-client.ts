import type { Protocol } from "../../../generator/model/protocol.js";
import { flattenProperties } from "../../../generator/model/properties.js";
import { typeAt } from "../../../generator/model/type-at.js";
import type { Definition, Type } from "../../../generator/model/types.js";
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
  return (message) => {
    if (verbatim.has(message[name])) return [];
    const type = types.get(message[name]);
    const step = pointerStep(payload);
    const absent =
      type === undefined ? [] : absentValues(definitions, type, message[payload], step, 0);
    return [...emptyValues(message, "", 0), ...absent];
  };
}

/** Returns JSON Pointers to absent values that may have been `false`, 0 or an empty string. */
function* absentValues(
  definitions: ReadonlyMap<string, Definition>,
  type: Type,
  value: unknown,
  pointer: string,
  depth: number,
): Generator<string> {
  const resolved = typeAt(definitions, type, []);
  if (depth === maxDepth || resolved === undefined) return;
  if (resolved.kind === "array" && Array.isArray(value))
    for (const [index, item] of value.entries()) {
      const itemType = typeAt(definitions, resolved, ["0"]);
      if (itemType !== undefined)
        yield* absentValues(definitions, itemType, item, `${pointer}/${index}`, depth + 1);
    }
  if (resolved.kind !== "object" || !isObject(value)) return;
  for (const { name, required, type: inner } of flattenProperties(definitions, resolved)) {
    const step = pointer + pointerStep(name);
    if (Object.hasOwn(value, name))
      yield* absentValues(definitions, inner, value[name], step, depth + 1);
    else if (!required && plain.has(typeAt(definitions, inner, [])?.kind)) yield step;
  }
}

/** Returns JSON Pointers to empty values that may have been absent. */
function* emptyValues(value: object, pointer: string, depth: number): Generator<string> {
  if (depth === maxDepth) return;
  for (const [key, part] of Object.entries(value)) {
    const step = pointer + pointerStep(key);
    const isEmpty = isObject(part) ? Object.keys(part).length === 0 : !part;
    if (isEmpty) yield step;
    else if (typeof part === "object" && part !== null)
      yield* emptyValues(part as object, step, depth + 1);
  }
}
