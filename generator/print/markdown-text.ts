import { visible } from "../base/visible-text.js";

/** What Markdown, or a renderer of it, makes something of in running text. */
const special = /[\\`*_[\]~$|<>&]|@|:\/\/|www\.|#(?=\w)/gi;

/**
 * Foreign text as running text of Markdown: no markup, no HTML, no image, and no link, also none of those that
 * renderers make on their own of addresses, `@names` and `#numbers`. They look for these in the finished page, where
 * an escape would be gone: a piece of code among them is what keeps them apart.
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

/** Foreign text as code, with as many back quotes as it takes. */
export function markdownCode(text: string): string {
  const shown = visible(text);
  if (shown.trim() === "") return shown === "" ? "" : "` `";
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = longest > 0 ? " " : "";
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/** The same in a table, whose cells end at a bar, also within code. */
export function markdownCodeCell(text: string): string {
  return markdownCode(text).replaceAll("|", "\\|");
}
