import { maxMessageBytes, maxMessageDepth } from "../../base/memory-limits.js";
import { readInspected } from "./inspected-object.js";

/** How far the JSON text of a message has been collected. */
export type Collected =
  | "none"
  | "open"
  | { readonly value: unknown; readonly unknown?: readonly string[] }
  | { readonly code: string; readonly message: string };

/** A protocol header that some logs print before the message. */
const wireHeader = /^Content-(?:Length|Type):/i;

/**
 * Maximum number of lines without JSON before the text of a message, including the line that
 * announces it.
 */
const mostWaiting = 3;

/**
 * Objects as JavaScript prints them are not JSON: their first key has no quotation marks or single
 * ones.
 */
const inspected = /^\s*(?:[A-Za-z_$]|')/;

/**
 * Collects the JSON text of a message from lines, or the text that JavaScript prints for it. Finds its end by its
 * brackets, so that text may follow.
 */
export class JsonCollector {
  #parts: string[] = [];
  #length = 0;
  #depth = 0;
  /** The quotation mark of the open string; 0 if there is none. */
  #quote = 0;
  /** Whether JavaScript printed it; undefined before the first key. */
  #isInspected: boolean | undefined;
  #waiting = 0;

  /**
   * Adds a line.
   *
   * @returns The value or its fault once the text is complete, `open` if it continues, `none` if
   *   the line does not begin a JSON text.
   */
  add(line: string): Collected {
    let from = 0;
    if (this.#parts.length === 0) {
      from = line.search(/\S/);
      if (from < 0 || wireHeader.test(line)) return ++this.#waiting > mostWaiting ? "none" : "open";
      if (line[from] !== "{" && line[from] !== "[") return scalarOf(line);
    }
    const end = this.#scan(line, from);
    if (this.#depth > maxMessageDepth)
      return {
        code: "ERR_DEPTH",
        message: `Cannot read a message that nests more than ${maxMessageDepth} levels deep`,
      };
    this.#length += line.length + 1;
    if (this.#length > maxMessageBytes)
      return {
        code: "ERR_BODY_TOO_LONG",
        message: `Cannot read a message of more than ${maxMessageBytes} bytes`,
      };
    this.#parts.push(end < 0 ? line : line.slice(0, end));
    return end < 0 ? "open" : parse(this.#parts.join("\n"));
  }

  /** Whether the text of a message has begun. */
  get hasBegun(): boolean {
    return this.#parts.length > 0;
  }

  /** Index after the bracket that closes the text, or -1. */
  #scan(line: string, from: number): number {
    const { length } = line;
    const rest = this.#parts.length === 0 ? line.slice(from + 1) : line;
    if (this.#isInspected === undefined && rest.trim() !== "")
      this.#isInspected = inspected.test(rest);
    for (let at = from; at < length; at++) {
      const code = line.charCodeAt(at);
      if (this.#quote !== 0) {
        if (code === backslash) at++;
        else if (code === this.#quote) this.#quote = 0;
      } else if (code === quote) this.#quote = code;
      else if (this.#isInspected === true && (code === apostrophe || code === backtick))
        this.#quote = code;
      else if (code === openBrace || code === openBracket) {
        if (++this.#depth > maxMessageDepth) return -1;
      } else if ((code === closeBrace || code === closeBracket) && --this.#depth === 0)
        return at + 1;
    }
    // A line end within a string is not JSON. Ending the string here keeps the loss small.
    if (this.#quote !== backtick) this.#quote = 0;
    return -1;
  }
}

const [quote, apostrophe, backtick, backslash, openBrace, closeBrace, openBracket, closeBracket] =
  Array.from("\"'`\\{}[]", (each) => each.charCodeAt(0)) as [
    ...[number, number, number, number],
    ...[number, number, number, number],
  ];

function parse(text: string): Collected {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return (
      readInspected(text) ?? { code: "ERR_LOST", message: "Cannot read a logged message as JSON" }
    );
  }
}

/** A value without brackets, which takes the whole line. */
function scalarOf(line: string): Collected {
  try {
    return { value: JSON.parse(line) as unknown };
  } catch {
    return "none";
  }
}
