import { ShownState, type StateMessage } from "../../exchanges/shown-state.js";
import { rowKinds } from "../page-data.js";
import type { MessageSource } from "./page-messages.js";
import type { SessionStore } from "./session-store.js";

/** Maximum number of computed states to keep. Each computation starts from the closest one. */
const maxKept = 200;

/** Milliseconds after which reading pauses to let the page redraw. */
const slice = 12;

interface KeptState {
  readonly session: number;
  /** Number of the first row whose message is not included in the state yet. */
  readonly next: number;
  readonly state: ShownState;
}

/** Computes the state of a session after any of its messages by reading the earlier ones. */
export class StateReader {
  readonly #store: SessionStore;
  readonly #source: MessageSource;
  readonly #kept: KeptState[] = [];

  constructor(store: SessionStore, source: MessageSource) {
    this.#store = store;
    this.#source = source;
  }

  /**
   * Returns the state after a message, or undefined if `signal` is aborted or the page does not
   * contain the message.
   */
  async stateAt(row: number, signal: AbortSignal): Promise<ShownState | undefined> {
    const session = this.#store.row(row)?.session;
    if (session === undefined) return undefined;
    const known = this.#latestBefore(session, row);
    const { groups, capabilities } = this.#store.head.state;
    const state = known?.state.copy() ?? new ShownState(groups, capabilities);
    let next = known?.next ?? 0;
    let began = performance.now();
    for (let block = this.#blockFrom(next); block < this.#store.blocks.length; block++) {
      const { first, kind } = this.#store.blocks[block]!;
      if (first > row) break;
      const end = Math.min(first + kind.length, row + 1);
      await this.#follow(state, session, { block, from: Math.max(next, first), end });
      if (signal.aborted) return undefined;
      next = end;
      if (end <= row) this.#keep({ session, next, state: state.copy() });
      if (performance.now() - began < slice) continue;
      await new Promise((resolve) => setTimeout(resolve));
      if (signal.aborted) return undefined;
      began = performance.now();
    }
    this.#keep({ session, next: row + 1, state });
    return state;
  }

  async #follow(
    state: ShownState,
    session: number,
    { block, from, end }: { readonly block: number; readonly from: number; readonly end: number },
  ): Promise<void> {
    const columns = this.#store.blocks[block]!;
    const { payloads } = this.#store.head.state;
    let lines: readonly string[] | undefined;
    for (let row = from; row < end; row++) {
      const at = row - columns.first;
      if (columns.session[at] !== session) continue;
      const kind = rowKinds[columns.kind[at]!]!;
      if (kind !== "request" && kind !== "response" && kind !== "event") continue;
      const name = this.#store.names[columns.name[at]!] ?? "";
      const hasFailed = columns.failed[at] === 1;
      const message: StateMessage = { row, kind, name, hasFailed, answers: columns.answers[at]! };
      if (state.concerns(message)) {
        lines ??= await this.#source.read(block);
        const value = JSON.parse(lines[at] ?? "{}") as Record<string, unknown>;
        state.follow(message, value[payloads[kind]]);
      }
      const move = columns.moves[at];
      if (move === undefined) continue;
      const [isStop, thread, since] = move;
      if (isStop === 1) state.stop(thread ?? undefined, row);
      else state.resume(thread ?? undefined, since);
    }
  }

  #latestBefore(session: number, row: number): KeptState | undefined {
    let latest: KeptState | undefined;
    for (const each of this.#kept)
      if (each.session === session && each.next <= row + 1 && each.next > (latest?.next ?? -1))
        latest = each;
    return latest;
  }

  #blockFrom(row: number): number {
    const { blocks } = this.#store;
    const block = blocks.findIndex(({ first, kind }) => row < first + kind.length);
    return block < 0 ? blocks.length : block;
  }

  #keep(state: KeptState): void {
    this.#kept.push(state);
    if (this.#kept.length > maxKept) this.#kept.splice(0, maxKept >> 1);
  }
}
