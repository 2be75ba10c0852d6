import { isDeepStrictEqual } from "node:util";
import { pointerStep } from "../../../runtime/base/json-pointer.js";
import { LatestEntries } from "../../../runtime/base/latest-entries.js";
import { isObject } from "../../../runtime/protocol/message-fields.js";
import { rememberedKey, valueText } from "../../read/remembered.js";
import { placeIn, type EntryPlace, type JudgedMessage } from "../judged-message.js";
import type { Gap } from "../knowledge.js";
import type { PartPath } from "../parts-walk.js";
import { isHanded } from "./carried-values.js";
import { firstAt, holds, itemsAt, pointerOfTests, valueAt } from "./property-tests.js";
import type {
  CarriedRule,
  ChangeRule,
  CountRule,
  DelayRule,
  ListKeys,
  NestingRule,
  OrderRule,
  RecencyRule,
  SettledRule,
  Setting,
  TableRule,
} from "./rule-table.js";
import { isSelected, listOf } from "./selectors.js";
import type { TableState } from "./table-state.js";

/** A finding from a rule in a table. */
export interface TableFinding {
  readonly rule: TableRule;
  /** JSON Pointer into the message. */
  readonly pointer: string;
  readonly value?: unknown;
  /** Path of the missing property. */
  readonly absent?: string | undefined;
  /** Why it is unknown whether the message is wrong. */
  readonly gap?: Gap | undefined;
  /** Location of the finding. Default: the judged message. */
  readonly place?: EntryPlace | undefined;
}

/** Returns a sentence that describes a rule's finding. */
export function textOfFinding({ rule: { docs, says }, value, absent }: TableFinding): string {
  if (says !== undefined) return says.replace("{value}", () => valueText(value));
  return absent === undefined ? docs : docs.replace(/\.$/, () => `: ${absent}.`);
}

/** Checks a message that a rule applies to. */
export type RuleCheck = (message: JudgedMessage) => void;

/** The state and the functions with which a check tests and reports parts of a message. */
interface CheckTools {
  readonly state: TableState;
  /** Runs the rule's tests on a part of the message. */
  readonly test: (value: unknown, path: PartPath) => void;
  readonly report: (finding: Omit<TableFinding, "rule" | "gap">) => void;
  /** Reports a part of a message's payload. */
  readonly reportItem: (message: JudgedMessage, item: Item) => void;
}

/** Creates the check of a keyword from its value in a rule. */
type CheckOf<Value> = (value: Value, tools: CheckTools) => RuleCheck;

type Checks = { readonly [Keyword in keyof TableRule]?: CheckOf<TableRule[Keyword] & {}> };

/** The keywords that say what a rule checks. The first one in a rule counts. */
const checks: Checks = {
  bytes: (bytes, { report }) => {
    const quirks = listOf(bytes);
    return (message) => {
      for (const { quirk, offset, pointer = "", value } of message.bytes ?? [])
        if (quirks.includes(quirk))
          report({ pointer, value, place: { ...placeIn(message), offset } });
    };
  },
  envelope:
    (envelope, { state, report }) =>
    ({ fields }) => {
      const pointer = pointerOfTests(envelope, fields, state);
      if (pointer !== undefined) report({ pointer });
    },
  reference: (reference, { state, test }) => {
    const kinds = listOf(reference);
    return (message) => {
      for (const kind of kinds)
        for (const { value, path } of state.references.of(message, kind)) test(value, path);
    };
  },
  distinct: itemsCheck(repeatedItems),
  sorted: itemsCheck(unsortedItem),
  ordered: itemsCheck(misplacedItem),
  latestFirst: checkLatestFirst,
  nested: checkNesting,
  complete:
    ({ each, id, of }, { state, reportItem }) =>
    (message) => {
      const items = message.hasFailed ? [] : itemsAt(message.body, each);
      if (items.length === 0) return;
      const keys = new Set(items.map((item) => rememberedKey(valueAt(item, id))));
      const value = state.lives.get(of)?.live.find((key) => !keys.has(key));
      if (value !== undefined) reportItem(message, { pointer: pointerStep(each), value });
    },
  unchanged: checkUnchanged,
  delay: checkDelay,
  carried: checkCarried,
  count: itemsCheck(wrongCount),
  settled: checkSettled,
  each:
    (each, { test }) =>
    (message) => {
      const items = itemsAt(message.body, each);
      const owner = { owner: payloadOf(message), key: each };
      for (let key = 0; key < items.length; key++) test(items[key], { owner, key });
    },
};

/** Creates a rule's check. Rules about types are checked elsewhere. */
export function createRuleCheck(
  rule: TableRule,
  { state, test, report }: Omit<CheckTools, "reportItem">,
): RuleCheck {
  const reportItem: CheckTools["reportItem"] = ({ payloadField }, { pointer, value }) =>
    report({ pointer: `/${payloadField}${pointer}`, value });
  const keyword = (Object.keys(checks) as (keyof Checks)[]).find((each) => each in rule);
  if (keyword !== undefined) {
    const create = checks[keyword] as CheckOf<unknown>;
    return create(rule[keyword]!, { state, test, report, reportItem });
  }
  if (rule.test === undefined && rule.anyOf === undefined) return () => report({ pointer: "" });
  return (message) => {
    // Failure responses are skipped, because they have no result.
    if (!message.hasFailed) test(message.body, payloadOf(message));
  };
}

/** Creates a check that reports the items that a function finds in a message. */
function itemsCheck<Value>(
  find: (value: Value, message: JudgedMessage, asked: unknown) => readonly Item[],
): CheckOf<Value> {
  return (value, { state, reportItem }) =>
    (message) => {
      for (const item of find(value, message, state.asked)) reportItem(message, item);
    };
}

function payloadOf({ payloadField }: JudgedMessage): PartPath {
  return { owner: undefined, key: payloadField };
}

/** A part of a payload that a rule reports, and its JSON Pointer in the payload. */
interface Item {
  readonly value: unknown;
  readonly pointer: string;
}

/** Finds the items that share a key with an earlier item. */
function repeatedItems({ each, by }: ListKeys, { body }: JudgedMessage): readonly Item[] {
  const keys = new Set<unknown>();
  return itemsAt(body, each)
    .map((value, index) => ({ value, pointer: `/${each}/${index}` }))
    .filter(({ value }) => {
      const key = keyOf(value, by);
      return key !== undefined && keys.size === keys.add(key).size;
    });
}

/** Returns an item's key, or undefined if the item has none of the properties that form the key. */
function keyOf(item: unknown, by: readonly string[]): unknown {
  if (by.length === 1) return rememberedKey(valueAt(item, by[0]!));
  const keys = by.map((path) => valueAt(item, path));
  return keys.every((key) => key === undefined) ? undefined : JSON.stringify(keys);
}

/**
 * Finds the first item whose key is lower than the previous item's key. An absent key counts as
 * zero.
 */
function unsortedItem({ each, by }: ListKeys, { body }: JudgedMessage): readonly Item[] {
  const items = itemsAt(body, each);
  const numberAt = (item: unknown, path: string): number => Number(valueAt(item, path) ?? 0);
  const index = items.findIndex((item, position) => {
    const before = items[position - 1];
    if (before === undefined) return false;
    const path = by.find((key) => numberAt(before, key) !== numberAt(item, key));
    return path !== undefined && numberAt(item, path) < numberAt(before, path);
  });
  return index < 0 ? [] : [{ value: items[index], pointer: `/${each}/${index}` }];
}

/**
 * Compares the number of items, or of bytes in base64, in a response with the number that the
 * request asked for.
 */
function wrongCount(
  { each, of, most }: CountRule,
  { body, hasFailed }: JudgedMessage,
  asked: unknown,
): readonly Item[] {
  const list = valueAt(body, each);
  const size = Array.isArray(list)
    ? list.length
    : typeof list === "string"
      ? Buffer.byteLength(list, "base64")
      : undefined;
  if (asked === undefined || hasFailed || size === undefined) return [];
  const counts = of
    .map((paths) => firstAt(asked, paths))
    .map((value) => (Array.isArray(value) ? value.length : value))
    .filter((count) => typeof count === "number");
  const expected = counts.reduce((sum, count) => sum + count, 0);
  if (counts.length === 0 || (most === true && expected === 0)) return [];
  const isWrong = most === true ? size > expected : size !== expected;
  return isWrong ? [{ value: `${size} instead of ${expected}`, pointer: pointerStep(each) }] : [];
}

/** Finds a value that differs from the one that a request has set. */
function checkSettled(rule: SettledRule, { state, reportItem }: CheckTools): RuleCheck {
  const ownerOf = ({ same }: Setting, asked: unknown): string =>
    JSON.stringify(same.map((path) => valueAt(asked, path) ?? null));
  const patterns = new Map(
    rule.by.map((setting) => [setting, new RegExp(setting.part ?? "^([^]*)$")]),
  );
  /** The latest value that was set, until another message may have changed it. */
  let latest: { setting: Setting; owner: string; name: string; value: unknown } | undefined;
  return (message) => {
    const { asked } = state;
    const setting = rule.by.find((each) => message.selectors.includes(each.message));
    if (setting !== undefined) {
      const value = valueAt(message.body, setting.value);
      const given = valueAt(asked, setting.name);
      const name = typeof given === "string" ? patterns.get(setting)!.exec(given)?.[1] : undefined;
      if (name !== undefined)
        latest =
          value === undefined || value === ""
            ? undefined
            : { setting, owner: ownerOf(setting, asked), name, value };
      return;
    }
    if (isSelected(rule.until, message)) {
      const isHarmless = rule.harmless !== undefined && holds(rule.harmless, message.body, state);
      if (!isHarmless) latest = undefined;
    }
    if (latest === undefined || asked === undefined) return;
    const { item } = latest.setting;
    if (ownerOf(latest.setting, asked) !== latest.owner) return;
    const { name, value: expected } = latest;
    const items = itemsAt(message.body, rule.each);
    const indexes = [...items.keys()].filter((index) => valueAt(items[index], item) === name);
    const value = valueAt(items[indexes[0]!], rule.value);
    // The response is ignored if several items have this name, because it is unknown which item's
    // value was set.
    if (indexes.length !== 1 || value === undefined || value === expected) return;
    reportItem(message, {
      value: `${value} instead of ${expected}`,
      pointer: `/${rule.each}/${indexes[0]}${pointerStep(rule.value)}`,
    });
  };
}

/** Finds the first item with the wrong key, if the keys are the requested ones in another order. */
function misplacedItem(
  { each, by, of }: OrderRule,
  { body }: JudgedMessage,
  asked: unknown,
): readonly Item[] {
  // As text, because a request whose values have the wrong type is the other side's mistake.
  const keysOf = (items: readonly unknown[]): readonly string[] =>
    items.map((item) => String(isObject(item) ? valueAt(item, by) : item));
  const items = itemsAt(body, each);
  const requested = firstAt(asked, of);
  if (!Array.isArray(requested)) return [];
  const [keys, wanted] = [keysOf(items), keysOf(requested)];
  const sorted = (list: readonly string[]): string => JSON.stringify([...list].sort());
  if (sorted(keys) !== sorted(wanted)) return [];
  const index = keys.findIndex((key, position) => key !== wanted[position]);
  return index < 0 ? [] : [{ value: keys[index], pointer: `/${each}/${index}${pointerStep(by)}` }];
}

/** Finds the first item that was named later than the item before it. */
function checkLatestFirst(
  { each, message: naming, id }: RecencyRule,
  { reportItem }: CheckTools,
): RuleCheck {
  const namedAt = new LatestEntries<unknown, number>(maxNamed);
  return (message) => {
    if (message.selectors.includes(naming)) {
      namedAt.set(rememberedKey(valueAt(message.body, id)), message.index);
      return;
    }
    const items = itemsAt(message.body, each);
    const places = items.map((item) => namedAt.get(rememberedKey(item)));
    const index = places.findIndex((place, position) => {
      const before = places[position - 1];
      return place !== undefined && before !== undefined && place > before;
    });
    if (index >= 0) reportItem(message, { value: items[index], pointer: `/${each}/${index}` });
  };
}

/** Maximum number of names to remember. */
const maxNamed = 1_000;

function checkNesting({ begins, ends }: NestingRule, { state, report }: CheckTools): RuleCheck {
  let depth = 0;
  return ({ body }) => {
    if (holds(begins, body, state)) depth++;
    else if (holds(ends, body, state) && depth-- === 0) {
      depth = 0;
      report({ pointer: "" });
    }
  };
}

function checkDelay({ after, of }: DelayRule, { report }: CheckTools): RuleCheck {
  /** The earliest time at which a message may arrive. */
  let due: number | undefined;
  return ({ selectors, body, time }) => {
    if (time === undefined) return;
    const isEarly = due !== undefined && time < due;
    if (selectors.includes(after)) {
      const delay = valueAt(body, of);
      // A request after the delay leaves the earlier one waiting for its answer.
      if (typeof delay === "number" && (due === undefined || isEarly)) due = time + delay;
    } else if (isEarly) report({ pointer: "", value: Math.round(due! - time) });
  };
}

function checkUnchanged(
  { item, by, lists, each }: ChangeRule,
  { reportItem }: CheckTools,
): RuleCheck {
  const states = new LatestEntries<unknown, string>(maxNamed);
  const isSame = (object: unknown): boolean => {
    const id = rememberedKey(valueAt(object, by));
    const state = JSON.stringify(isObject(object) ? Object.entries(object).sort() : object);
    const was = states.get(id);
    states.set(id, state);
    return was === state;
  };
  return (message) => {
    const object = valueAt(message.body, item);
    if (isSelected(lists, message)) itemsAt(message.body, each).forEach(isSame);
    else if (isObject(object) && isSame(object))
      reportItem(message, { value: valueAt(object, by), pointer: pointerStep(item) });
  };
}

/** Finds a value that is not one that an earlier session handed on, and a missing value. */
function checkCarried(rule: CarriedRule, { state, reportItem }: CheckTools): RuleCheck {
  const { carried } = state.session;
  // Only sessions that ended before this one began can be the one that it continues.
  const { values, awaited } = carried.begin(rule);
  return (message) => {
    const { selectors, body } = message;
    if (selectors.includes(rule.message)) {
      carried.end(rule, valueAt(body, rule.value));
      return;
    }
    const value = valueAt(body, rule.as);
    if (!isHanded(value)) {
      if (awaited !== undefined) reportItem(message, { value, pointer: "" });
    } else if (values?.some((each) => isDeepStrictEqual(each, value)) === false)
      reportItem(message, { value, pointer: pointerStep(rule.as) });
  };
}
