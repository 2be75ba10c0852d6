import { maxMessageBytes, maxMessageDepth } from "../../../generator/base/memory-limits.js";
import { readInspected } from "./inspected-object.js";

/**
 * The result of adding a line: `none` if the line contains no JSON, `open` if the JSON continues on
 * the next line, otherwise the parsed value or the error.
 */
export type Collected =
  | "none"
  | "open"
  | { readonly value: unknown; readonly unknown?: readonly string[] }
  | { readonly code: string; readonly message: string };

/** A protocol header that some logs print before the message. */
const wireHeader = /^Content-(?:Length|Type):/i;

/**
 * Maximum number of lines without JSON before the message begins, including the line that announces
 * it.
 */
const mostWaiting = 3;

/**
 * Matches the first key of an object as JavaScript prints it. Unlike in JSON, the key has single
 * quotation marks or none.
 */
const inspected = /^\s*(?:[A-Za-z_$]|')/;

/**
 * Collects the text of a message, either JSON or an object as printed by JavaScript, from
 * successive lines. The closing bracket ends the message, so other text may follow on the same
 * line.
 */
export class JsonCollector {
  #parts: string[] = [];
  #length = 0;
  #depth = 0;
  /**
   * Character code of the quotation mark that began the current string, or 0 outside of strings.
   */
  #quote = 0;
  /** Whether the object was printed by JavaScript. Undefined before the first key. */
  #isInspected: boolean | undefined;
  #waiting = 0;

  /**
   * Adds a line.
   *
   * @returns The value or an error once the message is complete, `open` if it continues, `none` if
   * the line does not begin a message.
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

  /** Returns the index after the bracket that ends the message, or -1. */
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
    // JSON strings contain no line breaks. End the string here, so that an unclosed quotation mark
    // hides only part of the log.
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

/** Parses a value that has no brackets and must therefore fill the whole line. */
function scalarOf(line: string): Collected {
  try {
    return { value: JSON.parse(line) as unknown };
  } catch {
    return "none";
  }
}
