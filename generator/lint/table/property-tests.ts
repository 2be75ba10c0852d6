import { keysOf, pairKey, valueAt, valueBy, type PathKeys } from "./property-path.js";
import type { EntityLives } from "./entity-lives.js";
import type { Doubt } from "../state/knowledge.js";
import type { PropertyTest, PropertyTests } from "./rule-table.js";

/** What tests ask about ids, in the light of the message that is judged. */
export interface IdContext {
  readonly entities: ReadonlyMap<string, EntityLives>;
  readonly from: string;
  /** Number of the latest message of the other side that the sender is sure to have seen. */
  readonly seen: number;
  /** Collects why a test that is met may not be. */
  readonly doubt: Doubt;
  /** What the request asked for that the message answers, as far as tables need it. */
  readonly asked: unknown;
}

/** A test of a value, which is there unless the test is about that. */
type Check = (value: unknown, context: IdContext) => boolean;

/** A test that was made ready: tests are tried with each message. */
export interface ReadyTest {
  readonly keys: PathKeys;
  /** JSON Pointer of the property. */
  readonly place: string;
  /** Whether it is met if the property is absent or null. */
  readonly ifAbsent: boolean;
  /** Another property that is a part of the id. */
  readonly with: string | undefined;
  readonly checks: readonly Check[];
}

/** The place of the last property that is tested, if all tests are met; empty if the property is absent. */
export function placeOfTests(
  tests: PropertyTests,
  value: unknown,
  context: IdContext,
): string | undefined {
  return placeOfReady(readyTestsOf(tests), value, context);
}

/** As `placeOfTests`, of tests that were made ready. */
export function placeOfReady(
  tests: readonly ReadyTest[],
  value: unknown,
  context: IdContext,
): string | undefined {
  let place = "";
  for (const test of tests) {
    const each = valueBy(value, test.keys);
    // Writers that have no value leave a property out or write null.
    if (each === undefined || each === null) {
      if (!test.ifAbsent) return undefined;
    } else {
      const tested = test.with === undefined ? each : pairKey(valueAt(value, test.with), each);
      for (const check of test.checks) if (!check(tested, context)) return undefined;
    }
    place = each === undefined ? "" : test.place;
  }
  return place;
}

const readyTests = new WeakMap<PropertyTests, readonly ReadyTest[]>();

/** Makes tests ready, once. */
export function readyTestsOf(tests: PropertyTests): readonly ReadyTest[] {
  let ready = readyTests.get(tests);
  if (ready === undefined) {
    ready = Object.entries(tests).map(([path, test]) => ({
      keys: keysOf(path),
      place: path === "" ? "" : `/${path}`,
      ifAbsent: test.present === undefined ? test.orAbsent === true : !test.present,
      with: test.with,
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
  if (less !== undefined) yield (value) => typeof value === "number" && value < less;
  if (more !== undefined) yield (value) => typeof value === "number" && value > more;
  yield* idChecksOf(test);
}

/** Tests of ids. Those that are met by what is not known are in doubt. */
function* idChecksOf(test: PropertyTest): Generator<Check> {
  const { known, unknown, never, given, ended, past, elsewhere } = test;
  const of = ({ entities }: IdContext, name: string): EntityLives | undefined => entities.get(name);
  if (known !== undefined) yield (id, context) => of(context, known)?.isKnown(id) === true;
  if (unknown !== undefined)
    yield (id, context) => {
      const lives = of(context, unknown);
      context.doubt.add(lives?.gapOf(id));
      return lives?.isKnown(id) !== true;
    };
  if (never !== undefined)
    yield (id, context) => {
      const lives = of(context, never);
      context.doubt.add(lives?.gapOf(id));
      return lives?.isGiven(id) === false;
    };
  if (given !== undefined) yield (id, context) => of(context, given)?.isGiven(id) === true;
  if (ended !== undefined)
    yield (id, context) => of(context, ended)?.isEnded(id, context.from, context.seen) === true;
  if (past !== undefined) yield (id, context) => of(context, past)?.isPast(id) === true;
  if (elsewhere !== undefined)
    yield (id, context) => of(context, elsewhere)?.isElsewhere(id, context.asked) === true;
}
