import { maxMessageBytes } from "../../../generator/base/memory-limits.js";
import { LineCutter } from "../json-lines.js";
import { type LogLines, needsMore } from "./logged-value.js";

/** Number of bytes that a line may contain in addition to its message. */
const headBytes = 64 * 1024;

/** Number of lines after which the lines before the current one are dropped. */
const maxPassed = 1_024;

interface LogLine {
  readonly text: string;
  readonly bytes: number;
  /** Length of the line if it is too long, in which case its text is only its beginning. */
  readonly tooLong?: number;
}

/**
 * The lines of a log that are being read, as text. Removes what was added to all of them when the
 * log was written or pasted.
 */
export class LogText implements LogLines {
  readonly #lines: LineCutter;
  readonly #decoder: TextDecoder | undefined;
  readonly #clean: (line: string) => string;
  /** Changes that were made to the text, in words. */
  readonly remarks: readonly string[];
  #kept: LogLine[] = [];
  /** Index of the first line that is kept. */
  #first = 0;
  #isOver = false;

  /** @param beginning The first bytes of the log, which show how it was written. */
  constructor(beginning: Uint8Array) {
    const remarks: string[] = [];
    const encoding = encodingOf(beginning);
    this.#decoder = encoding === undefined ? undefined : new TextDecoder(encoding);
    if (encoding !== undefined) remarks.push(`decoded from ${encoding.toUpperCase()}`);
    this.#clean = cleanerOf(new TextDecoder(encoding).decode(beginning), remarks);
    this.remarks = remarks;
    const keep = (bytes: Uint8Array, length: number, tooLong?: number): void => {
      const line = { text: this.#clean(utf8.decode(bytes)), bytes: length };
      this.#kept.push(tooLong === undefined ? line : { ...line, tooLong });
    };
    this.#lines = new LineCutter(maxMessageBytes + headBytes, {
      line: (bytes) => keep(bytes, bytes.length + 1),
      tooLong: (_, length, start) => keep(start, length, length),
    });
  }

  push(bytes: Uint8Array): void {
    this.#lines.push(
      this.#decoder === undefined
        ? bytes
        : Buffer.from(this.#decoder.decode(bytes, { stream: true })),
    );
  }

  end(): void {
    this.#lines.end();
    this.#isOver = true;
  }

  /** Number of lines so far. */
  get count(): number {
    return this.#first + this.#kept.length;
  }

  lineAt(index: number): string | undefined {
    const line = this.#kept[index - this.#first];
    if (line === undefined && !this.#isOver) throw needsMore;
    return line?.text;
  }

  /** Returns the length of a line that is too long, otherwise undefined. */
  tooLongAt(index: number): number | undefined {
    return this.#kept[index - this.#first]?.tooLong;
  }

  /** Returns the size of the lines from one to another, both included. */
  bytesOf(from: number, to: number): number {
    let bytes = 0;
    for (let index = from; index <= to; index++)
      bytes += this.#kept[index - this.#first]?.bytes ?? 0;
    return bytes;
  }

  /** Drops the lines before the given one. */
  pass(index: number): void {
    if (index - this.#first < maxPassed && index < this.count) return;
    this.#kept = this.#kept.slice(index - this.#first);
    this.#first = index;
  }
}

const utf8 = new TextDecoder();

/** Number of bytes that show the encoding. */
const encodingBytes = 2_000;

/** Returns the encoding of a text, or undefined for UTF-8. */
function encodingOf(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  // Without a byte order mark, every other byte of Latin text is 0.
  if (first === 0 ? third !== 0 || second === 0 : second !== 0 || fourth !== 0) return undefined;
  const part = bytes.subarray(0, encodingBytes);
  const zeros = [0, 0];
  part.forEach((byte, index) => (zeros[index % 2]! += byte === 0 ? 1 : 0));
  const most = part.length / 4;
  if (zeros[1]! > most && zeros[0]! < most / 10) return "utf-16le";
  return zeros[0]! > most && zeros[1]! < most / 10 ? "utf-16be" : undefined;
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  gt: ">",
  lt: "<",
  nbsp: " ",
  quot: '"',
};
const colour = /\x1b\[[\d;?]*[A-Za-z]/g;
/** Matches an angle bracket that does not belong to a tag. */
const bareAngle = /(?:^|[^\w"'/])>|<[^\w/!]/m;
const plainKey = /[{,] ?"[\w$]+" ?:/;

/** Returns a function that removes what was added to a line. Describes it in the remarks. */
function cleanerOf(beginning: string, remarks: string[]): (line: string) => string {
  const steps: ((line: string) => string)[] = [
    // A log that was truncated while it was being written begins with NUL bytes.
    (line) => (line.charCodeAt(0) === 0 ? line.replace(/^\0+/, "") : line),
    (line) => (line.includes("\x1b") ? line.replaceAll(colour, "") : line),
  ];
  const isPlain = plainKey.test(beginning);
  if (!isPlain && !bareAngle.test(beginning) && countOf(beginning, /&(?:quot|gt|lt);/g) > 2) {
    remarks.push("HTML entities replaced");
    steps.push((line) => line.replaceAll(/&(?:#(x?)([\da-f]+)|(\w+));/gi, entityText));
  }
  if (!isPlain && countOf(beginning, /[“”„‟]/g) > 3) {
    remarks.push("typographic quotation marks replaced");
    steps.push((line) =>
      /(?:^|[^\\])"/.test(line) ? line : line.replaceAll(/[“”„‟]/g, '"').replaceAll(/[‘’]/g, "'"),
    );
  }
  const clean = (line: string): string => steps.reduce((text, step) => step(text), line);
  const prefix = commonPrefix(beginning.split("\n").slice(0, -1).map(clean));
  if (prefix === "") return clean;
  if (prefix.trim() !== "")
    remarks.push(`removed ${JSON.stringify(prefix)} from the beginning of each line`);
  return (line) => {
    const text = clean(line);
    return text.startsWith(prefix) ? text.slice(prefix.length) : text;
  };
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function entityText(
  all: string,
  hex: string | undefined,
  digits: string | undefined,
  name = "",
): string {
  if (digits === undefined) return entities[name] ?? all;
  const point = Number.parseInt(digits, hex === "" ? 10 : 16);
  return point <= 0x10ffff ? String.fromCodePoint(point) : all;
}

/** Prefixes of the lines of a text that was pasted or collected. */
const pastedPrefix = /^(?:[ \t]*(?:[>|#*;]|\/\/|[\w.-]{1,60} +\|)[ \t])+|^[ \t]+/;

/** Share of the lines that begin with a prefix if it was put before each line. */
const prefixShare = 0.95;

/** Returns the prefix that was put before each line, or an empty string. */
function commonPrefix(lines: readonly string[]): string {
  const full = lines.filter((line) => line.trim() !== "");
  if (full.length < 2) return "";
  const counts = new Map<string, number>();
  for (const line of full) {
    const [prefix = ""] = pastedPrefix.exec(line) ?? [];
    counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
  }
  // Indented lines begin with the prefix, too.
  const prefixes = [...counts.keys()].filter((prefix) => prefix !== "");
  return (
    prefixes
      .sort((a, b) => a.length - b.length)
      .find(
        (prefix) =>
          full.filter((line) => line.startsWith(prefix) || line === prefix.trimEnd()).length >=
          full.length * prefixShare,
      ) ?? ""
  );
}
