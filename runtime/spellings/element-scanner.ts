import type { FrameFaultCode } from "../frames/frame-faults.js";
import type { ElementShape } from "./element-shapes.js";

/**
 * The state of an element after a unit.
 *
 * - `more`: the element continues
 * - `done`: the element ends with this unit
 * - `damaged`: the element is invalid; see `fault`
 * - `other`: another message, which cannot be part of the element, begins at `inner`
 */
export type ElementState = "more" | "done" | "damaged" | "other";

export interface ElementLimits {
  readonly maxAttributes: number;
  readonly maxDepth: number;
  /** Maximum number of elements inside one element, at all levels. */
  readonly maxElements: number;
  /** Whether a CDATA section ends at the first `]]>`, as in XML. */
  readonly hasPlainSections?: true;
}

/**
 * Returns the limits for elements received from a peer.
 *
 * @param maxDepth Maximum depth of the message that an element becomes.
 */
export function elementLimits(maxAttributes: number, maxDepth: number): ElementLimits {
  return {
    maxAttributes,
    // A nested element becomes an object in an array, which adds two levels.
    maxDepth: Math.max(1, Math.floor(maxDepth / 2)),
    // An element takes only a few bytes to send, but about 200 bytes of memory.
    maxElements: 1_000_000,
  };
}

export interface ElementFault {
  readonly code: FrameFaultCode;
  readonly message: string;
  /** Index after the damaged part. */
  readonly end: number;
  /** Whether the cause is an exceeded limit. */
  readonly isLimit: boolean;
}

/** Receives the elements found by the scanner. */
export interface ElementListener {
  /**
   * Called at the end of a start tag.
   *
   * @param shape The element's shape, as a child of the enclosing element.
   * @param isClosed Whether the element ends with its start tag.
   * @param contentStart Index after the start tag.
   */
  open(
    tag: StartTag,
    shape: ElementShape | undefined,
    isClosed: boolean,
    contentStart: number,
  ): void;
  /** Called when the end tag at this index closes the innermost open element. */
  close(endTag: number): void;
}

/**
 * Where the scanner is:
 *
 * - `tag`: in the start tag of the element
 * - `content`: in the element
 * - `markup`: after a `<` in the element
 * - `child`: in the start tag of a nested element
 * - `end`: in an end tag
 * - `cdata`: in a CDATA section
 */
type ScannedPart = "tag" | "content" | "markup" | "child" | "end" | "cdata";

const cdataStart = "![CDATA[";

/**
 * Finds the end of an element, unit by unit, without backtracking.
 *
 * The decoder scans bytes to split the stream, and the reader scans text to parse an element. Both
 * use this grammar.
 */
export class ElementScanner {
  readonly #limits: ElementLimits;
  readonly #lookup: (name: string) => ElementShape | undefined;
  readonly #listener: ElementListener | undefined;
  /** Returns the shape of an element inside the innermost open element. */
  readonly #lookupChild: (name: string) => ElementShape | undefined;
  #tag: StartTag;
  #child: StartTag;
  #part: ScannedPart = "tag";
  readonly #open: { readonly name: string; readonly shape: ElementShape | undefined }[] = [];
  #elementCount = 0;
  #markupStart = 0;
  /** Number of units matched so far in the start or end of a CDATA section. */
  #matched = 0;
  #endName = "";
  #childState: TagState = "more";
  fault: ElementFault | undefined;

  /** @param lookup Returns the shape of a message's element. */
  constructor(
    limits: ElementLimits,
    lookup: (name: string) => ElementShape | undefined,
    listener?: ElementListener,
  ) {
    this.#limits = limits;
    this.#lookup = lookup;
    this.#listener = listener;
    this.#lookupChild = (name) => {
      return this.#open.at(-1)!.shape?.childShapes.get(name)?.shape ?? lookup(name);
    };
    this.#tag = new StartTag(limits.maxAttributes);
    this.#child = new StartTag(limits.maxAttributes);
  }

  /** Begins a scan of the element whose `<` is at this index. */
  begin(start: number): void {
    this.#tag.begin(start, this.#lookup);
    this.#reset();
  }

  /**
   * Continues with an element whose start tag has already been read.
   *
   * @returns The scanner's previous tag, which the caller can reuse.
   */
  adopt(tag: StartTag): StartTag {
    const previous = this.#tag;
    this.#tag = tag;
    this.#reset();
    return previous;
  }

  /** Continues with the message found inside the element. Returns the state of its start tag. */
  adoptChild(): TagState {
    this.#child = this.adopt(this.#child);
    return this.#childState;
  }

  get name(): string {
    return this.#tag.name;
  }

  /** Whether the element is a message of the protocol. */
  get isKnown(): boolean {
    return this.#tag.shape !== undefined;
  }

  /** Whether the element's name is complete. */
  get isNamed(): boolean {
    return this.#tag.isNamed;
  }

  /** Whether another element could begin at the next unit without being noticed. */
  get isInRaw(): boolean {
    switch (this.#part) {
      case "tag":
        return this.#tag.isInRaw;
      case "child":
        return this.#child.isInRaw;
      default:
        return this.#part === "cdata";
    }
  }

  /** Index of the `<` of a possible nested element, or -1. */
  get inner(): number {
    return this.#part === "child" || this.#part === "markup" ? this.#markupStart : -1;
  }

  /** Processes the unit at an index. */
  step(unit: number, at: number): ElementState {
    switch (this.#part) {
      case "tag": {
        const state = this.#tag.step(unit, at);
        return state === "more" ? state : this.follow(state, at);
      }
      case "content":
        return this.#content(unit, at);
      case "markup":
        return this.#markup(unit, at);
      case "child":
        return this.#childTag(unit, at);
      case "end":
        return this.#endTag(unit, at);
      case "cdata":
        return this.#cdata(unit, at);
    }
  }

  /** Handles the start tag's state after a unit. */
  follow(state: TagState, at: number): ElementState {
    const tag = this.#tag;
    switch (state) {
      case "no":
        return tag.isFull
          ? this.#tooManyAttributes(at)
          : this.#damage(`Cannot read the start of a ${tag.name} element`, at);
      case "closed":
        this.#listener?.open(tag, tag.shape, true, at + 1);
        return "done";
      case "open":
        this.#openElement(tag, tag.shape, at);
        return "more";
      default:
        return "more";
    }
  }

  /** Adjusts all indexes after the buffer has been shifted. */
  shift(count: number): void {
    this.#tag.start -= count;
    this.#child.start -= count;
    this.#markupStart -= count;
  }

  #reset(): void {
    this.#part = "tag";
    this.#open.length = 0;
    this.#elementCount = 0;
    this.fault = undefined;
  }

  #openElement(tag: StartTag, shape: ElementShape | undefined, at: number): void {
    this.#open.push({ name: tag.name, shape });
    this.#part = "content";
    this.#listener?.open(tag, shape, false, at + 1);
  }

  #content(unit: number, at: number): ElementState {
    if (unit === 0x3c) {
      this.#part = "markup";
      this.#markupStart = at;
      this.#matched = 0;
    } else this.#part = "content";
    return "more";
  }

  #markup(unit: number, at: number): ElementState {
    if (this.#matched === 0) {
      if (unit === 0x2f) {
        this.#beginEndTag(this.#markupStart);
        return "more";
      }
      if (unit !== 0x21) {
        this.#child.begin(this.#markupStart, this.#lookupChild);
        this.#part = "child";
        return this.#childTag(unit, at);
      }
    }
    if (unit !== cdataStart.charCodeAt(this.#matched)) return this.#content(unit, at);
    if (++this.#matched === cdataStart.length) {
      this.#part = "cdata";
      this.#matched = 0;
    }
    return "more";
  }

  #childTag(unit: number, at: number): ElementState {
    const tag = this.#child;
    const state = tag.step(unit, at);
    if (state === "more") return "more";
    if (state === "no") return tag.isFull ? this.#tooManyAttributes(at) : this.#content(unit, at);
    const parent = this.#open.at(-1)!.shape;
    const childShape = parent?.childShapes.get(tag.name)?.shape;
    const message = this.#lookup(tag.name);
    const isOwn =
      parent?.textTag === tag.name ||
      (childShape !== undefined && tag.conformsAt(state, childShape));
    if (!isOwn && message !== undefined && tag.conformsAt(state, message)) {
      this.#childState = state;
      return "other";
    }
    if (state === "raw") {
      if (!isOwn) this.#part = "content";
      return "more";
    }
    const { maxElements, maxDepth } = this.#limits;
    if (++this.#elementCount > maxElements)
      return this.#exceed(`Cannot read more than ${maxElements} elements in one element`, at + 1);
    if (state === "closed") {
      this.#listener?.open(tag, childShape, true, at + 1);
      this.#part = "content";
      return "more";
    }
    if (this.#open.length >= maxDepth)
      return this.#exceed(
        `Cannot read elements nested more than ${maxDepth} levels deep`,
        at + 1,
        "ERR_DEPTH",
      );
    this.#openElement(tag, childShape, at);
    return "more";
  }

  #beginEndTag(start: number): void {
    this.#part = "end";
    this.#markupStart = start;
    this.#endName = "";
    this.#matched = 0;
  }

  /** Processes a unit of an end tag, which consists of a name and spaces. */
  #endTag(unit: number, at: number): ElementState {
    if (unit === 0x3c) return this.#damage("Cannot read an end tag", at);
    if (unit === 0x3e) return this.#closeElement(at);
    if (at - this.#markupStart > maxNameLength + 4)
      return this.#damage("Cannot read an end tag that is too long", at);
    if (isBlankUnit(unit)) this.#matched++;
    else if (this.#matched === 0 && isNameUnit(unit, this.#endName.length))
      this.#endName += String.fromCharCode(unit);
    else {
      // The end tag does not match an open element.
      this.#endName = "";
      this.#matched = 1;
    }
    return "more";
  }

  #closeElement(at: number): ElementState {
    const { name } = this.#open.at(-1)!;
    if (this.#endName !== name)
      return this.#damage(`Unexpected end tag "${this.#endName}" inside ${name}`, at + 1);
    this.#listener?.close(this.#markupStart);
    this.#open.pop();
    this.#part = "content";
    return this.#open.length === 0 ? "done" : "more";
  }

  /**
   * Processes a unit of a CDATA section. Unless sections are plain, a section ends at the last
   * `]]>` before an end tag, because its text may end with brackets.
   */
  #cdata(unit: number, at: number): ElementState {
    const matched = this.#matched;
    if (unit === 0x5d) this.#matched = matched === 1 || matched === 2 ? 2 : 1;
    else if (unit === 0x3e) {
      this.#matched = matched === 2 ? 3 : 0;
      if (matched === 2 && this.#limits.hasPlainSections) this.#part = "content";
    } else if (unit === 0x3c) this.#matched = matched === 3 ? 4 : 0;
    else if (unit === 0x2f && matched === 4) this.#beginEndTag(at - 1);
    else this.#matched = 0;
    return "more";
  }

  #tooManyAttributes(end: number): ElementState {
    const { maxAttributes } = this.#limits;
    return this.#exceed(`Cannot read more than ${maxAttributes} attributes`, end);
  }

  #exceed(message: string, end: number, code: FrameFaultCode = "ERR_ELEMENT"): ElementState {
    this.fault = { code, message, end, isLimit: true };
    return "damaged";
  }

  #damage(message: string, end: number): ElementState {
    this.fault = { code: "ERR_ELEMENT", message, end, isLimit: false };
    return "damaged";
  }
}

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
interface SpelledAttribute {
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
function isNameUnit(unit: number, at: number): boolean {
  const letter = unit | 0x20;
  if ((letter >= 0x61 && letter <= 0x7a) || unit === 0x5f) return true;
  return at > 0 && ((unit >= 0x30 && unit <= 0x3a) || unit === 0x2d || unit === 0x2e);
}
