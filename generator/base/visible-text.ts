/**
 * Characters that a terminal, a page or an editor would interpret rather than show: control
 * characters, line separators, lone surrogates, characters that change the text direction, and
 * zero-width characters such as tags. U+FE0E and U+FE0F are excluded, because they only select how
 * the preceding character is displayed.
 */
const invisible =
  /(?![\ufe0e\ufe0f])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/**
 * Commands that build services execute wherever they appear in a log, such as `##[command]` and
 * `##vso[command]`.
 */
const markedCommand = /#(?=#[a-z]*(?:\[|$))/gi;

/**
 * Commands that GitHub executes at the start of a line, even when indented, such as `::command::`.
 */
const leadingColon = /^(\s*):(?=:|$)/;

/** Fast path: matches text that needs no escaping. */
const plain = /^[\x21\x22\x24-\x39\x3b-\x7e][\x20-\x22\x24-\x7e]*$/;

/**
 * Makes untrusted text safe to print on one line. Escapes invisible characters, line breaks and
 * build-service commands as `\uXXXX`. Leaves text that is already escaped unchanged, so calling this twice is
 * harmless.
 */
export function visible(text: string): string {
  if (plain.test(text)) return text;
  return escapeText(text).replaceAll("\n", "\\u000a").replace(leadingColon, "$1\\u003a");
}

/**
 * Escapes untrusted text for comments and for formats that support `\uXXXX`, such as JSON and
 * JavaScript literals. Keeps line feeds.
 */
export function escapeText(text: string): string {
  return escapeInvisible(text).replaceAll(markedCommand, "\\u0023");
}

/**
 * Escapes characters that a page would interpret rather than show. Keeps line feeds and
 * build-service commands.
 */
export function escapeInvisible(text: string): string {
  return text.replaceAll(invisible, (character) =>
    character === "\n" ? character : escapeCharacter(character),
  );
}

function escapeCharacter(character: string): string {
  let text = "";
  for (let index = 0; index < character.length; index++)
    text += `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`;
  return text;
}

/** Control characters other than line feeds, tabs and the codes that select colours. */
const controls = /\u001b(?!\[[\d;]*m)|[\0-\b\v-\u001a\u001c-\u001f\u007f-\u009f]/g;

/**
 * Escapes the control characters in a command's output. Printers already escape foreign text where
 * they insert it, so this only has an effect if one of them has forgotten to.
 *
 * @param isColoured Whether the output may select colours.
 */
export function printable(output: string, isColoured: boolean): string {
  const escaped = output.replaceAll(controls, escapeCharacter);
  return isColoured ? escaped : escaped.replaceAll("\u001b", "\\u001b");
}
