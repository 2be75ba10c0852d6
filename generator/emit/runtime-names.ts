import type { Protocol } from "../model/protocol.js";
import { hasConnections } from "./modules/connection.js";

/** Runtime names that a package re-exports, or that its types use. */
export function runtimeNames(protocol: Protocol): {
  readonly values: readonly string[];
  readonly types: readonly string[];
} {
  const { lanes, notations } = protocol;
  const connects = hasConnections(protocol);
  return {
    values: [
      ...runtimeValues,
      ...(lanes === undefined ? [] : ["LaneError"]),
      ...(connects ? ["Refusal", "portTransport", "streamTransport", "webSocketTransport"] : []),
    ].sort(),
    types: [
      ...runtimeTypes,
      ...(connects
        ? ["CloseOptions", "EventMark", "Problem", "ProblemCode", "RequestContext"]
        : []),
      ...(connects
        ? ["RequestErrorCode", "RequestOptions", "Transport", "WebSocketLike", "WebSocketOptions"]
        : []),
      ...(notations === undefined ? [] : ["Notation"]),
      ...(lanes === undefined
        ? []
        : ["CloseOptions", "LaneErrorCode", "LaneProblem", "LaneProblemCode"]),
    ].sort(),
  };
}

/** Runtime types that all packages re-export or use. */
const runtimeTypes = [
  "AdditionalAttributes",
  "CustomName",
  "Dialect",
  "EncodeErrorCode",
  "Extensible",
  "Frame",
  "FrameError",
  "FrameErrorCode",
  "FrameLimits",
  "Peeked",
  "Tolerance",
  "ValidateOptions",
  "Validation",
  "ValidationDeviation",
  "ValidationIssue",
  "ValidationIssueCode",
  "Validator",
];

/** Runtime values that all packages re-export. */
const runtimeValues = [
  "EncodeError",
  "FrameDecoder",
  "InvalidMessageError",
  "createDecoderStream",
  "defaultLimits",
  "describeIssue",
  "wireTolerances",
];
