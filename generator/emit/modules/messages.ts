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
  const { Event, event, withArticle } = names;
  const { bases, envelope } = protocol;
  const types = file.importTypesAs("types", "./types.js");
  const typed = (name: string): string => `${types}.${name}`;
  const customName = (): string => file.importType("CustomName", runtime);
  const requests = requestsOf(protocol);
  const events = eventsOf(protocol);

  file.doc("The top-level fields that identify a message. Their types are not known.");
  file.block("export interface MessageFields {", "}", () => {
    for (const field of discriminatingFields(protocol))
      file.line(`readonly ${propertyKey(field)}?: unknown;`);
  });
  file.line();
  union(
    "KnownRequest",
    "Every request that the protocol defines.",
    requests.map((each) => typed(each.definition)),
  );
  const responses = responsesOf(protocol);
  if (responses !== undefined)
    union(
      "KnownResponse",
      "Every response that the protocol defines, whether successful or not.",
      answeredRequests(protocol).map((each) => typed(each.responseDefinition)),
    );
  union(
    `Known${Event}`,
    `Every ${event} that the protocol defines.`,
    events.map((each) => typed(each.definition)),
  );
  union("KnownMessage", "Every message that the protocol defines.", [
    "KnownRequest",
    ...(responses === undefined ? [] : ["KnownResponse"]),
    `Known${Event}`,
  ]);

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
    file.doc("A response, which identifies its request only by id.");
    const { base, error } = responses;
    file.line(`export type CustomResponse = ${typed(base)} | ${typed(error)};\n`);
  } else if (responses?.arm.name !== undefined) {
    const { arm: response, base } = responses;
    file.doc("The response to a request that the protocol does not define.");
    custom("CustomResponse", base, responses.arm.name, [
      `${propertyKey(response.result)}?: Payload;`,
    ]);
  }
  union("CustomMessage", "Any message that the protocol does not define.", [
    "CustomRequest",
    ...(responses === undefined ? [] : ["CustomResponse"]),
    `Custom${Event}`,
  ]);

  for (const role of protocol.roles)
    union(
      `${names.sentBy(role)}<Custom = never>`,
      `Every message that the ${role} sends to the ${receiverOf(protocol, role)}.\n\nPass your own messages as \`Custom\`, or \`CustomMessage\` for all unknown messages.`,
      [...sentBy(protocol, role).map(typed), "Custom"],
    );

  function custom(name: string, base: string, nameField: string, lines: readonly string[]): void {
    const parameters = [`Name extends string = ${customName()}`, "Payload = unknown"];
    const extended = file.importType(base, "./types.js");
    file.declare(`export interface ${name}`, parameters, ` extends ${extended} {`, () => {
      file.line(`${propertyKey(nameField)}: Name;`);
      for (const line of lines) file.line(line);
    });
    file.line();
  }

  function union(name: string, docs: string, members: readonly string[]): void {
    file.doc(docs);
    file.union(name, members);
    file.line();
  }
}

/** Returns the names of the definitions of all messages that a role sends. */
function sentBy(protocol: Protocol, role: string): readonly string[] {
  const sends = ({ sender }: Message): boolean => sender === role || sender === "both";
  return [
    ...requestsOf(protocol)
      .filter(sends)
      .map((each) => each.definition),
    ...answeredRequests(protocol)
      .filter((each) => each.sender !== role)
      .map((each) => each.responseDefinition),
    ...eventsOf(protocol)
      .filter(sends)
      .map((each) => each.definition),
  ];
}
