import type { Protocol, When } from "../../model/protocol.js";
import type { Responses } from "../../model/queries.js";
import { member, quote } from "../printer/source-file.js";

/**
 * Returns an envelope arm's conditions as expressions.
 *
 * @param read Returns the code that reads a field. Default: reads it from the variable `fields`.
 */
export function printConditions(
  when: When,
  read = (field: string): string => member("fields", field),
): readonly string[] {
  return Object.entries(when).map(([field, test]) =>
    typeof test === "string"
      ? `${read(field)} === ${quote(test)}`
      : `${read(field)} ${test ? "!==" : "==="} undefined`,
  );
}

/** Returns the expression that is true for the response to a request that failed. */
export function printFailure({ success, error }: Responses["arm"], object = "fields"): string {
  return success === undefined
    ? `${member(object, error)} !== undefined`
    : `${member(object, success)} === false`;
}

/**
 * Describes all arms' conditions in words, such as `type "request"` or
 * `with id and without method`.
 */
export function describeKinds({ envelope }: Protocol): string {
  const { request, event, response } = envelope;
  const arms = [request, event, ...(response === undefined ? [] : [response])].map((arm) =>
    Object.entries(arm.when)
      .map(([field, test]) =>
        typeof test === "string" ? `${field} "${test}"` : `${test ? "with" : "without"} ${field}`,
      )
      .join(" and "),
  );
  return `a message must be one of: ${arms.join(", ")}`;
}

/** Returns the top-level fields that distinguish messages. */
export function discriminatingFields({ envelope }: Protocol): readonly string[] {
  const { request, event, response } = envelope;
  return [
    ...new Set([
      ...[request, event].flatMap((arm) => Object.keys(arm.when)),
      ...Object.keys(response?.when ?? {}),
      request.name,
      event.name,
      ...(response?.name === undefined ? [] : [response.name]),
      ...(response === undefined
        ? []
        : response.success === undefined
          ? [response.result, response.error]
          : [response.success]),
    ]),
  ];
}
