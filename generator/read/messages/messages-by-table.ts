import { pascalCase } from "../../model/names.js";
import type { Bases, Message, Payload, ResponseArm } from "../../model/protocol.js";
import type { Definition, ObjectType, Property, Type } from "../../model/types.js";
import type { DescribedEvent, Description, MessagesByTable } from "../description/description.js";
import type { MessageNotes } from "../description/message-notes.js";
import type { SchemaFile } from "../schema/schema-file.js";

/**
 * Builds the messages that a description lists, with the wire definitions that its envelope implies, so
 * that later stages see the same shape whatever the schema held.
 */
export function readListedMessages(
  schema: SchemaFile,
  definitions: readonly Definition[],
  description: Description,
  how: MessagesByTable,
  notes: MessageNotes,
): { messages: readonly Message[]; definitions: readonly Definition[]; bases: Bases } {
  const { envelope } = description;
  const eventNoun = pascalCase(envelope.event.noun ?? "event");
  const { response: replies } = envelope;
  const answered = { response: "Response", error: "ErrorResponse" };
  const bases: Bases = {
    request: "Request",
    event: eventNoun,
    ...(replies === undefined ? {} : answered),
  };
  const known = new Set(definitions.map((definition) => definition.name));
  const made = new Map<string, string>();

  const make = (
    name: string,
    docs: string,
    type: ObjectType,
    origin: string,
    deprecated?: string,
  ): Definition => {
    const other = known.has(name) ? "a definition of the schema" : made.get(name);
    if (other !== undefined)
      schema.fail(
        "ERR_NAME_COLLISION",
        `Cannot name the wire type of ${origin}: "${name}" is already ${other}`,
        "",
        "Rename the message or the definition",
      );
    made.set(name, origin);
    return {
      kind: "definition",
      name,
      docs,
      type,
      extensible: false,
      ...(deprecated === undefined ? {} : { deprecated }),
    };
  };
  const property = (name: string, type: Type, required: boolean, docs: string): Property => ({
    name,
    type,
    required,
    docs,
    at: "",
  });
  const object = (properties: readonly Property[], base?: string): ObjectType => ({
    kind: "object",
    bases: base === undefined ? [] : [base],
    properties,
    extras: "open",
  });
  const string: Type = { kind: "string" };
  const any: Type = { kind: "any" };
  const literal = (value: string): Type => ({ kind: "literal", value });

  const idTypes = (envelope.idTypes ?? ["integer"]).map((kind): Type => ({ kind }));
  const id: Type = idTypes.length === 1 ? idTypes[0]! : { kind: "union", members: idTypes };
  const constants = (when: Readonly<Record<string, string | boolean>>): Property[] =>
    Object.entries({ ...envelope.constants, ...when })
      .filter((entry): entry is [string, string] => typeof entry[1] === "string")
      .map(([name, value]) => property(name, literal(value), true, `Always \`${value}\`.`));

  const payload = (text: string | undefined, pointer: string): Payload | undefined => {
    if (text === undefined) return undefined;
    const name = text.endsWith("?") ? text.slice(0, -1) : text;
    if (!known.has(name))
      schema.fail(
        "ERR_REF",
        `Cannot find the definition "${name}" that the description names at ${pointer}`,
        `/${schema.container}`,
      );
    return { type: { kind: "reference", name }, required: !text.endsWith("?") };
  };
  /** Where presence of the result is what makes a success, a result that need not be there is null. */
  const orNull = (value: Payload | undefined): Payload | undefined =>
    value === undefined || value.required || replies?.success !== undefined
      ? value
      : { type: { kind: "union", members: [value.type, { kind: "null" }] }, required: true };
  const wirePayload = (field: string, value: Payload | undefined, docs: string): Property[] =>
    value === undefined ? [] : [property(field, value.type, value.required, docs)];

  const { request, event } = envelope;
  const errorPayload = payload(how.error, "/messages/error");
  const wire: Definition[] = [
    make(
      bases.request,
      "A message that asks the other side to do something and expects one response.",
      object([
        ...constants(request.when),
        ...(envelope.id === undefined
          ? []
          : [property(envelope.id, id, true, "Identifies the request; its response repeats it.")]),
        property(request.name, string, true, "Name of the operation."),
        property(request.payload, any, false, "Parameters of the operation."),
      ]),
      "requests",
    ),
    make(
      bases.event,
      "A message that nobody answers.",
      object([
        ...constants(event.when),
        property(event.name, string, true, "Name of the message."),
        property(event.payload, any, false, "Its parameters."),
      ]),
      "events",
    ),
    ...(replies === undefined ? [] : responseBases(replies)),
  ];

  /** What responses have in common. */
  function responseBases(response: ResponseArm): Definition[] {
    return [
      make(
        answered.response,
        "The answer to one request.",
        object([
          ...constants(response.when),
          property(envelope.replyTo!, id, true, "The id of the request being answered."),
          ...(response.name === undefined
            ? []
            : [property(response.name, string, true, "Name of the request being answered.")]),
          ...(response.success === undefined
            ? []
            : [
                property(
                  response.success,
                  { kind: "boolean" },
                  true,
                  "Whether the request was carried out.",
                ),
              ]),
          property(response.result, any, false, "The result of a request that was carried out."),
          ...(response.error === response.result
            ? []
            : [property(response.error, any, false, "Why a request failed.")]),
        ]),
        "responses",
      ),
      make(
        answered.error,
        "The answer to a request that failed.",
        object(
          [property(response.error, errorPayload?.type ?? any, true, "Why the request failed.")],
          answered.response,
        ),
        "failure responses",
      ),
    ];
  }

  /** The wire type of one response. */
  function responseDefinition(
    response: ResponseArm,
    name: string,
    result: Payload | undefined,
  ): Definition {
    return make(
      `${pascalCase(name)}Response`,
      `Answer to \`${name}\`.`,
      object(
        [
          ...(response.name === undefined
            ? []
            : [property(response.name, literal(name), true, `Always \`${name}\`.`)]),
          ...wirePayload(response.result, result, "Result of the request."),
        ],
        answered.response,
      ),
      `"${name}"`,
    );
  }

  const messages: Message[] = [];
  const common = (described: DescribedEvent): Pick<Message, "docs" | "deprecated" | "set"> => ({
    docs: described.docs,
    ...(described.set === undefined ? {} : { set: described.set }),
    ...(described.deprecated === undefined ? {} : { deprecated: described.deprecated }),
  });
  for (const [name, described] of Object.entries(how.requests)) {
    const stem = pascalCase(name);
    const sent = payload(described.params, `/messages/requests/${name}/params`);
    const result = orNull(payload(described.result, `/messages/requests/${name}/result`));
    wire.push(
      make(
        `${stem}Request`,
        described.docs,
        object(
          [
            property(request.name, literal(name), true, `Always \`${name}\`.`),
            ...wirePayload(request.payload, sent, "Parameters of the request."),
          ],
          bases.request,
        ),
        `"${name}"`,
        described.deprecated,
      ),
      ...(replies === undefined ? [] : [responseDefinition(replies, name, result)]),
    );
    messages.push({
      kind: "request",
      name,
      sender: notes.sender("request", name),
      definition: `${stem}Request`,
      ...(replies === undefined ? {} : { responseDefinition: `${stem}Response` }),
      ...(sent === undefined ? {} : { payload: sent }),
      ...(result === undefined ? {} : { result }),
      ...notes.gate(name),
      ...common(described),
    });
  }
  for (const [name, described] of Object.entries(how.events)) {
    const definition = `${pascalCase(name)}${eventNoun}`;
    const sent = payload(described.params, `/messages/events/${name}/params`);
    wire.push(
      make(
        definition,
        described.docs,
        object(
          [
            property(event.name, literal(name), true, `Always \`${name}\`.`),
            ...wirePayload(event.payload, sent, "Parameters of the message."),
          ],
          bases.event,
        ),
        `"${name}"`,
        described.deprecated,
      ),
    );
    messages.push({
      kind: "event",
      name,
      sender: notes.sender("event", name),
      definition,
      ...(sent === undefined ? {} : { payload: sent }),
      ...notes.gate(name),
      ...common(described),
    });
  }
  return { messages, definitions: [...wire, ...definitions], bases };
}
