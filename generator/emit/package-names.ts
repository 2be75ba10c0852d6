import { InputError } from "../input-error.js";
import { isIdentifier, isReservedWord, pascalCase } from "../model/names.js";
import type { Message, Protocol } from "../model/protocol.js";
import { answeredRequests, receiverOf, type AnsweredRequest } from "../model/queries.js";
import { connectionNames, hasConnections } from "./connection.js";
import { hasReferences } from "./fields.js";
import { hasWireDialects } from "./dialects.js";

/** Every exported name of a generated package, decided in one place so that no two can be the same. */
export interface PackageNames {
  /** Success arm of a response. */
  success(request: AnsweredRequest): string;
  /** Guard of a definition: `isStoppedEvent`. */
  guard(definition: string): string;
  /** Yes or no of a definition: `isValidStoppedEvent`. */
  check(definition: string): string;
  /** Validator of a definition: `validateStoppedEvent`. */
  validator(definition: string): string;
  /** Union of all messages that a role sends: `ClientToAdapter`. */
  sentBy(role: string): string;
  /** What the protocol calls an event, in the singular: `event`, `notification`. */
  readonly event: string;
  /** The same with its article: `an event`. */
  readonly withArticle: string;
  /** The same for type names: `Event`. */
  readonly Event: string;
  /** Constant table of events: `events`. */
  readonly events: string;
  /** Type map of events: `Events`. */
  readonly Events: string;
}

/**
 * Names what a package exports and refuses collisions with the names of definitions.
 *
 * @throws InputError `ERR_NAME_COLLISION` naming both sides, or `ERR_NAME`.
 */
export function choosePackageNames(protocol: Protocol): PackageNames {
  const noun = protocol.envelope.event.noun;
  const Event = pascalCase(noun);
  const names: PackageNames = {
    success: (request) => `${request.responseDefinition.replace(/Response$/, "")}Success`,
    guard: (definition) => `is${definition}`,
    check: (definition) => `isValid${definition}`,
    validator: (definition) => `validate${definition}`,
    sentBy: (role) => `${pascalCase(role)}To${pascalCase(receiverOf(protocol, role))}`,
    event: noun,
    withArticle: `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`,
    Event,
    events: `${noun}s`,
    Events: `${Event}s`,
  };
  const taken = new Map<string, string>();
  const claim = (name: string, what: string, pointer?: string): void => {
    const place = pointer === undefined ? {} : { pointer };
    const other = taken.get(name);
    if (other !== undefined) {
      throw new InputError(
        "ERR_NAME_COLLISION",
        `Cannot export two things as "${name}": ${other}, and ${what}`,
        place,
        "Rename the definition or the message",
      );
    }
    if (!isIdentifier(name) || isReservedWord(name)) {
      throw new InputError(
        "ERR_NAME",
        `Cannot export "${name}", ${what}: it is no identifier`,
        place,
        "Rename the definition or the message",
      );
    }
    taken.set(name, what);
  };
  for (const name of fixedNames(protocol, names)) claim(name, "a name that every package exports");
  const runtime = runtimeNames(protocol);
  for (const name of [...runtime.types, ...runtime.values, "NoProperties"])
    claim(name, "a name of the runtime");
  for (const definition of protocol.definitions) {
    claim(
      definition.name,
      definition.at === undefined
        ? "a wire type of the envelope"
        : `the definition at ${definition.at}`,
      definition.at,
    );
    claim(names.check(definition.name), `the check of "${definition.name}"`, definition.at);
    claim(names.validator(definition.name), `the validator of "${definition.name}"`, definition.at);
  }
  for (const message of protocol.messages) {
    for (const definition of wireDefinitions(protocol, message))
      claim(names.guard(definition), `the guard of "${definition}"`, message.at);
  }
  for (const request of answeredRequests(protocol))
    claim(names.success(request), `the success response of "${request.name}"`, request.at);
  return names;
}

/** Definitions of a message that have a guard: a response only if it says which request it answers. */
export function wireDefinitions(protocol: Protocol, message: Message): readonly string[] {
  if (
    message.kind === "event" ||
    message.responseDefinition === undefined ||
    protocol.envelope.response?.name === undefined
  )
    return [message.definition];
  return [message.definition, message.responseDefinition];
}

/** What a package re-exports of the runtime, or uses in its types under its own name. */
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
      ...(connects ? ["Refusal", "RequestError", "portTransport", "streamTransport"] : []),
    ].sort(),
    types: [
      ...runtimeTypes,
      ...(connects
        ? ["Middleware", "Problem", "ProblemCode", "RequestContext", "RequestErrorCode"]
        : []),
      ...(connects ? ["RequestOptions", "Transport"] : []),
      ...(notations === undefined ? [] : ["Notation"]),
      ...(lanes === undefined ? [] : ["LaneErrorCode"]),
    ].sort(),
  };
}

/** Runtime types that a package re-exports, or that its types use under their own names. */
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

/** Runtime values that a package re-exports. */
const runtimeValues = [
  "EncodeError",
  "FrameDecoder",
  "InvalidMessageError",
  "createDecoderStream",
  "defaultLimits",
  "describeIssue",
  "wireTolerances",
];

function fixedNames(protocol: Protocol, names: PackageNames): readonly string[] {
  const { Event, Events, events } = names;
  return [
    ...protocol.roles.map(names.sentBy),
    ...["KnownRequest", "KnownResponse", `Known${Event}`, "KnownMessage", "MessageFields"],
    ...["CustomRequest", "CustomResponse", `Custom${Event}`, "CustomMessage"],
    ...["Requests", Events, "RequestName", `${Event}Name`, "RequestNameFrom", `${Event}NameFrom`],
    ...["ParametersOf", "BodyOf", "Classified", "MalformedCode"],
    ...(protocol.notations === undefined ? [] : ["notations", "framingOf", "SpellingName"]),
    ...connectionNames(protocol, names),
    ...(hasReferences(protocol) ? ["FieldVisitors", "visitFields"] : []),
    ...(protocol.lanes === undefined
      ? []
      : [
          ...["lanes", "createClient", "createServer", "Client", "Server", "ClientOptions"],
          ...["ServerOptions", "Handlers", "Answer", "StopMessage", "AnswerOf"],
        ]),
    ...[
      "requests",
      events,
      "supports",
      "classify",
      "isRequest",
      "isResponse",
      `is${Event}`,
      "isErrorResponse",
    ],
    ...["isValid", "validate", "assertValid"],
    ...["protocol", "protocolVersion"],
    ...["createDecoder", "decodeFrames", "createEncoder", "peek", "readMessages"],
    ...["DecoderOptions", "FramesOptions", "ReadOptions", "Encoder", "EncoderOptions"],
    ...(hasWireDialects(protocol) ? ["DialectName", "createDialect"] : []),
    ...protocol.capabilities
      .filter((source) => source.update !== undefined)
      .map((source) => `merge${source.definition}`),
    ...(protocol.compatibility === undefined ? [] : [protocol.compatibility.namespace]),
  ];
}
