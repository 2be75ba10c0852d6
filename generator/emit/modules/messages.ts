import { pascalCase } from "../../model/names.js";
import type { Message, Protocol } from "../../model/protocol.js";
import {
  answeredRequests,
  eventsOf,
  receiverOf,
  requestsOf,
  responsesOf,
} from "../../model/queries.js";
import { discriminatingFields } from "./envelope-conditions.js";
import { runtime, type PackageNames } from "./package-names.js";
import { propertyKey, type SourceFile } from "../printer/source-file.js";

/**
 * Emits `messages.ts`: unions of messages by kind and by direction, and types for unknown messages.
 */
export function emitMessages(protocol: Protocol, names: PackageNames, file: SourceFile): void {
  file.doc("The top-level fields that identify a message. Their types are not known.");
  file.block("export interface MessageFields {", "}", () => {
    for (const field of discriminatingFields(protocol))
      file.line(`readonly ${propertyKey(field)}?: unknown;`);
  });
  file.line();
  const unions = emitKnown(protocol, names, file);
  emitCustom(protocol, names, file);
  for (const role of protocol.roles) {
    const sent = unions.filter(({ sender }) => sender === role || sender === "both");
    emitUnion(
      `${names.sentBy(role)}<Custom = never>`,
      `Every message that the ${role} sends to the ${receiverOf(protocol, role)}.\n\nPass your own messages as \`Custom\`, or \`CustomMessage\` for all unknown messages.`,
      [...sent.map(({ name }) => name), "Custom"],
      file,
    );
  }
}

/** A union of the messages of one kind that a role sends, or both roles send. */
interface SentMessages {
  readonly sender: string;
  readonly name: string;
}

/**
 * Emits the unions of the messages that the protocol defines. Returns those that have one sender.
 */
function emitKnown(
  protocol: Protocol,
  { Event, event }: PackageNames,
  file: SourceFile,
): readonly SentMessages[] {
  const types = file.importTypesAs("types", "./types.js");
  const requests = requestsOf(protocol);
  const responses = answeredRequests(protocol).map(({ sender, responseDefinition }) => ({
    sender: receiverOf(protocol, sender),
    definition: responseDefinition,
  }));
  const hasResponses = responsesOf(protocol) !== undefined;
  const unions = [
    ...emitKind("Request", "Every request that the protocol defines.", requests),
    ...(hasResponses
      ? emitKind(
          "Response",
          "Every response that the protocol defines, whether successful or not.",
          responses,
        )
      : []),
    ...emitKind(Event, `Every ${event} that the protocol defines.`, eventsOf(protocol)),
  ];
  const known = ["KnownRequest", ...(hasResponses ? ["KnownResponse"] : []), `Known${Event}`];
  emitUnion("KnownMessage", "Every message that the protocol defines.", known, file);
  return unions;

  /** Emits the union of all messages of a kind and, if several roles send them, one for each. */
  function emitKind(
    kind: string,
    docs: string,
    messages: readonly Pick<Message, "sender" | "definition">[],
  ): readonly SentMessages[] {
    const membersOf = (sender: string): readonly string[] =>
      messages
        .filter((each) => each.sender === sender)
        .map(({ definition }) => `${types}.${definition}`);
    const senders = [...new Set(messages.map(({ sender }) => sender))];
    const name = `Known${kind}`;
    if (senders.length < 2) {
      emitUnion(name, docs, senders.flatMap(membersOf), file);
      return senders.map((sender) => ({ sender, name }));
    }
    const unions = senders.map((sender) => ({ sender, name: `${kind}From${pascalCase(sender)}` }));
    for (const { sender, name } of unions) {
      file.unionUnder(`type ${name} =`, membersOf(sender));
      file.line();
    }
    emitUnion(
      name,
      docs,
      unions.map(({ name }) => name),
      file,
    );
    return unions;
  }
}

/** Emits the types for messages that the protocol does not define. */
function emitCustom(protocol: Protocol, names: PackageNames, file: SourceFile): void {
  const { bases, envelope } = protocol;
  const { Event, withArticle } = names;
  const responses = responsesOf(protocol);
  file.doc(
    "A request that the protocol does not define.",
    `To send one, give it a name: \`CustomRequest<"vendor/name", VendorArguments>\`. A union with known requests still narrows.`,
  );
  custom("CustomRequest", bases.request, envelope.request.name, [
    `${propertyKey(envelope.request.payload)}?: Payload;`,
  ]);
  file.doc(`${withArticle.replace(/^a/, "A")} that the protocol does not define.`);
  custom(`Custom${Event}`, bases.event, envelope.event.name, [
    `${propertyKey(envelope.event.payload)}?: Payload;`,
  ]);
  if (responses !== undefined && responses.arm.name === undefined) {
    const types = file.importTypesAs("types", "./types.js");
    file.doc("A response, which identifies its request only by id.");
    const { base, error } = responses;
    file.line(`export type CustomResponse = ${types}.${base} | ${types}.${error};\n`);
  } else if (responses?.arm.name !== undefined) {
    const { arm: response, base } = responses;
    file.doc("The response to a request that the protocol does not define.");
    custom("CustomResponse", base, responses.arm.name, [
      `${propertyKey(response.result)}?: Payload;`,
    ]);
  }
  emitUnion(
    "CustomMessage",
    "Any message that the protocol does not define.",
    ["CustomRequest", ...(responses === undefined ? [] : ["CustomResponse"]), `Custom${Event}`],
    file,
  );

  function custom(name: string, base: string, nameField: string, lines: readonly string[]): void {
    const parameters = [
      `Name extends string = ${file.importType("CustomName", runtime)}`,
      "Payload = unknown",
    ];
    const extended = file.importType(base, "./types.js");
    file.declare(`export interface ${name}`, parameters, ` extends ${extended} {`, () => {
      file.line(`${propertyKey(nameField)}: Name;`);
      for (const line of lines) file.line(line);
    });
    file.line();
  }
}

function emitUnion(name: string, docs: string, members: readonly string[], file: SourceFile): void {
  file.doc(docs);
  file.union(name, members);
  file.line();
}
