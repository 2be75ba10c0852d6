import { countText } from "../../base/plural.js";
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
  const reading = new TableReading(schema, names, description, wire, listed);
  const error = reading.payload(table.error, "/messages/error");
  const bases = wire.baseDefinitions(error);
  const requests = Object.entries(table.requests).map(([name, row]) => reading.request(name, row));
  const events = Object.entries(table.events).map(([name, row]) => reading.event(name, row));
  reading.reportMissing();
  const rows = [...requests, ...events];
  return {
    messages: rows.map(({ message }) => message),
    definitions: [...bases, ...rows.flatMap((row) => row.definitions), ...definitions],
    bases: wire.bases,
  };
}

/** A message, with the definitions of its request or event and its response. */
interface ReadRow<Kind extends Message> {
  readonly message: Kind;
  readonly definitions: readonly Definition[];
}

class TableReading {
  readonly #schema: SchemaFile;
  readonly #known: ReadonlySet<string>;
  readonly #description: Description;
  readonly #wire: WireDefinitions;
  readonly #listed: ReadonlyMap<string, string>;
  /** Names that are not defined, each with the places in the description that have it. */
  readonly #missing = new Map<string, string[]>();

  constructor(
    schema: SchemaFile,
    known: ReadonlySet<string>,
    description: Description,
    wire: WireDefinitions,
    listed: ReadonlyMap<string, string>,
  ) {
    this.#schema = schema;
    this.#known = known;
    this.#description = description;
    this.#wire = wire;
    this.#listed = listed;
  }

  request(name: string, row: DescribedRequest): ReadRow<RequestMessage> {
    const payload = this.payload(row.params, joinPointer("/messages", "requests", name, "params"));
    const result = this.#orNull(
      this.payload(row.result, joinPointer("/messages", "requests", name, "result")),
    );
    const location = this.#placeOf("request", name);
    const request = this.#wire.request(name, row, payload, location.pointer);
    const responses = this.#wire.responses(name, result, row.response, location.pointer);
    const [response] = responses;
    const message: RequestMessage = {
      kind: "request",
      name,
      sender: senderOf(this.#description, "request", name),
      definition: request.name,
      ...(response === undefined ? {} : { responseDefinition: response.name }),
      ...(payload === undefined ? {} : { payload }),
      ...(result === undefined ? {} : { result }),
      ...(row.unanswered === undefined ? {} : { unanswered: row.unanswered }),
      ...this.#definition(
        "partialResult",
        row.partialResult,
        joinPointer("/messages", "requests", name),
      ),
      ...this.#definition("errorData", row.errorData, joinPointer("/messages", "requests", name)),
      ...gatesOf(this.#description, name),
      ...this.#registration(name, row, joinPointer("/messages", "requests", name)),
      ...docsOf(row),
      ...location,
    };
    return { message, definitions: [request, ...responses] };
  }

  event(name: string, row: DescribedEvent): ReadRow<EventMessage> {
    const payload = this.payload(row.params, joinPointer("/messages", "events", name, "params"));
    const location = this.#placeOf("event", name);
    const event = this.#wire.event(name, row, payload, location.pointer);
    const message: EventMessage = {
      kind: "event",
      name,
      sender: senderOf(this.#description, "event", name),
      definition: event.name,
      ...(payload === undefined ? {} : { payload }),
      ...gatesOf(this.#description, name),
      ...this.#registration(name, row, joinPointer("/messages", "events", name)),
      ...docsOf(row),
      ...location,
    };
    return { message, definitions: [event] };
  }

  #placeOf(kind: Message["kind"], name: string): Pick<Message, "pointer"> {
    const pointer = this.#listed.get(`${kind} ${name}`);
    return pointer === undefined ? {} : { pointer };
  }

  /** Reads the payload in a table row, which is written `Definition` or `Definition?`. */
  payload(text: string | undefined, pointer: string): Payload | undefined {
    if (text === undefined) return undefined;
    const name = text.endsWith("?") ? text.slice(0, -1) : text;
    this.#requireKnown(name, pointer);
    return { type: { kind: "reference", name }, required: !text.endsWith("?") };
  }

  #registration(
    name: string,
    { registration }: DescribedEvent,
    pointer: string,
  ): Pick<Message, "registration"> {
    if (registration === undefined) return {};
    const { method = name, options } = registration;
    const optionsPointer = `${pointer}/registration`;
    return { registration: { method, ...this.#definition("options", options, optionsPointer) } };
  }

  #definition<Key extends string>(
    key: Key,
    name: string | undefined,
    pointer: string,
  ): { readonly [Each in Key]?: string } {
    if (name === undefined) return {};
    this.#requireKnown(name, `${pointer}/${key}`);
    return { [key]: name } as { readonly [Each in Key]: string };
  }

  #requireKnown(name: string, pointer: string): void {
    if (this.#known.has(name)) return;
    this.#missing.set(name, [...(this.#missing.get(name) ?? []), pointer]);
  }

  reportMissing(): void {
    for (const [name, [first, ...others]] of this.#missing) {
      const rest = others.length === 0 ? "" : ` and ${countText(others.length, "other place")}`;
      this.#schema.collect(
        "ERR_REF",
        `Cannot find the definition "${name}" that the description names at ${first}${rest}`,
        `/${this.#schema.container}`,
      );
    }
  }

  /**
   * Makes an optional result required but nullable if the envelope has no `success` field.
   * Otherwise, a response without a result would not count as a success.
   */
  #orNull(value: Payload | undefined): Payload | undefined {
    return value === undefined ||
      value.required ||
      this.#description.envelope.response?.success !== undefined
      ? value
      : { type: { kind: "union", members: [value.type, { kind: "null" }] }, required: true };
  }
}

function docsOf({
  docs,
  set,
  deprecated,
}: DescribedEvent): Pick<Message, "docs" | "deprecated" | "set"> {
  return {
    docs,
    ...(set === undefined ? {} : { set }),
    ...(deprecated === undefined ? {} : { deprecated }),
  };
}
