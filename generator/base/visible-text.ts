/**
 * What a terminal, a page or an editor would obey instead of showing it: controls, ESC among them, line separators,
 * halves of surrogate pairs, characters that turn text around, and characters without any width, tags among them.
 * U+FE0E and U+FE0F stay: they choose how the sign before them looks.
 */
const invisible =
  /(?![\ufe0e\ufe0f])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/** What build services obey wherever it stands in a log: `##[command]`, `##vso[command]` and the like. */
const markedCommand = /#(?=#[a-z]*(?:\[|$))/gi;

/** What GitHub obeys at the start of a line, with blanks before it or not: `::command::`. */
const leadingColon = /^(\s*):(?=:|$)/;

/** Text that needs nothing, which nearly all text is. */
const plain = /^[\x21\x22\x24-\x39\x3b-\x7e][\x20-\x22\x24-\x7e]*$/;

/**
 * Foreign text as one line that can be shown: what cannot be seen, or would be obeyed, is written as `\uXXXX`. Whatever
 * stands in it, it stays on its line, and that line is ours. Text that went through already comes out as it is.
 */
export function visible(text: string): string {
  if (plain.test(text)) return text;
  return escapeText(text).replaceAll("\n", "\\u000a").replace(leadingColon, "$1\\u003a");
}

/**
 * Foreign text in what reads `\uXXXX` as the character that it stands for, such as JSON and literals of JavaScript,
 * and in comments. Line feeds stay.
 */
export function escapeText(text: string): string {
  return text
    .replaceAll(invisible, (character) =>
      character === "\n" ? character : escapeCharacter(character),
    )
    .replaceAll(markedCommand, "\\u0023");
}

function escapeCharacter(character: string): string {
  let text = "";
  for (let index = 0; index < character.length; index++)
    text += `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`;
  return text;
}
