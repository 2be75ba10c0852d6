import { visible } from "../../generator/base/visible-text.js";
import type { Protocol } from "../../generator/model/protocol.js";
import { hasFailed, isOfArm } from "../../runtime/protocol/message-fields.js";

/** Maximum length of a line, in characters. */
const mostCharacters = 1_000;

/**
 * Prints a message's payload as indented JSON that is safe to show in a terminal. The result is
 * empty if there is no payload.
 *
 * @param most Maximum number of lines. If some are left out, one more line says how many.
 */
export function bodyLines(protocol: Protocol, message: object, most: number): readonly string[] {
  const { request, event, response } = protocol.envelope;
  const fields = message as { readonly [name: string]: unknown };
  const field =
    response !== undefined && isOfArm(response, fields)
      ? hasFailed(response, fields)
        ? response.error
        : response.result
      : isOfArm(request, fields)
        ? request.payload
        : event.payload;
  const text = printed(fields[field]);
  if (text === undefined) return [];
  const lines = text.split("\n");
  const shown = lines.slice(0, most).map((line) => visible(line.slice(0, mostCharacters)));
  return lines.length > most ? [...shown, `… ${lines.length - most} more lines`] : shown;
}

function printed(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, undefined, 2);
  } catch {
    return "a value that is too large to print";
  }
}
