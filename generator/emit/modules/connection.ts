import type { Protocol } from "../../model/protocol.js";
import { receiverOf } from "../../model/queries.js";
import { pascalCase } from "../../model/names.js";
import { docTag } from "../printer/doc-comment.js";
import type { PackageNames } from "./package-names.js";
import { lineWidth, literalKey, quote, type SourceFile } from "../printer/source-file.js";

const runtime = "./runtime/index.js";

/** Whether a package has typed connections. */
export function hasConnections({ conversation, notations }: Protocol): boolean {
  return conversation !== undefined && notations === undefined;
}

/** Roles that say what they can do, so that the handlers they need are known. */
export function definedRoles(protocol: Protocol): readonly string[] {
  return protocol.roles.filter((role) =>
    protocol.messages.some(
      ({ kind, gate, sender }) => kind === "request" && gate?.role === role && sender !== role,
    ),
  );
}

/** Names that `connection.ts` exports. */
export function connectionNames(protocol: Protocol, names: PackageNames): readonly string[] {
  if (!hasConnections(protocol)) return [];
  const defined = definedRoles(protocol).map(pascalCase);
  return [
    ...["Side", "PeerOf", "Connection", "ConnectOptions", "RequestHandler", "Handlers", "connect"],
    ...["RequestParameters", `${names.Event}Listener`],
    ...defined.flatMap((role) => [
      `Flags${role}`,
      `Needed${role}Handlers`,
      `${role}Definition`,
      `define${role}`,
    ]),
  ];
}

/** Prints `connection.ts`: conversations with the types of the protocol. */
export function emitConnection(protocol: Protocol, names: PackageNames, file: SourceFile): void {
  const { Event, Events, event } = names;
  const maps = (name: string): string => file.importType(name, "./maps.js");
  const rt = (name: string): string => file.importType(name, runtime);
  const types = protocol.capabilities.length === 0 ? "" : file.importTypesAs("types", "./types.js");
  const [first, second] = protocol.roles;
  const requestNameFrom = maps("RequestNameFrom");
  const eventNameFrom = maps(`${Event}NameFrom`);

  file.doc("The two sides.");
  file.union("Side", [first, second].map(quote));
  file.line();
  file.doc("The other side.");
  file.line(
    `export type PeerOf<Which extends Side> = Which extends ${quote(first)} ? ${quote(second)} : ${quote(first)};\n`,
  );
  file.doc("What to pass behind the name of a request: its parameters, then options.");
  file.line(
    `export type RequestParameters<Name extends ${maps("RequestName")}> =
  ${maps("ParametersOf")}<Name> extends []
    ? [parameters?: undefined, options?: ${rt("RequestOptions")}]
    : [...parameters: ParametersOf<Name>, options?: RequestOptions];\n`,
  );
  file.doc(`What takes ${names.withArticle}: its body, and the whole message.`);
  file.line(
    `export type ${Event}Listener<Name extends ${maps(`${Event}Name`)}> = (
  body: ${maps(Events)}[Name]["body"],
  message: ${Events}[Name][${quote(event)}],
) => void;\n`,
  );
  file.doc(
    "What answers a request: gives its result, or throws. Throw a `Refusal` to say why; anything else is reported as a problem, too.",
  );
  file.line(
    `export type RequestHandler<Name extends RequestName> = (
  parameters: ${maps("Requests")}[Name]["arguments"],
  context: ${rt("RequestContext")},
) => Result<Name> | Promise<Result<Name>>;\n`,
  );
  file.doc("Nothing may be given where the protocol asks for nothing.");
  file.line(
    `type Result<Name extends RequestName> =
  undefined extends ${maps("BodyOf")}<Name> ? BodyOf<Name> | void : BodyOf<Name>;\n`,
  );
  file.doc("Handlers of the requests that a role receives.");
  file.block("export type Handlers<Which extends Side> = {", "};", () =>
    file.line(`readonly [Name in ${requestNameFrom}<PeerOf<Which>>]?: RequestHandler<Name>;`),
  );
  file.line();
  file.doc("Settings of a connection.");
  file.block(
    `export interface ConnectOptions<Which extends Side> extends Omit<${rt("ConnectionSettings")}, "handlers"> {`,
    "}",
    () => {
      file.doc("Handlers of requests by name; other requests are answered with a failure.");
      file.line("readonly handlers?: Handlers<Which>;");
    },
  );
  file.line();

  file.doc("A conversation, seen from one side.");
  file.block("export interface Connection<Which extends Side> {", "}", () => {
    file.doc(
      "Sends a request; resolves to its result.",
      docTag("throws", "RequestError or EncodeError, as a rejection."),
    );
    file.line(
      `request<Name extends ${requestNameFrom}<Which>>(
  name: Name,
  ...parameters: RequestParameters<Name>
): Promise<BodyOf<Name>>;`,
    );
    file.doc("Sends a request that the protocol does not define.");
    file.line(
      "requestCustom(name: string, parameters?: unknown, options?: RequestOptions): Promise<unknown>;",
    );
    file.doc(
      `Sends ${names.withArticle}. Resolves when the transport takes more; rejects when the connection is over, which is no unhandled rejection where nobody looks at it.`,
      "@throws EncodeError at once.",
    );
    file.line(
      `notify<Name extends ${eventNameFrom}<Which>>(
  name: Name,
  ...parameters: ${Events}[Name]["parameters"]
): Promise<void>;`,
    );
    file.line("notifyCustom(name: string, body?: unknown): Promise<void>;");
    file.doc(`Listens to ${names.withArticle}; gives a function that ends it.`);
    file.line(
      `on<Name extends ${eventNameFrom}<PeerOf<Which>>>(
  name: Name,
  listener: ${Event}Listener<Name>,
): () => void;`,
    );
    file.line(
      "onCustom(name: string, listener: (body: unknown, message: object) => void): () => void;",
    );
    file.doc(
      `The body of the next ${event} of a name.`,
      docTag("throws", "RequestError, as a rejection, when it was waited for too long."),
    );
    file.line(
      `once<Name extends ${eventNameFrom}<PeerOf<Which>>>(
  name: Name,
  options?: RequestOptions,
): Promise<${Events}[Name]["body"]>;`,
    );
    file.doc("Handles the requests of a name from now on.");
    file.line(
      `handle<Name extends ${requestNameFrom}<PeerOf<Which>>>(
  name: Name,
  handler: RequestHandler<Name>,
): void;`,
    );
    file.line(
      "handleCustom(\n  name: string,\n  handler: (parameters: unknown, context: RequestContext) => unknown,\n): void;",
    );
    const announced = protocol.capabilities.map(
      ({ role, definition }) => [role, `${types}.${definition}`] as const,
    );
    if (announced.length > 0) {
      file.doc("What the other side has announced that it can do, so far.");
      const of = (role: string): string =>
        announced.find(([each]) => each === role)?.[1] ?? "undefined";
      const type = `(Which extends ${quote(first)} ? ${of(second)} : ${of(first)})`;
      const flat = `readonly announced: ${type} | undefined;`;
      const under = `readonly announced:\n  ${type} | undefined;`;
      file.line(
        file.indent + flat.length <= lineWidth
          ? flat
          : file.indent + 2 + type.length + 13 <= lineWidth
            ? under
            : `readonly announced:\n  | ${type}\n  | undefined;`,
      );
    }
    file.doc("Number of requests that wait for a response.");
    file.line("readonly pending: number;");
    file.doc("Whether it is over, or about to be: nothing can be sent any more.");
    file.line("readonly isClosed: boolean;");
    file.doc(
      "Resolves when the connection is over, whatever ended it: to what went wrong, if something did.",
    );
    file.line("readonly closed: Promise<Error | undefined>;");
    file.doc(
      "Ends the conversation: what waits is given up, what was sent goes out, and the transport is closed, or destroyed if that takes too long. Settles in any case.",
    );
    file.line(`close(options?: ${rt("CloseOptions")}): Promise<void>;`);
  });
  file.line();
  file.doc("Begins a conversation in a role over a transport.");
  file.declare(
    "export function connect<Which extends Side>",
    ["role: Which", `transport: ${rt("Transport")}`, "options: ConnectOptions<Which> = {}"],
    "): Connection<Which> {",
    () => {
      const core = file.importValue("ConnectionCore", runtime);
      const protocolValue = file.importValue("protocol", "./protocol.js");
      const requests = file.importValue("requests", "./maps.js");
      file.line(`const parts = { ${protocolValue}, ${requests} };`);
      file.line("const settings = options as ConnectionSettings;");
      file.line(
        `return new ${core}(parts, role, transport, settings) as unknown as Connection<Which>;`,
      );
    },
  );
  for (const role of definedRoles(protocol)) emitDefinition(role);

  /** A side with the handlers that its flags ask for. */
  function emitDefinition(role: string): void {
    const Role = pascalCase(role);
    const source = protocol.capabilities.find((each) => each.role === role)!;
    const peer = receiverOf(protocol, role);
    file.line();
    file.doc(`What ${/^[aeiou]/.test(role) ? "an" : "a"} ${role} can announce.`);
    file.line(`export type Flags${Role} = ${types}.${source.definition};\n`);
    file.doc("Handlers of the requests that flags announce.");
    file.line(
      `export type Needed${Role}Handlers<Flags> = {
  readonly [
    Name in ${requestNameFrom}<${quote(peer)}> as Requests[Name]["capability"] extends infer Flag extends
      keyof Flags
      ? Flags[Flag] extends true
        ? Name
        : never
      : never
  ]: RequestHandler<Name>;
};\n`,
    );
    file.doc(
      `Flags, and a handler for every request that they announce; of other requests handlers may be given.`,
    );
    file.block(`export interface ${Role}Definition<Flags extends Flags${Role}> {`, "}", () => {
      file.line("readonly capabilities: Flags;");
      file.line(`readonly handlers: Needed${Role}Handlers<Flags> & Handlers<${quote(role)}>;`);
    });
    file.line();
    const announcement = announcedBy(protocol, role);
    file.doc(
      `Defines ${/^[aeiou]/.test(role) ? "an" : "a"} ${role}; gives a function that connects it.`,
      announcement === undefined
        ? undefined
        : `The request \`${announcement}\` is answered with the capabilities unless a handler is given.`,
    );
    const all =
      announcement === undefined
        ? "handlers"
        : `{ ${literalKey(announcement)}: () => capabilities, ...handlers }`;
    const parts = announcement === undefined ? "handlers" : "capabilities, handlers";
    file.line(
      `export function define${Role}<const Flags extends Flags${Role}>(
  definition: ${Role}Definition<Flags>,
): (
  transport: Transport,
  options?: Omit<ConnectOptions<${quote(role)}>, "handlers">,
) => Connection<${quote(role)}> {
  const { ${parts} } = definition;
  const all: Handlers<${quote(role)}> = ${all};`,
    );
    const body = `connect(${quote(role)}, transport, { ...options, handlers: all });`;
    const flat = `  return (transport, options = {}) => ${body}`;
    file.line(
      `${flat.length <= lineWidth ? flat : `  return (transport, options = {}) =>\n    ${body}`}\n}`,
    );
  }
}

/** Prints what `node.ts` has of connections: over sockets, and with a process of one's own. */
export function emitNodeConnection(protocol: Protocol, file: SourceFile): void {
  const node = "./runtime/node.js";
  const [first, second] = protocol.roles;
  const Second = pascalCase(second);
  const connection = file.importType("Connection", "./connection.js");
  const options = file.importType("ConnectOptions", "./connection.js");
  const connect = file.importValue("connect", "./connection.js");
  file.line();
  file.line(
    `export { connectTcp, nodeTransport, ProcessEndedError, spawnTransport } from "${node}";\n`,
  );
  const spawned = file.importType("SpawnedProcess", node);
  file.doc(`A process that is the ${second}, and a connection with it.`);
  file.block(`export interface Spawned${Second} extends ${spawned} {`, "}", () =>
    file.line(`readonly connection: ${connection}<${quote(first)}>;`),
  );
  file.line();
  file.doc(
    `Starts the ${second} as a process that speaks on its standard input and output. Closing the connection ends the process.`,
    docTag("throws", "the system's error, as a rejection, if it cannot be started."),
  );
  const spawn = file.importValue("spawnTransport", node);
  file.declare(
    `export async function spawn${Second}`,
    [
      "command: string",
      "args: readonly string[] = []",
      `options: ${options}<${quote(first)}> = {}`,
      `process: Parameters<typeof ${spawn}>[2] = {}`,
    ],
    `): Promise<Spawned${Second}> {`,
    () => {
      file.line(`const spawned = await ${spawn}(command, args, process);`);
      file.block("try {", "} catch (error) {", () => {
        file.line(`const connection = ${connect}(${quote(first)}, spawned.transport, options);`);
        file.line("return { ...spawned, connection };");
      });
      file.line("  // Options that are refused must not leave a process behind.");
      file.line("  await spawned.transport.destroy?.();");
      file.line("  throw error;");
      file.line("}");
    },
  );
}

/** The request whose result announces the flags of a role. */
function announcedBy(protocol: Protocol, role: string): string | undefined {
  const definition = protocol.capabilities.find((each) => each.role === role)?.definition;
  return protocol.messages.find(
    (message) =>
      message.kind === "request" &&
      message.sender !== role &&
      message.result?.type.kind === "reference" &&
      message.result.type.name === definition,
  )?.name;
}
