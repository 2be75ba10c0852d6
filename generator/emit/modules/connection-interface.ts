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
  file.doc("A conversation, seen from one side.");
  file.block("export interface Connection<Which extends Side> {", "}", () => {
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
    `requestCustom(name: string, parameters?: unknown, options?: ${options}): Promise<unknown>;`,
  );
}

function emitNotifying({ Event, Events, withArticle }: PackageNames, file: SourceFile): void {
  const eventNameFrom = file.importType(`${Event}NameFrom`, maps);
  const events = file.importType(Events, maps);
  file.doc(
    `Sends ${withArticle}. Resolves when the transport takes more; rejects when the connection is over, which is no unhandled rejection where nobody looks at it.`,
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
  const options = file.importType("RequestOptions", runtime);
  file.doc(`Listens to ${withArticle}; gives a function that ends it.`);
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
  options?: ${options},
): Promise<${events}[Name]["body"]>;`,
  );
}

function emitHandling(file: SourceFile): void {
  const requestNameFrom = file.importType("RequestNameFrom", maps);
  const context = file.importType("RequestContext", runtime);
  file.doc("Handles the requests of a name from now on.");
  file.line(
    `handle<Name extends ${requestNameFrom}<PeerOf<Which>>>(
  name: Name,
  handler: RequestHandler<Name>,
): void;`,
  );
  file.line(
    `handleCustom(\n  name: string,\n  handler: (parameters: unknown, context: ${context}) => unknown,\n): void;`,
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
  file.doc("What the other side has announced that it can do, so far.");
  file.unionUnder("readonly announced:", [type, "undefined"]);
}

function emitEnd(file: SourceFile): void {
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
  file.line(`close(options?: ${file.importType("CloseOptions", runtime)}): Promise<void>;`);
}
