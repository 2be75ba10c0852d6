const written: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const named: { readonly [name: string]: string } = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

/** Writes the five characters that XML gives a meaning as references, and no others. */
export function escapeCharacters(text: string): string {
  return text.replace(/[&<>"']/g, (character) => written[character]!);
}

/**
 * Reads the references of XML: the five named ones, and numbers. Anything else stays as it is, line ends and
 * control characters too.
 */
export function unescapeCharacters(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(
    /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));/g,
    (reference, name: string | undefined, decimal: string, hexadecimal: string) => {
      if (name !== undefined) return named[name]!;
      const point = decimal === undefined ? parseInt(hexadecimal, 16) : Number(decimal);
      return point > 0x10ffff || point === 0 ? reference : String.fromCodePoint(point);
    },
  );
}
