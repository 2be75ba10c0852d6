import type { Change } from "./compare/change.js";
import type { MessageChange, VersionsOfMessage } from "./compare/compare-messages.js";
import type { Pair } from "./compare/definition-pairs.js";
import { tighter, wider, type Limits } from "./compare/outcomes.js";

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

/** Collects changes, merging those that are found along several paths. */
export class FindingDrafts implements Iterable<Draft> {
  readonly #drafts = new Map<string, Draft>();
  /**
   * Drafts by change. This lookup is a shortcut: a change that is found again is usually the same
   * object.
   */
  readonly #byChange = new Map<Change, Draft>();

  /** Adds a change to a message as a whole. */
  addMessage({ change, message, receivers, label }: MessageChange): void {
    const { limits } = this.#draftOf(change, receivers, [label], message);
    if (change.limits !== undefined)
      for (const receiver of receivers) limits.set(receiver, change.limits);
  }

  /** Adds a change to a definition that no message contains. */
  addUnsent(change: Change, roles: readonly string[]): void {
    this.#draftOf(change, roles, []);
  }

  /** Adds a change that was found in a pair of definitions. */
  add(change: Change, pair: Pair): void {
    const { pairs, limits } = this.#draftOf(change, pair.ways.keys(), pair.messages);
    pairs.push(pair);
    for (const [receiver, ofPair] of pair.limits) {
      const ofChange = change.limits === undefined ? ofPair : tighter(change.limits, ofPair);
      const ofOthers = limits.get(receiver);
      limits.set(receiver, ofOthers === undefined ? ofChange : wider(ofOthers, ofChange));
    }
  }

  [Symbol.iterator](): Iterator<Draft> {
    return this.#drafts.values();
  }

  #draftOf(
    change: Change,
    receivers: Iterable<string>,
    messages: Iterable<string>,
    message?: VersionsOfMessage,
  ): Draft {
    let draft = this.#byChange.get(change);
    if (draft === undefined) {
      // A change in a base turns up once for each derived type. Use the rule and the location as
      // the key, because together they identify a finding.
      const key = `${change.rule.id} ${change.site.owner}${change.site.label}`;
      draft = this.#drafts.get(key);
      if (draft === undefined) {
        draft = {
          change,
          pairs: [],
          receivers: new Set(),
          messages: new Set(),
          limits: new Map(),
          message,
        };
        this.#drafts.set(key, draft);
      }
      this.#byChange.set(change, draft);
    }
    for (const receiver of receivers) draft.receivers.add(receiver);
    for (const each of messages) draft.messages.add(each);
    return draft;
  }
}
