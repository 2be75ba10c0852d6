import { partOf } from "../base/json-pointer.js";
import { isObject, type AnyFields } from "../protocol/message-fields.js";
import type { ConversationTable, FailureFields } from "../protocol/protocol-table.js";
import { fillIn } from "./request-error.js";

/** What a failure response says, in words. */
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

/** Fields of a failure response, with what they are about. */
export function failureFields(
  template: FailureFields,
  subject: { readonly name: string; readonly text: string },
): FailureFields {
  const fill = (value: unknown): unknown => {
    if (typeof value === "string")
      return value.replace(/\$(name|text)/g, (_, key: "name" | "text") => subject[key]);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(fill);
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fill(each)]));
  };
  return fill(template) as FailureFields;
}

/** Fields with others put in, also into the objects among them. */
export function mergeFields(fields: AnyFields, more: AnyFields): AnyFields {
  const merged = new Map(Object.entries(fields));
  for (const [name, value] of Object.entries(more)) {
    const own = merged.get(name);
    merged.set(name, isObject(own) && isObject(value) ? mergeFields(own, value) : value);
  }
  // Entries become own properties whatever their names: "__proto__" is one.
  return Object.fromEntries(merged);
}
