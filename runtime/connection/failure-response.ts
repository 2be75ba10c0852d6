import { partOf } from "../base/json-pointer.js";
import { isObject, type AnyFields } from "../protocol/message-fields.js";
import type { ConversationTable, FailureFields } from "../protocol/protocol-table.js";
import { fillIn } from "./request-error.js";

/** The error message of a failure response. */
export function failureText(
  { text, variables }: ConversationTable["failures"],
  response: object,
  command: string,
): string {
  for (const [index, pointer] of text.entries()) {
    const found = partOf(response, pointer);
    if (typeof found !== "string" || found === "") continue;
    return index === 0 && variables !== undefined
      ? fillIn(found, partOf(response, variables))
      : found;
  }
  return `The request "${command}" failed`;
}

/** Fills in the template of a failure response. */
export function failureFields(
  template: FailureFields,
  subject: { readonly name: string; readonly text: string; readonly role: string },
): FailureFields {
  const fill = (value: unknown): unknown => {
    if (typeof value === "string")
      return value.replace(/\$(name|text|role)/g, (_, key: keyof typeof subject) => subject[key]);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(fill);
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fill(each)]));
  };
  return fill(template) as FailureFields;
}

/** Merges fields recursively. */
export function mergeFields(fields: AnyFields, more: AnyFields): AnyFields {
  const merged = new Map(Object.entries(fields));
  for (const [name, value] of Object.entries(more)) {
    const own = merged.get(name);
    merged.set(name, isObject(own) && isObject(value) ? mergeFields(own, value) : value);
  }
  // `Object.fromEntries` creates own properties, even for "__proto__".
  return Object.fromEntries(merged);
}
