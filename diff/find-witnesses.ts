import type { Json, Type } from "../generator/model/types.js";
import { AcceptedValues, readings } from "./compare/accepted-values.js";
import type { Change } from "./compare/change.js";
import type { VersionsOfMessage } from "./compare/compare-messages.js";
import type { Pair } from "./compare/definition-pairs.js";
import type { WorkBudget } from "./compare/work-budget.js";
import type { ReaderPolicy, Verdict } from "./compare/outcomes.js";
import type { Side } from "./compare/side.js";
import { smallestValue } from "./compare/smallest-values.js";
import { embed } from "./embed-value.js";
import type { Draft } from "./finding-drafts.js";
import type { Witness } from "./finding.js";
import { outcomeOf, type Pairing, type Versions } from "./pairings.js";
import { isProvable } from "./verdicts.js";

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
    const written = (side: Side): AcceptedValues =>
      new AcceptedValues(side, readings.schema, budget);
    const read = (side: Side): AcceptedValues =>
      new AcceptedValues(side, readings[reader === "strict" ? "strict" : "schema"], budget);
    this.#versions = versions;
    this.#reader = reader;
    this.#forward = {
      isForward: true,
      writer: before,
      written: written(before),
      read: read(after),
    };
    this.#backward = {
      isForward: false,
      writer: after,
      written: written(after),
      read: read(before),
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
