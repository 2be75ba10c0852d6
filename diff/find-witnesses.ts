import type { Json, Type } from "../generator/model/types.js";
import { AcceptedValues, readings } from "./compare/accepted-values.js";
import type { Change, Step } from "./compare/change.js";
import type { VersionsOfMessage } from "./compare/compare-messages.js";
import type { Pair } from "./compare/definition-pairs.js";
import type { WorkBudget } from "./compare/work-budget.js";
import type { Direction, Limits, ReaderPolicy, Verdict } from "./compare/outcomes.js";
import { smallestValue } from "./compare/side.js";
import type { Witness } from "./finding.js";
import { isProvable, outcomeOf, type Pairing } from "./verdicts.js";
import type { Side, Version, Versions } from "./compare/side.js";
import { itemTypeAt } from "../generator/model/type-checks.js";
import { setField } from "../runtime/base/own-fields.js";

/** Messages that one version writes and the other reads. */
interface Crossing {
  readonly direction: Direction;
  readonly writer: Version;
  readonly reader: Version;
  /** The values that the writer's schema allows. */
  readonly allowed: AcceptedValues;
  /** The values that the reader accepts. */
  readonly accepted: AcceptedValues;
}

/**
 * A change, together with the messages that it affects: the message itself if it changed as a
 * whole, or otherwise every message that contains a changed pair of definitions.
 */
export interface Draft {
  readonly change: Change;
  readonly pairs: Pair[];
  readonly receivers: Set<string>;
  readonly messages: Set<string>;
  /** The worst possible effect on each receiving role. Roles without an entry have no limit. */
  readonly limits: Map<string, Limits>;
  /** The message, if it changed as a whole. */
  readonly message?: VersionsOfMessage;
}

/** Finds example messages that the sender may send but the reader rejects. */
export class WitnessFinder {
  readonly #versions: Versions;
  readonly #policy: ReaderPolicy;
  readonly #crossings: Readonly<Record<Direction, Crossing>>;

  constructor(versions: Versions, policy: ReaderPolicy, budget: WorkBudget) {
    const crossing = (direction: Direction, writer: Version, reader: Version): Crossing => ({
      direction,
      writer,
      reader,
      allowed: new AcceptedValues(versions[writer], readings.schema, budget),
      accepted: new AcceptedValues(
        versions[reader],
        readings[policy === "strict" ? "strict" : "schema"],
        budget,
      ),
    });
    this.#versions = versions;
    this.#policy = policy;
    this.#crossings = {
      oldToNew: crossing("oldToNew", "before", "after"),
      newToOld: crossing("newToOld", "after", "before"),
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
    const { change, message } = draft;
    for (const receiver of message === undefined ? receivers : [pairing.newRole, pairing.oldRole]) {
      const outcome = outcomeOf(change, pairing, receiver, this.#versions);
      if (!isProvable(change.rule, outcome, this.#policy)) continue;
      const crossing = this.#crossings[receiver === pairing.newRole ? "oldToNew" : "newToOld"];
      const sender = receiver === pairing.newRole ? pairing.oldRole : pairing.newRole;
      const witness =
        message === undefined
          ? this.#withValue(draft.pairs, change, receiver, crossing)
          : this.#smallestMessage(message, sender, crossing);
      if (witness !== undefined) return { pair: pairing.name, sender, message: witness };
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
    { direction, writer, reader, allowed, accepted }: Crossing,
  ): Json | undefined {
    const value = change[direction]?.();
    const pair = pairs.find((each) => each.ways.has(receiver));
    if (value === undefined || pair === undefined) return undefined;
    // An example must be a complete message.
    if (pair.ways.get(receiver)?.isPart === true) return undefined;
    const { message, root } = embed(
      this.#versions[writer],
      pair,
      receiver,
      change.site.steps,
      value,
      writer,
    );
    // Make sure that the writer's types allow the example and the reader's types do not.
    if (!allowed.has({ kind: "reference", name: root[writer] }, message)) return undefined;
    // The reader's types alone would accept a payload that is unknown to a strict reader, because
    // the base type of messages allows any payload.
    const isUnknownPayload =
      this.#policy === "strict" &&
      change.rule.area === "body" &&
      root.payload?.[reader] === undefined;
    const isRejected =
      isUnknownPayload || !accepted.has({ kind: "reference", name: root[reader] }, message);
    return isRejected ? message : undefined;
  }

  /**
   * Returns the smallest possible message, or undefined if the sender does not send this message in
   * the writer's version.
   */
  #smallestMessage(
    versions: VersionsOfMessage,
    sender: string,
    { writer }: Crossing,
  ): Json | undefined {
    const message = versions[writer];
    if (message === undefined || (message.sender !== sender && message.sender !== "both"))
      return undefined;
    return smallestValue(this.#versions[writer], { kind: "reference", name: message.definition });
  }
}

function embed(
  side: Side,
  pair: Pair,
  receiver: string,
  steps: readonly Step[],
  value: Json,
  version: Version,
): { readonly message: Json; readonly root: Pair } {
  const message = place(side, { kind: "reference", name: pair[version] }, steps, value, version);
  const way = pair.ways.get(receiver)!;
  return way.from === undefined
    ? { message, root: pair }
    : embed(side, way.from, receiver, way.steps, message, version);
}

function place(
  side: Side,
  type: Type,
  steps: readonly Step[],
  value: Json,
  version: Version,
): Json {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  const resolved = side.resolve(type);
  switch (step.kind) {
    case "member":
      return place(side, step[version], rest, value, version);
    case "field": {
      const whole = (smallestValue(side, objectOf(side, resolved)) ?? {}) as {
        [name: string]: Json;
      };
      setField(
        whole,
        step.name,
        place(side, fieldType(side, resolved, step.name), rest, value, version),
      );
      return whole;
    }
    case "items": {
      const list = listOf(side, resolved);
      const { index } = step;
      const item = place(side, itemType(list, index), rest, value, version);
      if (index === undefined) return Array<Json>(Math.max(1, list?.minItems ?? 0)).fill(item);
      return Array.from({ length: Math.max(index + 1, list?.minItems ?? 0) }, (_, each) =>
        each === index ? item : (smallestValue(side, itemType(list, each)) ?? null),
      );
    }
    case "values": {
      const map = firstOf(side, resolved, "map");
      return {
        key: place(side, map?.kind === "map" ? map.values : { kind: "any" }, rest, value, version),
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
