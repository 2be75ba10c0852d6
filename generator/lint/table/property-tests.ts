import { partOf } from "../../../runtime/base/json-pointer.js";
import type { EntityLives } from "./entity-lives.js";
import type { PropertyTest, PropertyTests } from "./rule-table.js";

/** What tests ask about ids, in the light of the message that is judged. */
export interface IdContext {
  readonly entities: ReadonlyMap<string, EntityLives>;
  readonly from: string;
  /** Number of the latest message of the other side that the sender is sure to have seen. */
  readonly seen: number;
  /** Everything that was given is in the recording. */
  readonly isWhole: boolean;
}

/** The place of the last property that is tested, if all tests are met; empty if the property is absent. */
export function placeOfTests(
  tests: PropertyTests,
  value: unknown,
  context: IdContext,
): string | undefined {
  let place = "";
  for (const [path, test] of Object.entries(tests)) {
    const each = path === "" ? value : partOf(value, `/${path}`);
    if (!isMet(test, each, context)) return undefined;
    place = each === undefined || path === "" ? "" : `/${path}`;
  }
  return place;
}

function isMet(test: PropertyTest, value: unknown, context: IdContext): boolean {
  // Writers that have no value leave a property out or write null.
  const isAbsent = value === undefined || value === null;
  if (test.present !== undefined) return test.present === !isAbsent;
  if (isAbsent) return test.orAbsent === true;
  if (test.is !== undefined && !test.is.includes(value)) return false;
  if (test.isNot?.includes(value) === true) return false;
  return isMetByText(test, value) && isMetByNumber(test, value) && isMetById(test, value, context);
}

function isMetByText({ like, unlike }: PropertyTest, value: unknown): boolean {
  if (like === undefined && unlike === undefined) return true;
  if (typeof value !== "string") return false;
  return (
    (like === undefined || patternOf(like).test(value)) &&
    (unlike === undefined || !patternOf(unlike).test(value))
  );
}

function isMetByNumber({ less, more }: PropertyTest, value: unknown): boolean {
  if (less === undefined && more === undefined) return true;
  if (typeof value !== "number") return false;
  return (less === undefined || value < less) && (more === undefined || value > more);
}

function isMetById(test: PropertyTest, value: unknown, context: IdContext): boolean {
  const { entities, from, seen, isWhole } = context;
  const { known, unknown, never, given, ended, past } = test;
  const of = (name: string): EntityLives | undefined => entities.get(name);
  return (
    (known === undefined || of(known)?.isKnown(value) === true) &&
    (unknown === undefined || of(unknown)?.isKnown(value) !== true) &&
    (never === undefined || (isWhole && of(never)?.isNever(value) === true)) &&
    (given === undefined || of(given)?.isGiven(value) === true) &&
    (ended === undefined || of(ended)?.isEnded(value, from, seen) === true) &&
    (past === undefined || of(past)?.isPast(value) === true)
  );
}

const patterns = new Map<string, RegExp>();

/** Patterns stand in tables: there are few. */
export function patternOf(text: string): RegExp {
  let pattern = patterns.get(text);
  if (pattern === undefined) patterns.set(text, (pattern = new RegExp(text)));
  return pattern;
}
