import { linkRule } from "./validation-node.js";
import type { Rule } from "./validation-rule.js";
import { Walk } from "./validation-walk.js";

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
  /** What stands there: JSON of a primitive, or words. */
  readonly received: string;
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

/** Characters of a path that a sentence shows. */
const shownPath = 200;

const noDeviations: readonly never[] = /* @__PURE__ */ Object.freeze([]);

/**
 * Answers whether a value is as a rule has it, and what is wrong otherwise. Never throws.
 *
 * @param isValid The rule as a function; the rule itself is walked only if it says no.
 */
export function validateRule<Type>(
  isValid: (value: unknown) => boolean,
  rule: Rule,
  value: unknown,
  options: ValidateOptions = {},
): Validation<Type> {
  const tolerated =
    options.tolerate ?? (options.profile === "wire" ? wireTolerances : noDeviations);
  const valid = isValid(value);
  if (valid && !tolerated.includes("unknown-field"))
    return { ok: true, message: value as Type, deviations: noDeviations };
  const walk = new Walk(tolerated, options.maxIssues ?? 100);
  walk.run(linkRule(rule), value);
  const { issues, deviations } = walk;
  if (issues.length === 0 && (valid || deviations.length > 0))
    return { ok: true, message: value as Type, deviations };
  if (issues.length === 0) walk.fail("");
  return { ok: false, issues };
}

/**
 * Throws unless a value is as a rule has it.
 *
 * @throws InvalidMessageError with the issues.
 */
export function assertValidRule(
  isValid: (value: unknown) => boolean,
  rule: Rule,
  value: unknown,
): void {
  if (isValid(value)) return;
  const result = validateRule(isValid, rule, value);
  if (!result.ok) throw new InvalidMessageError(result.issues);
}

/** A message that may not be sent. Match on `code`. */
export class InvalidMessageError extends TypeError {
  override readonly name = "InvalidMessageError";
  readonly code = "ERR_INVALID_MESSAGE";
  readonly issues: readonly ValidationIssue[];

  constructor(issues: readonly ValidationIssue[]) {
    super(`Cannot send the message: ${issues.map(describeIssue).join("; ")}`);
    this.issues = issues;
  }
}

/** An issue as a sentence: "`/body/threadId`: expected an integer from 0 to 2^31-1, received -1". */
export function describeIssue(issue: ValidationIssue): string {
  const { path, expected, received, allowed } = issue;
  const shown =
    path.length <= shownPath ? path : `${path.slice(0, 60)}…${path.slice(60 - shownPath)}`;
  const place = path === "" ? "the message" : `\`${shown}\``;
  const near = allowed === undefined ? undefined : nearestValue(received, allowed);
  const hint = near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`;
  return `${place}: expected ${expected}, received ${received}${hint}`;
}

/** The listed text that differs in the fewest letters, if it is near enough to have been meant. */
function nearestValue(
  received: string,
  allowed: readonly (string | number | boolean)[],
): string | undefined {
  if (!received.startsWith('"') || !received.endsWith('"')) return undefined;
  const text = (JSON.parse(received) as string).toLowerCase();
  let nearest: string | undefined;
  let least = Math.max(1, Math.floor(text.length / 3)) + 1;
  for (const value of allowed) {
    if (typeof value !== "string") continue;
    const distance = editDistance(text, value.toLowerCase());
    if (distance < least) {
      least = distance;
      nearest = value;
    }
  }
  return nearest;
}

/** Letters to insert, remove, replace or swap with their neighbour. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min(replaced, row[j]! + 1, next[j - 1]! + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        next[j] = Math.min(next[j]!, before[j - 2]! + 1);
    }
    before = row;
    row = next;
  }
  return row[b.length]!;
}
