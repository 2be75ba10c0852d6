import { causedBy } from "./call-errors.js";
import { isBranded, setBrand } from "../base/branded-class.js";
import * as option from "../base/check-options.js";
import { isObject, type AnyFields } from "../protocol/message-fields.js";

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
    const { error: own, fields } = error;
    return { error: isObject(own) ? own : {}, fields: isObject(fields) ? fields : {} };
  } catch {
    return undefined;
  }
}

export interface RefusedWith {
  readonly error: AnyFields;
  readonly fields: AnyFields;
}
