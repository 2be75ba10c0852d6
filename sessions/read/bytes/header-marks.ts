import type { ByteMark } from "../entries/recorded-entry.js";

/**
 * Matches a header line. Captures its name, its value, the white space around the colon, and the
 * line ending.
 */
const line = /^([^:\r\n]*?)([ \t]*):([ \t]*)([^\r\n]*?)[ \t]*(\r?\n)/;

/** Names of the headers defined by the protocols that use this framing. */
const defined: ReadonlySet<string> = new Set(["content-length", "content-type"]);

/**
 * Finds a header's quirks, line by line.
 *
 * @param text The header, including the blank line before the body, with one character per byte.
 * @param offset Offset of the header in its stream.
 */
export function headerMarks(text: string, offset: number): readonly ByteMark[] {
  const marks = new Map<string, ByteMark>();
  let hasLength = false;
  let at = 0;
  const mark = (quirk: string, value?: string): void => {
    if (!marks.has(quirk))
      marks.set(quirk, {
        quirk,
        offset: offset + at,
        ...(value === undefined ? {} : { value: value.slice(0, maxValue) }),
      });
  };
  while (at < text.length) {
    const rest = text.slice(at);
    const [whole, name = "", before, after, , end] = line.exec(rest) ?? [];
    if (whole === undefined) {
      if (rest === "\n") mark("line-feed");
      break;
    }
    if (end === "\n") mark("line-feed");
    const lower = name.toLowerCase();
    if (lower === "content-length") {
      if (hasLength) mark("length-twice");
      hasLength = true;
      if (name !== "Content-Length") mark("name-case", name);
      if (before !== "") mark("space-before-colon");
      if (after === "") mark("no-space");
      else if (after !== " ") mark("more-space");
    } else {
      mark(hasLength ? "header-after" : "header-before", name);
      if (!defined.has(lower)) mark("other-header", name);
    }
    at += whole.length;
  }
  return [...marks.values()];
}

/** Maximum length of a reported name, in characters. */
const maxValue = 60;

/**
 * Returns the length that a header declares. Returns undefined if the header declares no length, or
 * more than one.
 */
export function declaredLength(text: string): number | undefined {
  const found = [...text.matchAll(/^content-length[ \t]*:[ \t]*(\d+)/gim)];
  return found.length === 1 ? Number(found[0]![1]) : undefined;
}
