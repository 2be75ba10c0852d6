import type { CommandSpelling } from "../../runtime/spellings/command-notation.js";
import type { AttributeSpelling, ElementSpelling } from "../../runtime/spellings/element-shapes.js";
import type { FieldForm, FieldPiece, Piece } from "../../runtime/frames/spelling.js";

// The model and the packages use the same form to describe spellings.
export type { AttributeSpelling, CommandSpelling, ElementSpelling, FieldForm, FieldPiece, Piece };

/** How a role spells messages that are not JSON. */
export type Notation = CommandNotation | ElementNotation | OptionNotation | DocumentNotation;

/** Commands whose options may be in any order. The framing separates the commands. */
export interface OptionNotation {
  readonly kind: "command-options";
  /** The option that contains a command's id, such as `-i`. */
  readonly id: string;
}

/** XML documents, each with a single root element. The framing separates the documents. */
export interface DocumentNotation {
  readonly kind: "xml-document";
  /** Spellings, keyed by definition. */
  readonly elements: Readonly<Record<string, readonly ElementSpelling[]>>;
  /**
   * The response element. If it contains an element of the definition `failure`, the response is a
   * failure.
   */
  readonly responses?: {
    readonly tag: string;
    readonly name: string;
    readonly id: string;
    readonly failure?: string;
  };
}

/** One command per line, each with its own spelling. */
export interface CommandNotation {
  readonly kind: "command-line";
  /** Strings that the peer cannot handle in an undefined command. */
  readonly refuses: readonly string[];
}

/** Consecutive XML elements. */
export interface ElementNotation {
  readonly kind: "xml-element";
  /** The message that represents text between elements, and the field that contains the text. */
  readonly text?: { readonly name: string; readonly field: string };
  /** Spellings, keyed by definition. */
  readonly elements: Readonly<Record<string, readonly ElementSpelling[]>>;
}
