import { laneTableOf } from "../../model/lane-table.js";
import type { CommandAnswers } from "../../../runtime/lanes/lane-table.js";
import type { Lanes, Protocol } from "../../model/protocol.js";
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
  emitServer(protocol, names, file);
  emitProtocolWith(protocol, file);
}

function emitTables(protocol: Protocol, lanes: Lanes, file: SourceFile): void {
  const { request, event } = protocol.envelope;
  file.doc("Specifies which messages answer each command, and in which lane.");
  const type = file.importType("LaneTable", runtime);
  printConstant("export const lanes", type, toLiteral(laneTableOf(protocol, lanes)), file);
  file.code`
    const fields = {
      command: { name: ${quote(request.name)}, payload: ${quote(request.payload)} },
      message: { name: ${quote(event.name)}, payload: ${quote(event.payload)} },
    };
  `;
}

function emitClient(protocol: Protocol, file: SourceFile): void {
  const [asking] = protocol.roles;
  const settings = file.importType("LaneClientOptions", runtime);
  const requestName = mapType("RequestName", file);
  file.code`
    /** Options for the ${asking}'s side of a connection. */
    export interface ClientOptions extends Omit<${settings}, "onEvent"> {
      /** Called whenever the program stops. */
      readonly onEvent?: (event: StopMessage) => void;
      ${spellingOption(protocol, file)}
    }

    /** The ${asking}'s side of a connection. Pass incoming bytes to \`push\`, and call \`end\` once there are no more. \`await using\` closes it at the end of its block. */
    export interface Client extends ${file.importType("HostAsyncDisposable", runtime)} {
      /** Sends a command. Resolves to its answer or, if the command has none, once it has been written. @throws Rejects with EncodeError, LaneError, TimeoutError, ConnectionClosedError, or the signal's reason. */
      send<Name extends ${requestName}>(
        name: Name,
        ...arguments_: RequestParameters<Name>
      ): Promise<${mapType("AnswerOf", file)}<Name>>;
      /** Sends a command that the protocol does not define, given as a complete line. Rejects if the other side does not know the command. */
      sendLine(line: string, options?: ${file.importType("WaitOptions", runtime)}): Promise<unknown>;
      ${streamMembers(file)}
      /** Number of commands waiting for an answer. */
      readonly waiting: number;
    }

    /** Creates the side that sends commands. */
    export function createClient(options: ClientOptions): Client {
      const parts = protocolWith(${hasSpellings(protocol) && "options.spelling"});
      return new ${file.importValue("LaneClientConnection", runtime)}(parts, options as ${settings}) as unknown as Client;
    }
  `;
}

function emitServer(protocol: Protocol, { Event }: PackageNames, file: SourceFile): void {
  const [, answering] = protocol.roles;
  const settings = file.importType("LaneServerOptions", runtime);
  const messages = [`Known${Event}`, `Custom${Event}`].map((name) =>
    file.importType(name, "./messages.js"),
  );
  const message = messages.join(" | ");
  file.doc("The answer to a command: one message, several, or none.");
  file.union("Answer", [...messages, `readonly (${message})[]`, "undefined", "void"]);
  file.line();
  file.code`
    /** Command handlers, by command name. A command without a handler is answered in the same way as an unknown one. */
    export type Handlers = {
      readonly [Name in ${mapType("RequestName", file)}]?: (
        ...parameters: ${mapType("ParametersOf", file)}<Name>
      ) => Answer | PromiseLike<Answer>;
    };

    /** Options for the ${answering}'s side of a connection. */
    export interface ServerOptions extends Omit<${settings}, "handlers"> {
      readonly handlers: Handlers;
      ${spellingOption(protocol, file)}
    }

    /** The ${answering}'s side of a connection. Pass incoming bytes to \`push\`, and call \`end\` once there are no more. \`await using\` closes it at the end of its block. */
    export interface Server extends ${file.importType("HostAsyncDisposable", runtime)} {
      /** Reports that the program has stopped, then runs the commands that were waiting for the stop. @throws EncodeError */
      stop(event: StopMessage): void;
      /** Sends an unsolicited message. @throws EncodeError */
      write(message: ${message}): void;
      ${streamMembers(file)}
      /** Whether the program is stopped. Commands that wait for a stop run only while it is. */
      readonly isStopped: boolean;
    }

    /** Creates the side that answers commands. */
    export function createServer(options: ServerOptions): Server {
      const parts = protocolWith(${hasSpellings(protocol) && "options.spelling"});
      return new ${file.importValue("LaneServerConnection", runtime)}(parts, options as ${settings}) as unknown as Server;
    }
  `;
}

/** Emits the function that returns the tables needed by a connection. */
function emitProtocolWith(protocol: Protocol, file: SourceFile): void {
  const [asking, answering] = protocol.roles;
  const notations = file.importValue("notations", "./notation.js");
  const isSpelled = hasSpellings(protocol);
  const messages = isSpelled
    ? `${file.importValue("framingOf", "./notation.js")}(${quote(answering)}, spelling)`
    : member(notations, answering);
  file.code`
    function protocolWith(${isSpelled && "spelling: SpellingName | undefined"}): ${file.importType("LaneProtocol", runtime)} {
      return {
        lanes,
        ${file.importValue("validate", "./validators.js")},
        fields,
        commands: ${member(notations, asking)},
        messages: ${messages},
      };
    }
  `;
}

/**
 * Returns the option that selects a dialect's spelling, unless none of the protocol's dialects has a
 * spelling of its own.
 */
function spellingOption(protocol: Protocol, file: SourceFile): string | false {
  return (
    hasSpellings(protocol) &&
    `/** The dialect whose spelling the ${protocol.roles[1]} uses. Default: the protocol's spelling. */
readonly spelling?: ${file.importType("SpellingName", "./notation.js")};`
  );
}

function mapType(name: string, file: SourceFile): string {
  return file.importType(name, "./maps.js");
}

/**
 * Returns the members that both sides have: for incoming bytes, for the end of the input, and for
 * closing the connection.
 */
function streamMembers(file: SourceFile): string {
  return `push(chunk: Uint8Array): void;
/** Ends the input. */
end(): void;
/** Closes the connection within a time limit: rejects pending commands and writes all pending bytes. @throws Rejects with TypeError for an unknown option or an invalid value. */
close(options?: ${file.importType("CloseOptions", runtime)}): Promise<void>;
/** Settles once the connection has ended, for whatever reason. */
readonly closed: Promise<void>;
readonly isClosed: boolean;`;
}
