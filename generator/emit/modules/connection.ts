import { bridgeNames, emitBridge } from "./bridge.js";
import { createsDecoder, createsEncoder } from "./codec-parts.js";
import { pascalCase } from "../../model/names.js";
import type { Protocol } from "../../model/protocol.js";
import { docTag } from "../printer/doc-comment.js";
import { literalKey, quote, type SourceFile, propertyKey } from "../printer/source-file.js";
import { requestsConfigured } from "./configuration.js";
import { emitConnectionInterface } from "./connection-interface.js";
import { nodeRuntime, type PackageNames, runtime } from "./package-names.js";
import { emitRequestParameters, requestParameterNames } from "./request-parameters.js";
import { parsePointer } from "../../../runtime/base/json-pointer.js";
import { flattenProperties } from "../../model/properties.js";
import { answeredRequests, definitionsByName, responsesOf } from "../../model/queries.js";

const maps = "./maps.js";

/** Returns whether a package has typed connections. */
export function hasConnections({ conversation, lanes }: Protocol): boolean {
  return conversation !== undefined && lanes === undefined;
}

/** Returns the names that `connection.ts` exports. */
export function connectionNames(protocol: Protocol, names: PackageNames): readonly string[] {
  if (!hasConnections(protocol)) return [];
  return [
    "Side",
    "PeerOf",
    "Connection",
    "ConnectOptions",
    "RequestHandler",
    "Handlers",
    "connect",
    ...connectionMessageNames,
    ...requestParameterNames,
    `${names.Event}Listener`,
    `${names.Event}WaitOptions`,
    ...(hasBridge(protocol) ? bridgeNames : []),
  ];
}

/** Emits `connection.ts`: connections that use the protocol's types. */
export function emitConnection(protocol: Protocol, names: PackageNames, file: SourceFile): void {
  emitSides(protocol, file);
  emitConnectionMessages(protocol, names, file);
  emitRequestParameters("RequestOptions", file);
  emitListener(names, file);
  emitHandlers(protocol, file);
  emitOptions(file);
  emitConnectionInterface(protocol, names, file);
  emitParts(protocol, names, file);
  emitConnect(file);
  if (!hasBridge(protocol)) return;
  file.line();
  emitBridge(protocol, parts, file);
}

/** Returns whether a package has bridges. */
export function hasBridge(protocol: Protocol): boolean {
  return hasConnections(protocol) && protocol.notations === undefined;
}

function emitSides({ roles: [first, second] }: Protocol, file: SourceFile): void {
  file.doc("The two sides of a connection.");
  file.union("Side", [first, second].map(quote));
  file.line();
  file.doc("The side that a given side is connected to.");
  file.line(
    `export type PeerOf<Which extends Side> = Which extends ${quote(first)} ? ${quote(second)} : ${quote(first)};\n`,
  );
}

function emitListener({ Event, Events, event, withArticle }: PackageNames, file: SourceFile): void {
  const eventName = file.importType(`${Event}Name`, maps);
  const events = file.importType(Events, maps);
  file.doc(`Called with the body of ${withArticle} and with the whole message.`);
  file.line(
    `export type ${Event}Listener<Name extends ${eventName} | "*"> = (
  body: Listened[Name]["body"],
  message: Listened[Name][${quote(event)}],
) => void;\n`,
  );
  file.block(`interface Listened extends ${events} {`, "}", () => {
    const knownEvent = file.importType(`Known${Event}`, "./messages.js");
    const custom = file.importType(`Custom${Event}`, "./messages.js");
    file.line(`"*": { body: unknown; ${literalKey(event)}: ${knownEvent} | ${custom} };`);
  });
  file.line();
  const waitOptions = file.importType("WaitOptions", runtime);
  const mark = file.importType("EventMark", runtime);
  file.doc(`Which ${event} to wait for, and for how long.`);
  file.block(
    `export interface ${Event}WaitOptions<Name extends ${eventName}> extends ${waitOptions} {`,
    "}",
    () => {
      file.doc(`Returns true for the ${event} to wait for.`);
      file.list(
        "readonly where?: (",
        [`body: ${events}[Name]["body"]`, `message: ${events}[Name][${quote(event)}]`],
        ") => boolean;",
      );
      file.doc(`Also takes into account ${event}s that have arrived since this mark.`);
      file.line(`readonly since?: ${mark};`);
    },
  );
  file.line();
}

function emitHandlers({ roles: [first, second] }: Protocol, file: SourceFile): void {
  const requestName = file.importType("RequestName", maps);
  const requestNameFrom = file.importType("RequestNameFrom", maps);
  const requests = file.importType("Requests", maps);
  const resultOf = file.importType("ResultOf", maps);
  const context = file.importType("RequestContext", runtime);
  file.doc(
    "Handles a request by returning its result or throwing. Throw a `Refusal` to refuse the request. Other exceptions are also reported as problems.",
  );
  file.line(
    `export type RequestHandler<Name extends ${requestName}, Which extends Side = ReceiverOf<Name>> = (
  arguments_: ${requests}[Name]["arguments"],
  context: ${context}<${requests}[Name]["request"], Connection<Which>>,
) => Result<Name> | Promise<Result<Name>>;\n`,
  );
  file.doc("The side that receives a request, or both.");
  file.block(
    `type ReceiverOf<Name extends ${requestName}> = {`,
    `}[${requests}[Name]["sender"]];`,
    () => {
      file.line(`${literalKey(first)}: ${quote(second)};`);
      file.line(`${literalKey(second)}: ${quote(first)};`);
      file.line("both: Side;");
    },
  );
  file.line();
  file.doc("The result of a request, which may be omitted if the protocol defines none.");
  file.line(
    `type Result<Name extends ${requestName}> =
  undefined extends ${resultOf}<Name> ? ${resultOf}<Name> | void : ${resultOf}<Name>;\n`,
  );
  file.doc("Handlers for the requests that a side receives.");
  file.block("export type Handlers<Which extends Side> = {", "};", () =>
    file.line(
      `readonly [Name in ${requestNameFrom}<PeerOf<Which>>]?: RequestHandler<Name, Which>;`,
    ),
  );
  file.line();
}

function emitOptions(file: SourceFile): void {
  const anyOptions = file.importType("AnyConnectOptions", runtime);
  file.doc("Options for a connection.");
  file.block(
    `export interface ConnectOptions<Which extends Side> extends Omit<
  ${anyOptions},
  "handlers" | "middleware"
> {`,
    "}",
    () => {
      file.doc(
        "Request handlers, by request name. Requests without a handler are answered with a failure.",
      );
      file.line("readonly handlers?: Handlers<Which>;");
      file.doc("Middleware that inspects or changes whole messages, in the given order.");
      file.line("readonly middleware?: readonly Middleware<Which>[];");
    },
  );
  file.line();
}

/** Name of the constant that contains the parts of a connection. */
const parts = "parts";

/** Emits the parts of the protocol that connections and bridges need. */
function emitParts(protocol: Protocol, names: PackageNames, file: SourceFile): void {
  const type = file.importType("ConnectionProtocol", runtime);
  file.block(`const ${parts}: ${type} = {`, "};", () => {
    file.line(`${file.importValue("protocol", "./protocol.js")},`);
    file.line(`${file.importValue("requests", maps)},`);
    const events = file.importValue(names.events, maps);
    file.line(events === "events" ? "events," : `events: ${events},`);
    if (protocol.notations !== undefined)
      file.line(`${file.importValue("notations", "./notation.js")},`);
    file.line(`decode: ${createsDecoder(protocol, file)},`);
    file.line(`encode: ${createsEncoder(protocol, file)},`);
    file.block("validators: {", "},", () => emitMessageValidators(protocol, names, file));
  });
  file.line();
}

function emitMessageValidators(protocol: Protocol, names: PackageNames, file: SourceFile): void {
  const validators = "./validators.js";
  const create = file.importValue("createValidator", runtime);
  const rule = file.importValue("messageRule", validators);
  file.line(`validate: /* @__PURE__ */ ${create}(${rule}),`);
  // A response that contains the name of its request can be checked without knowing the request.
  if (protocol.envelope.response?.name === undefined)
    file.block("responses: {", "},", () => {
      for (const { name, responseDefinition } of answeredRequests(protocol)) {
        const validate = file.importValue(names.validator(responseDefinition), validators);
        file.line(`${propertyKey(name)}: ${validate},`);
      }
    });
  const configured = requestsConfigured(protocol);
  if (configured.length > 0)
    file.block("parameters: {", "},", () => {
      for (const { request, Request } of configured) {
        const validate = file.importValue(`validate${Request}Arguments`, "./configuration.js");
        file.line(`${propertyKey(request)}: ${validate},`);
      }
    });
}

function emitConnect(file: SourceFile): void {
  const transport = file.importType("Transport", runtime);
  const anyOptions = file.importType("AnyConnectOptions", runtime);
  const core = file.importValue("ConnectionCore", runtime);
  file.doc(
    "Creates one side of a connection over a transport.",
    docTag("throws", "TypeError for an unknown side, an unknown option or an invalid value."),
  );
  file.declare(
    "export function connect<Which extends Side>",
    ["side: Which", `transport: ${transport}`, "options: ConnectOptions<Which> = {}"],
    "): Connection<Which> {",
    () => {
      file.line(`const anyOptions = options as ${anyOptions};`);
      file.line(
        `return new ${core}(${parts}, side, transport, anyOptions) as unknown as Connection<Which>;`,
      );
    },
  );
}

/** Emits the connections in `node.ts`: over sockets, and to a spawned process. */
export function emitNodeConnection(protocol: Protocol, file: SourceFile): void {
  const [first, second] = protocol.roles;
  const Second = pascalCase(second);
  const connection = file.importType("Connection", "./connection.js");
  const options = file.importType("ConnectOptions", "./connection.js");
  const connect = file.importValue("connect", "./connection.js");
  file.line();
  file.exportNames(
    "export",
    [
      "ProcessEndedError",
      "ProcessStartError",
      "nodeTransport",
      "spawnTransport",
      "tcpTransport",
      "type SpawnTransportOptions",
      "type SpawnedProcess",
      "type TcpOptions",
    ],
    nodeRuntime,
  );
  file.line();
  const spawned = file.importType("SpawnedProcess", nodeRuntime);
  const disposable = file.importType("HostAsyncDisposable", runtime);
  file.doc(`The ${second}'s process and the connection to it. \`await using\` closes both.`);
  file.block(`export interface Spawned${Second} extends ${spawned}, ${disposable} {`, "}", () =>
    file.line(`readonly connection: ${connection}<${quote(first)}>;`),
  );
  file.line();
  const spawnOptions = file.importType("SpawnTransportOptions", nodeRuntime);
  file.doc(`Options for the connection to the ${second} and for its process.`);
  file.line(
    `export interface Spawn${Second}Options extends ${options}<${quote(first)}>, ${spawnOptions} {}\n`,
  );
  file.doc(
    `Starts the ${second} as a process, and connects to its standard input and output. Closing the connection ends the process.`,
    docTag(
      "throws",
      "Rejects with ProcessStartError if the process cannot be started, or with TypeError for an unknown option or an invalid value.",
    ),
  );
  const spawn = file.importValue("spawnTransport", nodeRuntime);
  const spawnChecks = file.importValue("spawnChecks", nodeRuntime);
  const option = file.importValue("option", runtime);
  const connectionChecks = file.importValue("connectionChecks", runtime);
  const setDispose = file.importValue("setAsyncDispose", runtime);
  file.declare(
    `export async function spawn${Second}`,
    ["command: string", "args: readonly string[] = []", `options: Spawn${Second}Options = {}`],
    `): Promise<Spawned${Second}> {`,
    () => {
      file.line(
        `${option}.checkOptions("spawn${Second}", options, { ...${connectionChecks}, ...${spawnChecks} });`,
      );
      file.line("const { exitGraceMs, killGraceMs, process, ...own } = options;");
      file.line(`const graces = { exitGraceMs, killGraceMs, process } as ${spawnOptions};`);
      file.line(`const spawned = await ${spawn}(command, args, graces);`);
      file.block("try {", "} catch (error) {", () => {
        file.line(`const connection = ${connect}(${quote(first)}, spawned.transport, own);`);
        file.line("const result = { ...spawned, connection };");
        file.line(`${setDispose}(result, () => connection.close());`);
        file.line(`return result as Spawned${Second};`);
      });
      file.line("  // Rejected options must not leave a process running.");
      file.line("  await spawned.transport.destroy?.();");
      file.line("  throw error;");
      file.line("}");
    },
  );
}

/** Names that `emitConnectionMessages` exports. */
const connectionMessageNames = [
  "MessageFrom",
  "Middleware",
  "RequestError",
  "Refusal",
  "RefusalOptions",
];

/** Emits the types of whole messages, for use by middleware, and the class of request errors. */
function emitConnectionMessages(protocol: Protocol, names: PackageNames, file: SourceFile): void {
  emitMessageFrom(protocol, names, file);
  emitMiddleware(file);
  emitRequestError(protocol, file);
  emitRefusal(protocol, file);
}

function emitMessageFrom(
  { roles: [first, second] }: Protocol,
  { sentBy }: PackageNames,
  file: SourceFile,
): void {
  const [fromFirst, fromSecond] = [first, second].map((role) =>
    file.importType(sentBy(role), "./messages.js"),
  );
  const custom = file.importType("CustomMessage", "./messages.js");
  file.doc(
    "A message from one side, which may be one that the protocol does not define. Only its kind has been checked.",
  );
  file.line("export type MessageFrom<Which extends Side> = MessagesFrom[Which];\n");
  file.block("interface MessagesFrom {", "}", () => {
    file.line(`readonly ${propertyKey(first)}: ${fromFirst}<${custom}>;`);
    file.line(`readonly ${propertyKey(second)}: ${fromSecond}<${custom}>;`);
  });
  file.line();
}

function emitMiddleware(file: SourceFile): void {
  file.doc(
    "Inspects or changes messages. A hook returns a message to use instead of the one it receives, `null` to drop it, or nothing to keep it. Hooks are synchronous: a promise is not a message.",
  );
  file.block("export interface Middleware<Which extends Side = Side> {", "}", () => {
    file.doc("Called with each outgoing message. If a request is dropped, it is rejected.");
    file.line("beforeSend?(message: MessageFrom<Which>): object | null | void;");
    file.doc("Called after a message has been written. The bytes are valid only during the call.");
    file.line("afterSend?(message: MessageFrom<Which>, bytes: Uint8Array): void;");
    file.doc(
      "Called with each incoming message and the bytes of its frame. If a request is dropped, it is answered with a failure; if a response is dropped, its request is rejected.",
    );
    file.line(
      "afterReceive?(message: MessageFrom<PeerOf<Which>>, bytes: Uint8Array): object | null | void;",
    );
  });
  file.line();
}

function emitRequestError(protocol: Protocol, file: SourceFile): void {
  const core = file.importValue("AnyRequestError", runtime);
  const responses = responsesOf(protocol);
  const types = file.importTypesAs("types", "./types.js");
  const failure = responses === undefined ? "object" : `${types}.${responses.error}`;
  file.doc("Indicates that a request failed. Match on `code`.");
  file.block(`export interface RequestError extends ${core} {`, "}", () => {
    file.doc("The failure response, as received.");
    file.line(`readonly response: ${failure} | undefined;`);
  });
  file.line();
  file.line(
    `export const RequestError: new (
  ...parameters: ConstructorParameters<typeof ${core}>
) => RequestError = ${core} as never;\n`,
  );
}

function emitRefusal(protocol: Protocol, file: SourceFile): void {
  const core = file.importValue("AnyRefusal", runtime);
  const options = file.importType("AnyRefusalOptions", runtime);
  file.doc("Options for a `Refusal`.");
  const fields = errorFields(protocol, file);
  const oneLine = `export type RefusalOptions = ${options}<${fields}>;`;
  if (oneLine.length <= 100) file.line(oneLine);
  else file.block(`export type RefusalOptions = ${options}<`, ">;", () => file.line(fields));
  file.line();
  file.doc(
    "Throw this in a request handler to refuse the request. `{name}` in the message is replaced with the variable of that name in the `error`.",
  );
  file.line(`export interface Refusal extends ${core} {}\n`);
  file.line(
    `export const Refusal: new (message: string, options?: RefusalOptions) => Refusal = ${core};\n`,
  );
}

/**
 * Returns the type of the object in a failure response that contains the error message, or `object`
 * if the model has no type for it.
 */
function errorFields(protocol: Protocol, file: SourceFile): string {
  const [pointer] = protocol.conversation?.failures.text ?? [];
  const responses = responsesOf(protocol);
  if (pointer === undefined || responses === undefined) return "object";
  const steps = parsePointer(pointer).slice(0, -1);
  if (!hasProperties(protocol, responses.error, steps)) return "object";
  const types = file.importTypesAs("types", "./types.js");
  const errorType = steps.reduce(
    (type, step) => `NonNullable<${type}[${quote(step)}]>`,
    `${types}.${responses.error}`,
  );
  return `Partial<${errorType}>`;
}

/**
 * Returns whether a path leads from a definition to a property. Each step must name a property of
 * the previous step's value.
 */
function hasProperties(protocol: Protocol, definition: string, steps: readonly string[]): boolean {
  const definitions = definitionsByName(protocol);
  let type = definitions.get(definition)?.type;
  for (const step of steps) {
    while (type?.kind === "reference") type = definitions.get(type.name)?.type;
    if (type?.kind !== "object") return false;
    type = flattenProperties(definitions, type).find(({ name }) => name === step)?.type;
  }
  return type !== undefined;
}
