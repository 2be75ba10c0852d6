import type { Message, Payload } from "../../model/protocol.js";
import { extendsDefinition } from "../../model/queries.js";
import type { Definition, Property } from "../../model/types.js";
import type { Description, MessagesByInheritance } from "../description/description.js";
import type { MessageNotes } from "../description/message-notes.js";
import { nameInlineBodies } from "../schema/definitions.js";
import type { SchemaFile } from "../schema/schema-file.js";

/**
 * Finds the messages of a schema whose definitions extend a base per kind, as DAP's do.
 *
 * Names come from the pinned discriminator and payloads from the definition's own properties; nothing is
 * derived from how a definition is called, but the pairing of requests and responses.
 */
export function readInheritedMessages(
  schema: SchemaFile,
  definitions: readonly Definition[],
  description: Description,
  how: MessagesByInheritance,
  notes: MessageNotes,
): { messages: readonly Message[]; definitions: readonly Definition[] } {
  const known = new Map(definitions.map((definition) => [definition.name, definition]));
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
  const bases = new Set([how.root, how.request, how.event, how.response, how.error]);
  const parents = new Set(
    definitions.flatMap(({ type }) => (type.kind === "object" ? type.bases : [])),
  );
  const named = nameInlineBodies(schema, definitions, (definition) =>
    extendsDefinition(known, definition.name, how.root),
  );
  const byName = new Map(named.map((definition) => [definition.name, definition]));
  const answered = new Set<string>();
  const { envelope } = description;

  const own = (definition: Definition, name: string): Property | undefined =>
    definition.type.kind === "object"
      ? definition.type.properties.find((property) => property.name === name)
      : undefined;

  const payload = (definition: Definition, field: string): { payload?: Payload } => {
    const property = own(definition, field);
    return property === undefined
      ? {}
      : { payload: { type: property.type, required: property.required } };
  };

  const discriminator = (definition: Definition, field: string): string => {
    const type = own(definition, field)?.type;
    if (type?.kind === "literal" && typeof type.value === "string") return type.value;
    return schema.fail(
      "ERR_MESSAGE",
      `Cannot tell the name of the message "${definition.name}": its "${field}" has no single value`,
      definition.at ?? "",
      `Give it a property "${field}" with an enum of one value`,
    );
  };

  const common = (definition: Definition): Pick<Message, "docs" | "deprecated" | "at"> => ({
    ...(definition.docs === undefined ? {} : { docs: definition.docs }),
    ...(definition.deprecated === undefined ? {} : { deprecated: definition.deprecated }),
    ...(definition.at === undefined ? {} : { at: definition.at }),
  });

  const response = (definition: Definition): Definition => {
    const [before, after] = how.pair.request.split("*") as [string, string];
    const { name } = definition;
    const fits =
      name.startsWith(before) && name.endsWith(after) && name.length > before.length + after.length;
    const stem = name.slice(before.length, name.length - after.length);
    const paired = how.pair.response.replace("*", () => stem);
    const target = fits ? byName.get(paired) : undefined;
    if (target === undefined || !extendsDefinition(known, paired, how.response)) {
      return schema.fail(
        "ERR_MESSAGE",
        `Cannot find the response to "${name}"`,
        definition.at ?? "",
        fits
          ? `Define "${paired}" as an extension of "${how.response}"`
          : `Name the request after the pattern "${how.pair.request}"`,
      );
    }
    answered.add(target.name);
    return target;
  };

  const messages: Message[] = [];
  for (const definition of named) {
    if (bases.has(definition.name) || parents.has(definition.name)) continue;
    if (extendsDefinition(known, definition.name, how.request)) {
      const name = discriminator(definition, envelope.request.name);
      const answer = response(definition);
      const { payload: result } = payload(answer, envelope.response!.result);
      messages.push({
        kind: "request",
        name,
        sender: notes.sender("request", name),
        definition: definition.name,
        responseDefinition: answer.name,
        ...payload(definition, envelope.request.payload),
        ...(result === undefined ? {} : { result }),
        ...notes.gate(name),
        ...common(definition),
      });
    } else if (extendsDefinition(known, definition.name, how.event)) {
      const name = discriminator(definition, envelope.event.name);
      messages.push({
        kind: "event",
        name,
        sender: notes.sender("event", name),
        definition: definition.name,
        ...payload(definition, envelope.event.payload),
        ...notes.gate(name),
        ...common(definition),
      });
    }
  }
  for (const definition of named) {
    if (bases.has(definition.name) || parents.has(definition.name) || answered.has(definition.name))
      continue;
    if (extendsDefinition(known, definition.name, how.response)) {
      schema.fail(
        "ERR_MESSAGE",
        `Cannot find the request that "${definition.name}" answers`,
        definition.at ?? "",
        `Responses are paired by name: "${how.pair.request}" with "${how.pair.response}"`,
      );
    }
  }
  return { messages, definitions: named };
}
