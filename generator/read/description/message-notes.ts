import type { Gate } from "../../model/types.js";
import type { Description } from "./description-types.js";
import type { Notes } from "../schema/schema-file.js";

/** Looks up, by name, a message's sender and gates in a description. */
export interface MessageNotes {
  /** Returns the role that sends the message, or `both`. */
  sender(kind: "request" | "event", name: string): string;
  /**
   * Returns the message's gates. `gate` is the capability that the receiver must have announced.
   * `senderGate` is the capability that the sender announces.
   */
  gates(name: string): { readonly gate?: Gate; readonly senderGate?: Gate };
}

/** Creates the message lookup for a description. */
export function readMessageNotes({ directions, gates }: Description): MessageNotes {
  const senders = new Map(Object.entries(directions.exceptions ?? {}));
  const [gateOf, senderGateOf] = [readGates(gates?.messages), readGates(gates?.senders)];
  return {
    sender: (kind, name) =>
      senders.get(name) ?? (kind === "request" ? directions.requests : directions.events),
    gates(name) {
      const [gate, senderGate] = [gateOf.get(name), senderGateOf.get(name)];
      return {
        ...(gate === undefined ? {} : { gate }),
        ...(senderGate === undefined ? {} : { senderGate }),
      };
    },
  };
}

/** Parses the gates in a section of a description, keyed by message or property name. */
function readGates(gates: Readonly<Record<string, string>> | undefined): ReadonlyMap<string, Gate> {
  return new Map(Object.entries(gates ?? {}).map(([name, text]) => [name, readGate(text)]));
}

/** Parses a gate, written `role.flag`. */
export function readGate(text: string): Gate {
  const dot = text.indexOf(".");
  return { role: text.slice(0, dot), capability: text.slice(dot + 1) };
}

/** Collects a description's facts about definitions and properties. */
export function readTypeNotes(description: Description): Notes {
  const { forgives = {}, untyped = "meant", oneOf, formats = false } = description.schema;
  return {
    gates: readGates(description.gates?.properties),
    defaults: new Map(Object.entries(description.defaults ?? {})),
    extensible: new Set(description.extensible),
    annotations: annotationsOf(description),
    forgives,
    untyped,
    overlapping: oneOf === "any",
    formats,
  };
}

/** Returns the names of the additional keywords that do not affect validity. */
export function annotationsOf({ schema }: Description): ReadonlySet<string> {
  return new Set([...(schema.annotations ?? []), ...Object.values(schema.forgives ?? {})]);
}
