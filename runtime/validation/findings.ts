/**
 * The kind of an issue.
 *
 * - `missing`: a required property is absent
 * - `wrong-type`: not a string, not an integer, ...
 * - `wrong-value`: not the only permitted value
 * - `not-in-enum`: not one of the listed values
 * - `out-of-range`: a number that is too small or too large
 * - `wrong-size`: a string or array that is too short or too long
 * - `unknown-field`: a property that is not in the schema
 * - `too-deep`: nested more than 512 levels deep
 * - `unreadable`: reading the value threw
 */
export type ValidationIssueCode =
  | "missing"
  | "wrong-type"
  | "wrong-value"
  | "not-in-enum"
  | "out-of-range"
  | "wrong-size"
  | "unknown-field"
  | "too-deep"
  | "unreadable";

/**
 * A deviation from the schema that occurs with actual peers but that readers can handle.
 *
 * - `id-unset`: the message's id is 0 or absent, or it responds to a message with id 0
 * - `id-text`: the message's id is a string
 * - `null`: null instead of a value, or for an absent value
 * - `failure-body`: a failure lacks the part that explains it
 * - `success-body`: a success lacks the result that the schema requires
 * - `implied`: a required property is absent, and the protocol defines what its absence means
 * - `closed-enum`: a value is not in an enum that was meant to be complete
 * - `integer-range`: an integer is out of range, but exact
 * - `unknown-field`: a property is not in the schema
 */
export type Tolerance =
  | "id-unset"
  | "id-text"
  | "null"
  | "failure-body"
  | "success-body"
  | "implied"
  | "closed-enum"
  | "integer-range"
  | "unknown-field";

/** All tolerances, as applied by the `wire` profile. */
export const wireTolerances: readonly Tolerance[] = [
  "id-unset",
  "id-text",
  "null",
  "failure-body",
  "success-body",
  "implied",
  "closed-enum",
  "integer-range",
  "unknown-field",
];

/** An issue as plain data. `describeIssue` turns it into a sentence. */
export interface ValidationIssue {
  /** JSON Pointer to the value; empty for the root. */
  readonly pointer: string;
  readonly code: ValidationIssueCode;
  /** A description of the value that was expected. */
  readonly expected: string;
  /** The value received, or undefined if it is missing. */
  readonly received: unknown;
  /** The values of an enum. */
  readonly allowed?: readonly (string | number | boolean)[];
  /** The tolerance that accepts the value, if any. */
  readonly rule?: Tolerance;
}

/** A deviation from the schema that was accepted. */
export interface ValidationDeviation extends ValidationIssue {
  readonly rule: Tolerance;
}

/** Either the validated value, which is not copied, or the issues. */
export type Validation<Type> =
  | {
      readonly ok: true;
      readonly value: Type;
      /** The deviations accepted; always empty in the strict profile. */
      readonly deviations: readonly ValidationDeviation[];
    }
  | { readonly ok: false; readonly issues: readonly ValidationIssue[] };

/** Options for a validator. */
export interface ValidateOptions {
  /**
   * `strict` follows the schema exactly. Use it for outgoing messages and for peers under
   * development. `wire` accepts deviations that a reader can handle, and reports them. Use it for
   * incoming messages. Default: `strict`.
   */
  readonly profile?: "strict" | "wire";
  /** The tolerances to apply, overriding those of the profile. */
  readonly tolerate?: readonly Tolerance[];
  /**
   * Maximum number of issues to report. The same limit applies to deviations. With 1, validation
   * stops at the first issue. Default: 100.
   */
  readonly maxIssues?: number;
}
