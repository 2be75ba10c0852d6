import type { WhenTable } from "./protocol-description.js";

export type AnyFields = { readonly [name: string]: unknown };

/** Maximum nesting depth of a recursive definition. */
export const maxNesting = 512;

/** Returns whether a value is an object other than null or an array. */
export function isObject(value: unknown): value is AnyFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns whether a message satisfies the conditions for a kind of message. */
export function isOfArm({ when }: { readonly when: WhenTable }, message: AnyFields): boolean {
  return Object.entries(when).every(([field, test]) =>
    typeof test === "string" ? message[field] === test : (message[field] !== undefined) === test,
  );
}

/** Creates a reusable test, optimised for a single condition. */
export function testOfArm(arm: { readonly when: WhenTable }): (message: AnyFields) => boolean {
  const [first, ...more] = Object.entries(arm.when);
  if (first === undefined || more.length > 0 || typeof first[1] !== "string")
    return (message) => isOfArm(arm, message);
  const [field, text] = first;
  return (message) => message[field] === text;
}

export type MessageKind = "request" | "response" | "event";

/**
 * Returns a function that determines a message's kind from its envelope. The function returns
 * undefined if the message is not a request, an event or a response.
 */
export function kindReaderOf({
  envelope: { request, event, response },
}: {
  readonly envelope: { readonly [Kind in MessageKind]?: { readonly when: WhenTable } };
}): (message: AnyFields) => MessageKind | undefined {
  const tests = Object.entries({ response, request, event }).flatMap(([kind, arm]) =>
    arm === undefined ? [] : [[kind as MessageKind, testOfArm(arm)] as const],
  );
  return (message) => tests.find(([, test]) => test(message))?.[0];
}

/**
 * Returns whether a response is a failure. This depends on the success field or, if the envelope
 * has none, on whether there is an error.
 */
export function hasFailed(
  { success, error }: { readonly success?: string; readonly error: string },
  response: AnyFields,
): boolean {
  return success === undefined ? response[error] !== undefined : response[success] === false;
}

/** Returns the value of an own property. Use this for names that all objects inherit. */
export function ownField(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? (value as AnyFields)[name] : undefined;
}

/** Returns whether an object has only the named properties. */
export function hasOnlyFields(value: object, names: ReadonlySet<string>): boolean {
  return Object.keys(value).every((name) => names.has(name));
}

/**
 * Returns whether a number is a non-negative safe integer. Generated checks use this for numbers of
 * more than 32 bits.
 */
export function isExactUnsigned(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/**
 * Returns whether the length of a string, in characters, is within a range. As in JSON Schema, a
 * surrogate pair counts as one character.
 */
export function hasCharacters(text: string, min: number, max: number): boolean {
  if (text.length < min || text.length > max * 2) return false;
  if (min <= 1 && text.length <= max) return true;
  let characters = 0;
  for (const _ of text) characters++;
  return characters >= min && characters <= max;
}
