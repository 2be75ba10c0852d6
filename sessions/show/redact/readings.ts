import { ReadingBuilder, type Reading } from "./reading.js";

/** Maximum number of nested encodings to decode. */
const mostLevels = 4;

/**
 * Maximum number of readings per string. Each reading is as expensive to search as the string
 * itself.
 */
const mostReadings = 24;

/**
 * Lists the readings of a string: the string itself and its decoded forms. Decodes string literal
 * and shell escapes, percent-encoded URLs, and Base64, even if these encodings are nested.
 *
 * @param withBase64 Whether to decode parts that might be Base64.
 */
export function readingsOf(text: string, withBase64: boolean): readonly Reading[] {
  const readings: Reading[] = [{ text, places: undefined }];
  if (!/[\\%+]|'"'"'/.test(text) && !(withBase64 && mayBeBase64(text))) return readings;
  const known = new Set([text]);
  let level = readings;
  for (let count = 0; count < mostLevels && level.length > 0; count++) {
    const next: Reading[] = [];
    for (const reading of level)
      for (const decode of decoders) {
        const decoded = decode(reading);
        if (decoded === undefined || known.has(decoded.text)) continue;
        if (readings.length + next.length >= mostReadings) break;
        known.add(decoded.text);
        next.push(decoded);
      }
    readings.push(...next);
    level = next;
  }
  if (withBase64) for (const reading of [...readings]) readings.push(...base64Readings(reading));
  return readings;
}

/** Decodes the escapes in a string. */
export function unescapedText(text: string): string {
  return escapedAsBytes({ text, places: undefined })?.text ?? text;
}

type Decode = (reading: Reading) => Reading | undefined;

/**
 * Matches escapes in shell strings and in JSON, JavaScript, Python, Ruby, Go and C string literals.
 * A backslash before a letter that it does not escape is kept.
 */
const escape =
  /'\\''|'"'"'|\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|([0-3][0-7]{2}|[0-7]{1,2})|([abefnrtv])|([^A-Za-z0-9]))/gu;

const letters: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/**
 * @param isByte Whether an escape such as `\xc3` is a UTF-8 byte, as in C, rather than a character,
 * as in Python.
 */
function unescaped(reading: Reading, isByte: boolean): Reading | undefined {
  if (!/\\|'"'"'/.test(reading.text)) return undefined;
  return decodedBy(reading, escape, ([, braced, four, eight, hex, octal, letter, other]) => {
    const unicode = braced ?? four ?? eight;
    if (unicode !== undefined) {
      const point = parseInt(unicode, 16);
      return point <= 0x10ffff ? String.fromCodePoint(point) : "\ufffd";
    }
    const code = hex !== undefined ? parseInt(hex, 16) : octal && parseInt(octal, 8);
    if (typeof code === "number") return isByte ? code : String.fromCharCode(code);
    return letter !== undefined ? letters[letter]! : (other ?? "'");
  });
}

const escapedAsBytes: Decode = (reading) => unescaped(reading, true);
const escapedAsCharacters: Decode = (reading) => unescaped(reading, false);

/** Decodes quotes within a single-quoted shell string. Such strings have no other escapes. */
const joinedQuotes: Decode = (reading) =>
  /'\\''|'"'"'/.test(reading.text) ? decodedBy(reading, /'\\''|'"'"'/g, () => "'") : undefined;

const percentDecoded: Decode = (reading) =>
  reading.text.includes("%")
    ? decodedBy(reading, /%(?:u([0-9a-f]{4})|([0-9a-f]{2}))/gi, ([, four, two]) =>
        four === undefined ? parseInt(two!, 16) : String.fromCharCode(parseInt(four, 16)),
      )
    : undefined;

/** Decodes HTML form values, in which a plus sign means a space. */
const formDecoded: Decode = (reading) =>
  reading.text.includes("+")
    ? decodedBy(reading, /\+|%([0-9a-f]{2})/gi, ([, two]) =>
        two === undefined ? " " : parseInt(two, 16),
      )
    : undefined;

const decoders: readonly Decode[] = [
  escapedAsBytes,
  percentDecoded,
  joinedQuotes,
  escapedAsCharacters,
  formDecoded,
];

/**
 * Replaces all matches of a regular expression with decoded text.
 *
 * @param meaning Returns the decoded text, or a byte, for a match.
 */
function decodedBy(
  reading: Reading,
  pattern: RegExp,
  meaning: (match: RegExpExecArray) => string | number,
): Reading {
  const builder = new ReadingBuilder(reading);
  let done = 0;
  for (const match of reading.text.matchAll(pattern)) {
    const end = match.index + match[0].length;
    builder.copy(done, match.index);
    const meant = meaning(match);
    if (typeof meant === "number") builder.putByte(meant, match.index, end);
    else builder.put(meant, match.index, end);
    done = end;
  }
  builder.copy(done, reading.text.length);
  return builder.finish();
}

/** Matches text made up of Base64 characters, with or without line breaks. */
const base64 =
  /(?:[A-Za-z0-9+/_-]{60,76}\r?\n){0,65536}[A-Za-z0-9+/_-]{6,}|(?:[A-Za-z0-9+/_-]{60,76}\r?\n){1,65536}/g;

/**
 * Returns whether text might be Base64. Excludes ordinary words, which have at most one capital
 * letter.
 */
function mayBeBase64(text: string): boolean {
  return /[A-Z0-9][a-z]*[A-Z0-9][\w+/-]*[a-z]|[a-z][A-Z0-9][a-z0-9]*[A-Z0-9]/.test(text);
}

/**
 * Creates readings in which all parts that might be Base64 are decoded. There is one reading as
 * UTF-8 and one as UTF-16 for each offset at which decoding could start.
 */
function base64Readings(reading: Reading): readonly Reading[] {
  const runs = [...reading.text.matchAll(base64)].filter(([run]) => mayBeBase64(run));
  if (runs.length === 0) return [];
  const readings: Reading[] = [];
  for (let first = 0; first < 4; first++) {
    const plain = new ReadingBuilder(reading);
    const wide = new ReadingBuilder(reading);
    let isWide = false;
    for (const { 0: run, index } of runs) {
      const places: number[] = [];
      for (let at = first; at < run.length; at++) if (run[at]! > " ") places.push(index + at);
      const bytes = Buffer.from(run.slice(first), "base64");
      const placeOf = (byte: number): number => places[Math.floor((byte * 4) / 3)] ?? index;
      const endOf = (byte: number): number =>
        (places[Math.ceil(((byte + 1) * 4) / 3) - 1] ?? index + run.length - 1) + 1;
      for (const [at, byte] of bytes.entries()) plain.putByte(byte, placeOf(at), endOf(at));
      plain.put("\n", index, index);
      if (!bytes.includes(0)) continue;
      isWide = true;
      for (let at = 0; at + 1 < bytes.length; at += 2)
        wide.put(String.fromCharCode(bytes.readUInt16LE(at)), placeOf(at), endOf(at + 1));
      wide.put("\n", index, index);
    }
    readings.push(plain.finish());
    if (isWide) readings.push(wide.finish());
  }
  return readings;
}
