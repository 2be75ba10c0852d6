import { visible } from "../base/visible-text.js";

const references: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Foreign text in HTML, between tags or in a quoted attribute. */
export function html(text: string): string {
  return visible(text).replaceAll(/[&<>"']/g, (character) => references[character]!);
}

/** The same for text that may have several lines. */
export function htmlLines(text: string): string {
  return text.split("\n").map(html).join("\n");
}

/** Foreign text in XML 1.0, in the same places. */
export function xml(text: string): string {
  // U+FFFE and U+FFFF are all that is left of what XML has no way to write.
  return html(text).replaceAll(/[\ufffe\uffff]/g, "\ufffd");
}
