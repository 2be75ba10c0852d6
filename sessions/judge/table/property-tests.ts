import { firstAt, keysOf, pairKey, valueAt, valueBy, type PathKeys } from "./property-path.js";
import type { IdKind, Operand, PropertyTest, PropertyTests } from "./rule-table.js";
import type { RuleQueries } from "./rule-queries.js";

/**
 * Tests the value of one of `owner`'s properties. The value is never absent or null, except in a
 * test for presence.
 */
type Check = (value: unknown, state: RuleQueries, owner: unknown) => boolean;

/** A test, prepared in advance because it runs on every message. */
export interface ReadyTest {
  readonly keys: PathKeys;
  /** JSON Pointer of the tested property. */
  readonly place: string;
  /** Whether the test holds if the property is absent or null. */
  readonly ifAbsent: boolean;
  readonly checks: readonly Check[];
}

/**
 * Runs tests on a value. If all of them hold, returns the JSON Pointer of the last tested property,
 * or an empty string if that property is absent. Otherwise, returns undefined.
 */
export function placeOfTests(
  tests: PropertyTests,
  value: unknown,
  state: RuleQueries,
): string | undefined {
  return placeOfReady(readyTestsOf(tests), value, state);
}

/** Runs prepared tests on a value. Returns the same as `placeOfTests`. */
export function placeOfReady(
  tests: readonly ReadyTest[],
  value: unknown,
  state: RuleQueries,
): string | undefined {
  let place = "";
  for (const test of tests) {
    const each = valueBy(value, test.keys);
    // Null is treated as absent, because some writers omit a property that has no value, and others
    // send null.
    if (each === undefined || each === null) {
      if (!test.ifAbsent) return undefined;
    } else for (const check of test.checks) if (!check(each, state, value)) return undefined;
    place = each === undefined ? "" : test.place;
  }
  return place;
}

const readyTests = new WeakMap<PropertyTests, readonly ReadyTest[]>();

/** Prepares tests and caches the result. */
export function readyTestsOf(tests: PropertyTests): readonly ReadyTest[] {
  let ready = readyTests.get(tests);
  if (ready === undefined) {
    ready = Object.entries(tests).map(([path, test]) => ({
      keys: keysOf(path),
      place: path === "" ? "" : `/${path}`,
      ifAbsent: test.present === undefined ? test.orAbsent === true : !test.present,
      checks: [...checksOf(test)],
    }));
    readyTests.set(tests, ready);
  }
  return ready;
}

function* checksOf(test: PropertyTest): Generator<Check> {
  const { present, is, isNot, like, unlike, less, more } = test;
  if (present !== undefined) {
    yield () => present;
    return;
  }
  if (is !== undefined) yield (value) => is.includes(value);
  if (isNot !== undefined) yield (value) => !isNot.includes(value);
  if (like !== undefined) {
    const pattern = new RegExp(like);
    yield (value) => typeof value === "string" && pattern.test(value);
  }
  if (unlike !== undefined) {
    const pattern = new RegExp(unlike);
    yield (value) => typeof value === "string" && !pattern.test(value);
  }
  if (less !== undefined) {
    const limitOf = limit(less);
    yield (value, state, owner) => typeof value === "number" && value < limitOf(state, owner);
  }
  if (more !== undefined) {
    const limitOf = limit(more);
    yield (value, state, owner) => typeof value === "number" && value > limitOf(state, owner);
  }
  yield* idChecksOf(test);
}

/** Returns a function that computes an operand's number, or NaN if it is unknown. */
function limit(operand: Operand): (state: RuleQueries, owner: unknown) => number {
  if (typeof operand === "number") return () => operand;
  const { asked, size } = operand;
  return (state, owner) => {
    const parameter = asked === undefined ? undefined : firstAt(state.asked, asked);
    if (size === undefined) return typeof parameter === "number" ? parameter : Number.NaN;
    const sized = firstAt(owner, size);
    const own = Array.isArray(sized) || typeof sized === "string" ? sized.length : Number.NaN;
    return own + (typeof parameter === "number" ? parameter : 0);
  };
}

/** Creates the checks for an id. */
function* idChecksOf({
  known,
  unknown,
  never,
  given,
  ended,
  past,
}: PropertyTest): Generator<Check> {
  if (known !== undefined) {
    const check = idCheck(known, (state, kind, id) => state.isKnown(kind, id));
    yield (value, ...rest) =>
      Array.isArray(value)
        ? value.length > 0 && value.every((each) => check(each, ...rest))
        : check(value, ...rest);
  }
  if (unknown !== undefined) yield idCheck(unknown, (state, kind, id) => state.isUnknown(kind, id));
  if (never !== undefined) yield idCheck(never, (state, kind, id) => state.isNew(kind, id));
  if (given !== undefined) yield idCheck(given, (state, kind, id) => state.isGiven(kind, id));
  if (ended !== undefined) yield idCheck(ended, (state, kind, id) => state.isEnded(kind, id));
  if (past !== undefined) yield idCheck(past, (state, kind, id) => state.isPast(kind, id));
}

function idCheck(
  id: IdKind,
  isMet: (state: RuleQueries, kind: string, id: unknown) => boolean,
): Check {
  if (typeof id === "string") return (value, state) => isMet(state, id, value);
  const { kind, with: part } = id;
  return (value, state, owner) => {
    const first =
      typeof part === "string" ? valueAt(owner, part) : valueAt(state.asked, part.asked);
    return first !== undefined && isMet(state, kind, pairKey(first, value));
  };
}
