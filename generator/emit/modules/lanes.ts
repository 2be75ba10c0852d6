import type { CommandAnswers } from "../../model/lanes.js";
import type { Protocol } from "../../model/protocol.js";
import { requestsOf } from "../../model/queries.js";
import { docTag } from "../printer/doc-comment.js";
import { printLiteral, toLiteral } from "../printer/literal.js";
import { hasSpellings } from "./notation.js";
import type { PackageNames } from "./package-names.js";
import { lineWidth, member, quote, type SourceFile } from "../printer/source-file.js";

const runtime = "./runtime/index.js";

/** The type of what answers a command, given the type of a message by name. */
export function answerText(answers: CommandAnswers, typeOf: (message: string) => string): string {
  const union = answers.answers.map(typeOf).join(" | ");
  if (union === "") return "undefined";
  if (answers.each === undefined) {
    const isSilent = answers.silentWith !== undefined || answers.silentWithout !== undefined;
    return isSilent ? `${union} | undefined` : union;
  }
  return `readonly ${answers.answers.length === 1 ? union : `(${union})`}[]`;
}

/** Prints `lanes.ts`: both sides of a connection where messages have no ids. */
export function emitLanes(protocol: Protocol, names: PackageNames, file: SourceFile): void {
  const { lanes, envelope } = protocol;
  if (lanes === undefined) return;
  const { Event, event } = names;
  const [asking, answering] = protocol.roles;
  const commands = requestsOf(protocol).filter(({ answers }) => answers !== undefined);
  const table = {
    lanes: lanes.lanes,
    commands: Object.fromEntries(commands.map(({ name, answers }) => [name, answers])),
    stops: lanes.stops,
    notes: lanes.notes,
    breakdown: lanes.breakdown,
    unknown: lanes.unknown,
  };
  const maps = (name: string): string => file.importType(name, "./maps.js");
  const messages = (name: string): string => file.importType(name, "./messages.js");
  const notations = file.importValue("notations", "./notation.js");
  const spelled = hasSpellings(protocol);
  const spelling = (): void => {
    if (!spelled) return;
    file.doc(`Dialect whose spelling the ${answering} uses.`);
    file.line(`readonly spelling?: ${file.importType("SpellingName", "./notation.js")};`);
  };

  file.doc("Which messages answer each command, and in which lane.");
  const head = `export const lanes: ${file.importType("LaneTable", runtime)} = `;
  file.line(`${head}${printLiteral(toLiteral(table), head.length, 1, 0)};\n`);
  file.block("const fields = {", "};", () => {
    const arms = [
      ["command", envelope.request],
      ["message", envelope.event],
    ] as const;
    for (const [key, { name, payload }] of arms)
      file.line(`${key}: { name: ${quote(name)}, payload: ${quote(payload)} },`);
  });
  file.line();
  const stops = lanes.stops.map((name) => `${maps(names.Events)}[${quote(name)}][${quote(event)}]`);
  const message = `${messages(`Known${Event}`)} | ${messages(`Custom${Event}`)}`;
  file.doc("What the program says when it stops.");
  file.union("StopMessage", stops);
  file.line();

  const clientSettings = file.importType("LaneClientSettings", runtime);
  file.doc(`Settings of the ${asking}'s side of a connection.`);
  file.block(
    `export interface ClientOptions extends Omit<${clientSettings}, "onEvent"> {`,
    "}",
    () => {
      file.doc("Called when the program stops.");
      file.line("readonly onEvent?: (event: StopMessage) => void;");
      spelling();
    },
  );
  file.line();
  file.doc(
    `The ${asking}'s side of a connection: \`push\` what arrives, \`end\` when nothing more does.`,
  );
  file.block("export interface Client {", "}", () => {
    file.doc(
      "Sends a command. Resolves to what answers it; at once where nothing does.",
      docTag("throws", "EncodeError or LaneError, as a rejection."),
    );
    const name = maps("RequestName");
    file.line(
      `send<Name extends ${name}>(\n  name: Name,\n  ...parameters: ${maps("ParametersOf")}<Name>\n): Promise<${maps("AnswerOf")}<Name>>;`,
    );
    file.doc(
      "Sends a command that the protocol does not define, as its whole line. Rejects if the other side does not know it either.",
    );
    file.line("sendLine(line: string): Promise<unknown>;");
    emitStream(file);
    file.doc("Number of commands that wait for an answer.");
    file.line("readonly waiting: number;");
  });
  file.line();
  file.block("export function createClient(options: ClientOptions): Client {", "}", () => {
    const connection = file.importValue("LaneClientConnection", runtime);
    file.line(
      `const parts = protocolWith(${spelled ? "options.spelling" : ""});\nreturn new ${connection}(parts, options as ${clientSettings}) as Client;`,
    );
  });
  file.line();

  const serverSettings = file.importType("LaneServerSettings", runtime);
  file.doc("What a command is answered with: a message, several, or nothing.");
  file.union("Answer", [...message.split(" | "), `readonly (${message})[]`, "undefined", "void"]);
  file.line();
  file.doc("What carries out each command; one without a handler is unknown to the other side.");
  file.block("export type Handlers = {", "};", () => {
    const name = maps("RequestName");
    const key = `readonly [Name in ${name}]?:`;
    const parameters = `...parameters: ${maps("ParametersOf")}<Name>`;
    const result = "=> Answer | PromiseLike<Answer>;";
    const flat = `${key} (${parameters}) ${result}`;
    file.line(
      flat.length + file.indent <= lineWidth ? flat : `${key} (\n  ${parameters}\n) ${result}`,
    );
  });
  file.line();
  file.doc(`Settings of the ${answering}'s side of a connection.`);
  file.block(
    `export interface ServerOptions extends Omit<${serverSettings}, "handlers"> {`,
    "}",
    () => {
      file.line("readonly handlers: Handlers;");
      spelling();
    },
  );
  file.line();
  file.doc(
    `The ${answering}'s side of a connection: \`push\` what arrives, \`end\` when nothing more does.`,
  );
  file.block("export interface Server {", "}", () => {
    file.doc(
      "Says that the program has stopped, then carries out what has waited for that.",
      "@throws EncodeError",
    );
    file.line("stop(event: StopMessage): void;");
    file.doc("Sends a message that answers nothing.", "@throws EncodeError");
    file.line(`write(message: ${message}): void;`);
    emitStream(file);
    file.doc(
      "Whether the program is stopped, so that commands that wait for that are carried out.",
    );
    file.line("readonly isStopped: boolean;");
  });
  file.line();
  file.block("export function createServer(options: ServerOptions): Server {", "}", () => {
    const connection = file.importValue("LaneServerConnection", runtime);
    file.line(
      `const parts = protocolWith(${spelled ? "options.spelling" : ""});\nreturn new ${connection}(parts, options as ${serverSettings});`,
    );
  });
  file.line();
  const laneProtocol = file.importType("LaneProtocol", runtime);
  file.declare(
    "function protocolWith",
    spelled ? ["spelling: SpellingName | undefined"] : [],
    spelled ? `): ${laneProtocol} {` : `(): ${laneProtocol} {`,
    () => {
      file.block("return {", "};", () => {
        file.line("lanes,");
        file.line("fields,");
        file.line(`commands: ${member(notations, asking)},`);
        file.line(
          spelled
            ? `messages: ${file.importValue("framingOf", "./notation.js")}(${quote(answering)}, spelling),`
            : `messages: ${member(notations, answering)},`,
        );
      });
    },
  );
}

/** Prints the members that both sides have: what arrives, and the end. */
function emitStream(file: SourceFile): void {
  file.line("push(chunk: Uint8Array): void;");
  file.doc("Says that nothing more arrives.");
  file.line("end(): void;");
  file.doc(
    "Ends the connection: what waits is given up, and what was written goes out, within a bound.",
    "@throws RangeError, as a rejection, for a time that is none.",
  );
  file.line(`close(options?: ${file.importType("CloseOptions", runtime)}): Promise<void>;`);
  file.doc("Settles when the connection is over, whatever ended it.");
  file.line("readonly closed: Promise<void>;");
  file.line("readonly isClosed: boolean;");
}
