import { visible } from "../base/visible-text.js";

/** Matches text that Markdown or its renderers would interpret. */
const special = /[\\`*_[\]~$|<>&]|@|:\/\/|www\.|#(?=\w)/gi;

/**
 * Escapes foreign text for use in a Markdown paragraph, so that it cannot become markup, HTML, an
 * image or a link. Renderers also turn URLs, `@names` and `#numbers` into links. Because they do so
 * after resolving escapes, these are broken up with a code span instead.
 */
export function markdownText(text: string): string {
  return visible(text).replaceAll(special, (found) => {
    if (found === "<") return "&lt;";
    if (found === ">") return "&gt;";
    if (found === "&") return "&amp;";
    if (/^www/i.test(found)) return `${found.slice(0, -1)}\`.\``;
    return found === "@" || found === "#" || found === "://" ? `\`${found}\`` : `\\${found}`;
  });
}

/** Prints foreign text as a code span, using as many backticks as the text requires. */
export function markdownCode(text: string): string {
  const shown = visible(text);
  if (shown.trim() === "") return shown === "" ? "" : "` `";
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = longest > 0 ? " " : "";
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/**
 * Prints a code span for use in a table cell. Escapes vertical bars, which would end the cell even
 * within code.
 */
export function markdownCodeCell(text: string): string {
  return markdownCode(text).replaceAll("|", "\\|");
}
