import { InputError } from "../../base/input-error.js";
import { pascalCase } from "../../model/names.js";
import type { Json } from "../../model/types.js";
import type {
  DescribedEvent,
  DescribedRequest,
  MessagesByFormat,
} from "../description/description-types.js";
import { withTable, type Draft, type PartPlace } from "../description/draft.js";
import type { ReadEvent, ReadRequest } from "../formats/schema-format.js";
import { readReference } from "../schema/definition-references.js";
import { isJsonObject, joinPointer } from "../source/json-text.js";

/**
 * Adds the messages that a schema lists to the description in the form of a table. Inline payloads
 * become definitions.
 *
 * @throws InputError `ERR_NAME_COLLISION` if a definition already has the name of a payload.
 */
export function listFormatMessages(draft: Draft, { error }: MessagesByFormat): Draft {
  const { root, description, source } = draft;
  if (source.messages === undefined || !isJsonObject(root)) return draft;
  const definitions = new Map(Object.entries(root["definitions"] as { [name: string]: Json }));
  const places = new Map<string, PartPlace>();
  const listed = new Map<string, string>();
  const senders = new Map<string, string>();
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
  /** Returns the name of a payload's definition. Turns an inline payload into a definition. */
  const payloadOf = (
    message: string,
    part: "arguments" | "result",
    schema: Json | undefined,
    pointer: string,
  ): string | undefined => {
    if (schema === undefined) return undefined;
    const named = referred(schema);
    if (named !== undefined) return named;
    const nullable = nullableReference(schema);
    if (nullable !== undefined && part === "result") return `${nullable}?`;
    const name = `${pascalCase(message)}${part === "result" ? "Result" : "Params"}`;
    if (definitions.has(name))
      throw new InputError(
        "ERR_NAME_COLLISION",
        `Cannot name the ${part === "result" ? "result" : "parameters"} of "${message}": "${name}" is already a definition in the schema`,
        source.file.locate(pointer),
        "Rename the message or the definition",
      );
    definitions.set(name, schema);
    const place = { file: source.file, pointer: joinPointer(pointer, part) };
    places.set(joinPointer("", "definitions", name), place);
    return name;
  };
  const read = <Row extends DescribedEvent>(
    part: "requests" | "events",
    messages: { readonly [name: string]: ReadRequest },
  ): ReadonlyMap<string, Row> =>
    new Map(
      Object.entries(messages).map(([name, message]) => {
        const pointer = joinPointer("", part, name);
        listed.set(`${part === "requests" ? "request" : "event"} ${name}`, pointer);
        if (message.sender !== undefined) senders.set(name, message.sender);
        addGates(part, name, message);
        const { docs, deprecated, optional, registration, partialResult, errorData } = message;
        const params = payloadOf(name, "arguments", message.arguments, pointer);
        const row: DescribedRequest = {
          docs: docs === undefined || docs === "" ? `The message \`${name}\`.` : docs,
          deprecated,
          registration,
          params: optional === true && params !== undefined ? `${params}?` : params,
          result: payloadOf(name, "result", message.result, pointer),
          partialResult,
          errorData,
        };
        return [name, row as DescribedEvent as Row];
      }),
    );
  const { requests, events } = source.messages;
  const tabled = withTable(draft, {
    requests: read("requests", requests),
    events: read("events", events),
    senders,
    error,
  });
  const described = description.gates;
  return {
    ...tabled,
    root: { ...root, definitions: Object.fromEntries(definitions) },
    places,
    listed,
    description: {
      ...tabled.description,
      gates: {
        ...described,
        messages: { ...Object.fromEntries(gates.messages), ...described?.messages },
        senders: { ...Object.fromEntries(gates.senders), ...described?.senders },
      },
    },
  };
}

/**
 * Returns the name of the definition that a schema references, if it consists only of that
 * reference.
 */
function referred(schema: Json): string | undefined {
  if (!isJsonObject(schema) || Object.keys(schema).length !== 1) return undefined;
  const reference = readReference(schema["$ref"]);
  return reference?.rest === "" ? reference.name : undefined;
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
