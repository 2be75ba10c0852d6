const codes = { red: 31, green: 32, yellow: 33, cyan: 36, dim: 2, bold: 1 } as const;

/** Colours a string for the terminal. Returns it unchanged if colours are off. */
export function paint(
  terminal: { readonly colours: boolean },
  colour: keyof typeof codes,
  text: string,
): string {
  return terminal.colours ? `\u001b[${codes[colour]}m${text}\u001b[0m` : text;
}
