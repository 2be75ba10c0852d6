import type { Envelope, Payload, Protocol } from "../model/protocol.js";
import { definitionsByName, eventsOf, requestsOf } from "../model/queries.js";
import { propertyKey, quote, type SourceFile } from "./source-file.js";

/** Prints `protocol.ts`: the protocol's version and envelope as values. */
export function emitProtocolValues(protocol: Protocol, file: SourceFile): void {
  const { envelope } = protocol;
  file.doc(`Version of the ${protocol.title} that this package was generated from.`);
  file.line(`export const protocolVersion = ${quote(protocol.version)};\n`);
  file.doc(
    "What generic code needs to know about the protocol: its sides, and how messages are spelled and framed.",
  );
  const value = {
    name: protocol.name,
    version: protocol.version,
    roles: protocol.roles,
    envelope: envelopeTable(envelope),
    framing: protocol.framing,
    ...(protocol.conversation === undefined
      ? {}
      : {
          conversation: { ...protocol.conversation, announcements: announcementsOf(protocol) },
        }),
    dialects: Object.fromEntries(
      protocol.dialects.map(
        ({ name, docs, reads, writes, envelope: other, unexplained, names }) => [
          name,
          {
            docs,
            reads,
            writes,
            ...(other === undefined ? {} : { envelope: envelopeTable(other) }),
            ...(unexplained === undefined ? {} : { unexplained }),
            ...(names === undefined ? {} : { names }),
          },
        ],
      ),
    ),
  };
  const table = file.importType("ProtocolTable", "./runtime/index.js");
  file.line(`export const protocol = ${printLiteral(value, 0)} as const satisfies ${table};`);
}

/** Where each role says what it can do: the request whose parameters or result are its flags. */
function announcementsOf(protocol: Protocol): object {
  const names = (payload: Payload | undefined, definition: string): boolean =>
    payload?.type.kind === "reference" && payload.type.name === definition;
  return Object.fromEntries(
    protocol.capabilities.flatMap(({ role, definition, update }) => {
      const request = requestsOf(protocol).find(
        ({ sender, payload, result }) =>
          names(sender === role ? payload : undefined, definition) ||
          names(sender === role ? undefined : result, definition),
      );
      if (request === undefined) return [];
      const event = updateOf(protocol, definition, update);
      const part = request.sender === role ? "payload" : "result";
      return [
        [role, { request: request.name, part, ...(event === undefined ? {} : { update: event }) }],
      ];
    }),
  );
}

/** The event that changes flags, and its parameter with them. */
function updateOf(
  protocol: Protocol,
  definition: string,
  update: string | undefined,
): { readonly event: string; readonly field: string } | undefined {
  const definitions = definitionsByName(protocol);
  const payload = eventsOf(protocol).find(({ name }) => name === update)?.payload?.type;
  const body = payload?.kind === "reference" ? definitions.get(payload.name)?.type : payload;
  if (update === undefined || body?.kind !== "object") return undefined;
  const field = body.properties.find(
    ({ type }) => type.kind === "reference" && type.name === definition,
  );
  return field === undefined ? undefined : { event: update, field: field.name };
}

function envelopeTable(envelope: Envelope): object {
  const { noun: _request, ...request } = envelope.request;
  const { noun: _event, ...event } = envelope.event;
  const { constants, id, replyTo, response } = envelope;
  return response === undefined
    ? { constants, request, event }
    : { constants, id, replyTo, request, event, response };
}

/** Plain data as a TypeScript literal, objects broken, lists on one line. */
function printLiteral(value: unknown, indent: number): string {
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value))
    return `[${value.map((item) => printLiteral(item, indent)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return String(value);
  const entries = Object.entries(value);
  if (entries.length === 0) return "{}";
  const pad = " ".repeat(indent + 2);
  return `{\n${entries.map(([key, each]) => `${pad}${propertyKey(key)}: ${printLiteral(each, indent + 2)},`).join("\n")}\n${" ".repeat(indent)}}`;
}
