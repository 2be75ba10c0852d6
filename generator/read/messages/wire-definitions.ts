import { statedFields } from "../../base/stated-fields.js";
import { freeName, pascalCase } from "../../model/names.js";
import type { Bases, Payload, ResponseArm } from "../../model/protocol.js";
import type { Definition, ObjectType, Property, Type } from "../../model/types.js";
import type { DescribedEnvelope, DescribedEvent } from "../description/description-types.js";
import type { SchemaFile } from "../schema/schema-file.js";

const string: Type = { kind: "string" };
const any: Type = { kind: "any" };

/** A message to define: its payload or result, and its location in the list. */
interface Defined {
  readonly payload: Payload | undefined;
  readonly pointer: string | undefined;
}

/** Creates the wire definitions of messages from an envelope. */
export class WireDefinitions {
  readonly bases: Bases;
  readonly #schema: SchemaFile;
  readonly #envelope: DescribedEnvelope;
  /** The word for an event in type names. */
  readonly #event: string;
  /** Names of the definitions that are already in the schema. */
  readonly #known: ReadonlySet<string>;
  /** The origin of each generated definition, keyed by definition name. Used in error messages. */
  readonly #made = new Map<string, string>();

  constructor(schema: SchemaFile, known: ReadonlySet<string>, envelope: DescribedEnvelope) {
    this.#schema = schema;
    this.#known = known;
    this.#envelope = envelope;
    this.#event = pascalCase(envelope.event.noun ?? "event");
    const hasResponses = envelope.response !== undefined;
    this.bases = statedFields({
      request: this.#freeName("Request"),
      event: this.#freeName(this.#event),
      response: hasResponses ? this.#freeName("Response") : undefined,
      error: hasResponses ? this.#freeName("ErrorResponse") : undefined,
    });
  }

  /** Returns the base definitions that the messages of each kind extend. */
  baseDefinitions(error: Payload | undefined): readonly Definition[] {
    const { request, event, response, id, idTypes = ["integer"] } = this.#envelope;
    const { bases } = this;
    const definitions = [
      this.#make(
        bases.request,
        "A message that asks the other side to do something and expects one response.",
        object([
          ...this.#constants(request.when),
          ...(id === undefined
            ? []
            : [property(id, anyOf(idTypes), true, "Id of the request. The response repeats it.")]),
          property(request.name, string, true, "Name of the operation."),
          property(request.payload, any, false, "Parameters of the operation."),
          ...this.#fields(),
        ]),
        "requests",
      ),
      this.#make(
        bases.event,
        "A message without a response.",
        object([
          ...this.#constants(event.when),
          property(event.name, string, true, "Name of the message."),
          property(event.payload, any, false, "Parameters of the message."),
          ...this.#fields(),
        ]),
        "events",
      ),
    ];
    if (response === undefined) return definitions;
    const failed = property(
      response.error,
      error?.type ?? any,
      true,
      "The error of the failed request.",
    );
    return [
      ...definitions,
      this.#responseBase(response),
      this.#make(
        bases.error!,
        "The response to a request that failed.",
        object([failed], bases.response),
        "failure responses",
      ),
    ];
  }

  /** Creates a message's definition. */
  message(
    kind: "request" | "event",
    name: string,
    described: DescribedEvent,
    { payload, pointer }: Defined,
  ): Definition {
    const arm = this.#envelope[kind];
    const word = kind === "request" ? "Request" : this.#event;
    const docs = `Parameters of the ${kind === "request" ? "request" : "message"}.`;
    return this.#make(
      described.definition ?? this.#freeName(`${pascalCase(name)}${word}`),
      described.docs,
      object(
        [fixed(arm.name, name), ...payloadOf(arm.payload, payload, docs, pointer, "params")],
        this.bases[kind],
      ),
      `"${name}"`,
      { deprecated: described.deprecated, pointer },
    );
  }

  /**
   * Creates the definition of a request's response. Returns undefined if the protocol answers
   * requests with separate messages.
   */
  response(
    name: string,
    { payload, pointer }: Defined,
    definition = this.#freeName(`${pascalCase(name)}Response`),
  ): Definition | undefined {
    const { response } = this.#envelope;
    if (response === undefined) return undefined;
    const properties = [
      ...(response.name === undefined ? [] : [fixed(response.name, name)]),
      ...payloadOf(response.result, payload, "Result of the request.", pointer, "result"),
    ];
    const type = object(properties, this.bases.response);
    return this.#make(definition, `Answer to \`${name}\`.`, type, `"${name}"`, { pointer });
  }

  #responseBase({ when, name, success, result, error }: ResponseArm): Definition {
    const { idTypes = ["integer"], replyTo, replyTypes = idTypes } = this.#envelope;
    const id = "The id of the request being answered.";
    const properties = [
      ...this.#constants(when),
      property(replyTo!, anyOf(replyTypes), true, id),
      ...(name === undefined
        ? []
        : [property(name, string, true, "Name of the request being answered.")]),
      ...(success === undefined
        ? []
        : [property(success, { kind: "boolean" }, true, "Whether the request succeeded.")]),
      property(result, any, false, "The result of a request that succeeded."),
      ...(error === result ? [] : [property(error, any, false, "The error of a failed request.")]),
      ...this.#fields(),
    ];
    return this.#make(
      this.bases.response!,
      "The response to one request.",
      object(properties),
      "responses",
    );
  }

  /** Returns a name for a wire type that no definition in the schema and no other message has. */
  #freeName(name: string): string {
    const taken = new Set([...this.#known, ...this.#made.keys()]);
    return taken.has(name) ? freeName(`${name}Message`, taken) : name;
  }

  /** Creates the fixed-value properties that identify a message's kind. */
  #constants(when: Readonly<Record<string, string | boolean>>): readonly Property[] {
    return Object.entries({ ...this.#envelope.constants, ...when })
      .filter((entry): entry is [string, string] => typeof entry[1] === "string")
      .map(([name, value]) => fixed(name, value));
  }

  /** Fields that every message may have. */
  #fields(): readonly Property[] {
    return Object.entries(this.#envelope.fields ?? {}).map(([name, docs]) =>
      property(name, string, false, docs),
    );
  }

  #make(
    name: string,
    docs: string,
    type: ObjectType,
    origin: string,
    stated: Pick<Definition, "deprecated" | "pointer"> = {},
  ): Definition {
    const other = this.#known.has(name) ? "a definition in the schema" : this.#made.get(name);
    if (other !== undefined)
      this.#schema.fail(
        "ERR_NAME_COLLISION",
        `Cannot name the wire type of ${origin}: "${name}" is already ${other}`,
        "",
        'Choose another name: "definition" or "response" in the message\'s row, or "names" in the description\'s schema',
      );
    this.#made.set(name, origin);
    return statedFields({
      kind: "definition",
      name,
      docs,
      type,
      extensible: false,
      deprecated: stated.deprecated,
      pointer: stated.pointer,
    });
  }
}

function anyOf(kinds: readonly ("integer" | "string" | "null")[]): Type {
  const members = kinds.map((kind): Type => ({ kind }));
  return members.length === 1 ? members[0]! : { kind: "union", members };
}

function object(properties: readonly Property[], base?: string): ObjectType {
  return {
    kind: "object",
    bases: base === undefined ? [] : [base],
    properties,
    extras: "open",
  };
}

function property(
  name: string,
  type: Type,
  required: boolean,
  docs: string,
  pointer = "",
): Property {
  return { name, type, required, docs, pointer };
}

/** Creates a property with a single fixed value. */
function fixed(name: string, value: string): Property {
  return { name, type: { kind: "literal", value }, required: true, pointer: "" };
}

function payloadOf(
  field: string,
  value: Payload | undefined,
  docs: string,
  message: string | undefined,
  part: "params" | "result",
): readonly Property[] {
  if (value === undefined) return [];
  const pointer = message === undefined ? "" : `${message}/${part}`;
  return [property(field, value.type, value.required, docs, pointer)];
}
