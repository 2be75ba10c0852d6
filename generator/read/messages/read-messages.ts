import type { Message } from "../../model/protocol.js";
import type { Definition } from "../../model/types.js";
import type { Description, MessagesByTable } from "../description/description-types.js";
import type { Draft, FoundMessages } from "../description/draft.js";
import type { SchemaFile } from "../schema/schema-file.js";
import { listConstMessages } from "./messages-by-const.js";
import { listFormatMessages } from "./messages-by-format.js";
import { pinDiscriminators, readInheritedMessages } from "./messages-by-inheritance.js";
import { listMethods } from "./messages-by-method.js";
import { readListedMessages } from "./messages-by-table.js";

/**
 * Prepares a schema's messages for `readMessages`: unless they are found by inheritance, the
 * description lists them in a table afterwards.
 *
 * @throws InputError with the location in the schema.
 */
export function listMessages(draft: Draft): Draft {
  const { messages } = draft.description;
  switch (messages.by) {
    case "inheritance":
      return pinDiscriminators(draft, messages);
    case "table":
      return draft;
    case "method":
      return listMethods(draft, messages);
    case "format":
      return listFormatMessages(draft, messages);
    case "const":
      return listConstMessages(draft, messages);
  }
}

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
  const found =
    messages.by === "inheritance"
      ? readInheritedMessages(schema, definitions, description, messages)
      : readListedMessages(schema, definitions, description, messages as MessagesByTable, listed);
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
