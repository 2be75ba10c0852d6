/** Everything that generated code uses of the runtime. */
export { isAnnounced, mergeFlags } from "./capabilities.js";
export { ConnectionCore } from "./connection.js";
export type {
  CloseOptions,
  ConnectionSettings,
  Middleware,
  Problem,
  ProblemCode,
  RequestContext,
  RequestOptions,
} from "./connection-settings.js";
export { Refusal, RequestError, type RequestErrorCode } from "./request-error.js";
export { portTransport, type Port } from "./port-transport.js";
export { streamTransport } from "./stream-transport.js";
export type { Transport } from "./transport.js";
export { CommandNotation, type CommandTable } from "./command-notation.js";
export { ElementNotation } from "./element-notation.js";
export type { ElementTable } from "./element-shapes.js";
export type { UnknownElement } from "./element-reader.js";
export { visitMessage, type AnyVisitors, type FieldTable } from "./field-visitor.js";
export {
  LaneError,
  type LaneErrorCode,
  type LaneProblem,
  type LaneProblemCode,
} from "./lane-error.js";
export {
  LaneClientConnection,
  LaneServerConnection,
  type LaneClientSettings,
  type LaneProtocol,
  type LaneServerSettings,
} from "./lane-connection.js";
export type { LaneTable } from "./lane-table.js";
export type { Notation } from "./notation.js";
export { FrameDecoder, type FrameDecoderOptions, type JsonFraming } from "./frame-decoder.js";
export type { Frame } from "./frame.js";
export {
  defaultLimits,
  type FrameError,
  type FrameErrorCode,
  type FrameLimits,
} from "./frame-errors.js";
export type { AdditionalAttributes, CustomName, Extensible, NoProperties } from "./type-shapes.js";
export type {
  DialectSwitch,
  DialectTable,
  EnvelopeTable,
  Framing,
  MessageFacts,
  MessageTable,
  NamedArmTable,
  Presence,
  ProtocolTable,
  ResponseArmTable,
  WhenTable,
} from "./protocol-table.js";
export { createDecoderStream, decodeMessages, type StreamOptions } from "./byte-streams.js";
export { EncodeError, type EncodeErrorCode } from "./encode-error.js";
export { DialectConnection, readAs, type DialectRules } from "./dialect.js";
export { FrameEncoder, type Dialect, type FrameEncoderOptions } from "./frame-encoder.js";
export { createPeek, type Peek, type Peeked } from "./peek.js";
export {
  createMessageValidator,
  createValidator,
  describeIssue,
  InvalidMessageError,
  wireTolerances,
  type Tolerance,
  type ValidateOptions,
  type Validation,
  type ValidationDeviation,
  type ValidationIssue,
  type ValidationIssueCode,
  type Validator,
} from "./validation.js";
export {
  hasCharacters,
  hasOnlyFields,
  isExactUnsigned,
  isObject,
  maxNesting,
  ownField,
  type Fields,
} from "./validation-checks.js";
export type {
  FailureRule,
  MessageRule,
  ObjectRule,
  ResponseRule,
  Rule,
} from "./validation-rule.js";
