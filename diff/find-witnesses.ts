import type { Json, Type } from "../generator/model/types.js";
import { AcceptedValues, readings } from "./compare/accepted-values.js";
import type { Change, Step } from "./compare/change.js";
import type { VersionsOfMessage } from "./compare/compare-messages.js";
import type { Pair, Way } from "./compare/definition-pairs.js";
import type { WorkBudget } from "./compare/work-budget.js";
import type { ReaderPolicy, Verdict } from "./compare/outcomes.js";
import type { Side } from "./compare/side.js";
import { smallestValue } from "./compare/smallest-values.js";
import type { Draft } from "./finding-drafts.js";
import type { Witness } from "./finding.js";
import { isProvable, outcomeOf, type Pairing, type Versions } from "./verdicts.js";
import { itemTypeAt } from "../generator/model/type-checks.js";
import { setField } from "../runtime/base/own-fields.js";

/** One of the two directions in which messages can cross between versions. */
interface Direction {
  /** Whether the old version sends and the new version receives. */
  readonly isForward: boolean;
  readonly writer: Side;
  /**
   * `written`: the values that the writer's schema allows. `read`: the values that the reader
   * accepts.
   */
  readonly written: AcceptedValues;
  readonly read: AcceptedValues;
}

/** Finds example messages that the sender may send but the reader rejects. */
export class WitnessFinder {
  readonly #versions: Versions;
  readonly #reader: ReaderPolicy;
  readonly #forward: Direction;
  readonly #backward: Direction;

  constructor(versions: Versions, reader: ReaderPolicy, budget: WorkBudget) {
    const { before, after } = versions;
    const allowedBy = (side: Side): AcceptedValues =>
      new AcceptedValues(side, readings.schema, budget);
    const acceptedBy = (side: Side): AcceptedValues =>
      new AcceptedValues(side, readings[reader === "strict" ? "strict" : "schema"], budget);
    this.#versions = versions;
    this.#reader = reader;
    this.#forward = {
      isForward: true,
      writer: before,
      written: allowedBy(before),
      read: acceptedBy(after),
    };
    this.#backward = {
      isForward: false,
      writer: after,
      written: allowedBy(after),
      read: acceptedBy(before),
    };
  }

  /**
   * Finds an example message for each pairing in which a reader rejects a value. Pairings for which
   * there is no example are left out.
   */
  find(
    draft: Draft,
    pairings: readonly Pairing[],
    receivers: readonly string[],
    wire: Readonly<Record<string, Verdict>>,
  ): readonly Witness[] {
    return pairings.flatMap((pairing) => {
      if (wire[pairing.name] === "ok" && draft.change.rule.area !== "constraint") return [];
      const witness = this.#findFor(draft, pairing, receivers);
      return witness === undefined ? [] : [witness];
    });
  }

  #findFor(draft: Draft, pairing: Pairing, receivers: readonly string[]): Witness | undefined {
    const { change, message: versions } = draft;
    const readers = versions === undefined ? receivers : [pairing.newRole, pairing.oldRole];
    for (const receiver of readers) {
      const outcome = outcomeOf(change, pairing, receiver, this.#versions);
      if (!isProvable(change.rule, outcome, this.#reader)) continue;
      const isForward = receiver === pairing.newRole;
      const direction = isForward ? this.#forward : this.#backward;
      const sender = isForward ? pairing.oldRole : pairing.newRole;
      const message =
        versions === undefined
          ? this.#withValue(draft.pairs, change, receiver, direction)
          : smallestMessage(versions, sender, direction);
      if (message !== undefined) return { pair: pairing.name, sender, message };
    }
    return undefined;
  }

  /**
   * Returns the smallest message that contains a change's example value, or undefined if there is
   * no such message.
   */
  #withValue(
    pairs: readonly Pair[],
    change: Change,
    receiver: string,
    { isForward, writer, written, read }: Direction,
  ): Json | undefined {
    const value = (isForward ? change.oldToNew : change.newToOld)?.();
    const pair = pairs.find((each) => each.ways.has(receiver));
    if (value === undefined || pair === undefined) return undefined;
    // An example must be a complete message.
    if (pair.ways.get(receiver)?.isPart === true) return undefined;
    const { steps } = change.site;
    const { message, root } = embed(writer, pair, receiver, steps, value, isForward);
    const [before, after] = [root.before, root.after].map((name): Type => ({
      kind: "reference",
      name,
    }));
    // Make sure that the writer's types allow the example and the reader's types do not.
    if (!written.has(isForward ? before! : after!, message)) return undefined;
    const isRejected =
      this.#isUnknownPayload(change, root, isForward) ||
      !read.has(isForward ? after! : before!, message);
    return isRejected ? message : undefined;
  }

  /**
   * Returns whether the payload is unknown to a strict reader. The reader's types alone would
   * accept it, because the base type of messages allows any payload.
   */
  #isUnknownPayload({ rule }: Change, root: Pair, isForward: boolean): boolean {
    const known = isForward ? root.payload?.after : root.payload?.before;
    return this.#reader === "strict" && rule.area === "body" && known === undefined;
  }
}

/**
 * Returns the smallest possible message, or undefined if the sender does not send this message in
 * the writer's version.
 */
function smallestMessage(
  { before, after }: VersionsOfMessage,
  sender: string,
  { isForward, writer }: Direction,
): Json | undefined {
  const sent = isForward ? before : after;
  if (sent === undefined || (sent.sender !== sender && sent.sender !== "both")) return undefined;
  return smallestValue(writer, { kind: "reference", name: sent.definition });
}

/**
 * A message that contains a given value, and the pair of definitions that describes the message.
 */
interface Embedded {
  readonly message: Json;
  readonly root: Pair;
}

/**
 * Builds one version's smallest message that contains `value` at a given location inside a pair of
 * definitions.
 */
function embed(
  writer: Side,
  pair: Pair,
  receiver: string,
  steps: readonly Step[],
  value: Json,
  isOld: boolean,
): Embedded {
  let whole = value;
  let inner = steps;
  let root = pair;
  for (let at: Pair | undefined = pair; at !== undefined;) {
    const name = isOld ? at.before : at.after;
    whole = place(writer, { kind: "reference", name }, inner, whole, isOld);
    const way: Way = at.ways.get(receiver)!;
    inner = way.steps;
    root = at;
    at = way.from;
  }
  return { message: whole, root };
}

/** Returns the type that the steps lead to in the new version. */
export function typeBelow(side: Side, type: Type, steps: readonly Step[]): Type | undefined {
  const [step, ...rest] = steps;
  if (step === undefined) return type;
  const resolved = side.resolve(type);
  switch (step.kind) {
    case "member":
      return typeBelow(side, step.after, rest);
    case "field":
      return typeBelow(side, fieldType(side, resolved, step.name), rest);
    case "items":
      return typeBelow(side, itemType(listOf(side, resolved), step.index), rest);
    case "values": {
      const map = firstOf(side, resolved, "map");
      return typeBelow(side, map?.kind === "map" ? map.values : { kind: "any" }, rest);
    }
  }
}

/** Builds the smallest value of a type that has `value` at the end of the steps. */
export function place(
  side: Side,
  type: Type,
  steps: readonly Step[],
  value: Json,
  isOld: boolean,
): Json {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  const resolved = side.resolve(type);
  switch (step.kind) {
    case "member":
      return place(side, isOld ? step.before : step.after, rest, value, isOld);
    case "field": {
      const whole = (smallestValue(side, objectOf(side, resolved)) ?? {}) as {
        [name: string]: Json;
      };
      setField(
        whole,
        step.name,
        place(side, fieldType(side, resolved, step.name), rest, value, isOld),
      );
      return whole;
    }
    case "items": {
      const list = listOf(side, resolved);
      const { index } = step;
      const item = place(side, itemType(list, index), rest, value, isOld);
      if (index === undefined) return Array<Json>(Math.max(1, list?.minItems ?? 0)).fill(item);
      return Array.from({ length: Math.max(index + 1, list?.minItems ?? 0) }, (_, each) =>
        each === index ? item : (smallestValue(side, itemType(list, each)) ?? null),
      );
    }
    case "values": {
      const map = firstOf(side, resolved, "map");
      return {
        key: place(side, map?.kind === "map" ? map.values : { kind: "any" }, rest, value, isOld),
      };
    }
  }
}

/**
 * Returns the type itself if it has the given kind, or otherwise its first alternative of that
 * kind. Nullable properties are common, and so are unions.
 */
function firstOf(side: Side, type: Type, kind: Type["kind"]): Type | undefined {
  const resolved = side.resolve(type);
  if (resolved.kind !== "union") return resolved.kind === kind ? resolved : undefined;
  return resolved.members.map((member) => side.resolve(member)).find((each) => each.kind === kind);
}

function objectOf(side: Side, type: Type): Type {
  return firstOf(side, type, "object") ?? type;
}

function listOf(side: Side, type: Type): Extract<Type, { kind: "array" }> | undefined {
  return firstOf(side, type, "array") as Extract<Type, { kind: "array" }> | undefined;
}

/** @param index Index of the item in a tuple. */
function itemType(list: Extract<Type, { kind: "array" }> | undefined, index = 0): Type {
  return list === undefined ? { kind: "any" } : itemTypeAt(list, index);
}

function fieldType(side: Side, type: Type, name: string): Type {
  const object = objectOf(side, type);
  const property =
    object.kind === "object"
      ? side.propertiesOf(object).find((each) => each.name === name)
      : undefined;
  return property?.type ?? { kind: "any" };
}
