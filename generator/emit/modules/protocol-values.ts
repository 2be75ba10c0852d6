import { runtimeRange } from "../../base/bundled.js";
import { capabilitySourcesOf } from "../../model/capability-sources.js";
import type { Dialect, Envelope, Protocol } from "../../model/protocol.js";
import { printLiteral, toLiteral } from "../printer/literal.js";
import { lineWidth, quote, type SourceFile } from "../printer/source-file.js";
import { runtime } from "./package-names.js";

/** Emits `protocol.ts`: the protocol's version and envelope as values. */
export function emitProtocolValues(protocol: Protocol, file: SourceFile): void {
  const { envelope } = protocol;
  file.doc(`The version of the ${protocol.title} that this package was generated from.`);
  file.line(`export const protocolVersion: string = ${quote(protocol.version)};\n`);
  const { errorCodes } = protocol.conversation ?? {};
  if (errorCodes !== undefined) {
    file.doc("Error numbers.");
    const start = "export const errorCodes = ";
    file.line(`${start}${printLiteral(toLiteral(errorCodes), start.length, 0, 0)} as const;\n`);
  }
  file.doc(
    "The facts about the protocol that generic code needs, such as its roles, envelope and framing.",
  );
  const value = {
    name: protocol.name,
    version: protocol.version,
    roles: protocol.roles,
    envelope: envelopeTable(envelope),
    framing: protocol.framing,
    conversation: conversationTable(protocol),
    dialects: Object.fromEntries(
      protocol.dialects.map((dialect) => [dialect.name, dialectTable(dialect)]),
    ),
  };
  // Use `string`, because a literal type would change with every version of the protocol.
  const described = file.importType(
    envelope.id === undefined ? "ProtocolDescription" : "JsonProtocolDescription",
    runtime,
  );
  const type =
    value.conversation === undefined
      ? described
      : `${described} & { readonly conversation: ${file.importType("ConversationTable", runtime)} }`;
  const check = file.importValue("forRuntime", runtime);
  const head = `export const protocol: ${type} =`;
  const call = `/* @__PURE__ */ ${check}(${quote(runtimeRange())}, `;
  const fits = `${head} ${call}{`.length <= lineWidth;
  const indent = fits ? 0 : 2;
  file.line(
    `${head}${fits ? " " : "\n  "}${call}${printLiteral(toLiteral(value), 0, 0, indent)});`,
  );
}

function conversationTable(protocol: Protocol): object | undefined {
  const { conversation } = protocol;
  if (conversation === undefined) return undefined;
  const { cancel, ready, follows, resumes, failures } = conversation;
  return { cancel, ready, follows, resumes, failures, capabilities: capabilitySourcesOf(protocol) };
}

function dialectTable({ docs, reads, writes, envelope, unexplained, names }: Dialect): object {
  const other = envelope === undefined ? undefined : envelopeTable(envelope);
  return { docs, reads, writes, envelope: other, unexplained, names };
}

/** Converts the envelope to the form that generated code contains. */
export function envelopeTable(envelope: Envelope): object {
  const { noun: _request, sender: _requester, ...request } = envelope.request;
  const { noun: _event, sender: _notifier, ...event } = envelope.event;
  const { constants, id, replyTo, response, fields } = envelope;
  if (response === undefined) return { constants, request, event };
  return { constants, id, replyTo, fields, request, event, response };
}
