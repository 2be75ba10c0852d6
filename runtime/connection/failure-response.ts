import { parsePointer, partOf } from "../base/json-pointer.js";
import { isObject, type AnyFields } from "../protocol/message-fields.js";
import type { ConversationTable, FailureFields } from "../protocol/protocol-description.js";
import type { RefusedWith } from "./refusal.js";
import { textOfThrown } from "../base/thrown.js";

/** Returns the error message in a failure response. */
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

/**
 * Creates the failure response to a refused request, from the template and the refusal's text and
 * variables.
 *
 * @param text The refusal's message. Its placeholders are replaced with the variables of its error.
 */
export function refusalFields(
  { text: places, variables: variablesPlace }: ConversationTable["failures"],
  template: FailureFields,
  subject: { readonly name: string; readonly text: string; readonly role: string },
  { error, fields }: RefusedWith,
): AnyFields {
  const steps = parsePointer(places[0]!);
  const textField = steps.pop()!;
  const variablesField = variablesPlace && parsePointer(variablesPlace).at(-1)!;
  const variables = variablesField === undefined ? undefined : error[variablesField];
  const text = fillIn(subject.text, variables);
  const whole = failureFields(template, { ...subject, text }) as AnyFields;
  if (Object.keys(error).length === 0) return mergeFields(whole, fields);
  const isOwnText = variables !== undefined || Object.hasOwn(error, textField);
  const placed = replacePart(whole, steps, (usual) => ({
    ...usual,
    ...(isOwnText ? { [textField]: subject.text } : {}),
    ...(isOwnText && variablesField !== undefined ? { [variablesField]: undefined } : {}),
    ...error,
  }));
  return mergeFields(placed, fields);
}

/** Replaces the object at a path. If there is no object, `replace` is called with an empty one. */
function replacePart(
  fields: AnyFields,
  [step, ...rest]: readonly string[],
  replace: (part: AnyFields) => AnyFields,
): AnyFields {
  if (step === undefined) return replace(fields);
  const part = fields[step];
  return { ...fields, [step]: replacePart(isObject(part) ? part : {}, rest, replace) };
}

/** Fills in a failure response template. */
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
function mergeFields(fields: AnyFields, more: AnyFields): AnyFields {
  const merged = new Map(Object.entries(fields));
  for (const [name, value] of Object.entries(more)) {
    const own = merged.get(name);
    merged.set(name, isObject(own) && isObject(value) ? mergeFields(own, value) : value);
  }
  // `Object.fromEntries` creates own properties, even for "__proto__".
  return Object.fromEntries(merged);
}

/**
 * Maximum length of a message after its placeholders have been replaced. Without this limit, a
 * repeated placeholder could make it arbitrarily long.
 */
const maxFilledIn = 65_536;

/** Replaces each `{name}` in a string. Unknown names are left unchanged. Never throws. */
function fillIn(format: string, variables: unknown): string {
  if (typeof variables !== "object" || variables === null) return format;
  let text = "";
  let at = 0;
  for (const { 0: placeholder, 1: name, index } of format.matchAll(/\{([^{}]*)\}/g)) {
    if (!Object.hasOwn(variables, name!)) continue;
    text += format.slice(at, index) + textOfThrown((variables as AnyFields)[name!]);
    at = index + placeholder.length;
    if (text.length > maxFilledIn) return `${text.slice(0, maxFilledIn)}…`;
  }
  return text + format.slice(at);
}
