import { createHash } from "node:crypto";

/**
 * Maximum number of requests and references to remember. It bounds memory use, because a session
 * may last for days.
 */
export const maxRemembered = 100_000;

/** Maximum length of a remembered string, in characters. */
const maxNameLength = 200;

/**
 * Returns the map key under which to remember a value: the value itself, or a digest of a long
 * string. Each object gets a new key, because no two messages contain the same object.
 */
export function rememberedKey(value: unknown): unknown {
  if (typeof value === "string")
    return value.length <= maxNameLength ? value : createHash("sha256").update(value).digest("hex");
  return typeof value === "object" && value !== null ? Symbol("object") : value;
}

/**
 * Shortens a string to at most `most` characters. The result does not retain the original string in
 * memory.
 */
export function shortText(text: string, most: number): string {
  // Copy the string, because the result of `slice` alone would retain the whole original in memory.
  return text.length <= most ? text : `${Buffer.from(text.slice(0, most - 1)).toString()}…`;
}

/** Shortens a name so that it can be remembered and compared. */
export function shortName(name: string): string {
  return shortText(name, maxNameLength);
}

/** Prints a value from a message for use in a sentence. */
export function valueText(value: unknown): string {
  if (typeof value === "object" && value !== null)
    return Array.isArray(value) ? "a list" : "an object";
  return shortName(String(value));
}
