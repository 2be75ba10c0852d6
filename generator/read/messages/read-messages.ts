import type { Message } from "../../model/protocol.js";
import type { Definition } from "../../model/types.js";
import type { Description, MessagesByTable } from "../description/description-types.js";
import { readMessageNotes } from "../description/message-notes.js";
import type { SchemaFile } from "../schema/schema-file.js";
import type { FoundMessages } from "./found-messages.js";
import { readInheritedMessages } from "./messages-by-inheritance.js";
import { readListedMessages } from "./messages-by-table.js";

/**
 * Finds a protocol's messages in its definitions or in its description's table.
 *
 * @param listed Locations of the messages that the schema or the description lists. See
 * `Draft.listed`.
 * @throws InputError with the location of an invalid or duplicate message.
 */
export function readMessages(
  schema: SchemaFile,
  definitions: readonly Definition[],
  description: Description,
  listed: ReadonlyMap<string, string>,
): FoundMessages {
  const { messages } = description;
  const notes = readMessageNotes(description);
  const found =
    messages.by === "inheritance"
      ? readInheritedMessages(schema, definitions, description.envelope, messages, notes)
      : // Methods cannot occur here, because `listMethods` has already converted them to a table.
        readListedMessages(
          schema,
          definitions,
          description.envelope,
          messages as MessagesByTable,
          notes,
          listed,
        );
  refuseDuplicates(schema, found.messages);
  return found;
}

function refuseDuplicates(schema: SchemaFile, messages: readonly Message[]): void {
  const seen = new Map<string, Message>();
  for (const message of messages) {
    const key = `${message.kind} ${message.name}`;
    const other = seen.get(key);
    if (other !== undefined) {
      schema.fail(
        "ERR_DUPLICATE_MESSAGE",
        `Cannot use "${message.definition}": "${other.definition}" is already the ${message.kind} "${message.name}"`,
        message.pointer ?? "",
        "Rename one of the two",
      );
    }
    seen.set(key, message);
  }
}
