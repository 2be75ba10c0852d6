import type { Protocol } from "../../../generator/model/protocol.js";
import { isObject } from "../../../runtime/protocol/message-fields.js";
import { type Fields, type MessageKind, payloadFieldOf } from "../message-reader.js";

/** A message that a log describes in words. */
export interface DescribedMessage {
  readonly kind: MessageKind;
  /** The message without its payload. */
  readonly message: Fields;
  /** The field of the payload. */
  readonly field: string;
  /** JSON Pointers to the parts that the words omit. */
  readonly unknown: readonly string[];
}

/** The kind of message that a description names. */
export type DescribedKind = MessageKind | "failure";

/**
 * Builds a message from its description.
 *
 * @param groups The parts of the description, as in `MessageWords`.
 * @param error The error object of a failure, if it was printed.
 */
export function describeMessage(
  groups: Readonly<Record<string, string | undefined>>,
  stated: DescribedKind,
  { envelope }: Protocol,
  error?: unknown,
): DescribedMessage {
  const { name = "", id, code } = groups;
  const kind = stated === "failure" ? "response" : stated;
  const arm = envelope[kind];
  const message: Record<string, unknown> = { ...envelope.constants };
  const unknown: string[] = [];
  for (const [field, test] of Object.entries(arm?.when ?? {}))
    if (typeof test === "string") message[field] = test;
  const idField = { request: envelope.id, response: envelope.replyTo, event: undefined }[kind];
  if (idField !== undefined && id !== undefined)
    message[idField] = /^-?\d{1,15}$/.test(id) ? Number(id) : id;
  if (arm?.name !== undefined) message[arm.name] = name;
  const isCounted = envelope.id !== undefined && envelope.id !== envelope.replyTo;
  if (isCounted && !(envelope.id in message)) unknown.push(`/${envelope.id}`);
  const { response } = envelope;
  if (kind === "response" && response !== undefined) {
    const failure = isObject(error) ? String(error["message"] ?? "") : groups["failure"];
    if (response.success !== undefined) message[response.success] = failure === undefined;
    if (failure !== undefined && response.errorText !== undefined) {
      message[response.errorText] = failure;
      unknown.push(`/${response.error}`);
    } else if (failure !== undefined) {
      message[response.error] = error ?? { code: Number(code), message: failure };
      if (error === undefined) unknown.push(`/${response.error}/data`);
    }
  }
  return { kind, message, field: payloadFieldOf(envelope, kind), unknown };
}
