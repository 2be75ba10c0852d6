import type { Gate } from "../../model/types.js";
import type { Description } from "./description-types.js";

/** What a description says about a message by its name. */
export interface MessageNotes {
  /** Role that sends the message, or `both`. */
  sender(kind: "request" | "event", name: string): string;
  /** The capability that the receiver must have announced. */
  gate(name: string): { readonly gate?: Gate };
}

/** Prepares the lookup of what a description says about messages. */
export function readMessageNotes({ directions, gates }: Description): MessageNotes {
  const senders = new Map(Object.entries(directions.exceptions ?? {}));
  const gateOf = readGates(gates?.messages);
  return {
    sender: (kind, name) =>
      senders.get(name) ?? (kind === "request" ? directions.requests : directions.events),
    gate(name) {
      const gate = gateOf.get(name);
      return gate === undefined ? {} : { gate };
    },
  };
}

/** Gates by the message or property that they guard. */
export function readGates(
  gates: Readonly<Record<string, string>> | undefined,
): ReadonlyMap<string, Gate> {
  return new Map(Object.entries(gates ?? {}).map(([name, text]) => [name, readGate(text)]));
}

/** Splits `role.flag`. */
export function readGate(text: string): Gate {
  const dot = text.indexOf(".");
  return { role: text.slice(0, dot), flag: text.slice(dot + 1) };
}
