import { isObject } from "../../../runtime/protocol/message-fields.js";
import type { IdKind, Operand, PropertyTest, PropertyTests } from "./rule-table.js";

/**
 * Answers the questions that a rule's tests ask about the session. If an answer may be wrong, the
 * reason is added to the state's doubt.
 */
export interface RuleQueries {
  /** Parameters of the request that the message answers, if rules need them. */
  readonly asked: unknown;
  /** Returns whether the session has introduced the id, and the id is still valid. */
  isKnown(kind: string, id: unknown): boolean;
  /** Returns whether the id does not refer to a live object. */
  isUnknown(kind: string, id: unknown): boolean;
  /** Returns whether the session has not introduced the id. */
  isNew(kind: string, id: unknown): boolean;
  /** Returns whether the session has introduced the id, even if it is no longer valid. */
  isGiven(kind: string, id: unknown): boolean;
  /**
   * Returns whether the object identified by the id has ended and the message's sender must already
   * know that.
   */
  isEnded(kind: string, id: unknown): boolean;
  /** Returns whether the id is from before the program resumed. */
  isPast(kind: string, id: unknown): boolean;
}

/**
 * Tests the value of one of `owner`'s properties. The value is never absent or null, except in a
 * test for presence.
 */
type Check = (value: unknown, state: RuleQueries, owner: unknown) => boolean;

/** A test of a property, prepared because it runs on every message. */
interface PreparedTest {
  readonly path: string;
  /** JSON Pointer of the tested property. */
  readonly pointer: string;
  /** Whether the test holds if the property is absent or null. */
  readonly ifAbsent: boolean;
  readonly checks: readonly Check[];
}

const prepared = new WeakMap<PropertyTests, readonly PreparedTest[]>();

/**
 * Runs tests on a value. If all of them hold, returns the JSON Pointer of the last tested property,
 * or an empty string if that property is absent. Otherwise, returns undefined.
 */
export function pointerOfTests(
  tests: PropertyTests,
  value: unknown,
  state: RuleQueries,
): string | undefined {
  let list = prepared.get(tests);
  if (list === undefined) prepared.set(tests, (list = prepare(tests)));
  let last = "";
  for (const { path, pointer, ifAbsent, checks } of list) {
    const part = valueAt(value, path);
    // Null is treated as absent, because some writers omit a property that has no value, and others
    // send null.
    if (part === undefined || part === null) {
      if (!ifAbsent) return undefined;
    } else for (const check of checks) if (!check(part, state, value)) return undefined;
    last = part === undefined ? "" : pointer;
  }
  return last;
}

/** Returns whether all tests of a value hold. */
export function holds(tests: PropertyTests, value: unknown, state: RuleQueries): boolean {
  return pointerOfTests(tests, value, state) !== undefined;
}

function prepare(tests: PropertyTests): readonly PreparedTest[] {
  return Object.entries(tests).map(([path, test]) => ({
    path,
    pointer: path === "" ? "" : `/${path}`,
    ifAbsent: test.present === undefined ? test.orAbsent === true : !test.present,
    checks: [...checksOf(test)],
  }));
}

function* checksOf(test: PropertyTest): Generator<Check> {
  const { present, is, isNot, like, unlike, differs, equals, less, more } = test;
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
  if (differs !== undefined) {
    const { asked, part } = differs;
    const pattern = part === undefined ? undefined : new RegExp(part);
    const partOf = (value: unknown): unknown =>
      typeof value === "string" && pattern !== undefined ? pattern.exec(value)?.[0] : value;
    yield (value, state) => {
      const parameter = valueAt(state.asked, asked);
      return (
        parameter !== undefined &&
        ![parameter].flat().some((each) => partOf(each) === partOf(value))
      );
    };
  }
  if (equals !== undefined) {
    const limitOf = limit(equals);
    yield (value, state, owner) => value === limitOf(state, owner);
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
  const { asked, size, value } = operand;
  return (state, owner) => {
    const parameter =
      value !== undefined
        ? valueAt(owner, value)
        : asked === undefined
          ? undefined
          : firstAt(state.asked, asked);
    if (size === undefined) return typeof parameter === "number" ? parameter : Number.NaN;
    const sized = firstAt(owner, size);
    const length = Array.isArray(sized) || typeof sized === "string" ? sized.length : Number.NaN;
    return length + (typeof parameter === "number" ? parameter : 0);
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

/** A key in a path: `body/threads` has the keys `body` and `threads`. */
interface PathKey {
  readonly name: string;
  /** Whether objects or arrays inherit a property with this key. */
  readonly isInherited: boolean;
}

/** The keys of each path. There are few, because paths come only from rule tables. */
const pathKeys = new Map<string, readonly PathKey[]>();

/** Returns the part of a value at a path. The empty path refers to the value itself. */
export function valueAt(value: unknown, path: string): unknown {
  let keys = pathKeys.get(path);
  if (keys === undefined) {
    const names = path === "" ? [] : path.split("/");
    keys = names.map((name) => ({ name, isInherited: name in Array.prototype }));
    pathKeys.set(path, keys);
  }
  let part = value;
  for (const { name, isInherited } of keys) {
    if (typeof part !== "object" || part === null) return undefined;
    if (isInherited && !Object.hasOwn(part, name)) return undefined;
    part = (part as Record<string, unknown>)[name];
  }
  return part;
}

/** Returns the part of a value at the first of several paths that exists in it. */
export function firstAt(value: unknown, paths: string | readonly string[]): unknown {
  if (typeof paths === "string") return valueAt(value, paths);
  for (const path of paths) {
    const part = valueAt(value, path);
    if (part !== undefined && part !== null) return part;
  }
  return undefined;
}

const nothing: readonly never[] = [];

/** Returns the items of the array at a path. Empty if there is no array. */
export function itemsAt(body: unknown, path: string): readonly unknown[] {
  const list = isObject(body) ? valueAt(body, path) : undefined;
  return Array.isArray(list) ? (list as unknown[]) : nothing;
}

/** Combines the two parts of an id into a string. Most parts are numbers. */
export function pairKey(first: unknown, second: unknown): string {
  if (typeof first === "number" && typeof second === "number") return `${first},${second}`;
  return JSON.stringify([first, second]);
}
