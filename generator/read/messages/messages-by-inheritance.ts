import type { EventMessage, Message, Payload, RequestMessage } from "../../model/protocol.js";
import { extendsDefinition } from "../../model/queries.js";
import type { Definition, Property } from "../../model/types.js";
import type { DescribedEnvelope, MessagesByInheritance } from "../description/description-types.js";
import type { MessageNotes } from "../description/message-notes.js";
import { nameInlineBodies } from "../schema/definitions.js";
import type { SchemaFile } from "../schema/schema-file.js";
import type { FoundMessages } from "./found-messages.js";

type Definitions = ReadonlyMap<string, Definition>;

/**
 * Finds the messages of a schema whose definitions extend a base per kind, as DAP's do.
 *
 * Names come from the pinned discriminator and payloads from the definition's own properties; nothing is
 * derived from how a definition is called, but the pairing of requests and responses.
 */
export function readInheritedMessages(
  schema: SchemaFile,
  definitions: readonly Definition[],
  envelope: DescribedEnvelope,
  how: MessagesByInheritance,
  notes: MessageNotes,
): FoundMessages {
  const known = new Map(definitions.map((definition) => [definition.name, definition]));
  checkBases(schema, known, how);
  const named = nameInlineBodies(schema, definitions, ({ name }) =>
    extendsDefinition(known, name, how.root),
  );
  const reading = new InheritanceReading(schema, known, named, envelope, how, notes);
  const leaves = leavesOf(definitions, named, how);
  const messages = leaves.flatMap((definition): Message[] => {
    if (extendsDefinition(known, definition.name, how.request))
      return [reading.request(definition)];
    if (extendsDefinition(known, definition.name, how.event)) return [reading.event(definition)];
    return [];
  });
  refuseUnasked(
    schema,
    leaves.filter(({ name }) => extendsDefinition(known, name, how.response)),
    messages,
    how,
  );
  const { request, event, response, error } = how;
  return { messages, definitions: named, bases: { request, event, response, error } };
}

function checkBases(schema: SchemaFile, known: Definitions, how: MessagesByInheritance): void {
  for (const key of ["root", "request", "event", "response", "error"] as const) {
    const base = known.get(how[key]);
    if (base === undefined)
      schema.fail(
        "ERR_SCHEMA",
        `Cannot find "${how[key]}", the base of messages that the description names`,
        `/${schema.container}`,
      );
    else if (base.type.kind !== "object")
      schema.fail(
        "ERR_SCHEMA",
        `Cannot use "${how[key]}" as a base of messages: it is no object`,
        base.at ?? "",
      );
  }
}

/** Definitions that no other one extends; bases of messages are none even where nothing extends them. */
function leavesOf(
  definitions: readonly Definition[],
  named: readonly Definition[],
  how: MessagesByInheritance,
): readonly Definition[] {
  const extended = new Set([
    ...[how.root, how.request, how.event, how.response, how.error],
    ...definitions.flatMap(({ type }) => (type.kind === "object" ? type.bases : [])),
  ]);
  return named.filter(({ name }) => !extended.has(name));
}

/** Refuses responses that answer no request. */
function refuseUnasked(
  schema: SchemaFile,
  responses: readonly Definition[],
  messages: readonly Message[],
  { pair }: MessagesByInheritance,
): void {
  const answered = new Set(
    messages.map((message) =>
      message.kind === "request" ? message.responseDefinition : undefined,
    ),
  );
  for (const { name, at } of responses)
    if (!answered.has(name))
      schema.fail(
        "ERR_MESSAGE",
        `Cannot find the request that "${name}" answers`,
        at ?? "",
        `Responses are paired by name: "${pair.request}" with "${pair.response}"`,
      );
}

class InheritanceReading {
  readonly #schema: SchemaFile;
  readonly #known: Definitions;
  readonly #byName: Definitions;
  readonly #envelope: DescribedEnvelope;
  readonly #how: MessagesByInheritance;
  readonly #notes: MessageNotes;

  constructor(
    schema: SchemaFile,
    known: Definitions,
    named: readonly Definition[],
    envelope: DescribedEnvelope,
    how: MessagesByInheritance,
    notes: MessageNotes,
  ) {
    this.#schema = schema;
    this.#known = known;
    this.#byName = new Map(named.map((definition) => [definition.name, definition]));
    this.#envelope = envelope;
    this.#how = how;
    this.#notes = notes;
  }

  request(definition: Definition): RequestMessage {
    const { request, response } = this.#envelope;
    const name = this.#nameOf(definition, request.name);
    const answer = this.#responseTo(definition);
    const payload = payloadOf(definition, request.payload);
    const result = payloadOf(answer, response!.result);
    return {
      kind: "request",
      name,
      sender: this.#notes.sender("request", name),
      definition: definition.name,
      responseDefinition: answer.name,
      ...(payload === undefined ? {} : { payload }),
      ...(result === undefined ? {} : { result }),
      ...this.#notes.gate(name),
      ...wordsOf(definition),
    };
  }

  event(definition: Definition): EventMessage {
    const { event } = this.#envelope;
    const name = this.#nameOf(definition, event.name);
    const payload = payloadOf(definition, event.payload);
    return {
      kind: "event",
      name,
      sender: this.#notes.sender("event", name),
      definition: definition.name,
      ...(payload === undefined ? {} : { payload }),
      ...this.#notes.gate(name),
      ...wordsOf(definition),
    };
  }

  #nameOf(definition: Definition, field: string): string {
    const type = ownProperty(definition, field)?.type;
    if (type?.kind === "literal" && typeof type.value === "string") return type.value;
    return this.#schema.fail(
      "ERR_MESSAGE",
      `Cannot tell the name of the message "${definition.name}": its "${field}" has no single value`,
      definition.at ?? "",
      `Give it a property "${field}" with an enum of one value`,
    );
  }

  #responseTo({ name, at }: Definition): Definition {
    const { pair, response } = this.#how;
    const [before, after] = pair.request.split("*") as [string, string];
    const fits =
      name.startsWith(before) && name.endsWith(after) && name.length > before.length + after.length;
    const stem = name.slice(before.length, name.length - after.length);
    const paired = pair.response.replace("*", () => stem);
    const target = fits ? this.#byName.get(paired) : undefined;
    if (target === undefined || !extendsDefinition(this.#known, paired, response))
      return this.#schema.fail(
        "ERR_MESSAGE",
        `Cannot find the response to "${name}"`,
        at ?? "",
        fits
          ? `Define "${paired}" as an extension of "${response}"`
          : `Name the request after the pattern "${pair.request}"`,
      );
    return target;
  }
}

function payloadOf(definition: Definition, field: string): Payload | undefined {
  const property = ownProperty(definition, field);
  return property === undefined ? undefined : { type: property.type, required: property.required };
}

function ownProperty({ type }: Definition, name: string): Property | undefined {
  return type.kind === "object"
    ? type.properties.find((property) => property.name === name)
    : undefined;
}

function wordsOf({
  docs,
  deprecated,
  at,
}: Definition): Pick<Message, "docs" | "deprecated" | "at"> {
  return {
    ...(docs === undefined ? {} : { docs }),
    ...(deprecated === undefined ? {} : { deprecated }),
    ...(at === undefined ? {} : { at }),
  };
}
