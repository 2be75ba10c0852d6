const escapes: Readonly<Record<number, string>> = {
  0x09: "\\t",
  0x0a: "\\n",
  0x0d: "\\r",
  0x22: '\\"',
  0x5c: "\\\\",
};

/** Escapes bytes for a string literal, one character per byte. */
export function escapeBytes(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes)
    text +=
      escapes[byte] ??
      (byte >= 0x20 && byte < 0x7f
        ? String.fromCharCode(byte)
        : `\\x${byte.toString(16).padStart(2, "0")}`);
  return text;
}

/** Reverses `escapeBytes`. */
export function unescapeBytes(line: string): Uint8Array {
  return bytesOf(
    line.replaceAll(/\\(?:x([0-9a-f]{2})|(.))/g, (_, hex: string | undefined, letter: string) =>
      hex === undefined
        ? ({ t: "\t", n: "\n", r: "\r" }[letter] ?? letter)
        : String.fromCharCode(Number.parseInt(hex, 16)),
    ),
  );
}

/** Converts a string that has one character per byte to bytes. */
export function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** `repeat` is used only for at least this many bytes. */
const worthRepeating = 48;

/** Writes bytes as a TypeScript expression, using `repeat` for repetitions. */
export function literalOf(bytes: Uint8Array): string {
  const parts: string[] = [];
  let plain = 0;
  const flush = (end: number): void => {
    if (end > plain) parts.push(`"${escapeBytes(bytes.subarray(plain, end))}"`);
  };
  for (let at = 0; at < bytes.length;) {
    const run = repetitionAt(bytes, at);
    if (run === undefined) {
      at++;
      continue;
    }
    flush(at);
    parts.push(`"${escapeBytes(bytes.subarray(at, at + run.period))}".repeat(${run.count})`);
    at = plain = at + run.period * run.count;
  }
  flush(bytes.length);
  return parts.length === 0 ? '""' : parts.join(" + ");
}

function repetitionAt(
  bytes: Uint8Array,
  start: number,
): { readonly period: number; readonly count: number } | undefined {
  for (let period = 1; period <= 64; period++) {
    let end = start + period;
    while (end < bytes.length && bytes[end] === bytes[end - period]) end++;
    const count = Math.floor((end - start) / period);
    if (count >= 4 && count * period >= worthRepeating) return { period, count };
  }
  return undefined;
}
