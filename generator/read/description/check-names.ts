import type { Faults } from "../../base/faults.js";
import { nearest } from "../../base/input-error.js";
import type { Message, Protocol } from "../../model/protocol.js";
import { definitionsByName, receiverOf } from "../../model/queries.js";
import { canLead } from "../../model/type-at.js";
import type { Gate } from "../../model/types.js";
import type { Description } from "./description-types.js";
import { joinPointer, type JsonFile } from "../source/json-text.js";
import { readGate } from "./notes.js";

/** Reports a fault at a part of a description. */
type Refuse = (message: string, place: readonly (string | number)[], hint?: string) => void;

/** Checks that every name in a description exists in the protocol's current version. */
export function checkNames(
  protocol: Protocol,
  description: Description,
  file: JsonFile,
  faults: Faults,
): void {
  const refuse: Refuse = (message, place, hint) =>
    faults.add("ERR_DESCRIPTION", message, file.locate(joinPointer("", ...place)), hint);
  const messages = new Set(protocol.messages.map((message) => message.name));
  const definitions = definitionsByName(protocol);
  const properties = propertiesOf(protocol);
  const hasCapability = ({ role, capability }: Gate): boolean =>
    protocol.capabilities.some(
      (each) =>
        each.role === role &&
        canLead(
          definitions,
          { kind: "reference", name: each.definition },
          capability.split("."),
          true,
        ),
    );
  const requireKnown = (
    known: boolean,
    what: string,
    ...pointer: readonly (string | number)[]
  ): void => {
    if (!known) refuse(`Cannot find ${what} in version ${protocol.version}`, pointer);
  };
  for (const [part, known, what] of [
    ["messages", messages, "message"],
    ["properties", properties, "property"],
  ] as const) {
    for (const [key, text] of Object.entries(description.gates?.[part] ?? {})) {
      const gate = readGate(text);
      // The versions of a schema that the user supplies may lack a message.
      if (description.schema.versions === undefined && !known.has(key)) continue;
      requireKnown(known.has(key), `the ${what} "${key}"`, "gates", part, key);
      requireKnown(hasCapability(gate), `the capability "${text}"`, "gates", part, key);
    }
  }
  for (const message of protocol.messages) {
    const receiver = receiverOf(protocol, message.sender);
    if (message.gate === undefined || receiver === "both" || message.gate.role === receiver)
      continue;
    refuse(
      `Cannot require a capability of the ${message.gate.role} for "${message.name}", which the ${receiver} receives`,
      ["gates", "messages", message.name],
    );
  }
  for (const name of Object.keys(description.defaults ?? {})) {
    requireKnown(properties.has(name), `the property "${name}"`, "defaults", name);
  }
  for (const name of Object.keys(description.directions.exceptions ?? {})) {
    requireKnown(messages.has(name), `the message "${name}"`, "directions", "exceptions", name);
  }
  (description.essential ?? []).forEach((name, index) => {
    requireKnown(messages.has(name), `the message "${name}"`, "essential", index);
  });
  checkConversation(protocol, description, refuse);
  (description.extensible ?? []).forEach((name, index) => {
    requireKnown(definitions.has(name), `the definition "${name}"`, "extensible", index);
  });
  for (const [name, type] of Object.entries(description.schema.names ?? {}))
    requireKnown(definitions.has(type), `the definition "${name}"`, "schema", "names", name);
}

/** Checks that the messages named in `conversation` exist and have the right kind. */
function checkConversation(
  { messages, version }: Protocol,
  { conversation }: Description,
  refuse: Refuse,
): void {
  if (conversation === undefined) return;
  const { opening, duringOpening, closing, stops, resumes, ready, follows, cancel } = conversation;
  const require = (
    kind: Message["kind"] | "message",
    name: string | undefined,
    ...place: readonly (string | number)[]
  ): void => {
    const candidates = messages.filter((each) => kind === "message" || each.kind === kind);
    if (name === undefined || candidates.some((each) => each.name === name)) return;
    const guess = nearest(
      name,
      candidates.map((each) => each.name),
    );
    refuse(
      `Cannot find the ${kind} "${name}" in version ${version}`,
      ["conversation", ...place],
      guess === undefined ? undefined : `Did you mean "${guess}"?`,
    );
  };
  require("request", opening, "opening");
  duringOpening?.forEach((name, index) => require("message", name, "duringOpening", index));
  require("request", closing, "closing");
  stops?.forEach((name, index) => require("event", name, "stops", index));
  resumes?.forEach((name, index) => require("message", name, "resumes", index));
  require("event", ready, "ready");
  for (const [event, requests] of Object.entries(follows ?? {})) {
    require("event", event, "follows", event);
    requests.forEach((name, index) => require("request", name, "follows", event, index));
  }
  require("message", cancel?.message, "cancel", "message");
}

/**
 * Collects the addresses of all properties in the form that descriptions use:
 * `Definition/property/...`. For a property in an inline payload, the address starts with the
 * message's definition.
 */
function propertiesOf(protocol: Protocol): ReadonlySet<string> {
  const addresses = new Set<string>();
  const placeOf = new Map(
    protocol.definitions.map((definition) => [definition.name, definition.pointer]),
  );
  const addressOf = new Map<string, string>();
  for (const { name, type } of protocol.definitions) {
    if (type.kind !== "object") continue;
    for (const property of type.properties) {
      const address = `${addressOf.get(name) ?? name}/${property.name}`;
      addresses.add(address);
      const target = property.type.kind === "reference" ? property.type.name : undefined;
      if (
        target !== undefined &&
        property.pointer !== "" &&
        placeOf.get(target) === property.pointer
      )
        addressOf.set(target, address);
    }
  }
  return addresses;
}
