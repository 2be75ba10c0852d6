import { unescapeCharacters } from "./character-references.js";
import type { AttributeSpelling, ElementShape } from "./element-shapes.js";
import { setField, type FieldForm } from "./notation.js";

/** An element of which no definition is known. */
export interface UnknownElement {
  readonly attributes: { readonly [name: string]: string };
  /** Its text, if it has no elements in it. */
  readonly text?: string;
  readonly elements?: readonly (UnknownElement & { readonly element: string })[];
}

const attribute = /\s*([A-Za-z_][\w.:-]*)=(?:"([^"]*)"|'([^']*)')/y;
const tagName = /<([A-Za-z_][\w.:-]*)/y;
const cdataStart = "<![CDATA[";

/**
 * Reads the text of one whole element into the body of its message.
 *
 * @param shape What is known of it; without, it is read as an {@link UnknownElement}.
 */
export function readElement(text: string, shape: ElementShape | undefined): object {
  return new ElementText(text).read(shape);
}

/** Name of the element that a text begins with. */
export function nameOfElement(text: string): string {
  tagName.lastIndex = 0;
  return tagName.exec(text)?.[1] ?? "";
}

/** The text of an element while it is read. */
class ElementText {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(shape: ElementShape | undefined): object {
    const text = this.#text;
    tagName.lastIndex = this.#at;
    this.#at += tagName.exec(text)![0].length;
    const body: object = {};
    const attributes: Record<string, string> = {};
    if (shape === undefined) setField(body, "attributes", attributes);
    for (;;) {
      const spelling = this.#readRaw(shape, body);
      if (spelling) continue;
      attribute.lastIndex = this.#at;
      const match = attribute.exec(text);
      if (match === null) break;
      this.#at += match[0].length;
      const name = match[1]!;
      const value = unescapeCharacters(match[2] ?? match[3]!);
      const known = shape?.attributes.get(name);
      if (shape === undefined) setField(attributes, name, value);
      else if (known === undefined) setField(body, name, value);
      else setField(body, known.field, readForm(value, known.form));
    }
    this.#skipBlanks();
    if (text.startsWith("/>", this.#at)) this.#at += 2;
    else if (text[this.#at] === ">") {
      this.#at++;
      if (shape === undefined) this.#readUnknown(body);
      else this.#readContent(shape, body);
      this.#at = text.indexOf(">", this.#at) + 1;
    } else this.#at = text.length;
    if (shape?.children !== undefined && !Object.hasOwn(body, shape.children.field))
      setField(body, shape.children.field, []);
    return body;
  }

  /** A value that is not escaped. */
  #readRaw(shape: ElementShape | undefined, body: object): boolean {
    if (shape === undefined) return false;
    for (const [name, spelling] of shape.attributes) {
      if (spelling.raw === undefined) continue;
      const start = this.#behindBlanks();
      if (!this.#text.startsWith(`${name}="`, start)) continue;
      const from = start + name.length + 2;
      const end = endOfRaw(this.#text, from, spelling);
      if (end < 0) return false;
      setField(body, spelling.field, readForm(this.#text.slice(from, end), spelling.form));
      this.#at = end + 1;
      return true;
    }
    return false;
  }

  #readContent(shape: ElementShape, body: object): void {
    const elements: object[] = [];
    let from = this.#at;
    let content = "";
    for (;;) {
      const next = this.#text.indexOf("<", this.#at);
      this.#at = next;
      if (next < 0 || this.#text.startsWith("</", next)) break;
      if (shape.textTag !== undefined && this.#text.startsWith(`<${shape.textTag}>`, next)) {
        const end = this.#text.indexOf(`</${shape.textTag}>`, next);
        content = this.#text.slice(next + shape.textTag.length + 2, end);
        this.#at = end + shape.textTag.length + 3;
        from = -1;
      } else if (this.#text.startsWith(cdataStart, next)) {
        this.#at = this.#text.indexOf("]]></", next) + 3;
      } else if (isNameStart(this.#text, next + 1)) {
        tagName.lastIndex = next;
        const name = tagName.exec(this.#text)![1]!;
        const isOwn = shape.child?.tag === name;
        const child = this.read(isOwn ? shape.child : undefined);
        elements.push(isOwn ? child : { element: name, ...child });
      } else this.#at = next + 1;
    }
    if (from >= 0) content = this.#text.slice(from, this.#at < 0 ? this.#text.length : this.#at);
    if (shape.children !== undefined) setField(body, shape.children.field, elements);
    if (shape.text !== undefined && (from < 0 || shape.textTag === undefined))
      setField(body, shape.text.field, readForm(textOf(content), shape.text.form));
  }

  #readUnknown(body: object): void {
    const from = this.#at;
    const elements: object[] = [];
    for (;;) {
      const next = this.#text.indexOf("<", this.#at);
      this.#at = next;
      if (next < 0 || this.#text.startsWith("</", next)) break;
      if (this.#text.startsWith(cdataStart, next)) this.#at = this.#text.indexOf("]]></", next) + 3;
      else if (isNameStart(this.#text, next + 1)) {
        tagName.lastIndex = next;
        const name = tagName.exec(this.#text)![1]!;
        elements.push({ element: name, ...this.read(undefined) });
      } else this.#at = next + 1;
    }
    if (elements.length > 0) setField(body, "elements", elements);
    else setField(body, "text", textOf(this.#text.slice(from, this.#at)));
  }

  #behindBlanks(): number {
    let at = this.#at;
    while (/\s/.test(this.#text[at] ?? "")) at++;
    return at;
  }

  #skipBlanks(): void {
    this.#at = this.#behindBlanks();
  }
}

function isNameStart(text: string, at: number): boolean {
  return /[A-Za-z_]/.test(text[at] ?? "");
}

/** Text of an element; that of a section of characters is escaped all the same. */
function textOf(content: string): string {
  const trimmed = content.trim();
  return unescapeCharacters(
    trimmed.startsWith(cdataStart) && trimmed.endsWith("]]>")
      ? trimmed.slice(cdataStart.length, -3)
      : content,
  );
}

/** Place of the quote that ends a value that is not escaped, or -1. */
function endOfRaw(text: string, from: number, { raw }: AttributeSpelling): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    if (!text.startsWith(raw!, at + 1)) continue;
    let backslashes = 0;
    while (at - backslashes > from && text[at - backslashes - 1] === "\\") backslashes++;
    if (backslashes % 2 === 0) return at;
  }
  return -1;
}

/** A value as its field has it; one of another form stays text. */
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
