import type { Payload } from "../../generator/model/protocol.js";
import type { Change, DefinitionLink, Step } from "./change.js";
import { tighter, unlimited, wider, type Limits } from "./outcomes.js";

/** A message's payload in both versions. Absent for a version in which the message has none. */
export interface VersionsOfPayload {
  /** The field of the message that contains the payload. */
  readonly field: string;
  readonly before?: Payload;
  readonly after?: Payload;
}

/** A pair of definitions, one from each version, found at the same location. */
export interface Pair {
  readonly before: string;
  readonly after: string;
  /**
   * The message's payload, for which there are separate rules. Absent unless the pair is a message
   * with a payload.
   */
  readonly payload?: VersionsOfPayload;
  /**
   * Name of a part that is sent inside other messages, such as `initialize error data`. Absent for
   * other pairs.
   */
  readonly part?: string;
  changes: readonly Change[];
  readonly links: {
    readonly target: Pair;
    readonly steps: readonly Step[];
    readonly limits?: Limits;
  }[];
  /** The messages that contain the definitions. */
  readonly messages: Set<string>;
  /** The path from a message to the pair, by receiving role. */
  readonly ways: Map<string, Way>;
  /** The widest limits of all paths that lead from a message to the pair, by receiving role. */
  readonly limits: Map<string, Limits>;
}

/**
 * The last section of the shortest path from a message to a pair. The rest of the path is the path
 * to `from`.
 */
export interface Way {
  readonly from?: Pair;
  readonly steps: readonly Step[];
  /** Display name of the message at the start of the path. */
  readonly label: string;
  /** Whether the path starts at a type that is not a message. */
  readonly isPart?: true;
}

export interface Root extends Pick<Pair, "before" | "after" | "payload"> {
  /** The message's display name, such as `stackTrace response`. */
  readonly label: string;
  readonly receivers: readonly string[];
  /** Whether the root is only part of a message. */
  readonly isPart?: true;
  /** The worst effect that changes can have in each direction. Absent if there is no limit. */
  readonly limits?: Limits;
}

/** The pairs of definitions to compare. They are found by following references from messages. */
export class DefinitionPairs implements Iterable<Pair> {
  readonly #pairs = new Map<string, Pair>();
  readonly #roots: { readonly pair: Pair; readonly root: Root }[] = [];
  readonly #forCode: { readonly pair: Pair; readonly receivers: readonly string[] }[] = [];

  addRoot(root: Root): void {
    const part = root.isPart === true ? { part: root.label } : {};
    this.#roots.push({ pair: this.#pairOf({ ...root, ...part }), root });
  }

  /** Returns whether the two versions of the definition with this name are paired. */
  has(name: string): boolean {
    return this.#pairs.has(keyOf(name, name));
  }

  /** Returns the names of the new definitions of all messages that a role receives. */
  receivedBy(role: string): readonly string[] {
    return this.#roots.flatMap(({ root }) => (root.receivers.includes(role) ? [root.after] : []));
  }

  /**
   * Adds a definition that matters only to code, because no message contains it at the same
   * location in both versions.
   *
   * @param receivers The roles whose code reads its values.
   */
  addForCode(name: string, receivers: readonly string[]): void {
    this.#forCode.push({ pair: this.#pairOf({ before: name, after: name }), receivers });
  }

  /** Records that two definitions are at the same location inside a pair. */
  link(from: Pair, { before, after, ...link }: DefinitionLink): void {
    from.links.push({ target: this.#pairOf({ before, after }), ...link });
  }

  /**
   * Iterates over the pairs in the order in which they were found, including any that are added
   * along the way.
   */
  [Symbol.iterator](): Iterator<Pair> {
    return this.#pairs.values();
  }

  /** Determines which messages contain each pair, the paths that lead to it, and its limits. */
  spread(): void {
    for (const { pair, root } of this.#roots) {
      const seen = new Set<Pair>([pair]);
      for (const each of seen) {
        each.messages.add(root.label);
        for (const { target } of each.links) seen.add(target);
      }
    }
    // A path that starts at a whole message takes precedence over one that starts at part of a
    // message.
    for (const receiver of new Set(this.#roots.flatMap(({ root }) => root.receivers))) {
      this.#spreadWays(receiver, {});
      this.#spreadWays(receiver, { isPart: true });
      this.#spreadLimits(receiver);
    }
    this.#spreadToCode();
  }

  #spreadToCode(): void {
    const isSent = ({ ways }: Pair): boolean => ways.size > 0;
    const unsent = this.#forCode.filter(({ pair }) => !isSent(pair));
    const sent = new Set([...this.#pairs.values()].filter(isSent));
    for (const { pair, receivers } of unsent) {
      const reached = new Set([pair]);
      for (const { links } of reached)
        for (const { target } of links) if (!sent.has(target)) reached.add(target);
      for (const { after, ways, limits } of reached)
        for (const role of receivers) {
          ways.set(role, { steps: [], label: after, isPart: true });
          limits.set(role, { oldToNew: "ok", newToOld: "ok" });
        }
    }
  }

  #spreadLimits(receiver: string): void {
    const queue = new Set<Pair>();
    const reach = (pair: Pair, limits: Limits): void => {
      const reached = pair.limits.get(receiver);
      const widened = reached === undefined ? limits : wider(reached, limits);
      if (reached?.oldToNew === widened.oldToNew && reached.newToOld === widened.newToOld) return;
      pair.limits.set(receiver, widened);
      queue.delete(pair);
      queue.add(pair);
    };
    for (const { pair, root } of this.#roots)
      if (root.receivers.includes(receiver)) reach(pair, root.limits ?? unlimited);
    for (const from of queue) {
      const limits = from.limits.get(receiver)!;
      for (const link of from.links)
        reach(link.target, link.limits === undefined ? limits : tighter(limits, link.limits));
    }
  }

  #spreadWays(receiver: string, kind: Pick<Way, "isPart">): void {
    const queue = new Set<Pair>();
    for (const { pair, root } of this.#roots) {
      if (root.isPart !== kind.isPart) continue;
      if (!root.receivers.includes(receiver) || pair.ways.has(receiver)) continue;
      pair.ways.set(receiver, { steps: [], label: root.label, ...kind });
      queue.add(pair);
    }
    for (const from of queue) {
      const { label } = from.ways.get(receiver)!;
      for (const { target, steps } of from.links) {
        if (target.ways.has(receiver)) continue;
        target.ways.set(receiver, { from, steps, label, ...kind });
        queue.add(target);
      }
    }
  }

  #pairOf({
    before,
    after,
    payload,
    part,
  }: Pick<Pair, "before" | "after" | "payload" | "part">): Pair {
    const key = keyOf(before, after);
    let pair = this.#pairs.get(key);
    if (pair === undefined) {
      pair = {
        before,
        after,
        payload,
        part,
        changes: [],
        links: [],
        messages: new Set(),
        ways: new Map(),
        limits: new Map(),
      };
      this.#pairs.set(key, pair);
    }
    return pair;
  }
}

function keyOf(before: string, after: string): string {
  return `${before} ${after}`;
}
