import type { Protocol } from "../../../generator/model/protocol.js";
import { isObject } from "../../../runtime/protocol/message-fields.js";
import type { Fields, MessageKind } from "../message-reader.js";

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
  const failure = isObject(error) ? String(error["message"] ?? "") : groups["failure"];
  const kind = stated === "failure" ? "response" : stated;
  const arm = envelope[kind];
  const number = id !== undefined && /^-?\d{1,15}$/.test(id) ? Number(id) : id;
  const idField = kind === "response" ? envelope.replyTo : envelope.id;
  const { response } = envelope;
  const isFailure = failure !== undefined;
  const fixed = Object.entries(arm?.when ?? {}).filter(([, test]) => typeof test === "string");
  const outcome =
    kind !== "response" || response === undefined
      ? {}
      : {
          ...(response.success === undefined ? {} : { [response.success]: !isFailure }),
          ...(isFailure
            ? response.errorText === undefined
              ? { [response.error]: error ?? { code: Number(code), message: failure } }
              : { [response.errorText]: failure }
            : {}),
        };
  const message = {
    ...envelope.constants,
    ...Object.fromEntries(fixed),
    ...(idField === undefined || number === undefined || kind === "event"
      ? {}
      : { [idField]: number }),
    ...(arm?.name === undefined ? {} : { [arm.name]: name }),
    ...outcome,
  };
  const isCounted = envelope.id !== undefined && envelope.id !== envelope.replyTo;
  return {
    kind,
    message,
    field: kind === "response" ? (response?.result ?? "") : envelope[kind].payload,
    unknown: [
      ...(isCounted && !(envelope.id! in message) ? [`/${envelope.id}`] : []),
      ...(isFailure && response?.errorText !== undefined
        ? [`/${response.error}`]
        : isFailure && error === undefined
          ? [`/${response?.error}/data`]
          : []),
    ],
  };
}
