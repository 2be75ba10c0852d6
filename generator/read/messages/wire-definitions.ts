import { freeName, pascalCase } from "../../model/names.js";
import type { Bases, Payload, ResponseArm } from "../../model/protocol.js";
import type { Definition, ObjectType, Property, Type } from "../../model/types.js";
import type { DescribedEnvelope, DescribedEvent } from "../description/description-types.js";
import type { SchemaFile } from "../schema/schema-file.js";

const string: Type = { kind: "string" };
const any: Type = { kind: "any" };

/** Creates the wire definitions of messages from an envelope. */
export class WireDefinitions {
  readonly bases: Bases;
  readonly #schema: SchemaFile;
  readonly #envelope: DescribedEnvelope;
  /** The word for an event in type names. */
  readonly #event: string;
  readonly #id: Type;
  /** The types that the request id in a response may have. */
  readonly #replyId: Type;
  /** Names of the definitions that are already in the schema. */
  readonly #known: ReadonlySet<string>;
  /** The origin of each generated definition, keyed by definition name. Used in error messages. */
  readonly #made = new Map<string, string>();

  constructor(schema: SchemaFile, known: ReadonlySet<string>, envelope: DescribedEnvelope) {
    this.#schema = schema;
    this.#known = known;
    this.#envelope = envelope;
    this.#event = pascalCase(envelope.event.noun ?? "event");
    const free = (name: string): string => this.#freeName(name);
    this.bases = {
      request: free("Request"),
      event: free(this.#event),
      ...(envelope.response === undefined
        ? {}
        : { response: free("Response"), error: free("ErrorResponse") }),
    };
    const { idTypes = ["integer"], replyTypes = idTypes } = envelope;
    this.#id = anyOf(idTypes);
    this.#replyId = anyOf(replyTypes);
  }

  /** Returns the base definitions that the messages of each kind extend. */
  baseDefinitions(error: Payload | undefined): readonly Definition[] {
    const { response } = this.#envelope;
    return [
      this.#requestBase(),
      this.#eventBase(),
      ...(response === undefined
        ? []
        : [this.#responseBase(response), this.#failureBase(response, error)]),
    ];
  }

  /**
   * Creates a request's definition.
   *
   * @param pointer Location of the message in the list.
   */
  request(
    name: string,
    described: DescribedEvent,
    payload: Payload | undefined,
    pointer?: string,
  ): Definition {
    const { request } = this.#envelope;
    const properties = [
      fixed(request.name, name),
      ...payloadOf(
        request.payload,
        payload,
        "Parameters of the request.",
        below(pointer, "params"),
      ),
    ];
    return this.#make(
      described.definition ?? this.#freeName(`${pascalCase(name)}Request`),
      described.docs,
      object(properties, this.bases.request),
      `"${name}"`,
      { ...described, pointer },
    );
  }

  /**
   * Creates the definition of a request's response. Returns an empty array if the protocol answers
   * requests with separate messages.
   */
  responses(
    name: string,
    result: Payload | undefined,
    definition = this.#freeName(`${pascalCase(name)}Response`),
    pointer?: string,
  ): readonly Definition[] {
    const { response } = this.#envelope;
    if (response === undefined) return [];
    const properties = [
      ...(response.name === undefined ? [] : [fixed(response.name, name)]),
      ...payloadOf(response.result, result, "Result of the request.", below(pointer, "result")),
    ];
    return [
      this.#make(
        definition,
        `Answer to \`${name}\`.`,
        object(properties, this.bases.response),
        `"${name}"`,
        { pointer },
      ),
    ];
  }

  /**
   * Creates an event's definition.
   *
   * @param pointer Location of the message in the list.
   */
  event(
    name: string,
    described: DescribedEvent,
    payload: Payload | undefined,
    pointer?: string,
  ): Definition {
    const { event } = this.#envelope;
    const properties = [
      fixed(event.name, name),
      ...payloadOf(event.payload, payload, "Parameters of the message.", below(pointer, "params")),
    ];
    return this.#make(
      described.definition ?? this.#freeName(`${pascalCase(name)}${this.#event}`),
      described.docs,
      object(properties, this.bases.event),
      `"${name}"`,
      { ...described, pointer },
    );
  }

  #requestBase(): Definition {
    const { request, id } = this.#envelope;
    const properties = [
      ...this.#constants(request.when),
      ...(id === undefined
        ? []
        : [property(id, this.#id, true, "Id of the request. The response repeats it.")]),
      property(request.name, string, true, "Name of the operation."),
      property(request.payload, any, false, "Parameters of the operation."),
      ...this.#fields(),
    ];
    return this.#make(
      this.bases.request,
      "A message that asks the other side to do something and expects one response.",
      object(properties),
      "requests",
    );
  }

  #eventBase(): Definition {
    const { event } = this.#envelope;
    const properties = [
      ...this.#constants(event.when),
      property(event.name, string, true, "Name of the message."),
      property(event.payload, any, false, "Parameters of the message."),
      ...this.#fields(),
    ];
    return this.#make(
      this.bases.event,
      "A message without a response.",
      object(properties),
      "events",
    );
  }

  #responseBase({ when, name, success, result, error }: ResponseArm): Definition {
    const replyTo = this.#envelope.replyTo!;
    const properties = [
      ...this.#constants(when),
      property(replyTo, this.#replyId, true, "The id of the request being answered."),
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

  #failureBase({ error: field }: ResponseArm, error: Payload | undefined): Definition {
    const properties = [
      property(field, error?.type ?? any, true, "The error of the failed request."),
    ];
    return this.#make(
      this.bases.error!,
      "The response to a request that failed.",
      object(properties, this.bases.response),
      "failure responses",
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
    { deprecated, pointer }: { deprecated?: string; pointer?: string | undefined } = {},
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
    return {
      kind: "definition",
      name,
      docs,
      type,
      extensible: false,
      ...(deprecated === undefined ? {} : { deprecated }),
      ...(pointer === undefined ? {} : { pointer }),
    };
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

function below(pointer: string | undefined, part: string): string {
  return pointer === undefined ? "" : `${pointer}/${part}`;
}

/** Creates a property with a single fixed value. */
function fixed(name: string, value: string): Property {
  return property(name, { kind: "literal", value }, true, `Always \`${value}\`.`);
}

function payloadOf(
  field: string,
  value: Payload | undefined,
  docs: string,
  pointer: string,
): readonly Property[] {
  return value === undefined ? [] : [property(field, value.type, value.required, docs, pointer)];
}
