import { visible } from "../base/visible-text.js";

const references: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** HTML that is safe to print: only this module makes it. */
class Markup {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}
export type { Markup };

/** What can stand in HTML: text and numbers are escaped; a list stands without anything between its parts. */
export type MarkupPart = string | number | Markup | readonly MarkupPart[];

/** A tag for templates of HTML: whatever is put in is escaped, for between tags and for quoted attributes. */
export function markup(template: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup {
  return new Markup(String.raw({ raw: template }, ...parts.map(textOf)));
}

/** Parts with a separator between them. */
export function joinMarkup(parts: readonly MarkupPart[], separator: " " | "\n" | "; "): Markup {
  return new Markup(parts.map(textOf).join(separator));
}

/** Foreign text that may have several lines. */
export function markupLines(text: string): Markup {
  return joinMarkup(text.split("\n"), "\n");
}

/** Text of our own that is HTML, a style or a script already. */
export function trustedMarkup(text: string): Markup {
  return new Markup(text);
}

/** Foreign text in XML 1.0, between tags or in a quoted attribute. */
export function xml(text: string): string {
  // U+FFFE and U+FFFF are all that is left of what XML has no way to write.
  return escapeHtml(text).replaceAll(/[\ufffe\uffff]/g, "\ufffd");
}

function textOf(part: MarkupPart): string {
  if (part instanceof Markup) return part.toString();
  if (typeof part === "object") return part.map(textOf).join("");
  return escapeHtml(String(part));
}

function escapeHtml(text: string): string {
  if (text === "\n") return text;
  return visible(text).replaceAll(/[&<>"']/g, (character) => references[character]!);
}
