import type { Gate } from "../../model/types.js";

/** What a description says about a message by its name; remembers what it was asked. */
export interface MessageNotes {
  /** Role that sends the message, or `both`. */
  sender(kind: "request" | "event", name: string): string;
  /** The flag that the receiver must have announced. */
  gate(name: string): { readonly gate?: Gate };
}

/** Splits `role.flag`. */
export function readGate(text: string): Gate {
  const dot = text.indexOf(".");
  return { role: text.slice(0, dot), flag: text.slice(dot + 1) };
}
