import { unescapeCharacters } from "./character-references.js";
import { ElementScanner, type ElementListener } from "./element-scanner.js";
import type { ElementShape } from "./element-shapes.js";
import { setField } from "../base/own-fields.js";
import type { FieldForm } from "../frames/spelling.js";
import type { StartTag } from "./start-tag.js";

/** An element that is not in the protocol. */
export interface UnknownElement {
  readonly attributes: { readonly [name: string]: string };
  /** Its text, if it contains no elements. */
  readonly text?: string;
  readonly elements?: readonly (UnknownElement & { readonly element: string })[];
}

const noElementLimits = {
  maxAttributes: Infinity,
  maxDepth: Infinity,
  maxElements: Infinity,
};

/** Parses complete elements, as the decoder delivers them. */
export class ElementReader {
  readonly #tree = new ElementTree();
  readonly #scanner: ElementScanner;

  /**
   * @param lookup Returns the shape of a message's element. Without a shape, an element is read as
   *   an {@link UnknownElement}.
   */
  constructor(lookup: (name: string) => ElementShape | undefined) {
    this.#scanner = new ElementScanner(noElementLimits, lookup, this.#tree);
  }

  /** The name of an element and the body of its message. */
  read(text: string): { readonly name: string; readonly body: object } {
    const scanner = this.#scanner;
    this.#tree.begin(text);
    scanner.begin(0);
    for (let at = 1; at < text.length;) {
      scanner.step(text.charCodeAt(at), at++);
      const { awaited } = scanner;
      if (awaited !== 0) at = skipToSignificant(text, at, awaited);
    }
    return { name: scanner.name, body: this.#tree.finish() };
  }
}

/** Index of the next significant unit. */
function skipToSignificant(text: string, start: number, awaited: number): number {
  let at = start;
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === awaited || unit === 0x3c) break;
  }
  return at;
}

/** An element that is being read. */
interface OpenElement {
  readonly shape: ElementShape | undefined;
  readonly body: object;
  readonly elements: object[];
  /** Start of its text: after its start tag, or in the child that contains the text. */
  textStart: number;
  textEnd: number;
  /** Whether it is only the child that contains the text of its parent. */
  readonly isText: boolean;
}

/** Builds the body of an element from the events of the scanner. */
class ElementTree implements ElementListener {
  #text = "";
  readonly #open: OpenElement[] = [];
  #body: object = {};

  begin(text: string): void {
    this.#text = text;
    this.#body = {};
  }

  finish(): object {
    const body = this.#body;
    this.#text = "";
    this.#body = {};
    this.#open.length = 0;
    return body;
  }

  open(
    tag: StartTag,
    shape: ElementShape | undefined,
    isClosed: boolean,
    contentStart: number,
  ): void {
    const parent = this.#open.at(-1);
    const isText = parent?.shape?.textTag !== undefined && parent.shape.textTag === tag.name;
    const body = this.#begin(tag, shape, parent, isText);
    if (!isClosed) {
      const textStart = shape?.textTag === undefined ? contentStart : -1;
      this.#open.push({ shape, body, elements: [], textStart, textEnd: -1, isText });
    } else if (shape?.children !== undefined && !Object.hasOwn(body, shape.children.field))
      setField(body, shape.children.field, []);
  }

  close(endTag: number): void {
    const { shape, body, elements, textStart, textEnd, isText } = this.#open.pop()!;
    if (isText) {
      const parent = this.#open.at(-1)!;
      parent.textStart = textStart;
      parent.textEnd = endTag;
    } else if (shape === undefined) {
      if (elements.length > 0) setField(body, "elements", elements);
      else setField(body, "text", this.#content(textStart, endTag));
    } else {
      const { text, children } = shape;
      if (children !== undefined) setField(body, children.field, elements);
      if (text === undefined || textStart < 0) return;
      const content = this.#content(textStart, textEnd < 0 ? endTag : textEnd);
      setField(body, text.field, readForm(content, text.form));
    }
  }

  /** Creates the body of an element with its attributes, and adds it to its parent. */
  #begin(
    tag: StartTag,
    shape: ElementShape | undefined,
    parent: OpenElement | undefined,
    isText: boolean,
  ): object {
    const body: object = {};
    if (parent === undefined) this.#body = body;
    else if (!isText && !parent.isText && keepsElements(parent.shape)) {
      if (shape === undefined) setField(body, "element", tag.name);
      parent.elements.push(body);
    }
    const attributes = shape === undefined ? {} : body;
    if (shape === undefined) setField(body, "attributes", attributes);
    for (const { name, start, end, isRaw } of tag.attributes) {
      const spelled = this.#text.slice(start, end);
      const value = isRaw ? spelled : unescapeCharacters(spelled);
      const known = shape?.attributes.get(name);
      if (known === undefined) setField(attributes, name, value);
      else setField(body, known.field, readForm(value, known.form));
    }
    return body;
  }

  #content(start: number, end: number): string {
    return textOfContent(this.#text.slice(start, end));
  }
}

/** Whether nested elements are kept. */
function keepsElements(shape: ElementShape | undefined): boolean {
  return shape === undefined || shape.children !== undefined;
}

const cdataOpening = "<![CDATA[";

/**
 * The text of an element, without its comments. A CDATA section that is all of it is unescaped, too: debuggers escape
 * what is in it.
 */
function textOfContent(content: string): string {
  const trimmed = content.trim();
  if (
    trimmed.startsWith(cdataOpening) &&
    trimmed.endsWith("]]>") &&
    !trimmed.includes(cdataOpening, 1)
  )
    return unescapeCharacters(trimmed.slice(cdataOpening.length, -3));
  if (!content.includes("<!")) return unescapeCharacters(content);
  return content
    .split(/(<!\[CDATA\[[^]*?\]\]>|<!--[^]*?-->)/)
    .map((part, index) => {
      if (index % 2 === 0) return unescapeCharacters(part);
      return part.startsWith(cdataOpening) ? part.slice(cdataOpening.length, -3) : "";
    })
    .join("");
}

/** Converts a value to the type of its field. A value that does not match stays text. */
export function readForm(value: string, form: FieldForm): unknown {
  switch (form) {
    case "integer":
    case "integer-or-text": {
      const number = /^[+-]?\d{1,16}$/.test(value) ? Number(value) : NaN;
      return Number.isSafeInteger(number) ? number : value;
    }
    case "boolean":
      return value === "true" ? true : value === "false" ? false : value;
    default:
      return value;
  }
}
