import { InputError } from "../../base/input-error.js";
import { pascalCase } from "../../model/names.js";
import type { Json } from "../../model/types.js";
import type {
  DescribedEvent,
  DescribedRequest,
  MessagesByFormat,
} from "../description/description-types.js";
import type { Draft } from "../description/draft.js";
import type { ReadEvent, ReadRequest } from "../formats/schema-format.js";
import { isJsonObject, joinPointer, type JsonFile } from "../source/json-text.js";

/**
 * Adds the messages that a schema lists to the description in the form of a table. Inline payloads
 * become definitions.
 *
 * @throws InputError `ERR_NAME_COLLISION` if a definition already has the name of a payload.
 */
export function listFormatMessages(draft: Draft, { error }: MessagesByFormat): Draft {
  const { root, description, source } = draft;
  if (source.messages === undefined || !isJsonObject(root)) return draft;
  const { requests, events } = source.messages;
  const definitions = new Map(Object.entries(root["definitions"] as { [name: string]: Json }));
  const reading = new ListedPayloads(draft, definitions);
  const listed = new Map<string, string>();
  const senders: [string, string][] = [];
  const gates = { messages: new Map<string, string>(), senders: new Map<string, string>() };
  const { roles, directions } = description;
  const addGates = (part: "requests" | "events", name: string, message: ReadEvent): void => {
    const sender = message.sender ?? directions.exceptions?.[name] ?? directions[part];
    const receiver = roles.find((role) => role !== sender);
    if (!roles.includes(sender) || receiver === undefined) return;
    const { capability, senderCapability } = message;
    if (capability !== undefined) gates.messages.set(name, `${receiver}.${capability}`);
    if (senderCapability !== undefined) gates.senders.set(name, `${sender}.${senderCapability}`);
  };
  const read = <Message extends ReadEvent, Row>(
    part: "requests" | "events",
    messages: { readonly [name: string]: Message },
    row: (name: string, message: Message, pointer: string) => Row,
  ): Readonly<Record<string, Row>> =>
    Object.fromEntries(
      Object.entries(messages).map(([name, message]) => {
        const pointer = joinPointer("", part, name);
        listed.set(`${part === "requests" ? "request" : "event"} ${name}`, pointer);
        if (message.sender !== undefined) senders.push([name, message.sender]);
        addGates(part, name, message);
        return [name, row(name, message, pointer)];
      }),
    );
  const table = {
    by: "table" as const,
    requests: read("requests", requests, (name, message, pointer) =>
      reading.request(name, message, pointer),
    ),
    events: read("events", events, (name, message, pointer) =>
      reading.event(name, message, pointer),
    ),
    error,
  };
  return {
    ...draft,
    root: { ...root, definitions: Object.fromEntries(definitions) },
    source: { ...source, file: reading.located(source.file) },
    listed,
    description: {
      ...description,
      messages: table,
      directions: {
        ...directions,
        exceptions: { ...Object.fromEntries(senders), ...directions.exceptions },
      },
      gates: {
        ...description.gates,
        messages: { ...Object.fromEntries(gates.messages), ...description.gates?.messages },
        senders: { ...Object.fromEntries(gates.senders), ...description.gates?.senders },
      },
    },
  };
}

/** Names the messages' payloads, and adds a definition for each inline payload. */
class ListedPayloads {
  readonly #draft: Draft;
  readonly #definitions: Map<string, Json>;
  /** Maps the JSON Pointers of the added definitions to those of the payloads. */
  readonly #payloads = new Map<string, string>();

  constructor(draft: Draft, definitions: Map<string, Json>) {
    this.#draft = draft;
    this.#definitions = definitions;
  }

  /** Returns a file in which the added definitions are located where the payloads are. */
  located(file: JsonFile): JsonFile {
    return {
      ...file,
      locate: (pointer) => {
        const [, definition = "", rest = ""] = /^(\/definitions\/[^/]+)(.*)$/.exec(pointer) ?? [];
        const payload = this.#payloads.get(definition);
        return payload === undefined
          ? file.locate(pointer)
          : { ...file.locate(payload + rest), pointer };
      },
    };
  }

  request(name: string, message: ReadRequest, pointer: string): DescribedRequest {
    return {
      ...this.event(name, message, pointer),
      result:
        message.result === undefined
          ? undefined
          : this.#payload(name, "Result", message.result, pointer),
      partialResult: message.partialResult,
      errorData: message.errorData,
    };
  }

  event(
    name: string,
    { docs, deprecated, arguments: params, optional, registration }: ReadEvent,
    pointer: string,
  ): DescribedEvent {
    return {
      docs: docs === undefined || docs === "" ? `The message \`${name}\`.` : docs,
      deprecated,
      registration,
      params:
        params === undefined
          ? undefined
          : `${this.#payload(name, "Params", params, pointer)}${optional === true ? "?" : ""}`,
    };
  }

  #payload(message: string, suffix: string, schema: Json, pointer: string): string {
    const named = referred(schema);
    if (named !== undefined) return named;
    const nullable = nullableReference(schema);
    if (nullable !== undefined && suffix === "Result") return `${nullable}?`;
    const name = `${pascalCase(message)}${suffix}`;
    if (this.#definitions.has(name))
      throw new InputError(
        "ERR_NAME_COLLISION",
        `Cannot name the ${suffix === "Result" ? "result" : "parameters"} of "${message}": "${name}" is already a definition in the schema`,
        this.#draft.source.file.locate(pointer),
        "Rename the message or the definition",
      );
    this.#definitions.set(name, schema);
    this.#payloads.set(
      joinPointer("", "definitions", name),
      joinPointer(pointer, suffix === "Result" ? "result" : "arguments"),
    );
    return name;
  }
}

/**
 * Returns the name of the definition that a schema references, if it consists only of that
 * reference.
 */
function referred(schema: Json): string | undefined {
  if (!isJsonObject(schema) || Object.keys(schema).length !== 1) return undefined;
  const reference = schema["$ref"];
  return typeof reference === "string"
    ? /^#\/(?:definitions|\$defs)\/([^/]+)$/.exec(reference)?.[1]
    : undefined;
}

/**
 * Returns the name of the definition that a schema references, if it allows only that reference or
 * null.
 */
function nullableReference(schema: Json): string | undefined {
  const members = isJsonObject(schema) ? schema["anyOf"] : undefined;
  if (!isJsonObject(schema) || !Array.isArray(members) || Object.keys(schema).length !== 1)
    return undefined;
  const [first, second, ...others] = members as readonly Json[];
  const isNull = isJsonObject(second) && second["type"] === "null" && others.length === 0;
  return isNull && first !== undefined ? referred(first) : undefined;
}
