import type { EnvelopeTable, NamedArmTable } from "../protocol/protocol-description.js";
import { hasFailed, isObject, isOfArm, type AnyFields } from "../protocol/message-fields.js";

/**
 * Converts a message to another envelope. The parts of the message move to the target envelope's
 * fields; all other fields are kept. Returns undefined for a value that is not a message in the
 * source envelope.
 *
 * @param name Name of the request that a response answers, for envelopes that repeat it.
 * @param unexplained The error to use for a failure that does not contain one.
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
    // Always write the error or the result: in some envelopes, only this field distinguishes
    // failures from successes.
    ...(failed
      ? failureIn(to, from, message, unexplained)
      : { [to.response.result]: message[result] ?? null }),
  };
}

/**
 * Returns the fields of a failure. Some envelopes have a separate field for the text; in others, it
 * is part of the error.
 */
function failureIn(
  to: EnvelopeTable,
  from: EnvelopeTable,
  message: AnyFields,
  unexplained: object | undefined,
): AnyFields {
  const { error, errorText } = to.response;
  const own = message[from.response.error];
  const text = from.response.errorText === undefined ? undefined : message[from.response.errorText];
  if (errorText !== undefined && from.response.errorText === undefined)
    return {
      ...optionalField(errorText, isObject(own) ? own["message"] : undefined),
      [error]: null,
    };
  if (errorText === undefined && typeof text === "string")
    return {
      [error]: { ...unexplained, message: text, ...optionalField("data", own ?? undefined) },
    };
  return {
    [error]: own ?? unexplained ?? null,
    ...(errorText === undefined ? {} : optionalField(errorText, text)),
  };
}

/**
 * Returns the message with its kind spelled exactly as in the envelope, because peers may use any
 * case.
 */
export function withExactKind(envelope: EnvelopeTable, message: AnyFields): AnyFields {
  for (const kind of ["request", "event", "response"] as const)
    for (const [field, test] of Object.entries(envelope[kind].when)) {
      const value = message[field];
      if (typeof test !== "string" || typeof value !== "string" || value === test) continue;
      if (value.toLowerCase() === test.toLowerCase()) return { ...message, [field]: test };
    }
  return message;
}

/** Returns a message's fields other than those of the envelope. */
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

/** Returns the fields with constant values. */
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
