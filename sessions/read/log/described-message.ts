import type { Protocol } from "../../../generator/model/protocol.js";
import { isObject } from "../../../runtime/protocol/message-fields.js";
import { payloadFieldOf } from "../message-reader.js";
import type { LogHead } from "./log-head.js";
import type { LoggedValue } from "./logged-value.js";
import type { DescribedKind, MessageWords, Restored } from "./logging-programs.js";

/** The text of a failure and, if it ends with one, its code. Also where it ends. */
export interface Failure {
  readonly text: string;
  readonly code: string | undefined;
  readonly line: number;
  readonly column: number;
}

/** A message that a line of a log describes in words. */
export interface DescribedMessage {
  readonly words: MessageWords;
  /** The parts of the description, as in `MessageWords`. */
  readonly groups: Readonly<Record<string, string | undefined>>;
  readonly head: LogHead;
  readonly failure: Failure | undefined;
  kind: DescribedKind;
  /** Index of its last line. */
  line: number;
  /** The payload or, for a failure, the error. */
  payload?: LoggedValue;
  /** The words that describe it and, if there is a payload, the line with it. */
  source: string;
  /** Whether the log states that there is no payload. Otherwise, it may have been omitted. */
  isEmpty?: boolean;
}

/** Builds a message from its description. */
export function describedMessage(
  { groups, kind: stated, failure: words, payload, isEmpty }: DescribedMessage,
  { envelope }: Protocol,
): Restored {
  const { name = "", id } = groups;
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
  const failure = isObject(error) ? String(error["message"] ?? "") : words?.text;
  const hasFailed = kind === "response" && failure !== undefined;
  if (kind === "response" && response?.success !== undefined)
    message[response.success] = !hasFailed;
  if (hasFailed && response?.errorText !== undefined) {
    message[response.errorText] = failure;
    unknown.push(`/${response.error}`);
  } else if (hasFailed && response !== undefined) {
    const code = words?.code === undefined ? {} : { code: Number(words.code) };
    message[response.error] = error ?? { ...code, message: failure };
    for (const field of error === undefined ? ["code", "data"] : [])
      if (!(field in code)) unknown.push(`/${response.error}/${field}`);
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
