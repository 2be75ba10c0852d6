import type { Protocol } from "../../../generator/model/protocol.js";
import { parsePointer, pointerStep } from "../../../runtime/base/json-pointer.js";
import { nearestText } from "../../../runtime/base/nearest-text.js";
import { isObject } from "../../../runtime/protocol/message-fields.js";
import { kindReaderOf } from "../../read/message-reader.js";
import { mapJson, type JsonMapping } from "./map-json.js";
import { permittedWords, withLineWords, type PermittedWords } from "./permitted-words.js";
import { Placeholders } from "./placeholders.js";
import {
  below,
  hiddenText,
  isMarked,
  marksOf,
  type HiddenText,
  type Marks,
} from "./pointer-marks.js";

export interface RedactOptions {
  /** JSON Pointers to values in messages to keep. `*` matches any property or item. */
  readonly keep?: readonly string[] | undefined;
  /** JSON Pointers to values in messages to replace, even where they would be kept. */
  readonly replace?: readonly string[] | undefined;
  /** Texts to replace even in values that are kept. Upper and lower case are the same. */
  readonly texts?: readonly string[] | undefined;
}

/** Counts of strings replaced and kept so far. */
export interface RedactionCounts {
  /** Strings and property names replaced. */
  readonly replaced: number;
  /** Strings kept because the protocol defines them, or because an option says so. */
  readonly kept: number;
  /** Options that matched nothing so far, as on the command line. */
  readonly unmatched: readonly string[];
}

/** Copies lines of a recording or messages without what identifies a person, machine or project. */
export interface Redaction {
  /** Reads a value before any is copied, if the redaction depends on all of them. */
  find?(value: unknown): void;
  /** Copies a line or a message. */
  redacted(value: unknown): unknown;
  /** Copies a string. */
  redactedText(text: string): string;
  readonly counts: RedactionCounts;
}

/** What to do with a value: keep only permitted words, keep it, or replace all of it. */
type Mode = "permitted" | "kept" | "replaced";

interface Context {
  readonly words: PermittedWords;
  readonly mode: Mode;
  readonly keep: Marks;
  readonly replace: Marks;
  /** Whether a number is kept. */
  readonly keepsNumber: boolean;
  /** Whether the value is a JSON Pointer into the message. */
  readonly isPointer: boolean;
  /** The patterns that session rules compare the value with. */
  readonly patterns: readonly RegExp[] | undefined;
}

/**
 * Keeps what is known to be harmless, and replaces every other string, so nothing needs to be
 * recognised as a secret. Harmless are the names and constants of the protocol, numbers where its
 * schema has numbers, booleans, times, and the structure. A property name with a single wrong letter
 * stays, so that lint still finds the mistake. The same string always gets the same placeholder.
 */
export class Redactor implements Redaction {
  readonly #kindOf: ReturnType<typeof kindReaderOf>;
  readonly #line: Context;
  readonly #message: Context;
  readonly #placeholders = new Placeholders();
  readonly #texts: readonly HiddenText[];
  readonly #unmatched: Set<string>;
  #replaced = 0;
  #kept = 0;
  readonly #mapping: JsonMapping<Context> = {
    enter: (_, context) => this.#enter(context),
    inner: (name, value, parent, context) => this.#inner(name, value, parent, context),
    string: (text, context) => this.#string(text, context),
    number: (value, { mode, keepsNumber }) =>
      mode === "kept" || (mode === "permitted" && keepsNumber)
        ? value
        : this.#placeholders.ofNumber(value),
    key: (name, context) => this.#key(name, context),
  };

  /** @param rules The protocol's session rules, whose constants are kept. */
  constructor(protocol: Protocol, rules: unknown, options: RedactOptions = {}) {
    this.#kindOf = kindReaderOf(protocol);
    const words = permittedWords(protocol, rules);
    const keep = marksOf("--keep", options.keep);
    const replace = marksOf("--pointer", options.replace);
    this.#message = {
      words,
      mode: "permitted",
      keep,
      replace,
      keepsNumber: false,
      isPointer: false,
      patterns: undefined,
    };
    this.#line = { ...this.#message, words: withLineWords(words), keep: [], replace: [] };
    this.#texts = (options.texts ?? []).map(hiddenText);
    this.#unmatched = new Set([...keep, ...replace, ...this.#texts].map(({ option }) => option));
  }

  get counts(): RedactionCounts {
    return { replaced: this.#replaced, kept: this.#kept, unmatched: [...this.#unmatched] };
  }

  redacted(value: unknown): unknown {
    const isPlain =
      isObject(value) && this.#kindOf(value) !== undefined && value["kind"] !== "message";
    return mapJson(value, isPlain ? this.#message : this.#line, this.#mapping);
  }

  redactedText(text: string): string {
    return this.#string(text, this.#message);
  }

  #enter(context: Context): Context {
    const { mode, keep, replace } = context;
    const isKept = isMarked(keep, this.#unmatched);
    if (isMarked(replace, this.#unmatched)) return { ...context, mode: "replaced" };
    return isKept && mode === "permitted" ? { ...context, mode: "kept" } : context;
  }

  #inner(name: string, value: unknown, parent: object, context: Context): Context {
    const { words, keep, replace } = context;
    if (words === this.#line.words && isObject(parent) && isObject(value)) {
      const isRecorded = parent["kind"] === "message";
      if (isRecorded ? name === "message" : this.#kindOf(value) !== undefined) return this.#message;
    }
    return {
      ...context,
      keep: below(keep, name),
      replace: below(replace, name),
      keepsNumber: Array.isArray(parent) ? context.keepsNumber : words.numbers.has(name),
      isPointer: words === this.#line.words && name === "pointer",
      patterns: words.patterns.get(name),
    };
  }

  #string(text: string, context: Context): string {
    const shown = this.#shown(text, context);
    if (shown === text) this.#kept++;
    else this.#replaced++;
    return shown;
  }

  #shown(text: string, { words, mode, isPointer, patterns }: Context): string {
    const hidden = this.#texts.filter(({ pattern }) => text.search(pattern) >= 0);
    for (const { option } of hidden) this.#unmatched.delete(option);
    if (mode === "kept")
      return hidden.reduce(
        (kept, each) => kept.replace(each.pattern, () => this.#placeholders.ofText(each.text)),
        text,
      );
    const isLine = words === this.#line.words;
    if (mode === "permitted" && hidden.length === 0)
      if (words.texts.has(text) || (isLine && isLineText.test(text))) return text;
    return isPointer ? this.#pointer(text) : this.#placeholders.ofText(text, patterns);
  }

  /** Replaces the steps of a pointer into a message, which are names of properties. */
  #pointer(pointer: string): string {
    return parsePointer(pointer)
      .map((step) => pointerStep(/^\d{1,9}$/.test(step) ? step : this.#key(step, this.#message)))
      .join("");
  }

  #key(name: string, { words, mode }: Context): string {
    if (mode === "kept" || (mode === "permitted" && words.keys.has(name))) return name;
    const shown =
      mode === "permitted"
        ? this.#placeholders.ofKey(name, () => isMisspelt(name, words.keys))
        : this.#placeholders.ofKey(name, () => false);
    if (shown !== name) this.#replaced++;
    return shown;
  }
}

/** Returns whether a name differs from one of the protocol's in a single letter. */
function isMisspelt(name: string, keys: ReadonlySet<string>): boolean {
  return name.length >= minMisspelt && nearestText(name, keys, 1) !== undefined;
}

/** Shorter names are too likely to be near one of the protocol's by chance. */
const minMisspelt = 5;

/** Matches what our own recorder writes: error codes, how a process ended, and when it began. */
const isLineText =
  /^(?:ERR_[A-Z_]{1,32}|exited with \d{1,10}|was ended by SIG[A-Z\d]{1,10}|\d{4}-\d\d-\d\dT[\d:.]{1,20}Z)$/;
