import { ShownState, type StateMessage } from "../../exchanges/shown-state.js";
import type { MessageSource } from "./page-messages.js";
import type { Row, SessionStore } from "./session-store.js";

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
  async stateAt(number: number, signal: AbortSignal): Promise<ShownState | undefined> {
    const session = this.#store.row(number)?.session;
    if (session === undefined) return undefined;
    const known = this.#latestBefore(session, number);
    const { groups, capabilities } = this.#store.head.state;
    const state = known?.state.copy() ?? new ShownState(groups, capabilities);
    let next = known?.next ?? 0;
    let began = performance.now();
    for (const [block, rows] of this.#store.blocks.entries()) {
      const followed = rows.filter((row) => row.number >= next && row.number <= number);
      if (followed.length === 0) continue;
      await this.#follow(state, session, block, followed);
      if (signal.aborted) return undefined;
      next = followed.at(-1)!.number + 1;
      if (next <= number) this.#keep({ session, next, state: state.copy() });
      if (performance.now() - began < slice) continue;
      await new Promise((resolve) => setTimeout(resolve));
      if (signal.aborted) return undefined;
      began = performance.now();
    }
    this.#keep({ session, next: number + 1, state });
    return state;
  }

  async #follow(
    state: ShownState,
    session: number,
    block: number,
    rows: readonly Row[],
  ): Promise<void> {
    const { payloads } = this.#store.head.state;
    const first = this.#store.blocks[block]![0]!.number;
    let lines: readonly string[] | undefined;
    for (const { number: row, kind, name, hasFailed, answers = -1, move, ...each } of rows) {
      if (each.session !== session) continue;
      if (kind !== "request" && kind !== "response" && kind !== "event") continue;
      const message: StateMessage = { row, kind, name, hasFailed, answers };
      if (state.concerns(message)) {
        lines ??= await this.#source.read(block);
        const value = JSON.parse(lines[row - first] ?? "{}") as Record<string, unknown>;
        state.follow(message, value[payloads[kind]]);
      }
      if (move?.isStop === true) state.stop(move.thread, row);
      else if (move !== undefined) state.resume(move.thread, move.since);
    }
  }

  #latestBefore(session: number, row: number): KeptState | undefined {
    let latest: KeptState | undefined;
    for (const each of this.#kept)
      if (each.session === session && each.next <= row + 1 && each.next > (latest?.next ?? -1))
        latest = each;
    return latest;
  }

  #keep(state: KeptState): void {
    this.#kept.push(state);
    if (this.#kept.length > maxKept) this.#kept.splice(0, maxKept >> 1);
  }
}
