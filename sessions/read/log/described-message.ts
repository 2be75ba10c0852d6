import type { Protocol } from "../../../generator/model/protocol.js";
import { isObject } from "../../../runtime/protocol/message-fields.js";
import { payloadFieldOf } from "../message-reader.js";
import type { LogHead } from "./log-head.js";
import type { LoggedValue } from "./logged-value.js";
import type { DescribedKind, MessageWords, Restored } from "./logging-programs.js";

/** A message that a line of a log describes in words. */
export interface DescribedMessage {
  readonly words: MessageWords;
  /** The parts of the description, as in `MessageWords`. */
  readonly groups: Readonly<Record<string, string | undefined>>;
  readonly head: LogHead;
  kind: DescribedKind;
  /** Index of its last line. */
  line: number;
  /** The payload or, for a failure, the error, and the line with it. */
  payload?: LoggedValue;
  source?: string;
  /** Whether the log states that there is no payload. Otherwise, it may have been omitted. */
  isEmpty?: boolean;
}

/** Builds a message from its description. */
export function describedMessage(
  { groups, kind: stated, payload, isEmpty }: DescribedMessage,
  { envelope }: Protocol,
): Restored {
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
  const error = stated === "failure" ? payload?.value : undefined;
  const failure = isObject(error) ? String(error["message"] ?? "") : groups["failure"];
  const hasFailed = kind === "response" && failure !== undefined;
  if (kind === "response" && response?.success !== undefined)
    message[response.success] = !hasFailed;
  if (hasFailed && response?.errorText !== undefined) {
    message[response.errorText] = failure;
    unknown.push(`/${response.error}`);
  } else if (hasFailed && response !== undefined) {
    message[response.error] = error ?? { code: Number(code), message: failure };
    if (error === undefined) unknown.push(`/${response.error}/data`);
  }
  const field = stated === "failure" ? (response?.error ?? "") : payloadFieldOf(envelope, kind);
  if (payload !== undefined) {
    if (stated !== "failure") message[field] = payload.value;
    unknown.push(...payload.unknown.map((pointer) => `/${field}${pointer}`));
  } else if (isEmpty !== true && !hasFailed) {
    if (kind === "response" && response?.success === undefined) message[field] = null;
    unknown.push(`/${field}`);
  }
  return { message, unknown };
}
