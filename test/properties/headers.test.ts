/** The meaning of header blocks, compared with a slow parser that is easy to read. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { cutsOf, mutatedBytes, split } from "../support/mutated-inputs.js";
import { property } from "../support/property.js";
import { recordStream, type StreamRecord } from "../support/stream-oracles.js";

// A slow but readable parser for `Content-Length` frames. It defines what headers mean.

interface FrameBounds {
  readonly maxHeaderBytes: number;
  readonly maxHeaderCount: number;
  readonly maxBodyBytes: number;
  readonly maxDepth: number;
}

interface ObviousFrame {
  readonly offset: number;
  readonly headerLength: number;
  readonly headers: readonly (readonly [string, string])[];
  /** The body's bytes, one character each. */
  readonly body: string;
}

/** The meaning of header lines. */
interface HeaderMeaning {
  /** The values of all `Content-Length` lines. */
  readonly lengths: readonly string[];
  /** The last value of every header other than `Content-Length` and `Content-Type`. */
  readonly headers: ReadonlyMap<string, string>;
  /** The values of all `Content-Type` lines. */
  readonly types: readonly string[];
  /** Lines that are not of the form `name: value`. */
  readonly unreadable: readonly string[];
}

const headerLine = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+)[ \t]*:[ \t]*([^\r\n]*?)[ \t]*$/;

/**
 * Reads header lines.
 * @param lines The header's lines, without line endings.
 */
function meaningOf(lines: readonly string[]): HeaderMeaning {
  const lengths: string[] = [];
  const types: string[] = [];
  const headers = new Map<string, string>();
  const unreadable: string[] = [];
  for (const line of lines) {
    const [, name, value] = headerLine.exec(line) ?? [];
    if (name === undefined) unreadable.push(line);
    else if (name.toLowerCase() === "content-length") lengths.push(value!);
    else headers.set(name.toLowerCase(), value!);
    if (name?.toLowerCase() === "content-type") types.push(value!);
  }
  return { lengths, headers, types, unreadable };
}

/**
 * Returns the length that a header specifies, or undefined if it specifies none, an invalid one, or
 * several different ones.
 */
function lengthOf({ lengths }: HeaderMeaning): number | undefined {
  const isWhole = lengths.every((each) => /^[0-9]+$/.test(each));
  const different = new Set(lengths.map(Number));
  return isWhole && different.size === 1 ? [...different][0] : undefined;
}

/** Returns whether a body can be read as UTF-8 according to every `Content-Type` line. */
function hasReadableCharset({ types }: HeaderMeaning): boolean {
  return types.every(isReadable);
}

function isReadable(type: string): boolean {
  const named = type
    .split(";")
    .slice(1)
    .map((each) => /^\s*charset\s*=\s*(.*)$/is.exec(each)?.[1]);
  const charset = named.find((each) => each !== undefined) ?? "";
  const [plain] = charset.trim().replaceAll(/["']/g, "").split(/\s/, 1);
  return ["", "utf-8", "utf8", "us-ascii", "ascii"].includes(plain!.toLowerCase());
}

/**
 * Returns the frames that a strict reader finds before the first fault, and whether there was a
 * fault.
 */
function obviousFrames(
  bytes: Uint8Array,
  bounds: FrameBounds,
): { readonly frames: readonly ObviousFrame[]; readonly hasFault: boolean } {
  const stream = Buffer.from(bytes).toString("latin1");
  const frames: ObviousFrame[] = [];
  // The stream may begin with a byte order mark.
  let at = stream.startsWith("\xef\xbb\xbf") ? 3 : 0;
  for (;;) {
    // Blank lines may precede a header.
    while (stream.startsWith("\r\n", at)) at += 2;
    if (at === stream.length) return { frames, hasFault: false };
    const end = stream.indexOf("\r\n\r\n", at);
    if (end < 0) return { frames, hasFault: true };
    const header = stream.slice(at, end + 4);
    const meaning = meaningOf(stream.slice(at, end).split("\r\n"));
    const length = lengthOf(meaning);
    const body = stream.slice(at + header.length, at + header.length + (length ?? 0));
    const isWrong =
      meaning.unreadable.length > 0 ||
      length === undefined ||
      length > bounds.maxBodyBytes ||
      body.length < length ||
      !isWithin(header, meaning, bounds) ||
      !hasReadableCharset(meaning) ||
      !isMessage(body, bounds.maxDepth);
    if (isWrong) return { frames, hasFault: true };
    frames.push({ offset: at, headerLength: header.length, headers: [...meaning.headers], body });
    at += header.length + length;
  }
}

function isWithin(header: string, meaning: HeaderMeaning, bounds: FrameBounds): boolean {
  // The canonical header is always accepted.
  if (/^Content-Length: [0-9]{1,10}\r\n\r\n$/.test(header)) return true;
  const lines = header.split("\r\n").length - 2;
  return header.length <= bounds.maxHeaderBytes && lines <= bounds.maxHeaderCount;
}

function isMessage(body: string, maxDepth: number): boolean {
  try {
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(Buffer.from(body, "latin1"));
    const value: unknown = JSON.parse(text);
    return (
      typeof value === "object" &&
      value !== null &&
      !Array.isArray(value) &&
      depthOf(value) <= maxDepth
    );
  } catch {
    return false;
  }
}

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

const bounds: readonly FrameBounds[] = [
  { maxHeaderBytes: 8_192, maxHeaderCount: 32, maxBodyBytes: 1 << 20, maxDepth: 64 },
  { maxHeaderBytes: 80, maxHeaderCount: 3, maxBodyBytes: 40, maxDepth: 3 },
];

const lines = [
  "Content-Length: 2",
  "Content-Length: 7",
  "Content-Length: 07",
  "content-length:7",
  "CONTENT-LENGTH : 7",
  "Content-Length:\t7 ",
  "Content-Length: +7",
  "Content-Length: 7, 7",
  "Content-Length: 7.0",
  "Content-Length: 0x7",
  "Content-Length: ",
  "Content-Length: 9",
  "X-Content-Length: 9",
  "Content-Type: application/json",
  "Content-Type: a; charset=utf-8",
  "Content-Type: a; charset=latin1",
  'Content-Type: a;b=c; charset="UTF8"',
  "A: b",
  ": x",
  " Content-Length: 7",
  "Content Length: 7",
  "no header",
];
const bodies = ["{}", '{"a":1}', '{"a":[]}', "[1,2,3]", '{"a":{"b":{"c":{}}}}', '{"é":1}', "null"];

property(
  "headers mean what a slow parser says",
  fc.record({
    bytes: mutatedBytes({
      seeds: [
        'A: b\r\nContent-Length: 7\r\nContent-Type: a; charset=utf-8\r\n\r\n{"a":1}',
        '\r\nContent-Length: 2\r\n\r\n{}Content-Length: 7\r\nX: y\r\n\r\n{"a":1}',
        'Content-Length: 7\r\nContent-Type: ;charset=a\r\nContent-Type:\r\n\r\n{"a":1}',
        ...lines.map((line) => `${line}\r\n\r\n{"a":1}Content-Length: 2\r\n\r\n{}`),
        ...bodies.map(
          (body) => `a: b\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
        ),
      ],
      tokens: [
        ...lines.map((line) => `${line}\r\n`),
        ...bodies,
        ..."\r\n|\n|\r|\r\n\r\n| |\t|:|;|=|,".split("|"),
        'Content-Length: 7\r\n\r\n{"a":1}',
      ],
      maxLength: 400,
    }),
    split,
    limits: fc.constantFrom(...bounds),
  }),
  ({ bytes, split, limits }) => {
    const read = (recovery: "strict" | "tolerant"): readonly StreamRecord[] =>
      recordStream(bytes, cutsOf(split, bytes.length), { limits, recovery });
    assertStrict(read("strict"), bytes, limits);
    assertTolerant(read("tolerant"), bytes);
  },
  500,
);

/** A strict decoder delivers the frames before the first fault, and reports a fault if there is one. */
function assertStrict(
  records: readonly StreamRecord[],
  bytes: Uint8Array,
  limits: FrameBounds,
): void {
  const expected = obviousFrames(bytes, limits);
  const frames = records.flatMap((record) => {
    if (record.kind !== "message") return [];
    const { offset, headerLength, headers, body } = record;
    return [{ offset, headerLength, headers, body }];
  });
  assert.deepEqual(frames, expected.frames);
  if (!expected.hasFault)
    assert.deepEqual(
      records.filter(({ kind }) => kind !== "message"),
      [],
    );
}

/** The header of each delivered frame means what the slow parser says. */
function assertTolerant(records: readonly StreamRecord[], bytes: Uint8Array): void {
  for (const record of records) {
    if (record.kind !== "message") continue;
    const { offset, headerLength, headers, body } = record;
    const header = Buffer.from(bytes).toString("latin1", offset, offset + headerLength);
    const meaning = meaningOf(header.replace(/\r?\n\r?\n$/, "").split(/\r?\n/));
    const isRepaired = records.some(
      (other) => other.kind === "error" && other.recovered && other.offset === offset,
    );
    const length = lengthOf(meaning);
    assert.notEqual(length, undefined);
    assert.deepEqual(headers, [...meaning.headers]);
    if (isRepaired) continue;
    assert.equal(length, body.length);
    assert.ok(hasReadableCharset(meaning));
  }
}
