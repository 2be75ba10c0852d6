import { getField, setField } from "../base/own-fields.js";
import type { FieldForm } from "../frames/spelling.js";
import { unescapeCharacters } from "./character-references.js";
import {
  ElementScanner,
  type ElementFault,
  type ElementLimits,
  type ElementListener,
  type StartTag,
} from "./element-scanner.js";
import type { ChildSpelling, ElementShape } from "./element-shapes.js";

/** An element that is not part of the protocol. */
export interface UnknownElement {
  readonly attributes: { readonly [name: string]: string };
  /** The element's text, if it contains no other elements. */
  readonly text?: string;
  readonly elements?: readonly (UnknownElement & { readonly element: string })[];
}

const noElementLimits: ElementLimits = {
  maxAttributes: Infinity,
  maxDepth: Infinity,
  maxElements: Infinity,
};

/** Parses complete elements, as delivered by the decoder. */
export class ElementReader {
  readonly #tree: ElementTree;
  readonly #scanner: ElementScanner;

  /**
   * @param lookup Returns the shape of a message's element. An element without a shape is read as
   * an {@link UnknownElement}.
   */
  constructor(
    lookup: (name: string) => ElementShape | undefined,
    limits: ElementLimits = noElementLimits,
  ) {
    this.#tree = new ElementTree(limits.hasPlainSections === true);
    this.#scanner = new ElementScanner(limits, lookup, this.#tree);
  }

  /** Reads an element. Returns the name and body of its message. */
  read(text: string): { readonly name: string; readonly body: object } {
    this.#scan(text, 0);
    return { name: this.#scanner.name, body: this.#tree.finish() };
  }

  /** Reads the element that begins at an index and may be followed only by white space. */
  readDocument(text: string, start: number): { readonly body: object } | ElementFault {
    const end = this.#scan(text, start);
    const body = this.#tree.finish();
    if (this.#scanner.fault !== undefined) return this.#scanner.fault;
    return end >= 0 && text.slice(end).trim() === ""
      ? { body }
      : {
          code: end < 0 ? "ERR_TRUNCATED" : "ERR_ELEMENT",
          message: end < 0 ? "The element does not end" : "There is more than one element",
          end: text.length,
          isLimit: false,
        };
  }

  /** Returns the index after the element, or -1 if the element does not end or is damaged. */
  #scan(text: string, start: number): number {
    const scanner = this.#scanner;
    this.#tree.begin(text);
    scanner.begin(start);
    for (let at = start + 1; at < text.length; at++) {
      const state = scanner.step(text.charCodeAt(at), at);
      if (state === "done") return at + 1;
      if (state === "damaged") return -1;
    }
    return -1;
  }
}

/** An element being read. */
interface OpenElement {
  readonly shape: ElementShape | undefined;
  readonly body: object;
  readonly elements: object[];
  /**
   * Where the element's text starts: after its start tag, or in the child that contains the text.
   */
  textStart: number;
  textEnd: number;
  /** Whether the element merely contains its parent's text. */
  readonly isText: boolean;
}

/** Builds an element's body from the scanner's events. */
class ElementTree implements ElementListener {
  #text = "";
  readonly #open: OpenElement[] = [];
  #body: object = {};

  readonly #hasPlainSections: boolean;

  /** @param hasPlainSections Whether the content of CDATA sections is left unescaped. */
  constructor(hasPlainSections: boolean) {
    this.#hasPlainSections = hasPlainSections;
  }

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
    } else if (shape !== undefined) setEmptyLists(body, shape);
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
      const { text } = shape;
      setEmptyLists(body, shape);
      if (text === undefined || textStart < 0 || elements.length > 0) return;
      const content = this.#content(textStart, textEnd < 0 ? endTag : textEnd);
      setField(body, text.field, readForm(content, text.form));
    }
  }

  /** Creates an element's body from its attributes, and adds it to its parent. */
  #begin(
    tag: StartTag,
    shape: ElementShape | undefined,
    parent: OpenElement | undefined,
    isText: boolean,
  ): object {
    const body: object = {};
    if (parent === undefined) this.#body = body;
    else if (!isText && !parent.isText && keepsElements(parent.shape)) {
      const child = parent.shape?.childShapes.get(tag.name);
      if (shape === undefined) setField(body, "element", tag.name);
      const list = this.#hasPlainSections ? undefined : parent.shape?.children[0];
      addTo(parent.body, child ?? list, body);
      parent.elements.push(body);
    }
    const attributes = shape === undefined ? {} : body;
    if (shape === undefined) setField(body, "attributes", attributes);
    for (const { name, start, end, isRaw } of tag.attributes) {
      const spelled = this.#text.slice(start, end);
      const value = isRaw ? spelled : unescapeCharacters(spelled);
      const attribute = shape?.attributes.get(name);
      if (this.#hasPlainSections && /^xmlns(:|$)/.test(name)) continue;
      if (attribute === undefined) setField(attributes, name, value);
      else setField(body, attribute.field, readForm(value, attribute.form));
    }
    return body;
  }

  #content(start: number, end: number): string {
    const content = this.#text.slice(start, end);
    return this.#hasPlainSections ? textOfSections(content) : textOfContent(content);
  }
}

function keepsElements(shape: ElementShape | undefined): boolean {
  return shape === undefined || shape.childShapes.size > 0;
}

/** Adds an element to a field of its parent. */
function addTo(parent: object, child: ChildSpelling | undefined, body: object): void {
  if (child === undefined) return;
  const before = getField(parent, child.field);
  if (child.isSingle) setField(parent, child.field, body);
  else if (Array.isArray(before)) before.push(body);
  else setField(parent, child.field, [body]);
}

/** Sets the array fields of an element that has no other content. */
function setEmptyLists(body: object, { children, text }: ElementShape): void {
  if (text !== undefined) return;
  for (const { field, isSingle } of children)
    if (isSingle === undefined && !Object.hasOwn(body, field)) setField(body, field, []);
}

const cdataOpening = "<![CDATA[";

/**
 * Returns an element's text, without comments. If the whole text is a single CDATA section, its
 * content is also unescaped, because debuggers escape it.
 */
function textOfContent(content: string): string {
  const trimmed = content.trim();
  if (
    trimmed.startsWith(cdataOpening) &&
    trimmed.endsWith("]]>") &&
    !trimmed.includes(cdataOpening, 1)
  )
    return unescapeCharacters(trimmed.slice(cdataOpening.length, -3));
  return textOfSections(content);
}

/** Returns an element's text, without comments. */
function textOfSections(content: string): string {
  if (!content.includes("<!")) return unescapeCharacters(content);
  return content
    .split(/(<!\[CDATA\[[^]*?\]\]>|<!--[^]*?-->)/)
    .map((part, index) => {
      if (index % 2 === 0) return unescapeCharacters(part);
      return part.startsWith(cdataOpening) ? part.slice(cdataOpening.length, -3) : "";
    })
    .join("");
}

/** Converts a value to its field's type. A value that does not match remains text. */
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
