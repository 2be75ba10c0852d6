import type { Definition } from "../../model/types.js";
import type {
  DescribedEvent,
  Description,
  MessagesByTable,
} from "../description/description-types.js";

/**
 * Removes messages whose definitions are missing from this version because they were added later.
 * If no messages would remain, the schema is not a version of this protocol. In that case, the
 * description is left unchanged, so that the reader reports the first definition that is missing.
 */
export function dropAbsentMessages(
  description: Description,
  definitions: readonly Definition[],
): Description {
  const { messages } = description;
  if (messages.by !== "table") return description;
  const known = new Set(definitions.map(({ name }) => name));
  const isKnown = (name: string | undefined): boolean =>
    name === undefined || known.has(name.replace(/\?$/, ""));
  const present = <Row extends DescribedEvent & { readonly result?: string }>(
    rows: Readonly<Record<string, Row>>,
  ): Record<string, Row> =>
    Object.fromEntries(
      Object.entries(rows).filter(([, { params, result }]) => isKnown(params) && isKnown(result)),
    );
  const table: MessagesByTable = {
    ...messages,
    requests: present(messages.requests),
    events: present(messages.events),
  };
  const isEmpty = [table.requests, table.events].every((rows) => Object.keys(rows).length === 0);
  return isEmpty ? description : { ...description, messages: table };
}
