/** Everything that generated code imports from the runtime. */
export * as option from "./base/check-options.js";
export { isBranded, setBrand } from "./base/errors.js";
export { parsePointer } from "./base/json-pointer.js";
export { LatestEntries } from "./base/latest-entries.js";
export { deferred, markHandled, setAsyncDispose } from "./base/promises.js";
export { abortReason, onAbort, startTimer } from "./base/waiting-limits.js";
export { forRuntime, RuntimeVersionError, runtimeVersion } from "./base/runtime-version.js";
export type {
  AbortControllerClass,
  HostAsyncDisposable,
  HostSignal,
  HostTransform,
  PerformanceClock,
  Signal,
  TextDecoderClass,
  TextEncoderClass,
  UrlClass,
} from "./base/web-standards.js";
export type { ConfigurationTable } from "./configuration/configuration-rules.js";
export {
  createArgumentsValidator,
  createConfigurationValidator,
  createDefaults,
} from "./configuration/configuration-validator.js";
export type { DefaultOptions } from "./configuration/fill-defaults.js";
export {
  MessageBridge,
  type MessageBridge as AnyBridge,
  type AnyBridgeOptions,
  type BridgeContext,
  type BridgeEnd,
  type BridgeHook,
  type BridgeProblem,
} from "./connection/bridge.js";
export { ConnectionClosedError, TimeoutError } from "./connection/call-errors.js";
export { ConnectionCore } from "./connection/connection.js";
export {
  Refusal as AnyRefusal,
  type RefusalOptions as AnyRefusalOptions,
} from "./connection/failure-response.js";
export type { AnyValidator, MessageCheck, MessageValidators } from "./connection/message-checks.js";
export {
  connectionChecks,
  type AnyConnectOptions,
  type CloseOptions,
  type ConnectionProtocol,
  type CustomRequestOptions,
  type EventMark,
  type ListenOptions,
  type Middleware,
  type Problem,
  type ProblemCode,
  type RequestContext,
  type RequestOptions,
  type WaitOptions,
} from "./connection/options.js";
export {
  RequestError,
  RequestError as AnyRequestError,
  type RequestErrorCode,
  type RequestErrorOptions,
} from "./connection/outgoing-requests.js";
export type {
  FullTransport,
  MessageLink,
  Transport,
  TransportSource,
} from "./connection/transport.js";
export {
  inlineTransports,
  portTransport,
  streamTransport,
  webSocketTransport,
  type Port,
  type WebSocketLike,
  type WebSocketOptions,
} from "./connection/web-transports.js";
export { DialectConnection, dialectNamed, readAs, type DialectRules } from "./dialects/dialect.js";
export {
  createMappedStream,
  decodeMessages,
  NoMessageError,
  type StreamOptions,
} from "./frames/async-streams.js";
export { decodeContentLength } from "./frames/content-length-decoder.js";
export type {
  FrameDecoderOptions,
  JsonFraming,
  Notation,
  StreamDecoder,
} from "./frames/decoder-options.js";
export { decodeFrames, FrameDecoder } from "./frames/frame-decoder.js";
export {
  ContentLengthEncoder,
  encodeContentLength,
  type CreateEncoder,
  type Dialect,
  type FrameEncoderOptions,
} from "./frames/content-length-encoder.js";
export { FrameEncoder, encodeFrames } from "./frames/frame-encoder.js";
export {
  defaultLimits,
  type FrameFault,
  type FrameFaultCode,
  type FrameLimits,
} from "./frames/frame-faults.js";
export type { Frame } from "./frames/frame.js";
export { decodeLines, decodeNul } from "./frames/line-decoder.js";
export { createPeek, type Peek, type Peeked } from "./frames/peek.js";
export { EncodeError, type EncodeErrorCode } from "./json/encode-error.js";
export {
  LaneClientConnection,
  LaneServerConnection,
  type LaneClientOptions,
  type LaneProtocol,
  type LaneServerOptions,
} from "./lanes/lane-connection.js";
export {
  LaneError,
  type LaneErrorCode,
  type LaneProblem,
  type LaneProblemCode,
} from "./lanes/lane-error.js";
export type { LaneTable } from "./lanes/lane-table.js";
export { isSupported, mergeFlags } from "./protocol/capabilities.js";
export { visitMessage, type AnyVisitors, type FieldTable } from "./protocol/field-visitor.js";
export {
  hasCharacters,
  hasOnlyFields,
  isExactUnsigned,
  isObject,
  maxNesting,
  ownField,
  type AnyFields,
} from "./protocol/message-fields.js";
export {
  readMessageTable,
  type ConversationTable,
  type DialectSwitch,
  type DialectTable,
  type EnvelopeTable,
  type Framing,
  type JsonProtocolDescription,
  type MessageFacts,
  type MessageRows,
  type MessageTable,
  type NamedArmTable,
  type Presence,
  type ProtocolDescription,
  type ResponseArmTable,
  type WhenTable,
} from "./protocol/protocol-description.js";
export type {
  AdditionalAttributes,
  CustomName,
  Extensible,
  NoProperties,
} from "./protocol/type-shapes.js";
export { CommandNotation, type CommandTable } from "./spellings/command-notation.js";
export { DocumentNotation } from "./spellings/document-notation.js";
export { ElementNotation } from "./spellings/element-notation.js";
export type { UnknownElement } from "./spellings/element-reader.js";
export type { ElementTable } from "./spellings/element-shapes.js";
export { OptionNotation } from "./spellings/option-notation.js";
export { describeIssue, InvalidMessageError } from "./validation/describe-issue.js";
export {
  wireTolerances,
  type Tolerance,
  type ValidateOptions,
  type Validation,
  type ValidationDeviation,
  type ValidationIssue,
  type ValidationIssueCode,
} from "./validation/findings.js";
export { extendRule, namedRules } from "./validation/link-rule.js";
export type {
  CheckedRule,
  ContentsRule,
  FailureRule,
  MessageRule,
  ObjectRule,
  ResponseRule,
  Rule,
} from "./validation/rule.js";
export { findUnmetChecks } from "./validation/unmet-checks.js";
export { createValidator, type Validator } from "./validation/validator.js";
export {
  compilePattern,
  hasField,
  hasItems,
  hasSize,
  isMultiple,
  isUnique,
  otherNames,
  presentNames,
  unevaluatedParts,
} from "./validation/value-checks.js";
