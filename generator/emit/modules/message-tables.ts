import type { Message, Payload, Protocol } from "../../model/protocol.js";
import { usualCapability } from "../../../runtime/protocol/protocol-description.js";
import { isUnanswered } from "../../model/queries.js";
import { literalKey, quote, type SourceFile } from "../printer/source-file.js";
import { runtime } from "./runtime-module.js";

/** Emits the table of facts about messages. */
export function emitTable(
  protocol: Protocol,
  [name, noun, map]: readonly [name: string, noun: string, map: string],
  messages: readonly Message[],
  file: SourceFile,
): void {
  if (messages.length === 0) {
    file.doc(`Run-time information about each ${noun}.`);
    file.line(`export const ${name} = {} as const;\n`);
    return;
  }
  const read = file.importValue("readMessageTable", runtime);
  const roles = protocol.roles.map(quote).join(", ");
  const rows = `${name.slice(0, -1)}Rows`;
  const rowsType = `${file.importType("MessageRows", runtime)}<${map}>`;
  file.block(`const ${rows}: ${rowsType} = {`, "};", () => {
    for (const message of messages)
      file.list(`${literalKey(message.name)}: [`, rowOf(protocol, message), "],");
  });
  file.line();
  file.doc(`Run-time information about each ${noun}.`);
  const type = `${file.importType("MessageTable", runtime)}<${map}>`;
  const head = `export const ${name}: ${type} = /* @__PURE__ */ ${read}(`;
  file.list(head, [`[${roles}]`, rows], ");");
  file.line();
}

/**
 * Returns the facts about a message in the form that `readMessageTable` reads. Absent facts at the
 * end are left out.
 */
function rowOf({ roles }: Protocol, message: Message): readonly string[] {
  const { sender, payload, gate, set, kind } = message;
  const row = [
    String(sender === "both" ? 2 : roles.indexOf(sender)),
    presence(payload),
    gate === undefined ? undefined : capability(message.name, gate.capability),
    kind === "request" ? presence(message.result) : undefined,
    set === undefined ? undefined : quote(set),
    kind === "request" && isUnanswered(message) ? "true" : undefined,
  ];
  while (row.at(-1) === undefined) row.pop();
  return row.map((each, index) => each ?? (index === 2 ? "0" : "undefined"));
}

function capability(name: string, own: string): string {
  return own === usualCapability(name) ? "1" : quote(own);
}

function presence(payload: Payload | undefined): string {
  return payload === undefined ? "0" : payload.required ? "2" : "1";
}
