import { createHash } from "node:crypto";

/** How many requests and references are remembered: a session may go on for days. */
export const maxRemembered = 100_000;

/** Characters of a name or a number that are remembered. */
const maxNameLength = 200;

/**
 * A value by which something is found again: the value itself, or where that is a long text its digest. An object
 * is never found again, for no two messages hold the same one.
 */
export function rememberedKey(value: unknown): unknown {
  if (typeof value === "string")
    return value.length <= maxNameLength ? value : createHash("sha256").update(value).digest("hex");
  return typeof value === "object" && value !== null ? Symbol("object") : value;
}

/** A text in at most so many characters. What is cut off is not kept in memory by what is left. */
export function shortText(text: string, most: number): string {
  // A slice would hold on to the whole text.
  return text.length <= most ? text : `${Buffer.from(text.slice(0, most - 1)).toString()}…`;
}

/** A name as it is remembered and compared. */
export function shortName(name: string): string {
  return shortText(name, maxNameLength);
}

/** A value of a message in a sentence. */
export function valueText(value: unknown): string {
  if (typeof value === "object" && value !== null)
    return Array.isArray(value) ? "a list" : "an object";
  return shortName(String(value));
}
