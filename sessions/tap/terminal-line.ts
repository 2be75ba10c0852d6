import { eastAsianWidth } from "get-east-asian-width";
import { paint } from "../../generator/base/paint.js";

type Colour = Parameters<typeof paint>[1];

export interface LineStyle {
  readonly colours: boolean;
  /** Width of the terminal, in columns. If undefined, lines are not shortened. */
  readonly columns?: number | undefined;
}

/** A line that is shortened to the width of the terminal so that it never wraps. */
export class TerminalLine {
  readonly #parts: { readonly text: string; readonly colour?: Colour }[] = [];

  /** @param text Text that is safe to print. */
  add(text: string, colour?: Colour): this {
    this.#parts.push({ text, colour });
    return this;
  }

  /** Width of the whole line, in columns. */
  get width(): number {
    return this.#parts.reduce((sum, { text }) => sum + widthOf(text), 0);
  }

  print(style: LineStyle): string {
    const { columns = Infinity } = style;
    let left = this.width <= columns ? Infinity : columns - 1;
    let line = "";
    for (const { text, colour } of this.#parts) {
      const shown = left === Infinity ? text : cutText(text, left);
      left -= widthOf(shown);
      if (shown !== "") line += colour === undefined ? shown : paint(style, colour, shown);
      if (shown.length < text.length) return `${line}…`;
    }
    return line;
  }
}

/** Returns the longest prefix of a string that fits into the given number of columns. */
export function cutText(text: string, columns: number): string {
  if (text.length * 2 <= columns) return text;
  let width = 0;
  let end = 0;
  for (const character of text) {
    width += columnsOf(character);
    if (width > columns) return text.slice(0, end);
    end += character.length;
  }
  return text;
}

/** Returns the width of a string, in columns. */
export function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += columnsOf(character);
  return width;
}

/** Matches combining marks, which share a column with the preceding character. */
const mark = /^[\p{Mn}\p{Me}]$/u;

function columnsOf(character: string): number {
  const code = character.codePointAt(0)!;
  if (code < 0x300) return 1;
  // Variation selector 16 can make the preceding character one column wider.
  if (code === 0xfe0f) return 1;
  return mark.test(character) ? 0 : eastAsianWidth(code);
}
