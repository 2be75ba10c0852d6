import type { Protocol } from "../model/protocol.js";
import { isUnanswered, requestsOf, responsesOf } from "../model/queries.js";
import { emitCodec } from "./modules/codec.js";
import { hasOneFraming, speaksJson } from "./modules/codec-parts.js";
import {
  configurationNames,
  configurationReadme,
  emitConfiguration,
  emitConfigurationTables,
  hasConfigurations,
} from "./modules/configuration.js";
import {
  connectionNames,
  emitConnection,
  hasBridge,
  hasConnections,
} from "./modules/connection.js";
import { emitDialects, hasWireDialects } from "./modules/dialects.js";
import { emitFields, hasReferences } from "./modules/fields.js";
import { emitGuards } from "./modules/guards.js";
import { emitLanes } from "./modules/lanes.js";
import { emitMaps } from "./modules/maps.js";
import { emitMessages } from "./modules/messages.js";
import { emitNotation } from "./modules/notation.js";
import type { PackageNames } from "./modules/package-names.js";
import type { GeneratedPart } from "./package-parts.js";
import { emitProtocolValues } from "./modules/protocol-values.js";
import { requestParameterNames } from "./modules/request-parameters.js";
import type { SourceFile } from "./printer/source-file.js";
import { emitTypes } from "./modules/types.js";
import { emitValidators } from "./modules/validators.js";

/**
 * A package's entry points. `index` is imported using the package name, and all others using
 * `NAME/entry`.
 */
export const entryNames = [
  "index",
  "types",
  "validators",
  "connection",
  "configuration",
  "dialects",
  "node",
] as const;

export type EntryName = (typeof entryNames)[number];

/** A code file in a generated package. */
export interface EmittedModule {
  readonly file: `${string}.ts`;
  /**
   * Returns the names that only this module exports, not counting the names of definitions and
   * messages. Default: none.
   */
  exports?(protocol: Protocol, names: PackageNames): readonly string[];
  /**
   * The entry point that exports the module, given as its file name without the extension. Default:
   * `index`.
   */
  readonly entry?: EntryName;
  /**
   * Returns a description of the module for the README, in Markdown. A module without a description
   * is internal, which means that no entry point exports it.
   */
  readme?(protocol: Protocol, names: PackageNames): string;
  emit(protocol: Protocol, names: PackageNames, file: SourceFile): void | Promise<void>;
  /**
   * The part of the package that contains the module. Default: the name of its entry point. An
   * internal module belongs to whichever parts import it.
   */
  readonly part?: GeneratedPart;
  /** Returns whether a protocol's package contains the module. Default: always. */
  when?(protocol: Protocol): boolean;
  /**
   * Whether the module contains tables or checks. No other modules may deviate from Prettier's
   * format.
   */
  readonly isTable?: true;
}

/** Returns a package's modules, in reading order. */
export function emittedModules(protocol: Protocol): readonly EmittedModule[] {
  return modules.filter(({ when }) => when === undefined || when(protocol));
}

const modules: readonly EmittedModule[] = [
  {
    file: "types.ts",
    part: "types",
    readme: () =>
      "the types of all definitions and messages, also under `/types`; kinds and names are literals",
    emit: emitTypes,
  },
  {
    file: "messages.ts",
    part: "types",
    exports: (protocol, { sentBy, Event }) => [
      ...protocol.roles.map(sentBy),
      ...kinds(protocol, Event).flatMap((kind) => [`Known${kind}`, `Custom${kind}`]),
      "KnownMessage",
      "CustomMessage",
      "MessageFields",
    ],
    readme: ({ roles }, { sentBy }) =>
      `unions of messages by kind and by direction (${code(roles.map(sentBy))}), and types for custom messages`,
    emit: emitMessages,
  },
  {
    file: "guards.ts",
    part: "guards",
    exports: (protocol, { Event }) => [
      ...kinds(protocol, Event).map((kind) => `is${kind}`),
      ...(responsesOf(protocol) === undefined ? [] : ["isErrorResponse"]),
      "classify",
      "Classified",
      "ClassifiedRequest",
      `Classified${Event}`,
      "MalformedCode",
      ...(protocol.envelope.response?.name === undefined ? [] : ["ClassifiedResponse"]),
    ],
    readme: (protocol, { Event }) =>
      `${code(kinds(protocol, Event).map((kind) => `is${kind}`))}, a guard for each message, and \`classify\`, which determines whether a message is known, custom or malformed`,
    emit: emitGuards,
  },
  {
    file: "maps.ts",
    part: "maps",
    exports: (protocol, { Event, Events, events }) => [
      "Requests",
      "RequestName",
      "RequestNameFrom",
      "requests",
      "ParametersOf",
      Events,
      `${Event}Name`,
      `${Event}NameFrom`,
      events,
      protocol.lanes === undefined ? "ResultOf" : "AnswerOf",
      ...(requestsOf(protocol).some(isUnanswered) ? ["UnansweredName"] : []),
      ...(hasGates(protocol) ? ["supports"] : []),
      ...(hasGates(protocol) && protocol.capabilities.length > 1 ? ["CapabilitiesFor"] : []),
      ...protocol.capabilities.flatMap(({ update, definition }) =>
        update === undefined ? [] : [`merge${definition}`],
      ),
    ],
    readme: (protocol, { Events, events }) =>
      `${code(["Requests", Events])} as types, ${code(["requests", events])} as tables${hasGates(protocol) ? "; `supports`: whether a peer's capabilities allow a message" : ""}`,
    emit: emitMaps,
  },
  {
    file: "validators.ts",
    entry: "validators",
    exports: (protocol) => [
      "isValid",
      "validate",
      "assertValid",
      "messageRule",
      ...(hasWireDialects(protocol) ? ["dialectRules"] : []),
    ],
    readme: () =>
      "`isValid`, `validate` and `assertValid` for any message; `isValid…` and `validate…` for each definition; `messageRule`: the rule that connections use",
    emit: emitValidators,
    isTable: true,
  },
  {
    file: "codec.ts",
    part: "codec",
    exports: (protocol) => [
      "createDecoder",
      "DecoderOptions",
      "createFrameDecoder",
      "FrameDecoderOptions",
      "createEncoder",
      "Encoder",
      "readMessages",
      "ReadOptions",
      "MessageReadOptions",
      "createDecoderStream",
      ...(hasOneFraming(protocol) ? [] : ["EncoderOptions"]),
      ...(speaksJson(protocol) ? ["peek"] : []),
    ],
    readme: (protocol) =>
      `${code(["createDecoder", "createEncoder", "readMessages", "createDecoderStream", "createFrameDecoder", ...(speaksJson(protocol) ? ["peek"] : [])])}; on Node streams under \`/node\``,
    emit: (protocol, _, file) => emitCodec(protocol, file),
  },
  {
    file: "protocol.ts",
    part: "codec",
    exports: ({ conversation }) => [
      "protocol",
      "protocolVersion",
      ...(conversation?.errorCodes === undefined ? [] : ["errorCodes"]),
    ],
    readme: () => "the protocol's version and envelope, as values",
    emit: (protocol, _, file) => emitProtocolValues(protocol, file),
  },
  {
    file: "connection.ts",
    entry: "connection",
    exports: connectionNames,
    readme: (protocol) =>
      `\`connect\`: creates connections with typed requests, events and handlers${hasBridge(protocol) ? "; `bridge`: forwards messages between two peers through middleware, for use in proxies" : ""}`,
    emit: emitConnection,
    when: hasConnections,
  },
  {
    file: "configuration.ts",
    entry: "configuration",
    exports: configurationNames,
    readme: configurationReadme,
    emit: (protocol, _, file) => emitConfiguration(protocol, file),
    when: hasConfigurations,
  },
  {
    file: "configuration-tables.ts",
    emit: (protocol, _, file) => emitConfigurationTables(protocol, file),
    when: hasConfigurations,
    isTable: true,
  },
  {
    file: "fields.ts",
    part: "connection",
    exports: () => ["visitFields", "FieldVisitors"],
    readme: () =>
      "`visitFields`: visits and changes the references in a message, wherever they occur",
    emit: (protocol, _, file) => emitFields(protocol, file),
    when: hasReferences,
  },
  {
    file: "dialects.ts",
    entry: "dialects",
    exports: () => ["createDialect", "DialectName"],
    readme: () =>
      "`createDialect`: creates a dialect for peers that deviate from the protocol, to be passed as an option to decoders, encoders and connections",
    emit: (protocol, _, file) => emitDialects(protocol, file),
    when: hasWireDialects,
  },
  {
    file: "notation.ts",
    part: "codec",
    exports: () => ["notations", "framingOf", "SpellingName"],
    readme: () => "`notations`: define how non-JSON messages are written and read",
    emit: (protocol, _, file) => emitNotation(protocol, file),
    when: ({ notations }) => notations !== undefined,
  },
  {
    file: "lanes.ts",
    entry: "connection",
    exports: () => [
      "lanes",
      "createClient",
      "Client",
      "ClientOptions",
      "createServer",
      "Server",
      ...requestParameterNames,
      "ServerOptions",
      "Handlers",
      "Answer",
      "StopMessage",
    ],
    readme: () =>
      "`createClient`, `createServer`: create connections for protocols without ids, in which answers arrive in the order of their commands",
    emit: emitLanes,
    when: ({ lanes }) => lanes !== undefined,
  },
];

/** Returns the kinds of messages in the form in which they appear in names. */
function kinds(protocol: Protocol, Event: string): readonly string[] {
  return ["Request", ...(responsesOf(protocol) === undefined ? [] : ["Response"]), Event];
}

function hasGates({ capabilities }: Protocol): boolean {
  return capabilities.length > 0;
}

function code(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}
