import { oncePerText } from "../../../generator/model/once.js";
import { isObject } from "../../../runtime/protocol/message-fields.js";
import type { SessionState } from "../session-state.js";
import type { EntityLives } from "./entity-lives.js";
import type { IdKind, Operand, PropertyTest, PropertyTests } from "./rule-table.js";

/** The facts about a session that tests of values may ask for. */
export interface TestContext {
  /** Parameters of the request that the message answers, if the request is remembered. */
  readonly asked: unknown;
  /** The ids of each kind. */
  readonly lives: ReadonlyMap<string, EntityLives>;
  /** If an answer about an id may be wrong, the reason is added to the session's doubt. */
  readonly session: SessionState;
  /** Role that sent the message. */
  readonly from: string;
}

/** Tests the value of one of `owner`'s properties. The value is never absent or null. */
type Test<Operand> = (
  operand: Operand,
  value: unknown,
  context: TestContext,
  owner: unknown,
) => boolean;

/** Asks the session about an id. `lives` is undefined if the kind of id does not exist. */
type IdQuery = (lives: EntityLives | undefined, id: unknown, context: TestContext) => boolean;

/** Creates a test that asks the session about an id. */
function idTest(query: IdQuery): Test<IdKind> {
  return (id, value, context, owner) => {
    if (typeof id === "string") return query(context.lives.get(id), value, context);
    const { kind, with: part } = id;
    const first =
      typeof part === "string" ? valueAt(owner, part) : valueAt(context.asked, part.asked);
    return first !== undefined && query(context.lives.get(kind), pairKey(first, value), context);
  };
}

const isKnown = idTest((lives, id) => lives?.isKnown(id) === true);

const tests: { readonly [Name in keyof Required<PropertyTest>]: Test<PropertyTest[Name] & {}> } = {
  present: (isPresent) => isPresent,
  orAbsent: () => true,
  is: (values, value) => values.includes(value),
  isNot: (values, value) => !values.includes(value),
  like: (source, value) => typeof value === "string" && patternOf(source).test(value),
  unlike: (source, value) => typeof value === "string" && !patternOf(source).test(value),
  equals: (operand, value, ...context) => value === numberOf(operand, ...context),
  less: (operand, value, ...context) =>
    typeof value === "number" && value < numberOf(operand, ...context),
  more: (operand, value, ...context) =>
    typeof value === "number" && value > numberOf(operand, ...context),
  differs: ({ asked, part }, value, context) => {
    const partOf = (each: unknown): unknown =>
      typeof each === "string" && part !== undefined ? patternOf(part).exec(each)?.[0] : each;
    const parameter = valueAt(context.asked, asked);
    return (
      parameter !== undefined && ![parameter].flat().some((each) => partOf(each) === partOf(value))
    );
  },
  known: (id, value, context, owner) =>
    Array.isArray(value)
      ? value.length > 0 && value.every((each) => isKnown(id, each, context, owner))
      : isKnown(id, value, context, owner),
  unknown: idTest((lives, id, { session }) => {
    session.doubt.add(lives?.liveGapOf(id));
    return lives?.isKnown(id) !== true;
  }),
  never: idTest((lives, id, { session }) => {
    session.doubt.add(lives?.gapOf(id));
    return lives?.isGiven(id) === false;
  }),
  given: idTest((lives, id) => lives?.isGiven(id) === true),
  ended: idTest(
    (lives, id, { session, from }) =>
      lives?.isEnded(id, from, session.requests.seenBy(from)) === true,
  ),
  past: idTest((lives, id) => lives?.isPast(id) === true),
};

/**
 * Runs tests on a value. If all of them hold, returns the JSON Pointer of the last tested property,
 * or an empty string if that property is absent. Otherwise, returns undefined.
 */
export function pointerOfTests(
  properties: PropertyTests,
  value: unknown,
  context: TestContext,
): string | undefined {
  let pointer = "";
  for (const path in properties) {
    const test = properties[path]!;
    const part = valueAt(value, path);
    // Null is treated as absent, because some writers omit a property that has no value, and others
    // send null.
    if (part === undefined || part === null) {
      if (test.present === undefined ? test.orAbsent !== true : test.present) return undefined;
    } else
      for (const name in test) {
        const key = name as keyof PropertyTest;
        if (!(tests[key] as Test<unknown>)(test[key], part, context, value)) return undefined;
      }
    pointer = part === undefined || path === "" ? "" : `/${path}`;
  }
  return pointer;
}

/** Returns whether all tests of a value hold. */
export function holds(properties: PropertyTests, value: unknown, context: TestContext): boolean {
  return pointerOfTests(properties, value, context) !== undefined;
}

/** Returns an operand's number, or NaN if it is unknown. */
function numberOf(operand: Operand, context: TestContext, owner: unknown): number {
  if (typeof operand === "number") return operand;
  const { asked, size, value } = operand;
  const parameter =
    value !== undefined
      ? valueAt(owner, value)
      : asked === undefined
        ? undefined
        : firstAt(context.asked, asked);
  if (size === undefined) return typeof parameter === "number" ? parameter : Number.NaN;
  const sized = firstAt(owner, size);
  const length = Array.isArray(sized) || typeof sized === "string" ? sized.length : Number.NaN;
  return length + (typeof parameter === "number" ? parameter : 0);
}

const patternOf = oncePerText((source) => new RegExp(source));
const namesIn = oncePerText((path) => (path === "" ? [] : path.split("/")));

/** Returns the part of a value at a path. The empty path refers to the value itself. */
export function valueAt(value: unknown, path: string): unknown {
  let part = value;
  for (const name of namesIn(path)) {
    if (typeof part !== "object" || part === null) return undefined;
    // The session's state has getters, but objects and arrays in messages must not seem to have
    // the methods that they inherit.
    if (name in Array.prototype && !Object.hasOwn(part, name)) return undefined;
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

/** Returns the items of the array at a path. Empty if there is no array. */
export function itemsAt(body: unknown, path: string): readonly unknown[] {
  const list = isObject(body) ? valueAt(body, path) : undefined;
  return Array.isArray(list) ? (list as unknown[]) : [];
}

/** Combines the two parts of an id into a string. Most parts are numbers. */
export function pairKey(first: unknown, second: unknown): string {
  if (typeof first === "number" && typeof second === "number") return `${first},${second}`;
  return JSON.stringify([first, second]);
}
