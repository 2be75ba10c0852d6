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

/**
 * What a field holds between the fixed parts of a spelling.
 *
 * - `text`: any text
 * - `word`: text without blanks
 * - `place`: text without blanks behind its last colon, point or hash
 * - `code`: text that may have several lines
 * - `integer`, `boolean`: such a value
 * - `integer-or-text`: an integer where it looks like one
 * - `integers`: integers with blanks between them
 */
export type FieldForm =
  "text" | "word" | "place" | "code" | "integer" | "boolean" | "integer-or-text" | "integers";

/** A part of a spelling: fixed text, a field, or what is there only with all its fields. */
export type Piece = string | FieldPiece | { readonly optional: readonly Piece[] };

export interface FieldPiece {
  readonly field: string;
  readonly form: FieldForm;
  /** The texts it can be, where they are listed. */
  readonly values?: readonly string[];
}

/** A command on its line. */
export interface CommandSpelling {
  /** What it can begin with; the first one is written. */
  readonly words: readonly string[];
  readonly pieces: readonly Piece[];
  /** Whether upper and lower case are the same in its words. */
  readonly anyCase?: true;
  /** Texts with which the other side cannot cope in it. */
  readonly refuses?: readonly string[];
  /** What separates it from the next command on the same line. */
  readonly separator?: string;
}

/** An element. */
export interface ElementSpelling {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, AttributeSpelling>>;
  /** The text in it, or in its only child. */
  readonly text?: { readonly field: string; readonly form: FieldForm; readonly inside?: string };
  /** The elements in it. */
  readonly children?: { readonly field: string; readonly definition: string };
  readonly pieces: readonly Piece[];
}

export interface AttributeSpelling {
  readonly field: string;
  readonly form: FieldForm;
  readonly required: boolean;
  /** The value is not escaped, and ends at a quote that this text follows. */
  readonly raw?: string;
}
