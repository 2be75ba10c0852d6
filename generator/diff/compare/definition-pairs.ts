import type { Payload } from "../../model/protocol.js";
import type { Change, DefinitionLink, Step } from "./change.js";
import { tighter, unlimited, wider, type Limits } from "./limits.js";

/** The payload of a message in both versions. Absent for a version without a payload. */
export interface VersionsOfPayload {
  /** Field of the message that contains the payload. */
  readonly field: string;
  readonly before?: Payload;
  readonly after?: Payload;
}

/** Two definitions at the same location in the two versions. */
export interface Pair {
  readonly before: string;
  readonly after: string;
  /**
   * The payload of the message, for which there are separate rules. Absent if the pair is not a
   * message with a payload.
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
  /** Messages that contain the definitions. */
  readonly messages: Set<string>;
  /** Paths from a message to the pair, by receiving role. */
  readonly ways: Map<string, Way>;
  /** The widest limits of all paths from a message to the pair, by receiving role. */
  readonly limits: Map<string, Limits>;
}

/** The last part of the shortest path from a message to a pair. The path to `from` precedes it. */
export interface Way {
  readonly from?: Pair;
  readonly steps: readonly Step[];
  /** Name of the message at the start of the path, for people. */
  readonly label: string;
  /** Whether the path begins at a type that is not a message. */
  readonly isPart?: true;
}

export interface Root extends Pick<Pair, "before" | "after" | "payload"> {
  /** Name of the message, such as `stackTrace response`. */
  readonly label: string;
  readonly receivers: readonly string[];
  /** Whether the root is only a part of a message. */
  readonly isPart?: true;
  /** The worst possible effect of changes in each direction. Absent: not limited. */
  readonly limits?: Limits;
}

/** Pairs of definitions to compare. They are found by following references from messages. */
export class DefinitionPairs implements Iterable<Pair> {
  readonly #pairs = new Map<string, Pair>();
  readonly #roots: { readonly pair: Pair; readonly root: Root }[] = [];
  readonly #forCode: { readonly pair: Pair; readonly receivers: readonly string[] }[] = [];

  addRoot(root: Root): void {
    const part = root.isPart === true ? { part: root.label } : {};
    this.#roots.push({ pair: this.#pairOf({ ...root, ...part }), root });
  }

  /** Whether the two versions of a definition with this name are paired. */
  has(name: string): boolean {
    return this.#pairs.has(keyOf(name, name));
  }

  /** Names of the new definitions of all messages that a role receives. */
  receivedBy(role: string): readonly string[] {
    return this.#roots.flatMap(({ root }) => (root.receivers.includes(role) ? [root.after] : []));
  }

  /**
   * Adds a definition that matters only for code, because no message contains it at the same
   * location in both versions.
   *
   * @param receivers The roles whose code reads its values.
   */
  addForCode(name: string, receivers: readonly string[]): void {
    this.#forCode.push({ pair: this.#pairOf({ before: name, after: name }), receivers });
  }

  /** Records that two definitions have the same location inside a pair. */
  link(from: Pair, { before, after, ...link }: DefinitionLink): void {
    from.links.push({ target: this.#pairOf({ before, after }), ...link });
  }

  /**
   * Iterates in the order in which pairs are found, including pairs that are added during the
   * iteration.
   */
  [Symbol.iterator](): Iterator<Pair> {
    return this.#pairs.values();
  }

  /** Determines for each pair the messages that contain it, the paths to it, and its limits. */
  spread(): void {
    for (const { pair, root } of this.#roots) {
      const seen = new Set<Pair>([pair]);
      for (const each of seen) {
        each.messages.add(root.label);
        for (const { target } of each.links) seen.add(target);
      }
    }
    // Paths from whole messages take precedence over paths from parts of messages.
    for (const receiver of new Set(this.#roots.flatMap(({ root }) => root.receivers))) {
      this.#spreadWays(receiver, {});
      this.#spreadWays(receiver, { isPart: true });
      this.#spreadLimits(receiver);
    }
    this.#spreadToCode();
  }

  #spreadToCode(): void {
    const isSent = ({ ways }: Pair): boolean => ways.size > 0;
    const own = this.#forCode.filter(({ pair }) => !isSent(pair));
    const sent = new Set([...this.#pairs.values()].filter(isSent));
    for (const { pair, receivers } of own) {
      const reached = new Set([pair]);
      for (const { links } of reached)
        for (const { target } of links) if (!sent.has(target)) reached.add(target);
      for (const { after, ways, limits } of reached)
        for (const role of receivers) {
          ways.set(role, { steps: [], label: after, isPart: true });
          limits.set(role, { forward: "ok", backward: "ok" });
        }
    }
  }

  #spreadLimits(receiver: string): void {
    const queue = new Set<Pair>();
    const reach = (pair: Pair, limits: Limits): void => {
      const known = pair.limits.get(receiver);
      const all = known === undefined ? limits : wider(known, limits);
      if (known?.forward === all.forward && known.backward === all.backward) return;
      pair.limits.set(receiver, all);
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
        ...(payload === undefined ? {} : { payload }),
        ...(part === undefined ? {} : { part }),
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
