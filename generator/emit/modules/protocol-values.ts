import { capabilitySourcesOf } from "../../model/capability-sources.js";
import type { Conversation, Envelope, Protocol } from "../../model/protocol.js";
import { literalKey, quote, type SourceFile } from "../printer/source-file.js";

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
          conversation: conversationTable(protocol, protocol.conversation),
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

function conversationTable(protocol: Protocol, { cancel, failures }: Conversation): object {
  return {
    ...(cancel === undefined ? {} : { cancel }),
    failures,
    capabilities: capabilitySourcesOf(protocol),
  };
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
  return `{\n${entries.map(([key, each]) => `${pad}${literalKey(key)}: ${printLiteral(each, indent + 2)},`).join("\n")}\n${" ".repeat(indent)}}`;
}
