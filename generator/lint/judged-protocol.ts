import { capabilitySourcesOf, type CapabilitySource } from "../model/capability-sources.js";
import { fieldTableOf } from "../model/field-table.js";
import type { Protocol } from "../model/protocol.js";
import { definitionsByName } from "../model/queries.js";
import type { Definition, Gate, Type } from "../model/types.js";
import { messageRuleOf } from "../model/validation-rules.js";
import { createValidator, type FieldTable, type Validator } from "../../runtime/index.js";
import { MessageReader } from "../session/message-reader.js";

/** What the sessions of a protocol are judged by: the same for all of them. */
export interface JudgedProtocol {
  readonly validate: Validator<unknown>;
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly reader: MessageReader;
  readonly capabilitySources: Readonly<Record<string, CapabilitySource>>;
  /** Flags by which something is gated, by the role that announces them. */
  readonly flags: ReadonlyMap<string, ReadonlySet<string>>;
  /** Where values stand that refer to something; undefined if no reference ever expires. */
  readonly references: FieldTable | undefined;
}

const judged = new WeakMap<Protocol, JudgedProtocol>();

export function judgedProtocolOf(protocol: Protocol): JudgedProtocol {
  let known = judged.get(protocol);
  if (known === undefined)
    judged.set(
      protocol,
      (known = {
        validate: createValidator(messageRuleOf(protocol)),
        definitions: definitionsByName(protocol),
        reader: new MessageReader(protocol),
        capabilitySources: capabilitySourcesOf(protocol),
        flags: gatingFlags(protocol),
        references: (protocol.references ?? []).some(({ expires }) => expires === true)
          ? fieldTableOf(protocol)
          : undefined,
      }),
    );
  return known;
}

function gatingFlags(protocol: Protocol): ReadonlyMap<string, ReadonlySet<string>> {
  const flags = new Map(protocol.roles.map((role) => [role, new Set<string>()]));
  const add = (gate: Gate | undefined): void => void flags.get(gate?.role ?? "")?.add(gate!.flag);
  const addFrom = (type: Type): void => {
    switch (type.kind) {
      case "array":
        return addFrom(type.items);
      case "map":
        return addFrom(type.values);
      case "union":
        return type.members.forEach(addFrom);
      case "object":
        for (const property of type.properties) {
          add(property.gate);
          addFrom(property.type);
        }
    }
  };
  for (const message of protocol.messages) add(message.gate);
  for (const { type } of protocol.definitions) addFrom(type);
  return flags;
}
