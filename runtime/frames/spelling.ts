import type { BodyFault } from "./body-reader.js";

/** Reads bodies that are not JSON. */
export interface BodyFormat {
  /** Returns the messages in a body, or the reason why it cannot be read. */
  read(body: string): readonly object[] | BodyFault;
}

/**
 * How a field's value is written in a spelling.
 *
 * - `text`: any text, up to the next piece or the end of the line
 * - `word`: text without spaces
 * - `place`: text without spaces after its last colon, dot or hash
 * - `file-line`: text without spaces that ends with a colon and a number
 * - `code`: text that may span several lines; line endings and backslashes are escaped
 * - `integer`, `boolean`: a value of that type
 * - `integer-or-text`: an integer if it looks like one, otherwise text
 * - `integers`: integers separated by spaces
 * - `base64`: text whose UTF-8 bytes are written in Base64
 */
export type FieldForm =
  | "text"
  | "word"
  | "place"
  | "file-line"
  | "code"
  | "integer"
  | "boolean"
  | "integer-or-text"
  | "integers"
  | "base64";

/** The value of a field. */
export interface FieldPiece {
  readonly field: string;
  readonly form: FieldForm;
  /** The permitted values, if they are restricted. */
  readonly values?: readonly string[];
}

/** Pieces that are written only if all their fields are present. */
export interface OptionalPieces {
  readonly optional: readonly Piece[];
}

/** A piece of a spelling. Strings are literal text. */
export type Piece = string | FieldPiece | OptionalPieces;

/** Names of the top-level fields that hold a message's name and payload. */
export interface MessageFieldNames {
  readonly name: string;
  readonly payload: string;
}
