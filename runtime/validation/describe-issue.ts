import type { ValidationIssue } from "./findings.js";

/** Maximum length of a string in a description. */
const shownCharacters = 80;

/** Maximum length of a path in a description. */
const shownPath = 200;

/** A message is invalid and was not sent. Match on `code`. */
export class InvalidMessageError extends TypeError {
  override readonly name = "InvalidMessageError";
  readonly code = "ERR_INVALID_MESSAGE";
  readonly issues: readonly ValidationIssue[];

  constructor(issues: readonly ValidationIssue[]) {
    super(`Cannot send the message: ${issues.map(describeIssue).join("; ")}`);
    this.issues = issues;
  }
}

/** Describes an issue: "`/body/threadId`: expected an integer from 0 to 2^31-1, received -1". */
export function describeIssue(issue: ValidationIssue): string {
  const { path, expected, received, allowed } = issue;
  const shown =
    path.length <= shownPath ? path : `${path.slice(0, 60)}…${path.slice(60 - shownPath)}`;
  const place = path === "" ? "the message" : `\`${shown}\``;
  const near = typeof received === "string" ? nearestValue(received, allowed ?? []) : undefined;
  const hint = near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`;
  return `${place}: expected ${expected}, received ${receivedText(received)}${hint}`;
}

/** Describes a received value: primitives as JSON, objects in words. */
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
    // `Array.isArray` throws for a revoked proxy.
    return "an object that cannot be read";
  }
}

/**
 * The allowed string with the smallest edit distance, if it is close enough to be a likely typo.
 */
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

/** The number of insertions, deletions, replacements and swaps of neighbours. */
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
