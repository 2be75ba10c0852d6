import { isObject, isOfArm } from "../../runtime/protocol/message-fields.js";
import { DialectConnection } from "../../runtime/dialects/dialect.js";
import type { Rule } from "../../runtime/validation/rule.js";
import type { EnvelopeTable } from "../../runtime/protocol/protocol-description.js";
import { InputError, nearest } from "../../generator/base/input-error.js";
import type { Protocol } from "../../generator/model/protocol.js";
import type { Fields } from "./message-reader.js";
import { answeredRequests } from "../../generator/model/queries.js";
import { validationRulesOf } from "../../generator/model/validation-rules.js";

/**
 * Returns a function that converts both sides' messages from a dialect to the protocol.
 *
 * @throws InputError `ERR_ARGUMENT` if the protocol has no dialect with this name that changes
 * messages.
 */
export function readerOfDialect(protocol: Protocol, name: string): (message: object) => object {
  const { envelope, dialects, title } = protocol;
  const dialect = dialects.find((each) => each.name === name);
  if (dialect === undefined || envelope.response === undefined) {
    const names = envelope.response === undefined ? [] : dialects.map((each) => each.name);
    const guess = nearest(name, names);
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot read the dialect "${name}": the ${title} has no such dialect`,
      {},
      guess !== undefined
        ? `Did you mean "${guess}"?`
        : names.length > 0
          ? `Its dialects: ${names.join(", ")}`
          : undefined,
    );
  }
  const rules = validationRulesOf(protocol);
  const results: Record<string, Rule> = {};
  for (const { name: request, responseDefinition, result } of answeredRequests(protocol))
    if (result !== undefined) results[request] = rules.definitions.get(responseDefinition)!();
  const connection = new DialectConnection(
    envelope as EnvelopeTable,
    { ...dialect, envelope: dialect.envelope as EnvelopeTable },
    { message: rules.message, results },
  );
  return (message) => {
    const read = connection.read(message);
    if (!isObject(read)) return message;
    // This function reads both sides' messages. Pass each request to the connection as if it were
    // being sent, so that the connection recognises the response.
    if (isOfArm(envelope.request, read)) connection.write(read);
    return read;
  };
}

/**
 * Returns the name of the first dialect whose envelope matches a message. Used for messages that do
 * not match the protocol itself.
 */
export function dialectOf(message: object, { dialects }: Protocol): string | undefined {
  return dialects.find(({ envelope }) =>
    [envelope?.request, envelope?.event, envelope?.response].some(
      (arm) => arm !== undefined && isOfArm(arm, message as Fields),
    ),
  )?.name;
}
