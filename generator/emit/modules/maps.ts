import type {
  EventMessage,
  Message,
  Payload,
  Protocol,
  RequestMessage,
} from "../../model/protocol.js";
import { definitionsByName, eventsOf, receiverOf, requestsOf } from "../../model/queries.js";
import { isIdentifier } from "../../model/names.js";
import { answerText } from "./lanes.js";
import type { PackageNames } from "./package-names.js";
import { deprecationDocs } from "./property-docs.js";
import { literalKey, propertyKey, quote, type SourceFile } from "../printer/source-file.js";
import { printType } from "./type-expression.js";

const runtime = "./runtime/index.js";

/** Prints `maps.ts`: what belongs to each message name, as types and as constant tables. */
export function emitMaps(protocol: Protocol, names: PackageNames, file: SourceFile): void {
  const types = file.importTypesAs("types", "./types.js");
  const { Event, Events, event, events, withArticle } = names;
  const definitions = definitionsByName(protocol);
  const requestMessages = requestsOf(protocol);
  const eventMessages = eventsOf(protocol);

  const nameOf = (name: string): string =>
    definitions.get(name)?.extensible === true
      ? `${file.importType("Extensible", runtime)}<${types}.${name}>`
      : `${types}.${name}`;
  const typeText = (payload: Payload): string => printType(payload.type, nameOf, 0, 0, 0);
  const valueText = (payload: Payload | undefined): string =>
    payload === undefined
      ? "undefined"
      : payload.required
        ? typeText(payload)
        : `${typeText(payload)} | undefined`;
  const parametersText = (field: string, payload: Payload | undefined): string => {
    if (payload === undefined) return "[]";
    const label = isIdentifier(field) ? field : "payload";
    return `[${label}${payload.required ? "" : "?"}: ${typeText(payload)}]`;
  };
  const direction = (message: Message): string =>
    message.sender === "both"
      ? "both"
      : `${message.sender}-to-${receiverOf(protocol, message.sender)}`;
  const capability = (message: Message): string =>
    message.gate === undefined ? "undefined" : quote(message.gate.flag);
  const common = (message: Message): readonly string[] => [
    `sender: ${quote(message.sender)};`,
    `direction: ${quote(direction(message))};`,
    `capability: ${capability(message)};`,
  ];

  file.doc(
    "Every request by name: its wire messages, what it takes and gives, who sends it and what must be announced first.",
    "`parameters` is a tuple, so that `send(name, ...parameters)` asks for arguments exactly where the protocol does.",
  );
  const definitionOf = new Map(eventMessages.map((each) => [each.name, each.definition]));
  const answered = (request: RequestMessage): readonly string[] => {
    if (request.responseDefinition !== undefined)
      return [`response: ${types}.${request.responseDefinition};`];
    if (request.answers === undefined) return [];
    const answer = answerText(request.answers, (name) => `${types}.${definitionOf.get(name)!}`);
    return [`answer: ${answer};`, `lane: ${quote(request.answers.lane)};`];
  };
  table("Requests", requestMessages, (request: RequestMessage) => [
    `request: ${types}.${request.definition};`,
    ...answered(request),
    `arguments: ${valueText(request.payload)};`,
    `parameters: ${parametersText(protocol.envelope.request.payload, request.payload)};`,
    ...(request.responseDefinition === undefined ? [] : [`body: ${valueText(request.result)};`]),
    ...common(request),
  ]);
  file.doc(
    `Every ${event} by name: its wire message, what it carries, who sends it and what must be announced first.`,
  );
  table(Events, eventMessages, (each: EventMessage) => [
    `${event}: ${types}.${each.definition};`,
    `parameters: ${parametersText(protocol.envelope.event.payload, each.payload)};`,
    `body: ${valueText(each.payload)};`,
    ...common(each),
  ]);

  alias("RequestName", "Name of a request.", "keyof Requests");
  alias(`${Event}Name`, `Name of ${withArticle}.`, `keyof ${Events}`);
  const roles = protocol.roles.map(quote).join(" | ");
  for (const [name, map, key] of [
    ["RequestNameFrom", "Requests", "RequestName"],
    [`${Event}NameFrom`, Events, `${Event}Name`],
  ] as const) {
    file.doc(`Names of what a role sends.`);
    file.block(`export type ${name}<Role extends ${roles}> = {`, `}[${key}];`, () => {
      file.line(`[Name in ${key}]: ${map}[Name]["sender"] extends Role | "both" ? Name : never;`);
    });
    file.line();
  }
  alias(
    "ParametersOf<Name extends RequestName>",
    "What to pass when sending a request: nothing, its arguments, or optionally so.",
    `Requests[Name]["parameters"]`,
  );
  if (protocol.lanes === undefined)
    alias(
      "BodyOf<Name extends RequestName>",
      "What a successful response to the request holds.",
      `Requests[Name]["body"]`,
    );
  else
    alias(
      "AnswerOf<Name extends RequestName>",
      "What a command is answered with when it is carried out.",
      `Requests[Name]["answer"]`,
    );

  constants(
    "requests",
    "What is known of each request at run time.",
    requestMessages,
    "RequestName",
  );
  constants(events, `What is known of each ${event} at run time.`, eventMessages, `${Event}Name`);
  emitSupports();
  for (const { definition, update } of protocol.capabilities) {
    if (update === undefined) continue;
    file.doc(
      `What is announced after a \`${update}\` ${event}: listed flags take their new value, the others stay.`,
    );
    const flags = `${types}.${definition}`;
    const parameters = [`current: ${flags} | undefined`, `changed: ${flags}`];
    file.declare(`export function merge${definition}`, parameters, `): ${flags} {`, () => {
      file.line(`return ${file.importValue("mergeFlags", runtime)}(current, changed);`);
    });
    file.line();
  }

  function table<Each extends Message>(
    name: string,
    messages: readonly Each[],
    lines: (message: Each) => readonly string[],
  ): void {
    if (messages.length === 0) {
      file.line(`export interface ${name} {}\n`);
      return;
    }
    file.block(`export interface ${name} {`, "}", () => {
      for (const message of messages) {
        file.doc(...deprecationDocs(message.deprecated));
        file.block(`${propertyKey(message.name)}: {`, "};", () => {
          for (const line of lines(message)) file.line(line);
        });
      }
    });
    file.line();
  }

  function alias(name: string, docs: string, text: string): void {
    file.doc(docs);
    file.line(`export type ${name} = ${text};\n`);
  }

  function constants(name: string, docs: string, messages: readonly Message[], key: string): void {
    file.doc(docs);
    if (messages.length === 0) {
      file.line(`export const ${name} = {} as const;\n`);
      return;
    }
    const shape = `${file.importType("MessageTable", runtime)}<${key}>`;
    file.block(`export const ${name} = {`, `} as const satisfies ${shape};`, () => {
      for (const message of messages) {
        file.block(`${literalKey(message.name)}: {`, "},", () => {
          file.line(`name: ${quote(message.name)},`);
          file.line(`sender: ${quote(message.sender)},`);
          file.line(`direction: ${quote(direction(message))},`);
          file.line(`capability: ${capability(message)},`);
          if (message.set !== undefined) file.line(`set: ${quote(message.set)},`);
          file.line(`payload: ${presence(message.payload)},`);
          if (message.kind === "request") file.line(`result: ${presence(message.result)},`);
        });
      }
    });
    file.line();
  }

  function presence(payload: Payload | undefined): string {
    return payload === undefined ? '"none"' : payload.required ? '"required"' : '"optional"';
  }

  /** One overload per role that announces flags: its flags decide about what the other role sends it. */
  function emitSupports(): void {
    const overloads = protocol.capabilities.map(({ role, definition }) => ({
      definition,
      sender: receiverOf(protocol, role),
    }));
    if (overloads.length === 0) return;
    file.doc(
      "Whether a message may be sent to a side that has announced these flags.",
      "True for messages that need no announcement; false for names that the protocol does not define.",
    );
    for (const { definition, sender } of overloads) {
      file.line("export function supports(");
      file.line(`  announced: ${types}.${definition} | null | undefined,`);
      file.line(`  name: RequestNameFrom<${quote(sender)}> | ${Event}NameFrom<${quote(sender)}>,`);
      file.line("): boolean;");
    }
    file.block(
      "export function supports(announced: object | null | undefined, name: string): boolean {",
      "}",
      () => {
        const isAnnounced = file.importValue("isAnnounced", runtime);
        for (const constant of ["requests", events]) {
          file.block(`if (Object.hasOwn(${constant}, name)) {`, "}", () => {
            file.line(
              `return ${isAnnounced}(announced, ${constant}[name as keyof typeof ${constant}].capability);`,
            );
          });
        }
        file.line("return false;");
      },
    );
    file.line();
  }
}
