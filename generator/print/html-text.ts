import { visible } from "../base/visible-text.js";
import { createHash } from "node:crypto";

const references: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * HTML that is safe to print. Only this module can create instances, so any text they contain is
 * either escaped or trusted.
 */
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

/**
 * A value in an HTML template. Strings and numbers are escaped. Arrays are joined without a
 * separator.
 */
export type MarkupPart = string | number | Markup | readonly MarkupPart[];

/**
 * A template tag for HTML. Because values are escaped, they may occur between tags and in quoted
 * attributes.
 */
export function markup(template: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup {
  return new Markup(String.raw({ raw: template }, ...parts.map(textOf)));
}

/** Joins parts with a separator. */
export function joinMarkup(parts: readonly MarkupPart[], separator: " " | "\n" | "; "): Markup {
  return new Markup(parts.map(textOf).join(separator));
}

/** Escapes foreign text as HTML. Line breaks are kept. */
export function markupLines(text: string): Markup {
  return joinMarkup(text.split("\n"), "\n");
}

/** Marks HTML, CSS or script that wirewright wrote as safe, so that it will not be escaped. */
export function trustedMarkup(text: string): Markup {
  return new Markup(text);
}

/** Escapes foreign text for XML 1.0, for use between tags or in a quoted attribute. */
export function xml(text: string): string {
  // XML cannot represent U+FFFE and U+FFFF. All other invalid characters have been escaped by now.
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

/** Returns a Content Security Policy source expression that allows only the given script. */
export function hashSource(script: string): string {
  const digest = createHash("sha256").update(script).digest("hex");
  return `'sha256-${Buffer.from(digest, "hex").toString("base64")}'`;
}
