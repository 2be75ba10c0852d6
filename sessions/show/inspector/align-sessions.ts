import type { Protocol } from "../../../generator/model/protocol.js";
import { typesIn } from "../../../generator/model/type-checks.js";
import { type Fields, type MessageKind, payloadFieldOf } from "../../read/message-reader.js";
import { shortText } from "../../read/remembered.js";

/** A request and its response, or an event. `key` identifies the meaning of the message. */
export interface AlignedUnit {
  readonly row: number;
  readonly session: number;
  /** The message's sender, kind and name. */
  readonly name: string;
  /** The message's meaning key: see `MeaningKeys`. */
  readonly key: string;
  /** The response's meaning key. Undefined if there is no response. */
  answer?: string;
}

/**
 * The rows where two recordings contain the same message. A row is -1 if that recording lacks the
 * message.
 */
export interface AlignedPair {
  readonly left: number;
  readonly right: number;
  /** Whether the two messages differ. `isOtherAnswer` says whether their responses do. */
  readonly isChanged: boolean;
  readonly isOtherAnswer: boolean;
  /** Whether the two messages are at different positions. */
  readonly isMoved: boolean;
}

/**
 * Maximum number of cells in the alignment table. Parts of a recording that are too long for it are
 * divided at messages that occur once, or else in the middle.
 */
const maxCells = 400_000;

/**
 * The alignment weights of two messages that have the same name, and of two that have the same
 * meaning.
 */
const sameName = 2;
const sameKey = 5;

type Match = readonly [left: AlignedUnit, right: AlignedUnit];

/**
 * Aligns two recordings session by session, in the order in which the sessions began. Returns
 * common, missing and new messages.
 */
export function alignRecordings(
  left: readonly AlignedUnit[],
  right: readonly AlignedUnit[],
): readonly AlignedPair[] {
  const [lefts, rights] = [bySession(left), bySession(right)];
  const matches = lefts.flatMap((units, index) => alignUnits(units, rights[index] ?? []));
  const matchOf = new Map(matches.map(([a, b]) => [a, b]));
  const isMatched = new Set(matches.map(([, b]) => b));
  const movedTo = lefts.flatMap((units, index) => {
    const isLeft = (unit: AlignedUnit): boolean => !matchOf.has(unit);
    const isRight = (unit: AlignedUnit): boolean => !isMatched.has(unit);
    return pairMoved(units.filter(isLeft), (rights[index] ?? []).filter(isRight));
  });
  const moved = new Map(movedTo);
  for (const [, unit] of movedTo) isMatched.add(unit);
  const pairs: AlignedPair[] = [];
  const waiting = new Map(rights.map((units) => [units[0]!.session, { units, next: 0 }]));
  const addNew = (session: number, until?: AlignedUnit): void => {
    const queue = waiting.get(session);
    if (queue === undefined) return;
    for (; queue.next < queue.units.length; queue.next++) {
      const unit = queue.units[queue.next]!;
      if (unit === until) return;
      if (!isMatched.has(unit)) pairs.push(pairOf(undefined, unit));
    }
  };
  for (const unit of left) {
    const match = matchOf.get(unit);
    if (match !== undefined) addNew(match.session, match);
    pairs.push(pairOf(unit, match ?? moved.get(unit), match === undefined));
  }
  for (const session of waiting.keys()) addNew(session);
  return pairs;
}

/**
 * Among messages that still have no counterpart, pairs those that have the same meaning but
 * different positions. Messages with the same meaning keep their order.
 */
function pairMoved(left: readonly AlignedUnit[], right: readonly AlignedUnit[]): Match[] {
  const queues = new Map<string, AlignedUnit[]>();
  for (const unit of right) {
    const key = `${unit.name}\n${unit.key}`;
    const queue = queues.get(key);
    if (queue === undefined) queues.set(key, [unit]);
    else queue.push(unit);
  }
  const next = new Map<string, number>();
  return left.flatMap((unit) => {
    const key = `${unit.name}\n${unit.key}`;
    const index = next.get(key) ?? 0;
    const match = queues.get(key)?.[index];
    if (match === undefined) return [];
    next.set(key, index + 1);
    return [[unit, match] as const];
  });
}

function pairOf(
  left: AlignedUnit | undefined,
  right: AlignedUnit | undefined,
  isOutOfOrder = false,
): AlignedPair {
  const both = left !== undefined && right !== undefined;
  return {
    left: left?.row ?? -1,
    right: right?.row ?? -1,
    isChanged: both && left.key !== right.key,
    isOtherAnswer: both && left.answer !== right.answer,
    isMoved: both && isOutOfOrder,
  };
}

/** Groups messages by session, in the order in which the sessions began. */
function bySession(units: readonly AlignedUnit[]): readonly AlignedUnit[][] {
  const sessions = new Map<number, AlignedUnit[]>();
  for (const unit of units) {
    const session = sessions.get(unit.session);
    if (session === undefined) sessions.set(unit.session, [unit]);
    else session.push(unit);
  }
  return [...sessions.values()];
}

/** Pairs messages that have the same meaning and occur in the same order in both recordings. */
function alignUnits(left: readonly AlignedUnit[], right: readonly AlignedUnit[]): Match[] {
  if (left.length * right.length <= maxCells) return alignByTable(left, right);
  const anchors = anchorsOf(left, right);
  if (anchors.length === 0) {
    const [a, b] = [left.length >> 1, right.length >> 1];
    return [
      ...alignUnits(left.slice(0, a), right.slice(0, b)),
      ...alignUnits(left.slice(a), right.slice(b)),
    ];
  }
  const matches: Match[] = [];
  let [a, b] = [0, 0];
  for (const [nextA, nextB] of [...anchors, [left.length, right.length] as const]) {
    matches.push(...alignUnits(left.slice(a, nextA), right.slice(b, nextB)));
    if (nextA < left.length) matches.push([left[nextA]!, right[nextB]!]);
    [a, b] = [nextA + 1, nextB + 1];
  }
  return matches;
}

/**
 * Pairs messages whose meaning occurs exactly once in each recording. Keeps only pairs that occur
 * in the same order in both recordings.
 */
function anchorsOf(
  left: readonly AlignedUnit[],
  right: readonly AlignedUnit[],
): readonly (readonly [number, number])[] {
  const indices = uniqueIndices(right);
  const pairs = [...uniqueIndices(left)].flatMap(([key, leftIndex]) => {
    const rightIndex = indices.get(key);
    return rightIndex === undefined ? [] : [[leftIndex, rightIndex] as const];
  });
  pairs.sort(([a], [b]) => a - b);
  // Find the longest subsequence of pairs whose positions in the right recording increase.
  const tails: number[] = [];
  const before = new Int32Array(pairs.length).fill(-1);
  for (const [index, [, position]] of pairs.entries()) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[tails[middle]!]![1] < position) low = middle + 1;
      else high = middle;
    }
    if (low > 0) before[index] = tails[low - 1]!;
    tails[low] = index;
  }
  const chosen: (readonly [number, number])[] = [];
  for (let index = tails.at(-1) ?? -1; index >= 0; index = before[index]!)
    chosen.push(pairs[index]!);
  return chosen.reverse();
}

function uniqueIndices(units: readonly AlignedUnit[]): Map<string, number> {
  const indices = new Map<string, number>();
  const repeated = new Set<string>();
  for (const [index, unit] of units.entries()) {
    const key = `${unit.name}\n${unit.key}`;
    if (indices.has(key)) repeated.add(key);
    indices.set(key, index);
  }
  for (const key of repeated) indices.delete(key);
  return indices;
}

/**
 * Uses a table to find the best alignment of two short parts. Two messages with the same meaning
 * count for more than two that only have the same name.
 */
function alignByTable(left: readonly AlignedUnit[], right: readonly AlignedUnit[]): Match[] {
  const width = right.length + 1;
  const table = new Int32Array((left.length + 1) * width);
  for (let a = left.length - 1; a >= 0; a--)
    for (let b = right.length - 1; b >= 0; b--) {
      const worth = worthOf(left[a]!, right[b]!);
      const paired = worth === 0 ? 0 : worth + table[(a + 1) * width + b + 1]!;
      table[a * width + b] = Math.max(
        paired,
        table[(a + 1) * width + b]!,
        table[a * width + b + 1]!,
      );
    }
  const matches: Match[] = [];
  for (let a = 0, b = 0; a < left.length && b < right.length;) {
    const worth = worthOf(left[a]!, right[b]!);
    const best = table[a * width + b]!;
    if (worth > 0 && best === worth + table[(a + 1) * width + b + 1]!)
      matches.push([left[a++]!, right[b++]!]);
    else if (best === table[(a + 1) * width + b]!) a++;
    else b++;
  }
  return matches;
}

function worthOf(left: AlignedUnit, right: AlignedUnit): number {
  if (left.name !== right.name) return 0;
  return left.key === right.key ? sameKey : sameName;
}

/** Maximum length of a key, and maximum depth to which values are included in it. */
const maxKey = 400;
const maxDepth = 6;

/**
 * Derives a key from a message's payload, leaving out ids and the folders that files are in, so
 * that messages with the same meaning have the same key in different recordings.
 */
export class MeaningKeys {
  readonly #protocol: Protocol;
  /** Names of properties that hold ids, with the kind of object to which the ids refer. */
  readonly #references: ReadonlyMap<string, string>;

  constructor(protocol: Protocol) {
    this.#protocol = protocol;
    this.#references = new Map(
      protocol.definitions.flatMap(({ type }) =>
        typesIn(type).flatMap((each) =>
          each.kind !== "object"
            ? []
            : each.properties.flatMap(({ name, reference }) =>
                reference === undefined ? [] : [[name, reference] as const],
              ),
        ),
      ),
    );
  }

  /** Returns a message's meaning key, which is derived from its payload. */
  keyOf(message: object, kind: MessageKind): string {
    const payload = (message as Fields)[payloadFieldOf(this.#protocol.envelope, kind)];
    return payload === undefined ? "" : shortText(JSON.stringify(this.#plain(payload, 0)), maxKey);
  }

  #plain(value: unknown, depth: number): unknown {
    if (typeof value === "string") return plainText(value);
    if (typeof value !== "object" || value === null || depth > maxDepth) return value;
    if (Array.isArray(value)) return value.slice(0, 20).map((each) => this.#plain(each, depth + 1));
    return Object.fromEntries(
      Object.entries(value)
        .map(([name, each]) => {
          const reference = this.#references.get(name);
          // The id 0 does not identify an object.
          return [
            name,
            reference === undefined || each === 0 ? this.#plain(each, depth + 1) : reference,
          ];
        })
        .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    );
  }
}

/**
 * Removes the folders from a path. In any other string, replaces hexadecimal numbers and numbers
 * with five or more digits.
 */
function plainText(text: string): string {
  if (/^(?:[a-z]+:\/\/|\/|[a-zA-Z]:[\\/])\S+$/.test(text)) return text.replace(/^.*[\\/]/, "");
  return text.length < maxKey ? text.replace(/0x[0-9a-f]+|\d{5,}/gi, "#") : text.slice(0, maxKey);
}
