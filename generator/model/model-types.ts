/** The model's types, which the library exports as the namespace `Model`. */
export type { ConfigurationAttributes, Configurations } from "./configurations.js";
export type {
  CommandNotation,
  DocumentNotation,
  ElementNotation,
  Notation,
  OptionNotation,
} from "./notation.js";
export type * from "./protocol.js";
export type * from "./types.js";

// Types of the runtime tables that the model contains.
export type {
  FieldForm,
  FieldPiece,
  OptionalPieces,
  Piece,
} from "../../runtime/frames/spelling.js";
export type * from "../../runtime/lanes/lane-table.js";
export type {
  ConversationTable,
  DialectTable,
  EnvelopeTable,
  FailureFields,
  JsonFraming,
  LengthPrefix,
  NamedArmTable,
  NamedEnvelopeTable,
  ResponseArmTable,
  WhenTable,
} from "../../runtime/protocol/protocol-description.js";
export type { CommandSpelling } from "../../runtime/spellings/command-notation.js";
export type {
  AttributeSpelling,
  ChildSpelling,
  ElementSpelling,
} from "../../runtime/spellings/element-shapes.js";
