import type { ElementShape } from "./element-shapes.js";

/**
 * What is known of a start tag behind a byte.
 *
 * - `more`: it goes on
 * - `no`: it is none
 * - `open`, `closed`: it ends here; `closed` if its element does too
 * - `raw`: from here on stands a value that is not escaped
 */
export type TagState = "more" | "no" | "open" | "closed" | "raw";

type Part =
  "name" | "gap" | "attribute" | "value" | "quoted" | "behind" | "slash" | "raw" | "raw-end";

/** Longest name of an element or an attribute. */
export const maxNameLength = 200;

/** Reads a start tag byte by byte, from the byte behind its `<`. */
export class StartTag {
  /** Place of the `<`. */
  start = 0;
  name = "";
  /** Shape of the element, once its name is known and in use. */
  shape: ElementShape | undefined;
  #part: Part = "name";
  #attribute = "";
  readonly #attributes: string[] = [];
  #quote = 0;
  /** In a raw value: whether a backslash escapes the next character; and what must follow its quote. */
  #escaped = false;
  #suffix = "";
  #matched = 0;
  #lookup: (name: string) => ElementShape | undefined = () => undefined;

  begin(start: number, lookup: (name: string) => ElementShape | undefined): void {
    this.start = start;
    this.name = "";
    this.shape = undefined;
    this.#part = "name";
    this.#attribute = "";
    this.#attributes.length = 0;
    this.#lookup = lookup;
  }

  /** Whether all attributes are there that the element always has. */
  get isComplete(): boolean {
    return this.conformsTo(this.shape);
  }

  conformsTo(shape: ElementShape | undefined): boolean {
    return shape !== undefined && shape.required.every((name) => this.#attributes.includes(name));
  }

  /** Whether all attributes in front of the raw value are there. */
  get isCompleteToRaw(): boolean {
    for (const name of this.shape!.required) {
      if (name === this.#attribute) return true;
      if (!this.#attributes.includes(name)) return false;
    }
    return true;
  }

  get attributeCount(): number {
    return this.#attributes.length;
  }

  /** Whether its name is whole. */
  get isNamed(): boolean {
    return this.#part !== "name";
  }

  get isInRaw(): boolean {
    return this.#part === "raw" || this.#part === "raw-end";
  }

  step(byte: number): TagState {
    switch (this.#part) {
      case "name":
        if (isNameByte(byte, this.name.length)) {
          if (this.name.length >= maxNameLength) return "no";
          this.name += String.fromCharCode(byte);
          return "more";
        }
        if (this.name === "") return "no";
        this.shape = this.#lookup(this.name);
        return this.#gap(byte);
      case "gap":
      case "behind":
        return this.#gap(byte);
      case "attribute":
        if (byte === 0x3d) {
          this.#part = "value";
          return "more";
        }
        if (!isNameByte(byte, this.#attribute.length) || this.#attribute.length >= maxNameLength)
          return "no";
        this.#attribute += String.fromCharCode(byte);
        return "more";
      case "value": {
        if (byte !== 0x22 && byte !== 0x27) return "no";
        this.#quote = byte;
        const raw = byte === 0x22 ? this.shape?.attributes.get(this.#attribute)?.raw : undefined;
        if (raw === undefined) {
          this.#part = "quoted";
          return "more";
        }
        this.#part = "raw";
        this.#suffix = raw;
        this.#escaped = false;
        return "raw";
      }
      case "quoted":
        if (byte === 0x3c) return "no";
        if (byte !== this.#quote) return "more";
        this.#attributes.push(this.#attribute);
        this.#part = "behind";
        return "more";
      case "slash":
        return byte === 0x3e ? "closed" : "no";
      case "raw-end":
        if (byte === this.#suffix.charCodeAt(this.#matched)) {
          if (++this.#matched < this.#suffix.length) return "more";
          this.#attributes.push(this.#attribute);
          this.#part = "behind";
          return this.#suffix.endsWith("/>") ? "closed" : "open";
        }
        this.#part = "raw";
        return this.#raw(byte);
      case "raw":
        return this.#raw(byte);
    }
  }

  #gap(byte: number): TagState {
    if (byte === 0x3e) return "open";
    if (byte === 0x2f) this.#part = "slash";
    else if (isBlank(byte)) this.#part = "gap";
    else if (this.#part === "gap" && isNameByte(byte, 0)) {
      this.#part = "attribute";
      this.#attribute = String.fromCharCode(byte);
    } else return "no";
    return "more";
  }

  #raw(byte: number): TagState {
    if (byte === 0x22 && !this.#escaped) {
      this.#part = "raw-end";
      this.#matched = 0;
    }
    this.#escaped = byte === 0x5c && !this.#escaped;
    return "more";
  }
}

/** Blanks as XML has them. */
export function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Letters and the underscore may begin a name; digits and some marks may go on with it. */
export function isNameByte(byte: number, at: number): boolean {
  const letter = byte | 0x20;
  if ((letter >= 0x61 && letter <= 0x7a) || byte === 0x5f) return true;
  return at > 0 && ((byte >= 0x30 && byte <= 0x3a) || byte === 0x2d || byte === 0x2e);
}
