import * as option from "../base/check-options.js";
import { isBranded, setBrand, textOfThrown } from "../base/errors.js";
import { parsePointer, partOf } from "../base/json-pointer.js";
import { isObject, type AnyFields } from "../protocol/message-fields.js";
import type { ConversationTable, FailureFields } from "../protocol/protocol-description.js";
import { causedBy } from "./call-errors.js";

const refusalBrand = /* @__PURE__ */ Symbol.for("wirewright.Refusal");

/** Options for a `Refusal`, in addition to its message. */
export interface RefusalOptions<ErrorFields extends object = object> {
  /**
   * Fields of the error object in the response, such as its number. Omitted fields have the same
   * values as in other failures. If the protocol supports variables, `{name}` in the message is
   * replaced with the variable of that name.
   */
  readonly error?: ErrorFields;
  /** Additional fields for the failure response. */
  readonly fields?: { readonly [field: string]: unknown };
  /** The cause of the refusal, which is not sent. */
  readonly cause?: unknown;
}

const refusalChecks: option.OptionChecks<RefusalOptions> = {
  error: option.object,
  fields: option.object,
  cause: option.anything,
};

/**
 * Throw this in a request handler to refuse the request.
 *
 * @throws TypeError for an unknown option.
 */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code = "ERR_REFUSAL";
  readonly error: object | undefined;
  readonly fields: { readonly [field: string]: unknown };

  constructor(message: string, options: RefusalOptions = {}) {
    option.checkOptions("Refusal", options, refusalChecks);
    super(message, causedBy(options.cause));
    this.error = options.error;
    this.fields = options.fields ?? {};
    setBrand(this, refusalBrand);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(this, Refusal, refusalBrand, value);
  }
}

/**
 * Returns whether an error is a `Refusal`, possibly from another copy of this module. Never throws.
 */
function isRefusal(error: unknown): error is Refusal {
  try {
    return error instanceof Error && (error as { code?: unknown }).code === "ERR_REFUSAL";
  } catch {
    return false;
  }
}

/**
 * Returns the fields that a `Refusal` adds to the failure response, or undefined for other errors.
 * Never throws.
 */
export function refusedWith(error: unknown): RefusedWith | undefined {
  try {
    if (!isRefusal(error)) return undefined;
    const { error: errorFields, fields } = error;
    return {
      error: isObject(errorFields) ? errorFields : {},
      fields: isObject(fields) ? fields : {},
    };
  } catch {
    return undefined;
  }
}

export interface RefusedWith {
  readonly error: AnyFields;
  readonly fields: AnyFields;
}

/** Returns the error message in a failure response. */
export function failureText(
  { text, variables }: ConversationTable["failures"],
  response: object,
  command: string,
): string {
  for (const [index, pointer] of text.entries()) {
    const value = partOf(response, pointer);
    if (typeof value !== "string" || value === "") continue;
    return index === 0 && variables !== undefined
      ? fillIn(value, partOf(response, variables))
      : value;
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
  const failure = failureFields(template, { ...subject, text }) as AnyFields;
  if (Object.keys(error).length === 0) return mergeFields(failure, fields);
  const isOwnText = variables !== undefined || Object.hasOwn(error, textField);
  const withError = replacePart(failure, steps, (usual) => ({
    ...usual,
    ...(isOwnText ? { [textField]: subject.text } : {}),
    ...(isOwnText && variablesField !== undefined ? { [variablesField]: undefined } : {}),
    ...error,
  }));
  return mergeFields(withError, fields);
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
    const existing = merged.get(name);
    merged.set(name, isObject(existing) && isObject(value) ? mergeFields(existing, value) : value);
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
