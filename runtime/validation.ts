import { isObject } from "./validation-checks.js";
import { issuesOfFaults, reportUnreadable, walkValue } from "./validation-explanation.js";
import { nothing } from "./validation-issues.js";
import { kinds, linkRule, type RuleNode } from "./validation-node.js";
import type { MessageRule, Rule } from "./validation-rule.js";
import { isMasked, outcomeOf } from "./validation-walk.js";

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

/** Most issues to report, unless told otherwise. */
const usualIssues = 100;

/** Characters of a text that a sentence shows. */
const shownCharacters = 80;

/** Characters of a path that a sentence shows. */
const shownPath = 200;

/** Answers whether a value is of a type, and what is wrong otherwise. Never throws. */
export type Validator<Type> = (value: unknown, options?: ValidateOptions) => Validation<Type>;

/** The validator of a rule. */
export function createValidator<Type>(rule: Rule): Validator<Type> {
  let node: RuleNode | undefined;
  return (value, options) => {
    node ??= linkRule(rule);
    const tolerated = toleratedBy(options);
    let target = node;
    let faults: number | undefined;
    try {
      if (node.kind === kinds.response) target = outcomeOf(node, value);
      if (isMasked(target, seeksNames(tolerated)) && isObject(value)) {
        faults = target.faults!(value, 0);
        if (faults === 0) return passed(value as Type);
        if (tolerated.length === 0) {
          const issues = issuesOfFaults(target, value, faults, options?.maxIssues ?? usualIssues);
          if (issues.length > 0) return { ok: false, issues };
        }
      }
    } catch {
      // The walk comes across the same place, and reports it.
    }
    return explain(target, value, tolerated, options, faults !== undefined);
  };
}

/**
 * The validator of messages, whose types are found by kind and name.
 *
 * @param isValid The rule as a function; the rule itself is walked only if it says no.
 */
export function createMessageValidator<Type>(
  isValid: (value: unknown) => boolean,
  rule: () => MessageRule,
): Validator<Type> {
  return (value, options) => {
    const valid = isValid(value);
    const tolerated = toleratedBy(options);
    if (valid && !seeksNames(tolerated)) return passed(value as Type);
    return explain(linkRule(rule), value, tolerated, options, !valid);
  };
}

function passed<Type>(message: Type): Validation<Type> {
  return { ok: true, message, deviations: nothing };
}

/** @param refused Whether something was found wrong before. */
function explain<Type>(
  node: RuleNode,
  value: unknown,
  tolerated: readonly Tolerance[],
  options: ValidateOptions | undefined,
  refused: boolean,
): Validation<Type> {
  const most = options?.maxIssues ?? usualIssues;
  const found = walkValue(node, value, tolerated, seeksNames(tolerated), most);
  // It says something else each time it is read.
  if (refused && found.issues.length === 0 && found.deviations.length === 0)
    reportUnreadable(found, "");
  const { issues, deviations } = found;
  return issues.length === 0
    ? { ok: true, message: value as Type, deviations }
    : { ok: false, issues };
}

function seeksNames(tolerated: readonly Tolerance[]): boolean {
  return tolerated.length > 0 && tolerated.includes("unknown-field");
}

function toleratedBy(options: ValidateOptions | undefined): readonly Tolerance[] {
  if (options === undefined) return nothing;
  return options.tolerate ?? (options.profile === "wire" ? wireTolerances : nothing);
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
  const near = typeof received === "string" ? nearestValue(received, allowed ?? []) : undefined;
  const hint = near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`;
  return `${place}: expected ${expected}, received ${receivedText(received)}${hint}`;
}

/** A received value: JSON of a primitive, or words. */
function receivedText(value: unknown): string {
  switch (typeof value) {
    case "undefined":
      return "nothing";
    case "string":
      return JSON.stringify(
        value.length <= shownCharacters ? value : `${value.slice(0, shownCharacters)}…`,
      );
    case "object":
      return value === null ? "null" : objectText(value);
    case "bigint":
      return `${value}n`;
    case "function":
    case "symbol":
      return `a ${typeof value}`;
    default:
      return String(value);
  }
}

function objectText(value: object): string {
  try {
    return Array.isArray(value) ? `a list of ${value.length}` : "an object";
  } catch {
    // A revoked proxy does not even say whether it is a list.
    return "an object that cannot be read";
  }
}

/** The listed text that differs in the fewest letters, if it is near enough to have been meant. */
function nearestValue(
  received: string,
  allowed: readonly (string | number | boolean)[],
): string | undefined {
  const text = received.slice(0, shownCharacters).toLowerCase();
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
