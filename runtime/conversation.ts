import { partOf } from "./json-pointer.js";
import { isObject, type AnyFields } from "./validation-checks.js";
import { fillIn } from "./request-error.js";

/** How requests are cancelled and refused, and where each side says what it can do. */
export interface ConversationTable {
  readonly cancel?: {
    /** Request or event that cancels, and its parameter with the number of the request. */
    readonly message: string;
    readonly id: string;
  };
  readonly failures: {
    /** Places of the text that says what went wrong, the best one first, by JSON Pointer. */
    readonly text: readonly string[];
    /** Place of the variables of the first of them. */
    readonly variables?: string;
    /** Fields of the response to a request that nobody handles, that failed, or that was cancelled. */
    readonly unknown: FailureFields;
    readonly failed: FailureFields;
    readonly cancelled: FailureFields;
  };
  /** Where each role announces its flags. */
  readonly announcements: {
    readonly [role: string]: {
      /** Request whose parameters or result are the flags. */
      readonly request: string;
      readonly part: "payload" | "result";
      /** Event whose parameter changes them. */
      readonly update?: { readonly event: string; readonly field: string };
    };
  };
}

/** Fields with `$name` and `$text` in their texts. */
export interface FailureFields {
  readonly [field: string]: unknown;
}

/** What a failure response says, in words. */
export function reasonOf(
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
  about: { readonly name: string; readonly text: string },
): FailureFields {
  const fill = (value: unknown): unknown => {
    if (typeof value === "string")
      return value.replace(/\$(name|text)/g, (_, key: "name" | "text") => about[key]);
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
