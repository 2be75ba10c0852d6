/** Reads bodies that are no JSON. */
export interface BodyFormat {
  /** The messages of a body; none if it says nothing. */
  read(body: string): readonly object[];
}

/**
 * What a field holds between the fixed parts of a spelling.
 *
 * - `text`: any text; in a line up to what follows, or to its end
 * - `word`: text without blanks
 * - `place`: text without blanks behind its last colon, point or hash
 * - `code`: text that may have several lines; line ends and backslashes are escaped
 * - `integer`, `boolean`: such a value
 * - `integer-or-text`: an integer where it looks like one
 * - `integers`: integers with blanks between them
 */
export type FieldForm =
  "text" | "word" | "place" | "code" | "integer" | "boolean" | "integer-or-text" | "integers";

/** A field of a message in its spelling. */
export interface FieldPiece {
  readonly field: string;
  readonly form: FieldForm;
  /** The texts it can be, where they are listed. */
  readonly values?: readonly string[];
}

/** What is written only if all fields in it are there. */
export interface OptionalPieces {
  readonly optional: readonly Piece[];
}

/** A part of a spelling; a text stands for itself. */
export type Piece = string | FieldPiece | OptionalPieces;

/** Names of the top-level fields of messages that have a name and a payload. */
export interface MessageFieldNames {
  readonly name: string;
  readonly payload: string;
}
