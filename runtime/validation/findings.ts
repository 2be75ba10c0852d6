/**
 * What is wrong with a value.
 *
 * - `missing`: a required property is not there
 * - `wrong-type`: it is no string, no integer, ...
 * - `wrong-value`: it is not the one value that may stand there
 * - `not-in-enum`: it is none of the listed values
 * - `out-of-range`: the number is too small or too large
 * - `wrong-size`: the string or list is too short or too long
 * - `unknown-field`: the schema does not know the property
 * - `too-deep`: it is nested more than 512 levels deep
 * - `unreadable`: reading it failed
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
 * A departure from the schema that real peers make and that a reader can live with.
 *
 * - `id-unset`: a message's own number is 0 or not there, or it answers a message whose number was 0
 * - `id-text`: a message's own number is written as a string
 * - `null`: null stands where a value belongs or nothing at all
 * - `failure-body`: a failure comes without the part that explains it
 * - `success-body`: a success comes without the result that the schema requires
 * - `closed-enum`: a value is not among those listed, and the list was meant to be complete
 * - `integer-range`: an integer is outside its range, but exact
 * - `unknown-field`: the schema does not know a property
 */
export type Tolerance =
  | "id-unset"
  | "id-text"
  | "null"
  | "failure-body"
  | "success-body"
  | "closed-enum"
  | "integer-range"
  | "unknown-field";

/** All tolerances: the rows of the `wire` profile. */
export const wireTolerances: readonly Tolerance[] = [
  "id-unset",
  "id-text",
  "null",
  "failure-body",
  "success-body",
  "closed-enum",
  "integer-range",
  "unknown-field",
];

/** One thing wrong with a value: plain data. `describeIssue` makes a sentence of it. */
export interface ValidationIssue {
  /** JSON Pointer of the place; an empty text for the value itself. */
  readonly path: string;
  readonly code: ValidationIssueCode;
  /** What belongs there, in words. */
  readonly expected: string;
  /** What stands there; undefined if nothing does. */
  readonly received: unknown;
  /** The values of an enum. */
  readonly allowed?: readonly (string | number | boolean)[];
  /** The tolerance that would let it pass. */
  readonly rule?: Tolerance;
}

/** A departure from the schema that was let pass. */
export interface ValidationDeviation extends ValidationIssue {
  readonly rule: Tolerance;
}

/** The value given, unchanged and with its type known; or what is wrong with it. */
export type Validation<Type> =
  | {
      readonly ok: true;
      readonly message: Type;
      /** What was let pass; empty in the strict profile. */
      readonly deviations: readonly ValidationDeviation[];
    }
  | { readonly ok: false; readonly issues: readonly ValidationIssue[] };

export interface ValidateOptions {
  /**
   * `strict`, the default: as the schema has it, for what one sends and for peers under development.
   * `wire`: what a reader can use is let pass and reported, for what arrives.
   */
  readonly profile?: "strict" | "wire";
  /** The departures to let pass, instead of those of the profile. */
  readonly tolerate?: readonly Tolerance[];
  /** Most issues, and most deviations, to report; 1 stops at the first. Default: 100. */
  readonly maxIssues?: number;
}
