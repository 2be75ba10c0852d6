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

/** An attribute, and the range of its value. */
export interface SpelledAttribute {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly isRaw: boolean;
}

/** Reads a start tag unit by unit, from the one behind its `<`: bytes of a stream, or units of a text. */
export class StartTag {
  /** Place of the `<`. */
  start = 0;
  name = "";
  /** Shape of the element, once its name is known and in use. */
  shape: ElementShape | undefined;
  /** Attributes whose values are whole. */
  readonly attributes: SpelledAttribute[] = [];
  /** Whether it is none because it has more attributes than it may have. */
  isFull = false;
  /** Whether a value stands between apostrophes. */
  hasApostrophes = false;
  readonly #maxAttributes: number;
  #part: Part = "name";
  #attribute = "";
  #valueStart = 0;
  #quote = 0;
  /** In a raw value: whether a backslash escapes the next character; and what must follow its quote. */
  #escaped = false;
  #suffix = "";
  #matched = 0;
  #lookup: (name: string) => ElementShape | undefined = () => undefined;

  constructor(maxAttributes: number) {
    this.#maxAttributes = maxAttributes;
  }

  begin(start: number, lookup: (name: string) => ElementShape | undefined): void {
    this.start = start;
    this.name = "";
    this.shape = undefined;
    this.isFull = false;
    this.hasApostrophes = false;
    this.#part = "name";
    this.#attribute = "";
    this.attributes.length = 0;
    this.#lookup = lookup;
  }

  /** Whether all attributes are there that an element of a shape always has, in front of a raw value if one begins. */
  conformsAt(state: TagState, { required }: ElementShape): boolean {
    for (const name of required) {
      if (state === "raw" && name === this.#attribute) return true;
      if (!this.attributes.some((each) => each.name === name)) return false;
    }
    return true;
  }

  /** Whether its name is whole. */
  get isNamed(): boolean {
    return this.#part !== "name";
  }

  get isInRaw(): boolean {
    return this.#part === "raw" || this.#part === "raw-end";
  }

  /** The quote that ends a value with references, inside one; 0 elsewhere. Nothing else but a `<` matters there. */
  get awaited(): number {
    return this.#part === "quoted" ? this.#quote : 0;
  }

  /** Takes the unit at a place. */
  step(unit: number, at: number): TagState {
    switch (this.#part) {
      case "name":
        if (isNameUnit(unit, this.name.length)) {
          if (this.name.length >= maxNameLength) return "no";
          this.name += String.fromCharCode(unit);
          return "more";
        }
        if (this.name === "") return "no";
        this.shape = this.#lookup(this.name);
        return this.#gap(unit);
      case "gap":
      case "behind":
        return this.#gap(unit);
      case "attribute":
        if (unit === 0x3d) {
          this.#part = "value";
          return "more";
        }
        if (!isNameUnit(unit, this.#attribute.length) || this.#attribute.length >= maxNameLength)
          return "no";
        this.#attribute += String.fromCharCode(unit);
        return "more";
      case "value":
        return this.#beginValue(unit, at);
      case "quoted":
        if (unit === 0x3c) return "no";
        if (unit === this.#quote) this.#endValue(at, false);
        return "more";
      case "slash":
        return unit === 0x3e ? "closed" : "no";
      case "raw-end":
        if (unit === this.#suffix.charCodeAt(this.#matched)) {
          if (++this.#matched < this.#suffix.length) return "more";
          this.#endValue(at - this.#suffix.length, true);
          return this.#suffix.endsWith("/>") ? "closed" : "open";
        }
        this.#part = "raw";
        return this.#raw(unit);
      case "raw":
        return this.#raw(unit);
    }
  }

  #gap(unit: number): TagState {
    if (unit === 0x3e) return "open";
    if (unit === 0x2f) this.#part = "slash";
    else if (isBlank(unit)) this.#part = "gap";
    else if (this.#part === "gap" && isNameUnit(unit, 0)) {
      this.isFull = this.attributes.length >= this.#maxAttributes;
      if (this.isFull) return "no";
      this.#part = "attribute";
      this.#attribute = String.fromCharCode(unit);
    } else return "no";
    return "more";
  }

  #beginValue(unit: number, at: number): TagState {
    if (unit !== 0x22 && unit !== 0x27) return "no";
    this.#quote = unit;
    this.#valueStart = at + 1;
    if (unit === 0x27) this.hasApostrophes = true;
    const raw = unit === 0x22 ? this.shape?.attributes.get(this.#attribute)?.raw : undefined;
    if (raw === undefined) {
      this.#part = "quoted";
      return "more";
    }
    this.#part = "raw";
    this.#suffix = raw;
    this.#escaped = false;
    return "raw";
  }

  #endValue(end: number, isRaw: boolean): void {
    this.attributes.push({ name: this.#attribute, start: this.#valueStart, end, isRaw });
    this.#part = "behind";
  }

  #raw(unit: number): TagState {
    if (unit === 0x22 && !this.#escaped) {
      this.#part = "raw-end";
      this.#matched = 0;
    }
    this.#escaped = unit === 0x5c && !this.#escaped;
    return "more";
  }
}

/** Blanks as XML has them. */
export function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}

/** Letters and the underscore may begin a name; digits and some marks may go on with it. */
export function isNameUnit(unit: number, at: number): boolean {
  const letter = unit | 0x20;
  if ((letter >= 0x61 && letter <= 0x7a) || unit === 0x5f) return true;
  return at > 0 && ((unit >= 0x30 && unit <= 0x3a) || unit === 0x2d || unit === 0x2e);
}
