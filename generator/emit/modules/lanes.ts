import { laneTableOf } from "../../model/lane-table.js";
import type { CommandAnswers } from "../../../runtime/lanes/lane-table.js";
import type { Lanes, Protocol } from "../../model/protocol.js";
import { docTag } from "../printer/doc-comment.js";
import { printConstant, toLiteral } from "../printer/literal.js";
import { hasSpellings } from "./notation.js";
import { type PackageNames, runtime } from "./package-names.js";
import { emitRequestParameters } from "./request-parameters.js";
import { member, quote, type SourceFile } from "../printer/source-file.js";

/**
 * Returns the type of the answer to a command. `typeOf` returns the type of the message with a
 * given name.
 */
export function answerText(answers: CommandAnswers, typeOf: (message: string) => string): string {
  const union = answers.answers.map(typeOf).join(" | ");
  if (union === "") return "undefined";
  if (answers.each === undefined) {
    const isSilent = answers.silentWith !== undefined || answers.silentWithout !== undefined;
    return isSilent ? `${union} | undefined` : union;
  }
  return `readonly ${answers.answers.length === 1 ? union : `(${union})`}[]`;
}

/** Emits `lanes.ts`: both sides of a connection for messages without ids. */
export function emitLanes(protocol: Protocol, names: PackageNames, file: SourceFile): void {
  const { lanes } = protocol;
  if (lanes === undefined) return;
  emitTables(protocol, lanes, file);
  const { Events, event } = names;
  file.doc("The messages that report that the program has stopped.");
  file.union(
    "StopMessage",
    lanes.stops.map((name) => `${mapType(Events, file)}[${quote(name)}][${quote(event)}]`),
  );
  file.line();
  emitRequestParameters("WaitOptions", file);
  emitClient(protocol, file);
  emitServer(protocol, messageTypes(names, file), file);
  emitProtocolWith(protocol, file);
}

function emitTables(protocol: Protocol, lanes: Lanes, file: SourceFile): void {
  const { envelope } = protocol;
  const table = laneTableOf(protocol, lanes);
  file.doc("Specifies which messages answer each command, and in which lane.");
  const type = file.importType("LaneTable", runtime);
  printConstant("export const lanes", type, toLiteral(table), file);
  file.block("const fields = {", "};", () => {
    const arms = [
      ["command", envelope.request],
      ["message", envelope.event],
    ] as const;
    for (const [key, { name, payload }] of arms)
      file.line(`${key}: { name: ${quote(name)}, payload: ${quote(payload)} },`);
  });
  file.line();
}

function emitClient(protocol: Protocol, file: SourceFile): void {
  const [asking] = protocol.roles;
  const settings = file.importType("LaneClientOptions", runtime);
  file.doc(`Options for the ${asking}'s side of a connection.`);
  const head = `export interface ClientOptions extends Omit<${settings}, "onEvent"> {`;
  file.block(head, "}", () => {
    file.doc("Called whenever the program stops.");
    file.line("readonly onEvent?: (event: StopMessage) => void;");
    emitSpelling(protocol, file);
  });
  file.line();
  file.doc(
    `The ${asking}'s side of a connection. Pass incoming bytes to \`push\`, and call \`end\` once there are no more. \`await using\` closes it at the end of its block.`,
  );
  file.block(`export interface Client extends ${disposable(file)} {`, "}", () =>
    emitClientMembers(file),
  );
  file.line();
  file.doc("Creates the side that sends commands.");
  file.block("export function createClient(options: ClientOptions): Client {", "}", () => {
    const connection = file.importValue("LaneClientConnection", runtime);
    emitParts(protocol, file);
    file.line(`return new ${connection}(parts, options as ${settings}) as unknown as Client;`);
  });
  file.line();
}

function emitClientMembers(file: SourceFile): void {
  file.doc(
    "Sends a command. Resolves to its answer or, if the command has none, once it has been written.",
    docTag(
      "throws",
      "Rejects with EncodeError, LaneError, TimeoutError, ConnectionClosedError, or the signal's reason.",
    ),
  );
  const name = mapType("RequestName", file);
  file.line(
    `send<Name extends ${name}>(\n  name: Name,\n  ...arguments_: RequestParameters<Name>\n): Promise<${mapType("AnswerOf", file)}<Name>>;`,
  );
  file.doc(
    "Sends a command that the protocol does not define, given as a complete line. Rejects if the other side does not know the command.",
  );
  const options = file.importType("WaitOptions", runtime);
  file.line(`sendLine(line: string, options?: ${options}): Promise<unknown>;`);
  emitStream(file);
  file.doc("Number of commands waiting for an answer.");
  file.line("readonly waiting: number;");
}

function emitServer(protocol: Protocol, messages: readonly string[], file: SourceFile): void {
  const [, answering] = protocol.roles;
  const settings = file.importType("LaneServerOptions", runtime);
  emitHandlers(messages, file);
  file.doc(`Options for the ${answering}'s side of a connection.`);
  const head = `export interface ServerOptions extends Omit<${settings}, "handlers"> {`;
  file.block(head, "}", () => {
    file.line("readonly handlers: Handlers;");
    emitSpelling(protocol, file);
  });
  file.line();
  file.doc(
    `The ${answering}'s side of a connection. Pass incoming bytes to \`push\`, and call \`end\` once there are no more. \`await using\` closes it at the end of its block.`,
  );
  file.block(`export interface Server extends ${disposable(file)} {`, "}", () =>
    emitServerMembers(messages, file),
  );
  file.line();
  file.doc("Creates the side that answers commands.");
  file.block("export function createServer(options: ServerOptions): Server {", "}", () => {
    const connection = file.importValue("LaneServerConnection", runtime);
    emitParts(protocol, file);
    file.line(`return new ${connection}(parts, options as ${settings}) as unknown as Server;`);
  });
  file.line();
}

function emitHandlers(messages: readonly string[], file: SourceFile): void {
  file.doc("The answer to a command: one message, several, or none.");
  file.union("Answer", [...messages, `readonly (${messages.join(" | ")})[]`, "undefined", "void"]);
  file.line();
  file.doc(
    "Command handlers, by command name. A command without a handler is answered in the same way as an unknown one.",
  );
  file.block("export type Handlers = {", "};", () => {
    file.line(`readonly [Name in ${mapType("RequestName", file)}]?: (`);
    file.line(`  ...parameters: ${mapType("ParametersOf", file)}<Name>`);
    file.line(") => Answer | PromiseLike<Answer>;");
  });
  file.line();
}

function emitServerMembers(messages: readonly string[], file: SourceFile): void {
  file.doc(
    "Reports that the program has stopped, then runs the commands that were waiting for the stop.",
    docTag("throws", "EncodeError"),
  );
  file.line("stop(event: StopMessage): void;");
  file.doc("Sends an unsolicited message.", docTag("throws", "EncodeError"));
  file.line(`write(message: ${messages.join(" | ")}): void;`);
  emitStream(file);
  file.doc("Whether the program is stopped. Commands that wait for a stop run only while it is.");
  file.line("readonly isStopped: boolean;");
}

/** Emits the function that returns the tables needed by a connection. */
function emitProtocolWith(protocol: Protocol, file: SourceFile): void {
  const [asking, answering] = protocol.roles;
  const notations = file.importValue("notations", "./notation.js");
  const isSpelled = hasSpellings(protocol);
  const result = file.importType("LaneProtocol", runtime);
  file.declare(
    "function protocolWith",
    isSpelled ? ["spelling: SpellingName | undefined"] : [],
    isSpelled ? `): ${result} {` : `(): ${result} {`,
    () => {
      file.block("return {", "};", () => {
        file.line("lanes,");
        file.line(`${file.importValue("validate", "./validators.js")},`);
        file.line("fields,");
        file.line(`commands: ${member(notations, asking)},`);
        file.line(
          isSpelled
            ? `messages: ${file.importValue("framingOf", "./notation.js")}(${quote(answering)}, spelling),`
            : `messages: ${member(notations, answering)},`,
        );
      });
    },
  );
}

function emitParts(protocol: Protocol, file: SourceFile): void {
  file.line(`const parts = protocolWith(${hasSpellings(protocol) ? "options.spelling" : ""});`);
}

/**
 * Emits the option that selects a dialect's spelling, unless none of the protocol's dialects has a
 * spelling of its own.
 */
function emitSpelling(protocol: Protocol, file: SourceFile): void {
  if (!hasSpellings(protocol)) return;
  file.doc(
    `The dialect whose spelling the ${protocol.roles[1]} uses. Default: the protocol's spelling.`,
  );
  file.line(`readonly spelling?: ${file.importType("SpellingName", "./notation.js")};`);
}

/** Returns the types of the messages that answer commands, both known and custom. */
function messageTypes({ Event }: PackageNames, file: SourceFile): readonly string[] {
  return [`Known${Event}`, `Custom${Event}`].map((name) => file.importType(name, "./messages.js"));
}

function disposable(file: SourceFile): string {
  return file.importType("HostAsyncDisposable", runtime);
}

function mapType(name: string, file: SourceFile): string {
  return file.importType(name, "./maps.js");
}

/**
 * Emits the members that both sides have: for incoming bytes, for the end of the input, and for
 * closing the connection.
 */
function emitStream(file: SourceFile): void {
  file.line("push(chunk: Uint8Array): void;");
  file.doc("Ends the input.");
  file.line("end(): void;");
  file.doc(
    "Closes the connection within a time limit: rejects pending commands and writes all pending bytes.",
    docTag("throws", "Rejects with TypeError for an unknown option or an invalid value."),
  );
  file.line(`close(options?: ${file.importType("CloseOptions", runtime)}): Promise<void>;`);
  file.doc("Settles once the connection has ended, for whatever reason.");
  file.line("readonly closed: Promise<void>;");
  file.line("readonly isClosed: boolean;");
}
