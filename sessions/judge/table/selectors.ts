import type { JudgedMessage } from "../state/judged-message.js";

/** Lists the selectors that match a message: `response next`, `success next`, `success *`. */
export function selectorsOf({ kind, name = "", hasFailed }: JudgedMessage): readonly string[] {
  const own = [`${kind} ${name}`, `${kind} *`];
  if (kind !== "response") return own;
  const outcome = hasFailed ? "failure" : "success";
  return [...own, `${outcome} ${name}`, `${outcome} *`];
}

/**
 * Returns whether a message matches one of the given selectors. If no selectors are given, every
 * message matches.
 */
export function isSelected(
  wanted: string | readonly string[] | undefined,
  selectors: readonly string[],
): boolean {
  if (wanted === undefined) return true;
  if (typeof wanted === "string") return selectors.includes(wanted);
  return wanted.some((each) => selectors.includes(each));
}

/** Returns the message name in a selector: `next` for `request next`. */
export function nameIn(selector: string): string {
  return selector.slice(selector.indexOf(" ") + 1);
}

export function listOf<Item>(value: Item | readonly Item[] | undefined): readonly Item[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly Item[]) : [value as Item];
}
