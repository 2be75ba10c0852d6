import { LatestEntries } from "../../../runtime/base/latest-entries.js";
import { createValidator, type Validator } from "../../../runtime/index.js";
import {
  capabilitySourcesOf,
  type CapabilitySource,
} from "../../../generator/model/capability-sources.js";
import { fieldTableOf, type FieldTable } from "../../../generator/model/field-table.js";
import { oncePer } from "../../../generator/model/once.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import { definitionsByName } from "../../../generator/model/queries.js";
import type { Definition, Gate } from "../../../generator/model/types.js";
import { typesIn } from "../../../generator/model/type-checks.js";
import { validationRulesOf } from "../../../generator/model/validation-rules.js";
import { MessageReader } from "../../read/message-reader.js";
import { PartsWalk } from "./parts-walk.js";
import { hasUnseenRegistrations, registrationConsents } from "./registrations.js";

/** Tables for judging a protocol's sessions, shared by all of these sessions. */
export interface JudgedProtocol {
  readonly protocol: Protocol;
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly reader: MessageReader;
  /** Validates any message. */
  readonly validate: Validator<unknown>;
  /**
   * Returns the validator for a successful response, given the name of its definition. Returns
   * undefined if responses repeat the name of their request.
   */
  readonly validateResponse: (definition: string) => Validator<unknown> | undefined;
  /**
   * Returns a walk that finds deprecated properties and properties that require a capability for
   * which `isMissing` returns true.
   */
  readonly notedWalk: (isMissing: (gate: Gate) => boolean) => PartsWalk;
  /** The messages and fields that announce capabilities, by role. */
  readonly capabilitySources: Readonly<Record<string, CapabilitySource>>;
  /** Whether sides may register for messages in a way that does not show up in a recording. */
  readonly hasUnseenRegistrations: boolean;
  /** The capabilities with which a role accepts a registration, keyed by registration name. */
  readonly registrationConsents: ReturnType<typeof registrationConsents>;
  /** The capabilities that messages and properties require, by role. */
  readonly neededCapabilities: ReadonlyMap<string, ReadonlySet<string>>;
  /** The properties that contain references. */
  readonly fields: FieldTable;
}

/** Maximum number of cached walks, one for each set of missing capabilities. */
const maxWalks = 32;

export const judgedProtocolOf = oncePer((protocol: Protocol): JudgedProtocol => {
  const definitions = definitionsByName(protocol);
  const rules = validationRulesOf(protocol);
  const needed = neededCapabilities(protocol);
  const walks = new LatestEntries<string, PartsWalk>(maxWalks);
  const isNamed = protocol.envelope.response?.name !== undefined;
  const validators = new Map<string, Validator<unknown> | undefined>();
  return {
    protocol,
    definitions,
    reader: new MessageReader(protocol),
    validate: createValidator(rules.message),
    validateResponse: (definition) => {
      if (isNamed) return undefined;
      if (!validators.has(definition)) {
        const rule = rules.definitions.get(definition);
        validators.set(definition, rule === undefined ? undefined : createValidator(rule()));
      }
      return validators.get(definition);
    },
    notedWalk: (isMissing) => {
      const missing = [...needed].flatMap(([role, flags]) =>
        [...flags]
          .filter((capability) => isMissing({ role, capability }))
          .map((capability) => `${role}.${capability}`),
      );
      const key = missing.join();
      let walk = walks.get(key);
      if (walk === undefined) {
        const gates = new Set(missing);
        walk = new PartsWalk(definitions, {
          isProperty: ({ deprecated, gate }) =>
            deprecated !== undefined ||
            (gate !== undefined && gates.has(`${gate.role}.${gate.capability}`)),
        });
        walks.set(key, walk);
      }
      return walk;
    },
    capabilitySources: capabilitySourcesOf(protocol),
    hasUnseenRegistrations: hasUnseenRegistrations(protocol),
    registrationConsents: registrationConsents(protocol),
    neededCapabilities: needed,
    fields: fieldTableOf(protocol),
  };
});

function neededCapabilities(protocol: Protocol): ReadonlyMap<string, ReadonlySet<string>> {
  const flags = new Map(protocol.roles.map((role) => [role, new Set<string>()]));
  const add = (gate: Gate | undefined): void =>
    void flags.get(gate?.role ?? "")?.add(gate!.capability);
  for (const message of protocol.messages) add(message.gate);
  for (const { role, flags: own } of registrationConsents(protocol).values())
    for (const capability of own) add({ role, capability });
  for (const { type } of protocol.definitions)
    for (const each of typesIn(type))
      if (each.kind === "object") for (const { gate } of each.properties) add(gate);
  return flags;
}
