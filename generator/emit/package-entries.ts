import type { Protocol } from "../model/protocol.js";
import { emittedModules, entryNames, type EntryName } from "./emitted-modules.js";
import type { PackageParts } from "./package-parts.js";
import type { PackageNames } from "./modules/package-names.js";
import { hasConnections } from "./modules/connection.js";

/** The exports that a package provides under one import path. */
export interface PackageEntry {
  /**
   * The entry point's file name, without the extension. `index` is imported using the package name,
   * and all others using `PACKAGE/name`.
   */
  readonly name: EntryName;
  /**
   * Generated files that the entry point re-exports, without extensions. This may include the entry
   * point's own file.
   */
  readonly modules: readonly string[];
  /**
   * Names of the values that the entry point re-exports from the runtime. `types` lists the types
   * that it re-exports.
   */
  readonly values: readonly string[];
  readonly types: readonly string[];
}

/** Lists a package's entry points. */
export function packageEntries(protocol: Protocol, parts?: PackageParts): readonly PackageEntry[] {
  return entryNames.flatMap((name): PackageEntry[] => {
    const modules = emittedModules(protocol)
      .filter(({ readme, entry = "index" }) => readme !== undefined && entry === name)
      .filter(({ part = name }) => parts === undefined || parts.has(part))
      .map(({ file }) => file.slice(0, -".ts".length))
      .sort();
    const isKept = name === "node" ? hasStreams(parts) : name === "types";
    if (modules.length === 0 && !isKept) return [];
    return [{ name, modules, ...runtimeNames(protocol, name, parts) }];
  });
}

function hasStreams(parts: PackageParts | undefined): boolean {
  return parts === undefined || parts.has("codec") || parts.has("connection");
}

/** Returns the names of types in `maps.ts` that the entry point `types` exports as well. */
export function mapTypes(protocol: Protocol, names: PackageNames): readonly string[] {
  const { Event, Events } = names;
  return [
    "Requests",
    "RequestName",
    "RequestNameFrom",
    "ParametersOf",
    Events,
    `${Event}Name`,
    `${Event}NameFrom`,
    protocol.lanes === undefined ? "ResultOf" : "AnswerOf",
  ].sort();
}

/** The names that an entry point exports from the runtime. */
interface RuntimeNames {
  readonly values: readonly string[];
  readonly types: readonly string[];
}

/** Lists the names from the runtime that a package's entry point exports or that its types use. */
function runtimeNames(protocol: Protocol, entry: EntryName, parts?: PackageParts): RuntimeNames {
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
    case "validators":
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
