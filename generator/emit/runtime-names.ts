import type { Protocol } from "../model/protocol.js";
import type { EntryName } from "./emitted-modules.js";
import { hasConnections } from "./modules/connection.js";
import type { PackageParts } from "./package-parts.js";

/** The names that an entry point exports from the runtime. */
export interface RuntimeNames {
  readonly values: readonly string[];
  readonly types: readonly string[];
}

/** Lists the names from the runtime that a package's entry point exports or that its types use. */
export function runtimeNames(
  protocol: Protocol,
  entry: EntryName,
  parts?: PackageParts,
): RuntimeNames {
  if (entry === "index" && parts?.has("codec") === false) return { values: [], types: namingTypes };
  switch (entry) {
    case "index":
      return {
        values: ["EncodeError", "NoMessageError", "defaultLimits"],
        types: [
          ...indexTypes,
          protocol.envelope.id === undefined ? "ProtocolDescription" : "JsonProtocolDescription",
          ...(protocol.notations === undefined ? [] : ["Notation"]),
        ].sort(),
      };
    case "types":
      return { values: [], types: namingTypes };
    case "validate":
      return {
        values: ["InvalidMessageError", "describeIssue", "wireTolerances"],
        types: validateTypes,
      };
    case "connection":
      return hasConnections(protocol)
        ? {
            values: [
              "ConnectionClosedError",
              "TimeoutError",
              "inlineTransports",
              "portTransport",
              "streamTransport",
              "webSocketTransport",
            ],
            types: connectionTypes,
          }
        : {
            values: ["ConnectionClosedError", "LaneError", "TimeoutError"],
            types: laneTypes,
          };
    case "configuration":
      return { values: ["describeIssue"], types: configurationTypes };
    case "dialects":
      return { values: [], types: ["DialectConnection"] };
    case "node":
    case "compatibility":
      return { values: [], types: [] };
  }
}

const namingTypes = ["AdditionalAttributes", "CustomName", "Extensible"];

const indexTypes = [
  "AdditionalAttributes",
  "ConversationTable",
  "CustomName",
  "Dialect",
  "DialectTable",
  "EncodeErrorCode",
  "EnvelopeTable",
  "Extensible",
  "Frame",
  "FrameEncoderOptions",
  "FrameFault",
  "FrameFaultCode",
  "FrameLimits",
  "Peek",
  "Peeked",
  "StreamDecoder",
  "StreamOptions",
];

const validateTypes = [
  "Tolerance",
  "ValidateOptions",
  "Validation",
  "ValidationDeviation",
  "ValidationIssue",
  "ValidationIssueCode",
  "Validator",
];

const configurationTypes = [
  "DefaultOptions",
  "Tolerance",
  "ValidateOptions",
  "Validation",
  "ValidationDeviation",
  "ValidationIssue",
  "ValidationIssueCode",
  "Validator",
];

const connectionTypes = [
  "BridgeContext",
  "BridgeEnd",
  "BridgeProblem",
  "CloseOptions",
  "CustomRequestOptions",
  "EventMark",
  "FullTransport",
  "HostAsyncDisposable",
  "ListenOptions",
  "MessageLink",
  "Problem",
  "ProblemCode",
  "RequestContext",
  "RequestErrorCode",
  "RequestErrorOptions",
  "RequestOptions",
  "Signal",
  "Transport",
  "TransportSource",
  "WaitOptions",
  "WebSocketLike",
  "WebSocketOptions",
];

const laneTypes = [
  "CloseOptions",
  "HostAsyncDisposable",
  "LaneClientOptions",
  "LaneErrorCode",
  "LaneProblem",
  "LaneProblemCode",
  "LaneServerOptions",
  "LaneTable",
  "Signal",
  "WaitOptions",
];
