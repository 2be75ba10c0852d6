import type { JudgedMessage } from "../judged-message.js";

/**
 * Lists the selectors that match a message of this kind: `response next`, `success next`,
 * `success *`.
 */
export function selectorsOf({
  kind,
  name = "",
  hasFailed,
}: Pick<JudgedMessage, "kind" | "name" | "hasFailed">): readonly string[] {
  const outcome = hasFailed ? "failure" : "success";
  return kind === "response"
    ? [`${kind} ${name}`, `${kind} *`, `${outcome} ${name}`, `${outcome} *`]
    : [`${kind} ${name}`, `${kind} *`];
}

/**
 * Returns whether a message matches one of the wanted selectors. If none are given, every message
 * matches.
 */
export function isSelected(
  wanted: string | readonly string[] | undefined,
  { selectors }: JudgedMessage,
): boolean {
  if (wanted === undefined) return true;
  if (typeof wanted === "string") return selectors.includes(wanted);
  return wanted.some((selector) => selectors.includes(selector));
}

/** Returns the message name in a selector: `next` for `request next`. */
export function nameIn(selector: string): string {
  return selector.slice(selector.indexOf(" ") + 1);
}

export function listOf<Item>(value: Item | readonly Item[] | undefined): readonly Item[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly Item[]) : [value as Item];
}
