/** Everything that generated code imports from the runtime. */
export { isAnnounced, mergeFlags } from "./protocol/capabilities.js";
export { LatestEntries } from "./base/latest-entries.js";
export { deferred, markHandled } from "./base/promises.js";
export { onAbort, startTimer } from "./base/waiting-limits.js";
export { ConnectionCore } from "./connection/connection.js";
export type {
  CloseOptions,
  ConnectionProtocol,
  AnyConnectOptions,
  CustomRequestOptions,
  ListenOptions,
  Middleware,
  Problem,
  ProblemCode,
  RequestContext,
  RequestOptions,
  WaitOptions,
} from "./connection/connection-settings.js";
export type { EventMark } from "./connection/event-history.js";
export { ConnectionClosedError, TimeoutError } from "./connection/call-errors.js";
export { abortReason } from "./base/waiting-limits.js";
export {
  Refusal as AnyRefusal,
  type RefusalOptions as AnyRefusalOptions,
} from "./connection/refusal.js";
export {
  RequestError,
  RequestError as AnyRequestError,
  type RequestErrorCode,
  type RequestErrorOptions,
} from "./connection/request-error.js";
export { isBranded, setBrand } from "./base/branded-class.js";
export * as option from "./base/check-options.js";
export { connectionChecks } from "./connection/connection-settings.js";
export { setAsyncDispose } from "./base/async-dispose.js";
export type {
  AbortControllerClass,
  HostSignal,
  PerformanceClock,
  Signal,
  TextDecoderClass,
  TextEncoderClass,
  UrlClass,
} from "./base/web-standards.js";
export { portTransport, type Port } from "./connection/port-transport.js";
export {
  webSocketTransport,
  type WebSocketLike,
  type WebSocketOptions,
} from "./connection/web-socket-transport.js";
export { streamTransport } from "./connection/stream-transport.js";
export type { HostAsyncDisposable, HostTransform } from "./base/web-standards.js";
export { MessageBridge } from "./connection/message-bridge.js";
export type {
  AnyBridge,
  AnyBridgeOptions,
  BridgeContext,
  BridgeEnd,
  BridgeHook,
  BridgeProblem,
} from "./connection/bridge-settings.js";
export { inlineTransports } from "./connection/inline-transport.js";
export type {
  FullTransport,
  MessageLink,
  Transport,
  TransportSource,
} from "./connection/transport.js";
export { CommandNotation, type CommandTable } from "./spellings/command-notation.js";
export { DocumentNotation } from "./spellings/document-notation.js";
export { OptionNotation } from "./spellings/option-notation.js";
export { ElementNotation } from "./spellings/element-notation.js";
export type { ElementTable } from "./spellings/element-shapes.js";
export type { UnknownElement } from "./spellings/element-reader.js";
export { visitMessage, type AnyVisitors, type FieldTable } from "./connection/field-visitor.js";
export {
  LaneError,
  type LaneErrorCode,
  type LaneProblem,
  type LaneProblemCode,
} from "./lanes/lane-error.js";
export {
  LaneClientConnection,
  LaneServerConnection,
  type LaneClientOptions,
  type LaneProtocol,
  type LaneServerOptions,
} from "./lanes/lane-connection.js";
export type { LaneTable } from "./lanes/lane-table.js";
export type {
  Notation,
  FrameDecoderOptions,
  JsonFraming,
  StreamDecoder,
} from "./frames/decoder-options.js";
export { FrameDecoder, decodeFrames } from "./frames/frame-decoder.js";
export { NoMessageError } from "./frames/no-message-error.js";
export { decodeContentLength } from "./frames/content-length-decoder.js";
export { decodeLines, decodeNul } from "./frames/line-decoder.js";
export type { Frame } from "./frames/frame.js";
export {
  defaultLimits,
  type FrameFault,
  type FrameFaultCode,
  type FrameLimits,
} from "./frames/frame-faults.js";
export type {
  AdditionalAttributes,
  CustomName,
  Extensible,
  NoProperties,
} from "./protocol/type-shapes.js";
export type {
  DialectSwitch,
  DialectTable,
  ConversationTable,
  EnvelopeTable,
  Framing,
  JsonProtocolDescription,
  MessageFacts,
  MessageRows,
  MessageTable,
  NamedArmTable,
  Presence,
  ProtocolDescription,
  ResponseArmTable,
  WhenTable,
} from "./protocol/protocol-description.js";
export { readMessageTable } from "./protocol/protocol-description.js";
export { createMappedStream, decodeMessages, type StreamOptions } from "./frames/async-streams.js";
export { EncodeError, type EncodeErrorCode } from "./json/encode-error.js";
export { dialectNamed } from "./dialects/dialect-named.js";
export { DialectConnection, readAs, type DialectRules } from "./dialects/dialect.js";
export { FrameEncoder, type Dialect, type FrameEncoderOptions } from "./frames/frame-encoder.js";
export { createPeek, type Peek, type Peeked } from "./frames/peek.js";
export {
  wireTolerances,
  type Tolerance,
  type ValidateOptions,
  type Validation,
  type ValidationDeviation,
  type ValidationIssue,
  type ValidationIssueCode,
} from "./validation/findings.js";
export { describeIssue, InvalidMessageError } from "./validation/describe-issue.js";
export { createPlainResponseValidator } from "./validation/plain-response.js";
export { createPlainValidator } from "./validation/plain-validator.js";
export { createMessageValidator, createValidator, type Validator } from "./validation/validator.js";
export { parsePointer } from "./base/json-pointer.js";
export type { ConfigurationTable } from "./configuration/configuration-rules.js";
export {
  createArgumentsValidator,
  createConfigurationValidator,
  createDefaults,
} from "./configuration/configuration-validator.js";
export type { DefaultOptions } from "./configuration/fill-defaults.js";
export {
  hasCharacters,
  hasOnlyFields,
  isExactUnsigned,
  isObject,
  maxNesting,
  ownField,
  type AnyFields,
  type Fields,
} from "./protocol/message-fields.js";
export { findUnmetChecks } from "./validation/unmet-checks.js";
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
export type {
  CheckedRule,
  FailureRule,
  MessageRule,
  ObjectRule,
  ResponseRule,
  Rule,
} from "./validation/rule.js";
