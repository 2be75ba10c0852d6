import type { JudgedMessage } from "../state/judged-message.js";

/** The parameters or the result of a message. */
export function bodyOf({ fields, payloadField }: JudgedMessage): unknown {
  return fields[payloadField] ?? {};
}
