import type { WhenTable } from "./protocol-table.js";

/** The properties of a type, with nothing known of their values yet. */
export type Fields<Type> = { readonly [Name in keyof Type]?: unknown };

export type AnyFields = { readonly [name: string]: unknown };

/** Levels that a definition may be nested in itself. */
export const maxNesting = 512;

/** Whether a value is an object and no list. */
export function isObject(value: unknown): value is AnyFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether the fields of a message are as a kind of messages has them. */
export function isOfArm({ when }: { readonly when: WhenTable }, message: AnyFields): boolean {
  return Object.entries(when).every(([field, test]) =>
    typeof test === "string" ? message[field] === test : (message[field] !== undefined) === test,
  );
}

/** The same as a function of its own, for a message after another. */
export function testOfArm(arm: { readonly when: WhenTable }): (message: AnyFields) => boolean {
  const [first, ...more] = Object.entries(arm.when);
  if (first === undefined || more.length > 0 || typeof first[1] !== "string")
    return (message) => isOfArm(arm, message);
  const [field, text] = first;
  return (message) => message[field] === text;
}

/** Whether a response is a failure: it says so, or where nothing says so it has an error. */
export function hasFailed(
  { success, error }: { readonly success?: string; readonly error: string },
  response: AnyFields,
): boolean {
  return success === undefined ? response[error] !== undefined : response[success] === false;
}

/** A property whose name every object inherits: only the object's own counts. */
export function ownField(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? (value as AnyFields)[name] : undefined;
}

/** Whether an object has no other properties than these. */
export function hasOnlyFields(value: object, names: ReadonlySet<string>): boolean {
  return Object.keys(value).every((name) => names.has(name));
}

/** Whether a number is whole, at least 0, and exact: the check of the few that are beyond 32 bits. */
export function isExactUnsigned(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** Whether a text has so many characters; a surrogate pair is one, as JSON Schema counts. */
export function hasCharacters(text: string, min: number, max: number): boolean {
  if (text.length < min || text.length > max * 2) return false;
  if (min <= 1 && text.length <= max) return true;
  let characters = 0;
  for (const _ of text) characters++;
  return characters >= min && characters <= max;
}
