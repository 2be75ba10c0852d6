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
  const { Event, event, withArticle } = names;
  const { bases, envelope } = protocol;
  const types = file.importTypesAs("types", "./types.js");
  const typed = (name: string): string => `${types}.${name}`;
  const customName = (): string => file.importType("CustomName", runtime);
  /** The unions of the messages that a role sends, or both roles send. */
  const unions: { readonly sender: string; readonly name: string }[] = [];

  file.doc("The top-level fields that identify a message. Their types are not known.");
  file.block("export interface MessageFields {", "}", () => {
    for (const field of discriminatingFields(protocol))
      file.line(`readonly ${propertyKey(field)}?: unknown;`);
  });
  file.line();
  emitKind("Request", "Every request that the protocol defines.", requestsOf(protocol));
  const responses = responsesOf(protocol);
  if (responses !== undefined)
    emitKind(
      "Response",
      "Every response that the protocol defines, whether successful or not.",
      answeredRequests(protocol).map(({ sender, responseDefinition }) => ({
        sender: receiverOf(protocol, sender),
        definition: responseDefinition,
      })),
    );
  emitKind(Event, `Every ${event} that the protocol defines.`, eventsOf(protocol));
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
      [
        ...unions
          .filter(({ sender }) => sender === role || sender === "both")
          .map(({ name }) => name),
        "Custom",
      ],
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

  /** Emits the union of all messages of a kind and, if several roles send them, one for each. */
  function emitKind(
    kind: string,
    docs: string,
    messages: readonly Pick<Message, "sender" | "definition">[],
  ): void {
    const groups = [...protocol.roles, "both"]
      .map((sender) => ({
        sender,
        name: `${kind}From${pascalCase(sender)}`,
        members: messages
          .filter((each) => each.sender === sender)
          .map(({ definition }) => typed(definition)),
      }))
      .filter(({ members }) => members.length > 0);
    const known = `Known${kind}`;
    if (groups.length < 2) {
      unions.push(...groups.map(({ sender }) => ({ sender, name: known })));
      union(
        known,
        docs,
        groups.flatMap(({ members }) => members),
      );
      return;
    }
    unions.push(...groups);
    for (const { name, members } of groups) {
      file.unionUnder(`type ${name} =`, members);
      file.line();
    }
    union(
      known,
      docs,
      groups.map(({ name }) => name),
    );
  }

  function union(name: string, docs: string, members: readonly string[]): void {
    file.doc(docs);
    file.union(name, members);
    file.line();
  }
}
