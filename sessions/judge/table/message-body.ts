import type { JudgedMessage } from "../state/judged-message.js";

/** Returns a message's parameters or result. */
export function bodyOf({ fields, payloadField }: JudgedMessage): unknown {
  return fields[payloadField] ?? {};
}
