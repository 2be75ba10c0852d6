import { InputError, nearest } from "../../base/input-error.js";
import type { Fact } from "../../model/protocol.js";
import type { ReadSchema } from "./schema-format.js";

/**
 * Checks the structure of the result returned by a user's reader.
 *
 * @param reader Path of the reader.
 * @param roles The roles that may send messages.
 * @throws InputError `ERR_READER`, with a message that describes the problem.
 */
export function checkReadSchema(
  schema: unknown,
  reader: string,
  roles: readonly string[],
): asserts schema is ReadSchema {
  const fail = (what: string): never => {
    throw new InputError(
      "ERR_READER",
      `Cannot use the reader result: ${what}`,
      { file: reader },
      "It must return { definitions, requests, events }",
    );
  };
  if (!isObject(schema)) return fail("it is not an object");
  const unknown = Object.keys(schema).find((key) => !schemaKeys.has(key));
  if (unknown !== undefined) {
    const meant = nearest(unknown, schemaKeys);
    fail(
      `it has the unknown key "${unknown}"${meant === undefined ? "" : ` (did you mean "${meant}"?)`}`,
    );
  }
  if (containsItself(schema)) fail("it contains itself");
  for (const part of ["definitions", "requests", "events"]) {
    const listed = schema[part];
    if (!isObject(listed)) return fail(`"${part}" is not an object`);
    for (const [name, each] of Object.entries(listed))
      if (!isObject(each) && !(part === "definitions" && typeof each === "boolean"))
        fail(`"${name}" in "${part}" is not an object`);
  }
  for (const part of ["requests", "events"])
    for (const [name, each] of Object.entries(schema[part] as Record<string, object>))
      for (const [key, value] of Object.entries(each)) {
        const types = messageKeys.get(key);
        if (types === undefined || (part === "events" && ofRequests.has(key)))
          fail(`"${name}" has the unknown key "${key}"`);
        else if (!types.includes(typeof value) || value === null)
          fail(`"${key}" in "${name}" must be ${types.join(" or ")}`);
        else if (key === "sender" && value !== "both" && !roles.includes(value as string))
          fail(`"${name}" is sent by "${value}", but must be sent by ${roles.join(", ")} or both`);
      }
  if (schema["version"] !== undefined && typeof schema["version"] !== "string")
    fail('"version" is not a string');
  const { unstated = [] } = schema;
  if (!Array.isArray(unstated) || !unstated.every((fact) => facts.has(fact as string)))
    fail(`"unstated" is not an array of facts: ${[...facts].join(", ")}`);
  if (schema["places"] !== undefined && !isObject(schema["places"]))
    fail('"places" is not an object');
}

function containsItself(schema: object): boolean {
  try {
    JSON.stringify(schema);
    return false;
  } catch {
    return true;
  }
}

const schemaKeys: ReadonlySet<string> = new Set<keyof ReadSchema>([
  ...(["definitions", "requests", "events", "version", "unstated", "places"] as const),
]);

/** The keys that a message may have, and the types of their values. */
const messageKeys: ReadonlyMap<string, readonly string[]> = new Map([
  ["sender", ["string"]],
  ["arguments", ["object", "boolean"]],
  ["result", ["object", "boolean"]],
  ["partialResult", ["string"]],
  ["errorData", ["string"]],
  ["optional", ["boolean"]],
  ["capability", ["string"]],
  ["senderCapability", ["string"]],
  ["registration", ["object"]],
  ["docs", ["string"]],
  ["deprecated", ["string"]],
]);

const facts: ReadonlySet<string> = new Set<Fact>([
  ...(["integers", "ranges", "extras", "docs", "deprecation"] as const),
  ...(["discriminators", "open-values", "gates"] as const),
]);

const ofRequests: ReadonlySet<string> = new Set(["result", "partialResult", "errorData"]);

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
