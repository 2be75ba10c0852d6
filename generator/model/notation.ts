import type { CommandSpelling } from "../../runtime/spellings/command-notation.js";
import type { AttributeSpelling, ElementSpelling } from "../../runtime/spellings/element-shapes.js";
import type { FieldForm, FieldPiece, Piece } from "../../runtime/frames/spelling.js";

// Packages carry spellings as the model has them.
export type { AttributeSpelling, CommandSpelling, ElementSpelling, FieldForm, FieldPiece, Piece };

/** How a role spells its messages, where that is not JSON. */
export type Notation = CommandNotation | ElementNotation;

/** A command on each line; each command has its spelling. */
export interface CommandNotation {
  readonly kind: "command-line";
  /** Texts with which the other side cannot cope in a line that is no known command. */
  readonly refuses: readonly string[];
}

/** XML elements. */
export interface ElementNotation {
  readonly kind: "xml-element";
  /** Message that stands for text between elements, and the field with the text. */
  readonly text?: { readonly name: string; readonly field: string };
  /** Spellings by definition. */
  readonly elements: Readonly<Record<string, readonly ElementSpelling[]>>;
}
