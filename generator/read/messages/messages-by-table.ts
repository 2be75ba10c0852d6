import { countText } from "../../base/plural.js";
import { statedFields } from "../../base/stated-fields.js";
import type { EventMessage, Message, Payload, RequestMessage } from "../../model/protocol.js";
import type { Definition } from "../../model/types.js";
import type {
  DescribedEvent,
  DescribedRequest,
  Description,
  MessagesByTable,
} from "../description/description-types.js";
import { gatesOf, senderOf } from "../description/notes.js";
import type { SchemaFile } from "../schema/schema-file.js";
import { joinPointer } from "../source/json-text.js";
import type { FoundMessages } from "../description/draft.js";
import { WireDefinitions } from "./wire-definitions.js";

/**
 * Reads the messages listed in a description and creates their wire definitions from the envelope,
 * so that later passes can treat all schemas in the same way.
 */
export function readListedMessages(
  schema: SchemaFile,
  definitions: readonly Definition[],
  description: Description,
  table: MessagesByTable,
  listed: ReadonlyMap<string, string>,
): FoundMessages {
  const names = new Set(definitions.map((definition) => definition.name));
  const wire = new WireDefinitions(schema, names, description.envelope);
  const made: Definition[] = [];
  /** Names that are not defined, each with the places in the description that have it. */
  const missing = new Map<string, string[]>();
  const requireKnown = (name: string | undefined, pointer: string): void => {
    if (name !== undefined && !names.has(name))
      missing.set(name, [...(missing.get(name) ?? []), pointer]);
  };
  /** Reads the payload in a table row, which is written `Definition` or `Definition?`. */
  const payloadOf = (text: string | undefined, pointer: string): Payload | undefined => {
    if (text === undefined) return undefined;
    const name = text.replace(/\?$/, "");
    requireKnown(name, pointer);
    return { type: { kind: "reference", name }, required: name === text };
  };
  /** Reads a row's parts that requests and events have in common, and defines the message. */
  const read = <Kind extends Message["kind"]>(
    kind: Kind,
    name: string,
    row: DescribedEvent,
  ): MessageParts<Kind> => {
    const place = joinPointer("/messages", `${kind}s`, name);
    const payload = payloadOf(row.params, `${place}/params`);
    const pointer = listed.get(`${kind} ${name}`);
    const { registration, docs, set, deprecated } = row;
    requireKnown(registration?.options, `${place}/registration/options`);
    const definition = wire.message(kind, name, row, { payload, pointer });
    made.push(definition);
    return {
      start: { kind, name, sender: senderOf(description, kind, name), definition: definition.name },
      payload,
      rest: statedFields({
        ...gatesOf(description, name),
        registration:
          registration &&
          statedFields({ method: registration.method ?? name, options: registration.options }),
        docs,
        set,
        deprecated,
        pointer,
      }),
    };
  };
  const readRequest = (name: string, row: DescribedRequest): RequestMessage => {
    const place = joinPointer("/messages/requests", name);
    const { unanswered, partialResult, errorData } = row;
    const { start, payload, rest } = read("request", name, row);
    const result = orNull(payloadOf(row.result, `${place}/result`), description);
    const response = wire.response(name, { payload: result, pointer: rest.pointer }, row.response);
    if (response !== undefined) made.push(response);
    requireKnown(partialResult, `${place}/partialResult`);
    requireKnown(errorData, `${place}/errorData`);
    return statedFields({
      ...start,
      responseDefinition: response?.name,
      payload,
      result,
      unanswered,
      partialResult,
      errorData,
      ...rest,
    });
  };
  const readEvent = (name: string, row: DescribedEvent): EventMessage => {
    const { start, payload, rest } = read("event", name, row);
    return statedFields({ ...start, payload, ...rest });
  };
  const bases = wire.baseDefinitions(payloadOf(table.error, "/messages/error"));
  const messages = [
    ...Object.entries(table.requests).map(([name, row]) => readRequest(name, row)),
    ...Object.entries(table.events).map(([name, row]) => readEvent(name, row)),
  ];
  for (const [name, [first, ...others]] of missing) {
    const rest = others.length === 0 ? "" : ` and ${countText(others.length, "other place")}`;
    schema.collect(
      "ERR_REF",
      `Cannot find the definition "${name}" that the description names at ${first}${rest}`,
      `/${schema.container}`,
    );
  }
  return { messages, definitions: [...bases, ...made, ...definitions], bases: wire.bases };
}

/** The fields of a message, up to its payload and after it. */
interface MessageParts<Kind extends Message["kind"]> {
  readonly start: Pick<Message, "name" | "sender" | "definition"> & { readonly kind: Kind };
  readonly payload: Payload | undefined;
  readonly rest: Partial<Omit<EventMessage, "kind">>;
}

/**
 * Makes an optional result required but nullable if the envelope has no `success` field. Otherwise,
 * a response without a result would not count as a success.
 */
function orNull(value: Payload | undefined, { envelope }: Description): Payload | undefined {
  return value === undefined || value.required || envelope.response?.success !== undefined
    ? value
    : { type: { kind: "union", members: [value.type, { kind: "null" }] }, required: true };
}
