/** A slow but readable parser for `Content-Length` frames. It defines what headers mean. */

export interface FrameBounds {
  readonly maxHeaderBytes: number;
  readonly maxHeaderCount: number;
  readonly maxBodyBytes: number;
  readonly maxDepth: number;
}

export interface ObviousFrame {
  readonly offset: number;
  readonly headerLength: number;
  readonly headers: readonly (readonly [string, string])[];
  /** The body's bytes, one character each. */
  readonly body: string;
}

/** The meaning of header lines. */
export interface HeaderMeaning {
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
export function meaningOf(lines: readonly string[]): HeaderMeaning {
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
export function lengthOf({ lengths }: HeaderMeaning): number | undefined {
  const isWhole = lengths.every((each) => /^[0-9]+$/.test(each));
  const different = new Set(lengths.map(Number));
  return isWhole && different.size === 1 ? [...different][0] : undefined;
}

/** Returns whether a body can be read as UTF-8 according to every `Content-Type` line. */
export function hasReadableCharset({ types }: HeaderMeaning): boolean {
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
export function obviousFrames(
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
