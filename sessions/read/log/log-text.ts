import { isDeepStrictEqual } from "node:util";
import { maxMessageBytes } from "../../../generator/base/memory-limits.js";
import { LineCutter, parsedText } from "../json-lines.js";
import { timeIn } from "./log-head.js";
import {
  type LogLines,
  needsMore,
  objectStart,
  readValue,
  repeatedLength,
} from "./logged-value.js";

/** Number of bytes that a line may contain in addition to its message. */
const headBytes = 64 * 1024;

/** Number of lines after which the lines before the current one are dropped. */
const maxPassed = 1_024;

interface LogLine {
  text: string;
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
  /** Returns what separates a line from the one that continues it, or undefined if none does. */
  readonly #joint: Joint;
  /** The last line as it was read, and the line that it is part of. */
  #last: string | undefined;
  #whole: LogLine | undefined;
  /** Changes that were made to the text, in words. */
  readonly remarks: readonly string[];
  #kept: LogLine[] = [];
  /** Index of the first line that is kept, and of the one that is being read. */
  #first = 0;
  #current = 0;
  #isOver = false;

  /**
   * @param beginning The first bytes of the log, which show how it was written.
   * @param isMessage Returns whether a text may contain a message.
   */
  constructor(beginning: Uint8Array, isMessage: (text: string) => boolean) {
    const remarks: string[] = [];
    const encoding = encodingOf(beginning);
    this.#decoder = encoding === undefined ? undefined : new TextDecoder(encoding);
    if (encoding !== undefined) remarks.push(`decoded from ${encoding.toUpperCase()}`);
    const text = new TextDecoder(encoding).decode(beginning);
    this.#clean = cleanerOf(text, remarks, isMessage);
    this.#joint = jointOf(text.split(/\r?\n/).slice(0, -1), remarks);
    this.remarks = remarks;
    const keep = (bytes: Uint8Array, length: number, tooLong?: number): void => {
      const line = { text: utf8.decode(bytes), bytes: length };
      this.#add(tooLong === undefined ? line : { ...line, tooLong });
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

  #add(line: LogLine): void {
    const text = this.#clean(line.text);
    const between = this.#last === undefined ? undefined : this.#joint?.(this.#last, line.text);
    this.#last = line.text;
    if (between === undefined) this.#kept.push((this.#whole = { ...line, text }));
    else {
      // An empty line stands for a part of another.
      this.#kept.push({ text: "", bytes: line.bytes });
      this.#whole!.text += between + withoutPrefix(this.#whole!.text, text);
    }
  }

  /** Number of lines so far, without one that may be continued. */
  get count(): number {
    const isOpen = this.#joint !== undefined && !this.#isOver && this.#whole !== undefined;
    return this.#first + (isOpen ? this.#kept.lastIndexOf(this.#whole!) : this.#kept.length);
  }

  lineAt(index: number): string | undefined {
    if (index >= this.count && !this.#isOver) throw needsMore;
    return this.#kept[index - this.#first]?.text;
  }

  /** Returns the length of a line that is too long, otherwise undefined. */
  tooLongAt(index: number): number | undefined {
    return this.#kept[index - this.#first]?.tooLong;
  }

  /** Continues at a line, and drops those before it. Returns their size. */
  passTo(index: number): number {
    let bytes = 0;
    for (; this.#current < index; this.#current++)
      bytes += this.#kept[this.#current - this.#first]?.bytes ?? 0;
    if (index - this.#first >= maxPassed || index >= this.count) {
      this.#kept = this.#kept.slice(index - this.#first);
      this.#first = index;
    }
    return bytes;
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

/** Returns what separates a line from its continuation, or undefined if it is not continued. */
type Joint = ((line: string, next: string) => string | undefined) | undefined;

/** Range of widths at which lines are wrapped. */
const minWidth = 40;
const maxWidth = 250;

/** Returns how lines were wrapped at a fixed width, or undefined if they were not. */
function jointOf(lines: readonly string[], remarks: string[]): Joint {
  if (lines.length > 1 && lines.every((line) => line === "" || criLine.test(line))) {
    if (!lines.some((line) => criPart.test(line))) return undefined;
    remarks.push("joined lines that Kubernetes has split");
    return (line) => (criPart.test(line) ? "" : undefined);
  }
  const width = Math.max(...lines.slice(0, maxPassed).map(({ length }) => length));
  if (width < minWidth || width > maxWidth) return undefined;
  const joints: readonly Exclude<Joint, undefined>[] = [
    (line) => (line.length === width ? "" : undefined),
    (line, next) =>
      line.length > width / 2 && line.length + /^\S*/.exec(next)![0].length >= width
        ? " "
        : undefined,
  ];
  const counts = joints.map((joint) => countWrapped(lines, joint));
  const most = Math.max(...counts);
  if (most === 0) return undefined;
  remarks.push(`joined lines that were wrapped at ${width} characters`);
  return joints[counts.indexOf(most)];
}

/** Minimum length of what a logger puts before each part of a message. */
const minPrefix = 12;

/** Removes what a line repeats from the beginning of the line that it continues. */
function withoutPrefix(line: string, next: string): string {
  const length = criHead.exec(next)?.[0].length ?? repeatedLength(line, next);
  return length < minPrefix ? next : next.slice(length);
}

/** Counts the values that continue over the end of a line and are whole only if the lines are joined. */
function countWrapped(lines: readonly string[], joint: Exclude<Joint, undefined>): number {
  let count = 0;
  for (let index = 0; index < lines.length; index++) {
    const [from, first] = [index, lines[index]!];
    let text = first;
    const ends: number[] = [];
    for (; index + 1 < lines.length; index++) {
      const between = joint(lines[index]!, lines[index + 1]!);
      if (between === undefined) break;
      ends.push(text.length);
      text += between + withoutPrefix(first, lines[index + 1]!);
    }
    const start = ends.length === 0 ? -1 : text.search(objectStart);
    if (start < 0) continue;
    const { value, fault, column } = readValue({ lineAt: (line) => [text][line] }, 0, start, "");
    if (fault !== undefined || !ends.some((end) => start < end && end < column)) continue;
    // A value that its program has printed over several lines can also be read without joining them.
    const unjoined = { lineAt: (line: number) => lines[from + line] };
    const apart = readValue(unjoined, 0, start, first.slice(0, start));
    if (!isDeepStrictEqual(apart.value, value)) count++;
  }
  return count;
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
/** Marks that some programs escape in JSON, which may be in front of messages, too. */
const escapedMark = /(?<!\\)\\u00(26|27|3a|3c|3e)/gi;
const unescapedMark = (_: string, digits: string): string =>
  String.fromCharCode(Number.parseInt(digits, 16));
const plainKey = /[{,] ?"[\w$]+" ?:/;

/** Returns a function that removes what was added to a line. Describes it in the remarks. */
function cleanerOf(
  beginning: string,
  remarks: string[],
  isMessage: (text: string) => boolean,
): (line: string) => string {
  const steps: ((line: string) => string)[] = [
    // A log that was truncated while it was being written begins with NUL bytes.
    (line) => (line.charCodeAt(0) === 0 ? line.replace(/^\0+/, "") : line),
    (line) => (line.includes("\x1b") ? line.replaceAll(colour, "") : line),
    (line) => (line.includes("\\u00") ? line.replaceAll(escapedMark, unescapedMark) : line),
  ];
  const whole = beginning.split("\n").slice(0, -1);
  if (whole.length > 0 && whole.every((line) => dockerLine.test(line))) {
    remarks.push("read the lines that Docker has logged");
    const texts = whole.map((line) => withoutDocker(line, false));
    const isTimed = texts.some((text) => timeIn(text.slice(0, maxTime)) !== undefined);
    steps.push((line) => withoutDocker(line, !isTimed));
    beginning = texts.join("\n");
  }
  if (areNumbered(whole)) {
    remarks.push("removed the numbers of the lines");
    steps.push((line) => line.replace(lineNumber, ""));
  }
  steps.push(withoutCri);
  const unquote = (line: string): string => withoutQuotes(line, isMessage);
  if (whole.some((line) => unquote(line) !== line)) remarks.push("quoted JSON unescaped");
  if (whole.some(isPython)) {
    remarks.push("JSON in strings of Python unescaped");
    steps.push(withoutPython);
  }
  const isPlain = plainKey.test(beginning);
  // A text that was escaped twice begins with "&amp;" in place of each "&".
  for (let text = beginning; !isPlain && !bareAngle.test(text); text = withoutEntities(text)) {
    if (countOf(text, /&(?:amp;)*(?:quot|gt|lt);/g) <= 2) break;
    if (text === beginning) remarks.push("HTML entities replaced");
    steps.push(withoutEntities);
  }
  if (!isPlain && countOf(beginning, /[“”„‟]/g) > 3) {
    remarks.push("typographic quotation marks replaced");
    steps.push((line) =>
      /(?:^|[^\\])"/.test(line) ? line : line.replaceAll(/[“”„‟]/g, '"').replaceAll(/[‘’]/g, "'"),
    );
  }
  steps.push(unquote);
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

/** Matches the number of a line, as editors and `grep` print it, after the name of the file. */
const lineNumber = /^(?:[^\s:]{1,200}:)? *(\d{1,7})(?:[:|] ?| {1,2}|\t|\r?$)/;

function areNumbered(lines: readonly string[]): boolean {
  const numbers = lines.map((line) => Number(lineNumber.exec(line)?.[1]));
  return numbers.length > 1 && numbers.every((each, index) => each === numbers[0]! + index);
}

/** A line in the files of Docker's `json-file` logs. */
const dockerLine = /^\{"log": ?"(?:[^"\\]|\\.)*", ?"stream": ?"(?:stdout|stderr)",.*"\}\r?$/;

/** Maximum length of what precedes the end of a line's time. */
const maxTime = 40;

function withoutDocker(line: string, keepsTime: boolean): string {
  if (!dockerLine.test(line)) return line;
  const { log, time } = JSON.parse(line) as { readonly log: string; readonly time?: string };
  const text = log.replace(/[\r\n]+$/, "");
  return keepsTime && time !== undefined ? `${time} ${text}` : text;
}

/** A line in the logs of Kubernetes, which marks a part as `P` and the last one as `F`. */
const criLine = /^\S{20,40} std(?:out|err) [PF] /;
const criPart = /^\S{20,40} std(?:out|err) P /;
const criHead = /^\S{20,40} std(?:out|err) /;

function withoutCri(line: string): string {
  return criLine.test(line) ? line.replace(/ [PF] /, " ") : line;
}

/** Matches a text in quotation marks, or one that is cut. */
const quotedText = /"(?:[^"\\]|\\.)*(?:"|$)/g;
/** Matches the beginning of a text in a value over many lines, after its key in JSON, Lua or Lisp. */
const keyedText = /(?:"[\w$-]+"\s*:|^\s+\w+ =|[\s(]:[A-Za-z][\w-]*)\s*"(?:[^"\\]|\\.)*$/;
const csvText = /"(?:[^"]|"")*(?:"|$)/g;

/**
 * Removes the quotation marks from texts that contain escaped JSON. A line that is part of a value
 * remains as it is.
 *
 * @param isMessage Returns whether a text may contain a message.
 */
function withoutQuotes(line: string, isMessage: (text: string) => boolean): string {
  const first = line.indexOf("{");
  const next = line.slice(first, first + 4);
  if (first < 0 || !/^\{(?:\\"|""\w)/.test(next)) return line;
  const before = line.slice(0, first);
  if (next.startsWith('{\\"'))
    return keyedText.test(before) || /^\s*"/.test(before)
      ? line
      : line.replaceAll(quotedText, (text) =>
          text.includes('{\\"') && isMessage(text) ? unquoted(text) : text,
        );
  return line.replaceAll(csvText, (text) =>
    text.includes('{""') && isMessage(text)
      ? text.replaceAll(/^"|"$/g, "").replaceAll('""', '"')
      : text,
  );
}

function unquoted(text: string): string {
  const inner = text.replaceAll(/^"|"$/g, "");
  const parsed = parsedText(`"${inner}"`);
  return typeof parsed === "string" ? parsed : unescaped(inner);
}

/** Removes escapes from a text of C or Python, which print the bytes of characters as numbers. */
function unescaped(text: string): string {
  return text.replaceAll(
    /\\(["'\\])|(?:\\[0-3][0-7]{2})+|(?:\\x[\da-f]{2})+/g,
    (escaped, character?: string) =>
      character ??
      utf8.decode(
        Uint8Array.from(escaped.slice(1).split("\\"), (digits) =>
          digits.startsWith("x")
            ? Number.parseInt(digits.slice(1), 16)
            : Number.parseInt(digits, 8),
        ),
      ),
  );
}

/** Matches JSON in a string or in bytes, as Python prints them. */
const pythonText =
  /^(?<before>(?:[^{']*[\s=:(,[])?(?<bytes>b?)'[^{']*)(?<json>\{".*\})(?<after>(?:\\[rn])*'.*)$/;

/** Returns whether JSON in quotation marks was certainly escaped by Python, and not by a user. */
function isPython(line: string): boolean {
  const { bytes, json = "" } = pythonText.exec(line)?.groups ?? {};
  if (bytes === "b" || /\\{4}/.test(json)) return true;
  return json !== "" && parsedText(json) === undefined && parsedText(unescaped(json)) !== undefined;
}

function withoutPython(line: string): string {
  const { before = "", json = "", after = "" } = pythonText.exec(line)?.groups ?? {};
  return json === "" ? line : `${before}${unescaped(json)}${after}`;
}

function withoutEntities(text: string): string {
  return text.replaceAll(/&(?:#(x?)([\da-f]+)|(\w+));/gi, entityText);
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
