import type { Protocol } from "../../model/protocol.js";
import { docTag } from "../printer/doc-comment.js";
import { quote, type SourceFile } from "../printer/source-file.js";
import { eventsOf, isUnanswered, requestsOf } from "../../model/queries.js";
import { type PackageNames, runtime } from "./package-names.js";

const maps = "./maps.js";

/** The errors with which a request may be rejected. */
export const requestErrors =
  "Rejects with RequestError, TimeoutError, ConnectionClosedError, EncodeError, or the signal's reason.";

/** Emits the interface of a connection, one group of members at a time. */
export function emitConnectionInterface(
  protocol: Protocol,
  names: PackageNames,
  file: SourceFile,
): void {
  const disposable = file.importType("HostAsyncDisposable", runtime);
  file.doc("One side of a connection. `await using` closes it at the end of its block.");
  file.block(`export interface Connection<Which extends Side> extends ${disposable} {`, "}", () => {
    emitRequesting(protocol, file);
    emitNotifying(protocol, names, file);
    emitListening(names, file);
    emitHandling(file);
    emitAnnounced(protocol, file);
    emitEnd(file);
  });
  file.line();
}

function emitRequesting(protocol: Protocol, file: SourceFile): void {
  const requestNameFrom = file.importType("RequestNameFrom", maps);
  const resultOf = file.importType("ResultOf", maps);
  const options = file.importType("RequestOptions", runtime);
  file.doc("Sends a request and resolves to its result.", docTag("throws", requestErrors));
  file.line(
    `request<Name extends ${answeredOf(`${requestNameFrom}<Which>`, protocol, file)}>(
  name: Name,
  ...arguments_: RequestParameters<Name>
): Promise<${resultOf}<Name>>;`,
  );
  file.doc(
    "Sends a request that the protocol does not define. The peer need not have announced it. The `result` option validates the result and determines its type.",
    docTag("throws", requestErrors),
  );
  const custom = file.importType("CustomRequestOptions", runtime);
  file.line(
    `requestCustom(name: string, arguments_?: unknown, options?: ${options}): Promise<unknown>;
requestCustom<Result>(
  name: string,
  arguments_: unknown,
  options: ${custom}<Result>,
): Promise<Result>;`,
  );
}

/** Returns a type for request names that excludes requests without a response. */
function answeredOf(names: string, protocol: Protocol, file: SourceFile): string {
  return requestsOf(protocol).some(isUnanswered)
    ? `Exclude<${names}, ${file.importType("UnansweredName", maps)}>`
    : names;
}

function emitNotifying(
  protocol: Protocol,
  { Event, Events, withArticle }: PackageNames,
  file: SourceFile,
): void {
  const eventNameFrom = file.importType(`${Event}NameFrom`, maps);
  const events = file.importType(Events, maps);
  const sentBy = (role: string): boolean =>
    [...eventsOf(protocol), ...requestsOf(protocol).filter(isUnanswered)].some(
      ({ sender }) => sender === role || sender === "both",
    );
  file.doc(
    `Sends ${withArticle}. Does nothing once the connection has ended. If the protocol requires it to follow a response, it waits for the handler of that request.`,
    docTag("throws", "EncodeError if it cannot be written."),
  );
  const sides = protocol.roles.filter((role) => sentBy(role));
  // If only one side can send events, restrict `notify` to that side's connections. On the other
  // side, the parameter `name` would have the type `never`.
  const self = sides.length === 1 ? `  this: Connection<${quote(sides[0]!)}>,\n` : "";
  file.line(
    `notify<Name extends ${eventNameFrom}<Which>>(
${self}  name: Name,
  ...arguments_: ${events}[Name]["parameters"]
): void;`,
  );
  if (requestsOf(protocol).some(isUnanswered)) {
    file.doc("Sends a request that has no response.");
    const from = file.importType("RequestNameFrom", maps);
    file.line(
      `notify<Name extends ${from}<Which> & ${file.importType("UnansweredName", maps)}>(
  name: Name,
  ...arguments_: ${file.importType("ParametersOf", maps)}<Name>
): void;`,
    );
  }
  file.doc("Sends a message that the protocol does not define, without waiting for handlers.");
  file.line("notifyCustom(name: string, body?: unknown): void;");
  file.doc(
    "Resolves once the transport has accepted everything sent so far. The rejection can be ignored: it does not count as unhandled.",
    docTag("throws", "Rejects with ConnectionClosedError if the connection ends first."),
  );
  file.line("flushed(): Promise<void>;");
  file.doc(
    "False if the peer has more than 1 MiB to read, because `notify` never waits: wait for `flushed` before you send more.",
  );
  file.line("readonly hasRoom: boolean;");
  file.doc(
    "Adds middleware, such as a recorder, in front of the existing middleware. It receives only later messages. Returns a function that removes the middleware.",
  );
  file.line("addMiddleware(middleware: Middleware<Which>): () => void;");
}

function emitListening(
  { Event, Events, event, withArticle }: PackageNames,
  file: SourceFile,
): void {
  const eventNameFrom = file.importType(`${Event}NameFrom`, maps);
  const events = file.importType(Events, maps);
  const mark = file.importType("EventMark", runtime);
  const listenOptions = file.importType("ListenOptions", runtime);
  file.doc(
    `Adds a listener for ${withArticle}. \`"*"\` means every ${event}, including ${event}s that the protocol does not define. Returns a function that removes the listener.`,
  );
  file.line(
    `on<Name extends ${eventNameFrom}<PeerOf<Which>> | "*">(
  name: Name,
  listener: ${Event}Listener<Name>,
  options?: ${listenOptions},
): () => void;`,
  );
  const custom = file.importType(`Custom${Event}`, "./messages.js");
  file.doc(`Adds a listener for ${withArticle} that the protocol does not define.`);
  file.line(
    `onCustom<Body = unknown>(
  name: string,
  listener: (body: Body, message: ${custom}<string, Body>) => void,
  options?: ${listenOptions},
): () => void;`,
  );
  file.doc(
    `Iterates over the bodies of the ${event}s with this name that arrive from now on. The iterator ends when the connection does. It buffers up to 100,000 ${event}s, and up to 64 MiB.`,
    docTag(
      "throws",
      "Rejects with ConnectionClosedError if an error ended the connection, or with the signal's reason.",
    ),
  );
  file.line(
    `events<Name extends ${eventNameFrom}<PeerOf<Which>>>(
  name: Name,
  options?: ${listenOptions},
): AsyncIterableIterator<${events}[Name]["body"]>;`,
  );
  file.doc(
    `Resolves to the body of the next ${event} with this name. The code that awaits it runs before any later message is processed.`,
    docTag("throws", "Rejects with TimeoutError, ConnectionClosedError, or the signal's reason."),
  );
  file.line(
    `once<Name extends ${eventNameFrom}<PeerOf<Which>>>(
  name: Name,
  options?: ${Event}WaitOptions<Name>,
): Promise<${events}[Name]["body"]>;`,
  );
  file.doc(
    `Marks the current moment, for use as the \`since\` option of \`once\`. From the first call on, the latest 4,096 ${event}s are kept, up to 4 MiB.`,
  );
  file.line(`mark(): ${mark};`);
}

function emitHandling(file: SourceFile): void {
  const requestNameFrom = file.importType("RequestNameFrom", maps);
  const context = file.importType("RequestContext", runtime);
  file.doc(
    "Sets the handler for requests with this name. Returns a function that removes the handler.",
    docTag("throws", "TypeError if there is already a handler."),
  );
  file.line(
    `handle<Name extends ${requestNameFrom}<PeerOf<Which>>>(
  name: Name,
  handler: RequestHandler<Name, Which>,
): () => void;`,
  );
  const custom = file.importType("CustomRequest", "./messages.js");
  file.doc(
    "Sets the handler for a request that the protocol does not define. Otherwise works like `handle`.",
  );
  file.line(
    `handleCustom<Arguments = unknown>(
  name: string,
  handler: (
    arguments_: Arguments,
    context: ${context}<${custom}<string, Arguments>, Connection<Which>>,
  ) => unknown,
): () => void;`,
  );
}

/** Emits the property that contains the other side's capabilities, if the protocol defines any. */
function emitAnnounced({ roles, capabilities }: Protocol, file: SourceFile): void {
  if (capabilities.length === 0) return;
  const types = file.importTypesAs("types", "./types.js");
  const [first, second] = roles;
  const of = (role: string): string => {
    const source = capabilities.find((each) => each.role === role);
    return source === undefined ? "undefined" : `${types}.${source.definition}`;
  };
  const type = `(Which extends ${quote(first)} ? ${of(second)} : ${of(first)})`;
  file.doc("The capabilities that the other side has announced so far.");
  file.unionUnder("readonly capabilities:", [type, "undefined"]);
}

function emitEnd(file: SourceFile): void {
  file.doc(
    "Default timeout for requests and for `once`, in milliseconds. Undefined means no timeout.",
  );
  file.line("readonly timeoutMs: number | undefined;");
  file.doc("Number of requests waiting for a response.");
  file.line("readonly pending: number;");
  file.doc(
    "Whether the connection has ended or is closing, in which case nothing more can be sent.",
  );
  file.line("readonly isClosed: boolean;");
  file.doc("Resolves once the connection has ended, with the error that ended it, if any.");
  file.line("readonly closed: Promise<Error | undefined>;");
  file.doc(
    "Closes the connection: rejects pending requests, sends queued messages, and closes the transport. If this takes longer than `graceMs`, it destroys the transport. Always settles.",
  );
  file.line(`close(options?: ${file.importType("CloseOptions", runtime)}): Promise<void>;`);
}
