import type { ElementShape } from "./element-shapes.js";

/**
 * The state of a start tag after a unit.
 *
 * - `more`: the tag continues
 * - `no`: it is not a start tag
 * - `open`, `closed`: the tag ends here; with `closed`, so does its element
 * - `raw`: an unescaped value begins
 */
export type TagState = "more" | "no" | "open" | "closed" | "raw";

type TagPart =
  "name" | "gap" | "attribute" | "value" | "quoted" | "after-value" | "slash" | "raw" | "raw-end";

/** Maximum length of an element or attribute name. */
export const maxNameLength = 200;

/** An attribute, and the range of its value. */
export interface SpelledAttribute {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly isRaw: boolean;
}

/**
 * Reads a start tag unit by unit, starting after its `<`. Units are the bytes of a stream or the
 * UTF-16 units of a text.
 */
export class StartTag {
  /** Index of the `<`. */
  start = 0;
  name = "";
  /** The element's shape, set once its name is complete. */
  shape: ElementShape | undefined;
  /** Attributes whose values are complete. */
  readonly attributes: SpelledAttribute[] = [];
  /** Whether the tag was rejected for having too many attributes. */
  isFull = false;
  /** Whether any value is in single quotes. */
  hasApostrophes = false;
  readonly #maxAttributes: number;
  #part: TagPart = "name";
  #attribute = "";
  #valueStart = 0;
  #quote = 0;
  /**
   * State inside an unescaped value: whether the next character is escaped, and the text that must
   * follow the closing quote.
   */
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

  /**
   * Returns whether the tag has all required attributes of a shape or, if a raw value begins, all
   * those before it.
   */
  conformsAt(state: TagState, { required }: ElementShape): boolean {
    for (const name of required) {
      if (state === "raw" && name === this.#attribute) return true;
      if (!this.attributes.some((each) => each.name === name)) return false;
    }
    return true;
  }

  /** Whether the name is complete. */
  get isNamed(): boolean {
    return this.#part !== "name";
  }

  get isInRaw(): boolean {
    return this.#part === "raw" || this.#part === "raw-end";
  }

  /**
   * The unit to wait for, or 0 if every unit matters. Inside an escaped value, only the closing
   * quote and `<` matter.
   */
  get awaited(): number {
    return this.#part === "quoted" ? this.#quote : 0;
  }

  /** Processes the unit at an index. */
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
      case "after-value":
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
    else if (isBlankUnit(unit)) this.#part = "gap";
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
    this.#part = "after-value";
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

/** Returns whether a unit is XML white space. */
export function isBlankUnit(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}

/**
 * Returns whether a unit may occur at a given position in a name. Names start with a letter or
 * underscore; digits and some punctuation may follow.
 */
export function isNameUnit(unit: number, at: number): boolean {
  const letter = unit | 0x20;
  if ((letter >= 0x61 && letter <= 0x7a) || unit === 0x5f) return true;
  return at > 0 && ((unit >= 0x30 && unit <= 0x3a) || unit === 0x2d || unit === 0x2e);
}
