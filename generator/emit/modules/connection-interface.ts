import type { Protocol } from "../../model/protocol.js";
import { docTag } from "../printer/doc-comment.js";
import { quote, type SourceFile } from "../printer/source-file.js";
import type { PackageNames } from "./package-names.js";

const runtime = "./runtime/index.js";
const maps = "./maps.js";

/** Prints the interface of a connection, one group of members after the other. */
export function emitConnectionInterface(
  protocol: Protocol,
  names: PackageNames,
  file: SourceFile,
): void {
  const disposable = file.importType("HostAsyncDisposable", runtime);
  file.doc("A conversation, seen from one side. `await using` closes it at the end of its block.");
  file.block(`export interface Connection<Which extends Side> extends ${disposable} {`, "}", () => {
    emitRequesting(file);
    emitNotifying(names, file);
    emitListening(names, file);
    emitHandling(file);
    emitAnnounced(protocol, file);
    emitEnd(file);
  });
  file.line();
}

function emitRequesting(file: SourceFile): void {
  const requestNameFrom = file.importType("RequestNameFrom", maps);
  const bodyOf = file.importType("BodyOf", maps);
  const options = file.importType("RequestOptions", runtime);
  file.doc(
    "Sends a request; resolves to its result.",
    docTag("throws", "RequestError or EncodeError, as a rejection."),
  );
  file.line(
    `request<Name extends ${requestNameFrom}<Which>>(
  name: Name,
  ...parameters: RequestParameters<Name>
): Promise<${bodyOf}<Name>>;`,
  );
  file.doc("Sends a request that the protocol does not define.");
  file.line(
    `requestCustom<Result = unknown>(
  name: string,
  parameters?: unknown,
  options?: ${options},
): Promise<Result>;`,
  );
}

function emitNotifying({ Event, Events, withArticle }: PackageNames, file: SourceFile): void {
  const eventNameFrom = file.importType(`${Event}NameFrom`, maps);
  const events = file.importType(Events, maps);
  file.doc(
    `Sends ${withArticle}. Resolves when the transport accepts more; rejects if the connection has ended. The rejection need not be handled.`,
    "@throws EncodeError at once.",
  );
  file.line(
    `notify<Name extends ${eventNameFrom}<Which>>(
  name: Name,
  ...parameters: ${events}[Name]["parameters"]
): Promise<void>;`,
  );
  file.line("notifyCustom(name: string, body?: unknown): Promise<void>;");
}

function emitListening(
  { Event, Events, event, withArticle }: PackageNames,
  file: SourceFile,
): void {
  const eventNameFrom = file.importType(`${Event}NameFrom`, maps);
  const events = file.importType(Events, maps);
  const mark = file.importType("EventMark", runtime);
  file.doc(`Adds a listener to ${withArticle}. Returns a function that removes it.`);
  file.line(
    `on<Name extends ${eventNameFrom}<PeerOf<Which>>>(
  name: Name,
  listener: ${Event}Listener<Name>,
): () => void;`,
  );
  const known = file.importType(`Known${Event}`, "./messages.js");
  const custom = file.importType(`Custom${Event}`, "./messages.js");
  file.doc(`Adds a listener to every ${event}, also to those that the protocol does not define.`);
  file.list(
    "on(",
    ['name: "*"', `listener: (body: unknown, message: ${known} | ${custom}) => void`],
    "): () => void;",
  );
  file.doc(`Adds a listener to ${withArticle} that the protocol does not define.`);
  file.line(
    `onCustom<Body = unknown>(
  name: string,
  listener: (body: Body, message: ${custom}<string, Body>) => void,
): () => void;`,
  );
  file.doc(
    `Resolves to the body of the next ${event} with this name. What arrives behind it is passed on after the code that awaits it has run.`,
    docTag(
      "throws",
      "RequestError, as a rejection, when it was waited for too long or the connection has ended.",
    ),
  );
  file.line(
    `once<Name extends ${eventNameFrom}<PeerOf<Which>>>(
  name: Name,
  options?: ${Event}WaitOptions<Name>,
): Promise<${events}[Name]["body"]>;`,
  );
  file.doc(
    `The present moment, for the option \`since\` of \`once\`. From the first one on, the latest 4,096 ${event}s are kept, at most 4 MiB of them.`,
  );
  file.line(`mark(): ${mark};`);
}

function emitHandling(file: SourceFile): void {
  const requestNameFrom = file.importType("RequestNameFrom", maps);
  const context = file.importType("RequestContext", runtime);
  file.doc("Registers the handler of the requests with this name.");
  file.line(
    `handle<Name extends ${requestNameFrom}<PeerOf<Which>>>(
  name: Name,
  handler: RequestHandler<Name, Which>,
): void;`,
  );
  const custom = file.importType("CustomRequest", "./messages.js");
  file.doc("Registers the handler of a request that the protocol does not define.");
  file.line(
    `handleCustom<Parameters = unknown>(
  name: string,
  handler: (
    parameters: Parameters,
    context: ${context}<${custom}<string, Parameters>, Connection<Which>>,
  ) => unknown,
): void;`,
  );
}

/** Prints the property with the capabilities of the other side, if the protocol has any. */
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
  file.doc("Default timeout of requests and of `once` in milliseconds, if there is one.");
  file.line("readonly timeoutMs: number | undefined;");
  file.doc("Number of requests that wait for a response.");
  file.line("readonly pending: number;");
  file.doc("Whether the connection has ended or is closing: nothing more can be sent.");
  file.line("readonly isClosed: boolean;");
  file.doc("Resolves when the connection has ended: to the error that ended it, or to undefined.");
  file.line("readonly closed: Promise<Error | undefined>;");
  file.doc(
    "Closes the connection: rejects pending requests, sends what is queued, and closes the transport, or destroys it if that takes too long. Always settles.",
  );
  file.line(`close(options?: ${file.importType("CloseOptions", runtime)}): Promise<void>;`);
}
