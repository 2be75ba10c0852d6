import type { EnvelopeTable, NamedArmTable } from "../protocol/protocol-table.js";
import { hasFailed, isOfArm, type AnyFields } from "../protocol/message-fields.js";

/**
 * Spells a message in another envelope: its parts move to the fields of the new one, and what belongs to neither
 * stays. Undefined for a value that is no message of the first envelope.
 *
 * @param name Name of the request that a response answers, for envelopes that repeat it.
 * @param unexplained Error of a failure that gives none.
 */
export function translateEnvelope(
  from: EnvelopeTable,
  to: EnvelopeTable,
  message: AnyFields,
  name?: string,
  unexplained?: object,
): AnyFields | undefined {
  for (const kind of ["request", "event"] as const) {
    if (!isOfArm(from[kind], message)) continue;
    const known = [from[kind].name, from[kind].payload, from.id];
    return {
      ...otherFields(from, from[kind], message, known),
      ...constantFields(to, to[kind]),
      ...(kind === "request" ? optionalField(to.id, message[from.id]) : {}),
      ...optionalField(to[kind].name, message[from[kind].name]),
      ...optionalField(to[kind].payload, message[from[kind].payload]),
    };
  }
  return isOfArm(from.response, message)
    ? translateResponse(from, to, message, name, unexplained)
    : undefined;
}

function translateResponse(
  from: EnvelopeTable,
  to: EnvelopeTable,
  message: AnyFields,
  requestName: string | undefined,
  unexplained: object | undefined,
): AnyFields {
  const { response } = from;
  const failed = hasFailed(response, message);
  const { name, success, result, error } = response;
  const known = [from.id, from.replyTo, name, success, result, error, response.errorText];
  const answered = requestName ?? (name === undefined ? undefined : message[name]);
  return {
    ...otherFields(from, response, message, known),
    ...constantFields(to, to.response),
    ...optionalField(to.replyTo, message[from.replyTo]),
    ...(to.response.name === undefined ? {} : optionalField(to.response.name, answered)),
    ...(to.response.success === undefined ? {} : { [to.response.success]: !failed }),
    // Where presence tells success from failure, something has to be there.
    ...(failed
      ? { [to.response.error]: message[error] ?? unexplained ?? null }
      : { [to.response.result]: message[result] ?? null }),
  };
}

/** Fields that the envelope says nothing of. */
function otherFields(
  envelope: EnvelopeTable,
  { when }: Pick<NamedArmTable, "when">,
  message: AnyFields,
  known: readonly (string | undefined)[],
): AnyFields {
  const envelopeFields = new Set([
    ...known,
    ...Object.keys(when),
    ...Object.keys(envelope.constants),
  ]);
  return Object.fromEntries(Object.entries(message).filter(([key]) => !envelopeFields.has(key)));
}

/** Fields with one value. */
function constantFields(
  envelope: EnvelopeTable,
  { when }: Pick<NamedArmTable, "when">,
): { readonly [field: string]: string } {
  const fixed = Object.entries(when).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return { ...envelope.constants, ...Object.fromEntries(fixed) };
}

function optionalField(field: string, value: unknown): { readonly [field: string]: unknown } {
  return value === undefined ? {} : { [field]: value };
}
