import { statedFields } from "../base/stated-fields.js";
import type {
  Dialect,
  Envelope,
  Fact,
  Message,
  Protocol,
  RoleCapabilities,
} from "../model/protocol.js";
import type { Definition } from "../model/types.js";
import type { DescribedEnvelope, Description } from "./description/description-types.js";
import type { SchemaSource, FoundMessages } from "./description/draft.js";
import { readSummaries } from "./messages/summaries.js";

/**
 * Creates a protocol's model from its description and from the messages and definitions of its
 * schema.
 */
export function assembleProtocol(
  description: Description,
  { version, unstated }: SchemaSource,
  { messages, definitions, bases }: FoundMessages,
): Protocol {
  return statedFields<Protocol>({
    kind: "protocol",
    name: description.name,
    title: description.title,
    version,
    packageName: description.package,
    packageVersion:
      description.packageVersion ?? (/^\d+\.\d+\.\d+/.test(version) ? version : "0.0.0"),
    roles: description.roles,
    envelope: completeEnvelope(description.envelope),
    framing: description.framing,
    configured: description.configured,
    messages,
    definitions,
    bases,
    conversation: description.conversation,
    capabilities: readCapabilities(description, definitions, messages),
    compatibility: description.compatibility,
    dialects: readDialects(description),
    summaries: readSummaries(description),
    essential: description.essential ?? [],
    unstated: unstatedFacts(definitions, unstated),
  });
}

function completeEnvelope({ fields, ...envelope }: DescribedEnvelope): Envelope {
  return statedFields({
    ...envelope,
    fields: fields && Object.keys(fields),
    constants: envelope.constants ?? {},
    idTypes: envelope.idTypes ?? ["integer"],
    request: { noun: "request", ...envelope.request },
    event: { noun: "event", ...envelope.event },
  });
}

function readCapabilities(
  description: Description,
  definitions: readonly Definition[],
  messages: readonly Message[],
): readonly RoleCapabilities[] {
  return Object.entries(description.capabilities ?? {})
    .filter(([, { type }]) => definitions.some((definition) => definition.name === type))
    .map(([role, { type, update, ...ways }]) =>
      statedFields({
        role,
        definition: type,
        update: messages.some((message) => message.name === update) ? update : undefined,
        ...ways,
      }),
    );
}

function readDialects({ dialects = {} }: Description): readonly Dialect[] {
  return Object.entries(dialects).map(
    ([name, { docs, reads = [], writes = [], envelope, unexplained, names }]) =>
      statedFields({
        name,
        docs,
        reads,
        writes,
        envelope: envelope && completeEnvelope(envelope),
        unexplained,
        names,
      }),
  );
}

/**
 * Lists the facts that the source cannot state. These include `docs` and `deprecation` if the
 * schema contains no descriptions at all.
 */
function unstatedFacts(
  definitions: readonly Definition[],
  known: readonly Fact[],
): Protocol["unstated"] {
  const hasDocs = definitions.some(
    ({ docs, type }) =>
      docs !== undefined ||
      (type.kind === "object" && type.properties.some((property) => property.docs !== undefined)),
  );
  const unstated = [...known, ...(hasDocs ? [] : (["docs", "deprecation"] as const))];
  return unstated.length === 0 ? undefined : [...new Set(unstated)];
}
