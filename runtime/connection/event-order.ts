import type { ConversationTable } from "../protocol/protocol-description.js";
import type { IncomingRequest } from "./incoming-request.js";

/** Sends an event that was held back. */
type Send = () => void;

/**
 * Holds events back until the requests that cause them have been answered. For example, a handler
 * for `next` may report the stop before it returns, but the peer expects the response first. Any
 * events that follow are also held back, so that events stay in order.
 */
export class EventOrder {
  readonly #follows: NonNullable<ConversationTable["follows"]>;
  readonly #causes: ReadonlySet<string>;
  readonly #unanswered = new Set<IncomingRequest>();
  #held: { readonly name: string; readonly send: Send }[] = [];

  constructor({ follows = {} }: ConversationTable) {
    this.#follows = follows;
    this.#causes = new Set(Object.values(follows).flat());
  }

  /** Called when a handler starts. */
  begin(request: IncomingRequest): void {
    if (this.#causes.has(request.name)) this.#unanswered.add(request);
  }

  /** Called when a response has been queued. */
  finish(request: IncomingRequest): void {
    if (!this.#unanswered.delete(request) || this.#held.length === 0) return;
    const held = this.#held;
    this.#held = [];
    for (const [index, { name, send }] of held.entries()) {
      if (this.#mustFollow(name)) {
        this.#held = [...held.slice(index), ...this.#held];
        return;
      }
      send();
    }
  }

  /** Holds an event back if necessary. Returns whether it was held back. */
  hold(name: string, send: Send): boolean {
    if (this.#unanswered.size === 0) return false;
    if (this.#held.length === 0 && !this.#mustFollow(name)) return false;
    this.#held.push({ name, send });
    return true;
  }

  #mustFollow(name: string): boolean {
    const causes = Object.hasOwn(this.#follows, name) ? this.#follows[name]! : [];
    if (causes.length === 0) return false;
    return [...this.#unanswered].some((request) => causes.includes(request.name));
  }
}
